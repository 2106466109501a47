"""The exit code of a process. That of the run is the code of the process it began with.

run.json tells how each recorded process ended, as far as the recorder saw it.
"""

from __future__ import annotations

from typing import Any

from greta.trace.evidence import Evidence


def exit_code_of(evidence: Evidence) -> int:
    """Of the process that the evidence is about; 0 where it is not known."""
    processes = _processes(evidence.run)
    own = [one for one in processes if one.get("pid") == evidence.trace.pid]
    seen = [one.get("end_code") for one in own if one.get("end") in ("exit", "quick")]
    if seen:
        return _whole(seen[-1])
    ending = evidence.run.get("exit")
    if len(processes) > 1 or not isinstance(ending, dict):
        return 0
    return _whole(ending.get("code"))


def _processes(run: dict[str, Any]) -> list[dict[str, Any]]:
    listed = run.get("processes")
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _whole(code: object) -> int:
    return code if isinstance(code, int) else 0
