"""The logs in a folder: what its files of text tell."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from greta.errors import UsageError
from greta.outside import open_outside
from greta.trace.logs import process_logs_if_any
from greta.trace.logs.logged import ProcessLog

_MOST: Final = 1000
_LOOK: Final = 4096


def stories_in(folder: Path) -> list[ProcessLog]:
    """Of the regular files directly in it that are text."""
    try:
        files = sorted(path for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror or error}") from None
    if len(files) > _MOST:
        raise UsageError(f"{folder} has {len(files)} files; give the logs of one run by name")
    return [story for path in files if _is_text(path) for story in process_logs_if_any(path)]


def _is_text(path: Path) -> bool:
    try:
        with open_outside(path, within=path.parent) as file:
            return b"\0" not in file.read(_LOOK)
    except OSError:
        return False
