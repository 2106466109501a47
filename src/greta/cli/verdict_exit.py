"""Verdicts as exit codes."""

from __future__ import annotations

from greta.errors import ExitCode

_EXIT_CODES = {
    "NOT_REPRODUCED": ExitCode.OK,
    "REPRODUCED": ExitCode.FAULT,
    "INCONCLUSIVE": ExitCode.INCONCLUSIVE,
}


def exit_code_of(verdict: str) -> int:
    """0, 1 or 3."""
    return _EXIT_CODES[verdict]
