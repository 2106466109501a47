"""The exit code of a process. That of the run is the code of the process it began with.

run.json tells how each recorded process ended, as far as the recorder saw it.
"""

from __future__ import annotations

from greta.trace.evidence import Evidence


def exit_code_of(evidence: Evidence) -> int:
    """Of the process that the evidence is about; 0 where it is not known."""
    processes = evidence.run.processes
    own = [one for one in processes if one.pid == evidence.trace.pid]
    seen = [one.end_code for one in own if one.end in ("exit", "quick")]
    if seen:
        return seen[-1] or 0
    ending = evidence.run.exit
    return 0 if ending is None or len(processes) > 1 else ending.code or 0
