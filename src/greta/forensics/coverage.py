"""How much of a run the evidence shows: no verdict is better than this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from greta.forensics.case import Case
from greta.forensics.copies import Copies, copies_in
from greta.forensics.unwaited import copies_never_waited_for
from greta.forensics.verdict import Coverage
from greta.trace.trace import NONE, Gap, Kind, Table, Trace

_HARMLESS: Final = frozenset({Gap.UNKNOWN_KERNELS})
"""Gaps that say what kind of thing was not looked at, not that something was lost."""


def coverage_of(cases: Sequence[Case]) -> Coverage:
    """Of all processes of a run together."""
    parts = [_of_process(one) for one in cases]
    return Coverage(
        calls=sum(part.calls for part in parts),
        d2h_calls=sum(part.d2h_calls for part in parts),
        d2h_bytes=sum(part.d2h_bytes for part in parts),
        d2h_audited=sum(part.d2h_audited for part in parts),
        launches=sum(part.launches for part in parts),
        dropped=sum(part.dropped for part in parts),
        complete=bool(parts) and all(part.complete for part in parts),
        gaps=_gaps_of(cases, parts),
    )


def _gaps_of(cases: Sequence[Case], parts: Sequence[Coverage]) -> tuple[tuple[str, str], ...]:
    """What one process lacks is said once, however many HIP libraries it had."""
    known = {
        (one.trace.pid, gap): gap
        for one, part in zip(cases, parts, strict=True)
        for gap in part.gaps
    }
    return tuple(known.values())


def _of_process(case: Case) -> Coverage:
    trace = case.trace
    copies, size, audited = _copies_to_host(case)
    kinds, captured = trace.operations["kind"], trace.operations["captured"]
    launched = ((kinds == Kind.LAUNCH) | (kinds == Kind.GRAPH_LAUNCH)) & ~captured
    return Coverage(
        calls=max(trace.total_calls, len(trace.operations)) - int((kinds == Kind.HOST_TOUCH).sum()),
        d2h_calls=copies,
        d2h_bytes=size,
        d2h_audited=audited,
        launches=int(np.count_nonzero(launched)),
        dropped=trace.dropped,
        complete=not set(trace.gaps) - _HARMLESS,
        gaps=tuple((gap.name, text) for gap, text in sorted(trace.gaps.items())),
    )


def _copies_to_host(case: Case) -> tuple[int, int, int]:
    """Count, bytes and audited ones."""
    trace = case.trace
    copies = copies_in(trace).to_host()
    rows = copies.operation
    failed, finished = trace.operations["failed"][rows], trace.operations["finished"][rows]
    known = failed | (_known_bytes(trace, copies) != 0)
    audited = known & finished & (trace.accesses["address"][copies.source] != 0)
    audited &= (copies.source != NONE) & ~np.isin(rows, copies_never_waited_for(case.completion))
    size = copies.bytes[~failed & finished]
    return len(rows), int(size.sum()), int(np.count_nonzero(audited))


def _known_bytes(trace: Trace, copies: Copies) -> Table:
    """Whether the allocation that is copied from is known, and its size."""
    allocation = trace.accesses["allocation"][copies.source]
    known: Table = np.append(trace.allocations["known_bytes"], False)[allocation]
    return known
