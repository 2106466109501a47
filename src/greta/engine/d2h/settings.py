"""What the environment asks for: audit, debug, trace. Read once, when Transfers is made."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from greta.errors import UsageError

AUDIT = "GCORE_D2H_AUDIT"
AUDIT_LOG = "GCORE_D2H_AUDIT_LOG"
DEBUG = "GRETA_D2H_DEBUG"
TRACE = "GRETA_TRACE_MEMCPY"


@dataclass(frozen=True)
class Settings:
    """Which lines are written, and where the audit's go (None: stderr).

    >>> Settings.from_environment({"GCORE_D2H_AUDIT": "1"})
    Settings(audit=True, audit_log=None, debug=False, trace=False)
    """

    audit: bool = False
    audit_log: Path | None = None
    debug: bool = False
    trace: bool = False

    @classmethod
    def from_environment(cls, variables: Mapping[str, str] = os.environ) -> Settings:
        """The settings that the variables stand for."""
        log = variables.get(AUDIT_LOG)
        return cls(
            audit=_switch(variables, AUDIT),
            audit_log=Path(log) if log else None,
            debug=_switch(variables, DEBUG),
            trace=_switch(variables, TRACE),
        )

    @property
    def silent(self) -> bool:
        """No line is written."""
        return not (self.audit or self.debug or self.trace)


def _switch(variables: Mapping[str, str], name: str) -> bool:
    value = variables.get(name, "")
    if value not in ("", "0", "1"):
        raise UsageError(f"{name} must be 0 or 1, not {value!r}")
    return value == "1"
