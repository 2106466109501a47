"""What a recording does not show, with a word on how much."""

from __future__ import annotations

from collections import Counter

from greta.recording import Missing, Process, effects_of
from greta.trace.trace import Gap


def gaps_of(process: Process, unknown_kernels: int, unknown_graphs: int) -> dict[Gap, str]:
    """All reasons why the trace is not all that happened."""
    gaps = _of_the_recording(process)
    missing = _missing(process)
    unknown_kernels += missing[Missing.KERNELS]
    if unknown_kernels or unknown_graphs:
        texts = [f"{unknown_kernels} launches"] if unknown_kernels else []
        texts += [f"{unknown_graphs} graph launches or changed nodes"] if unknown_graphs else []
        gaps[Gap.UNKNOWN_KERNELS] = ", ".join(texts)
    if other := missing[Missing.ORDER]:
        gaps[Gap.NO_ORDER] = f"{other} calls that order work by other means than events"
    if lists := missing[Missing.MEMORY]:
        gaps[Gap.NO_ADDRESSES] = f"{lists} copies of arrays or of lists that are not kept"
    return gaps


def _missing(process: Process) -> Counter[Missing]:
    """How many calls a recording does not keep all of, by what it does not keep."""
    counts: Counter[Missing] = Counter()
    for name, count in process.calls_by_name.items():
        does = effects_of(name)
        if does is not None and does.missing is not None:
            counts[does.missing] += count
    return counts


def _of_the_recording(process: Process) -> dict[Gap, str]:
    gaps: dict[Gap, str] = {}
    if not len(process):
        gaps[Gap.NO_RECORDING] = "no calls"
    if process.ending.how == "open":
        gaps[Gap.CUT_SHORT] = "it was killed, or is still running"
    elif process.ending.survived:
        gaps[Gap.CUT_SHORT] = f"it went on after signal {process.ending.code}"
    if process.overwritten:
        gaps[Gap.OVERWRITTEN] = f"{process.overwritten} records"
    if process.header.dropped or process.header.gave_up:
        dropped = process.header.dropped
        gaps[Gap.DROPPED] = f"{dropped} calls" if dropped else "the recorder gave up"
    if len(libraries := process.tables.process.hip_libraries) > 1:
        gaps[Gap.TWO_RUNTIMES] = ", ".join(libraries)
    if bypassed_by := process.tables.process.bypassed_by:
        gaps[Gap.BYPASSED] = ", ".join(bypassed_by)
    if process.problems:
        more = f", and {len(process.problems) - 1} more" if len(process.problems) > 1 else ""
        gaps[Gap.DAMAGED] = process.problems[0] + more
    return gaps
