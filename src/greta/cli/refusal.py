"""Why a program cannot be run, in one sentence."""

from __future__ import annotations

from pathlib import Path

from greta.errors import UsageError


def refusal(program: str, error: OSError) -> UsageError:
    """What to say when the system refuses to execute `program`."""
    if isinstance(error, FileNotFoundError):
        return UsageError(f"cannot run {program!r}: there is no such program")
    reason = "it is a folder" if Path(program).is_dir() else error.strerror
    hint = f"; did you mean python {program}?" if program.endswith(".py") else ""
    return UsageError(f"cannot run {program!r}: {reason}{hint}")
