# The shape of the module that contract/generate.py writes when the package is built.
from typing import Final

ERROR_NAMES: Final[dict[int, str]]
ERROR_TEXTS: Final[dict[int, str]]
RETURNS_NO_ERROR: Final[frozenset[str]]
ENQUEUING: Final[frozenset[str]]
MADE: Final[dict[str, tuple[str, str, tuple[str, ...], str]]]
ENDED: Final[dict[str, tuple[str, str]]]
