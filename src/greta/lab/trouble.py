"""Why an audit cannot go on. It is a code with data; who prints it has the sentence."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from typing import Final

from greta.errors import GretaError
from greta.forensics.verdict import Saying, Value
from greta.lab.artifacts import start_log
from greta.lab.summary import ProgramEnding
from greta.recording import unrecorded_processes

NO_CALL: Final = "trouble_no_call"
_LEAST_FREE: Final = 1 << 20
"""Bytes; a recording cannot begin with less."""
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class AuditStoppedError(GretaError):
    """It would be of no use to go on."""

    def __init__(self, trouble: Saying) -> None:
        super().__init__(trouble.code)
        self.trouble = trouble


def explain(error: OSError | AuditStoppedError, folder: Path) -> Saying:
    """What ended it. A full disk has many symptoms, and is the one thing to say."""
    code = error.errno if isinstance(error, OSError) else None
    if code in _FULL or _is_full(folder):
        return Saying("trouble_no_space", {"folder": str(folder)})
    if isinstance(error, AuditStoppedError):
        return error.trouble
    return Saying("trouble_of_the_system", {"words": error.strerror or str(error)})


def workload_did_not_start(folder: Path) -> Saying:
    """`folder` is that of its last run."""
    return Saying("trouble_workload", {"reason": _last_words(folder) or "unsaid"})


def came_to_no_call(command: str, folder: Path, ending: ProgramEnding) -> Saying:
    """A command that failed before its first HIP call, runs without HIP, or did not start."""
    words: dict[str, Value] = {"command": command, "folder": str(folder)}
    if ending.failed:
        code, how = {
            "exit_code": ("trouble_exit_early", ending.exit_code),
            "signal": ("trouble_signal_early", ending.signal),
            "timeout": ("trouble_hang_early", ending.seconds),
        }[ending.how]
        said = ending.stderr or ("unsaid",)
        return Saying(code, {**words, "how": str(how), "reason": said[-1]})
    if (folder / "run.json").is_file():
        return Saying(NO_CALL, words)
    return Saying("trouble_command", {**workload_did_not_start(folder).data, "command": command})


def is_unrecorded(folder: Path) -> bool:
    """Whether the recorder found no room: the program then goes on without it."""
    processes = [one for one in (folder / "recording").glob("*.*") if one.is_dir()]
    return bool(processes) and len(unrecorded_processes(folder)) == len(processes)


def not_recorded(folder: Path) -> Saying:
    """What to say then; `folder` is that of the run."""
    reason = _last_words(folder).partition(";")[0] or "no_space"
    return Saying("trouble_unrecorded", {"reason": reason, "folder": str(folder.parents[1])})


def _last_words(folder: Path) -> str:
    try:
        lines = start_log(folder).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return ""
    said = [line.strip() for line in lines if line.strip()]
    return said[-1].removeprefix("greta: ") if said else ""


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < _LEAST_FREE
    except OSError:
        return False
