"""Why a program cannot be run, in one sentence."""

from __future__ import annotations

import os
from pathlib import Path

from greta.errors import UsageError


def refusal(program: str, error: OSError) -> UsageError:
    """What to say when the system refuses to execute `program`."""
    if isinstance(error, FileNotFoundError):
        if "/" in program and Path(program).is_file():
            return UsageError(f"cannot run {program!r}: {_interpreter(Path(program))} is not there")
        return UsageError(f"cannot run {program!r}: there is no such program")
    reason = "it is a folder" if Path(program).is_dir() else error.strerror
    hint = f"; did you mean python {program}?" if program.endswith(".py") else ""
    return UsageError(f"cannot run {program!r}: {reason}{hint}")


def _interpreter(program: Path) -> str:
    """What the system needs to run a file that is there: a script names it in its first line."""
    try:
        with program.open("rb") as file:
            start = file.read(256)
    except OSError:
        start = b""
    words = os.fsdecode(start[2:].splitlines()[0]).split() if start[:2] == b"#!" else []
    return f"the interpreter that it names, {words[0]!r}," if words else "its program loader"
