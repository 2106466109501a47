"""Why an audit cannot go on, in one sentence."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Final

from greta.errors import GretaError
from greta.lab.artifacts import start_log

_LEAST_FREE: Final = 1 << 20
"""Bytes; a recording cannot begin with less."""
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class AuditStoppedError(GretaError):
    """It would be of no use to go on; the message says why."""


def explain(error: OSError | AuditStoppedError, folder: Path) -> str:
    """What ended it. A full disk has many symptoms, and is the one thing to say."""
    code, words = (error.errno, error.strerror) if isinstance(error, OSError) else (None, None)
    if code in _FULL or _is_full(folder):
        return f"no space is left on the disk of {folder}; {_free_some(folder)}"
    return words or str(error)


def _free_some(folder: Path) -> str:
    return f"free some, then go on with `greta audit --resume {folder}`"


def did_not_start(what: str, folder: Path) -> str:
    """Of a workload or a command; `folder` is that of its last run."""
    reason = _last_words(folder)
    return f"{what} does not start: {reason}" if reason else f"{what} does not start"


def is_unrecorded(folder: Path) -> bool:
    """Whether the recorder found no room: the program then goes on without it."""
    headers = list((folder / "recording").glob("*/header"))
    return bool(headers) and all(header.stat().st_size == 0 for header in headers)


def not_recorded(folder: Path) -> str:
    """What to say then; `folder` is that of the run."""
    reason = _last_words(folder).partition(";")[0] or "there is no space"
    return f"{reason}; {_free_some(folder.parents[1])}"


def _last_words(folder: Path) -> str:
    """Why a run did not begin, if it said so."""
    try:
        lines = start_log(folder).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return ""
    said = [line.strip() for line in lines if line.strip()]
    return said[-1].removeprefix("greta: ") if said else ""


def _is_full(folder: Path) -> bool:
    try:
        system = os.statvfs(folder)
    except OSError:
        return False
    return system.f_bavail * system.f_frsize < _LEAST_FREE
