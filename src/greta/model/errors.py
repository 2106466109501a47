"""The errors of models.

GretaError
 └── ModelError              a file that cannot be used as a model; names the file and the field
      ├── ModelUnavailableError  a model that has a name but could not be fetched
      └── GuardRailError         a model that does not fit itself or the kernels (guard_rail.py)
"""

from __future__ import annotations

from greta.errors import ExitCode, GretaError
from greta.printable import printable


class ModelError(GretaError):
    """A file that cannot be used as a model. No text of the file can pass for one of our lines."""

    exit_code = ExitCode.BAD_USAGE

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(map(printable, lines)))


class ModelUnavailableError(ModelError):
    """A model known by name that is not in the cache and could not be fetched."""
