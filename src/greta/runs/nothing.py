"""Why a recording is empty, as far as the program's file tells."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Literal

from greta.runs.elf import read_elf

Reason = Literal["machine", "static", "rights"]
"""Why a program does not load the recorder."""


def why_not_loaded(program: Path) -> Reason | None:
    """None for a program that loads the recorder, or whose file does not tell."""
    elf = read_elf(program)
    if elf is None:
        return None
    if elf.machine != "EM_X86_64":
        return "machine"
    if not elf.dynamic:
        return "static"
    return "rights" if _runs_with_more_rights(program) else None


def why_nothing(program: Path) -> str:
    """What is known, or else what it may be; never a guess dressed up as knowledge."""
    elf = read_elf(program)
    if elf is None:
        return f"{program} is no ELF program that can be read, so the recorder may not be in it"
    reason = why_not_loaded(program)
    if reason == "machine":
        return f"{program} is for another processor ({elf.machine}), and the recorder for x86-64"
    if reason == "static":
        return f"{program} is statically linked, and so the recorder cannot be loaded into it"
    if reason == "rights":
        return f"{program} runs with more rights than its user's, and so loads no recorder"
    return (
        "no HIP call was made, or only where the recorder cannot be (static, setuid, "
        "LD_PRELOAD removed)"
    )


def _runs_with_more_rights(program: Path) -> bool:
    try:
        status = program.stat()
        capable = os.getuid() != 0 and "security.capability" in os.listxattr(program)
    except OSError:
        return False
    as_user = bool(status.st_mode & stat.S_ISUID) and status.st_uid != os.getuid()
    as_group = bool(status.st_mode & stat.S_ISGID) and status.st_gid != os.getgid()
    return as_user or as_group or capable
