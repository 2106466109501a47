"""Why a recording is empty, as far as the program's file tells."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from greta.runs.elf import read_elf


def why_nothing(program: Path) -> str:
    """What is known, or else what it may be; never a guess dressed up as knowledge."""
    elf = read_elf(program)
    if elf is None:
        return f"{program} is no ELF program that can be read, so the recorder may not be in it"
    if elf.machine != "EM_X86_64":
        return f"{program} is for another processor ({elf.machine}), and the recorder for x86-64"
    if not elf.dynamic:
        return f"{program} is statically linked, and so the recorder cannot be loaded into it"
    if _runs_with_more_rights(program):
        return f"{program} runs with more rights than its user's, and so loads no recorder"
    return (
        "no HIP call was made, or only where the recorder cannot be (static, setuid, "
        "LD_PRELOAD removed)"
    )


def _runs_with_more_rights(program: Path) -> bool:
    try:
        mode = program.stat().st_mode
        capable = "security.capability" in os.listxattr(program)
    except OSError:
        return False
    return bool(mode & (stat.S_ISUID | stat.S_ISGID)) or capable
