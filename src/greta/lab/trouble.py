"""Why an audit cannot go on. It is a code with data; who prints it has the sentence."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from greta.errors import GretaError
from greta.lab.artifacts import start_log
from greta.lab.summary import ProgramEnding
from greta.recording import unrecorded_processes

NO_CALL: Final = "trouble_no_call"
_LEAST_FREE: Final = 1 << 20
"""Bytes; a recording cannot begin with less."""
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class Trouble:
    """What ended it: a code of one sentence, and what the sentence names."""

    code: str
    data: dict[str, str]


class AuditStoppedError(GretaError):
    """It would be of no use to go on."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.code)
        self.trouble = trouble


def explain(error: OSError | AuditStoppedError, folder: Path) -> Trouble:
    """What ended it. A full disk has many symptoms, and is the one thing to say."""
    code = error.errno if isinstance(error, OSError) else None
    if code in _FULL or _is_full(folder):
        return Trouble("trouble_no_space", {"folder": str(folder)})
    if isinstance(error, AuditStoppedError):
        return error.trouble
    return Trouble("trouble_of_the_system", {"words": error.strerror or str(error)})


def workload_did_not_start(folder: Path) -> Trouble:
    """`folder` is that of its last run."""
    return Trouble("trouble_workload", {"reason": _last_words(folder) or "unsaid"})


def command_did_not_start(command: str, folder: Path) -> Trouble:
    """The same of a command."""
    return Trouble("trouble_command", {**workload_did_not_start(folder).data, "command": command})


def makes_no_call(command: str, folder: Path) -> Trouble:
    """Of a command that runs, but not with HIP."""
    return Trouble(NO_CALL, {"command": command, "folder": str(folder)})


def ended_early(command: str, folder: Path, ending: ProgramEnding) -> Trouble:
    """Of a command that failed before its first HIP call: how it ended, and what it said."""
    words = {"command": command, "folder": str(folder)}
    said = ending.stderr or ("unsaid",)
    code, how = {
        "exit_code": ("trouble_exit_early", ending.exit_code),
        "signal": ("trouble_signal_early", ending.signal),
        "timeout": ("trouble_hang_early", ending.seconds),
    }[ending.how]
    return Trouble(code, {**words, "how": str(how), "reason": said[-1]})


def is_unrecorded(folder: Path) -> bool:
    """Whether the recorder found no room: the program then goes on without it."""
    processes = [one for one in (folder / "recording").glob("*.*") if one.is_dir()]
    return bool(processes) and len(unrecorded_processes(folder)) == len(processes)


def not_recorded(folder: Path) -> Trouble:
    """What to say then; `folder` is that of the run."""
    reason = _last_words(folder).partition(";")[0] or "no_space"
    return Trouble("trouble_unrecorded", {"reason": reason, "folder": str(folder.parents[1])})


def _last_words(folder: Path) -> str:
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
