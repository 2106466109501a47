"""A file, or stderr, that takes whole lines from any thread of any process."""

from __future__ import annotations

import os
import sys
import weakref
from pathlib import Path

from greta.engine.d2h.settings import AUDIT_LOG
from greta.errors import UsageError

_STDERR = 2


class LineLog:
    """Appends lines, each with one write: they are whole, and they survive an abort.

    A log that cannot be written any more (a full disk) says so once on stderr and drops lines; the
    transfers go on.
    """

    def __init__(self, path: Path | None) -> None:
        self._name = str(path) if path is not None else "stderr"
        self._file = _STDERR if path is None else _opened(path)
        self._failed = False
        if path is not None:
            weakref.finalize(self, os.close, self._file)

    def write(self, lines: str) -> None:
        """Writes text that ends with the end of a line."""
        data = lines.encode("ascii", "backslashreplace")
        try:
            written = os.write(self._file, data)
            while written < len(data):
                written += os.write(self._file, data[written:])
        except OSError as error:
            self._say_once(error)

    def _say_once(self, error: OSError) -> None:
        if not self._failed:
            self._failed = True
            what = f"the D2H log {self._name} cannot be written ({error.strerror})"
            print(f"greta: {what}; lines are lost from here on", file=sys.stderr)


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise UsageError(
            f"{AUDIT_LOG}={path} cannot be opened ({error.strerror}); name a file in a folder that "
            "exists and can be written"
        ) from None
