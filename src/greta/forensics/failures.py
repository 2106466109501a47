"""Calls that failed, and which of them only repeat an earlier failure of the device.

A device that has faulted answers every later call with the same error (HIP_SKIP_ABORT_ON_GPU_ERROR
is 1 by default since HIP 7). Only the first of these calls tells something.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from greta.recording import Step, effects_of
from greta.trace.device_errors import STICKY
from greta.trace.trace import NONE, Kind, Row, Table, Trace, Waits

DEINITIALIZED: Final = 4
"""What calls of destructors get when the runtime has gone before them: it hurts nobody."""

NOT_INITIALIZED: Final = 3
"""What calls of a forked child get: nobody tries whether the runtime is there by allocating."""

CAPTURING: Final = tuple(range(900, 909))
"""What calls get that are not allowed while a stream is captured, and those that end such a one."""

NOT_ITS_ARGUMENTS: Final = (NOT_INITIALIZED, DEINITIALIZED, 100, 101, *CAPTURING)
"""Refusals that say nothing of what a call asked for: no runtime, no such device, a capture."""

_LOST_IF_REFUSED: Final = (Kind.COPY, Kind.FILL, Kind.LAUNCH, Kind.GRAPH_LAUNCH)
_WAITS: Final = (Kind.WAIT_STREAM, Kind.WAIT_EVENT, Kind.WAIT_DEVICE)
_TRIED: Final = (Kind.OTHER, Kind.ALLOCATE)
# Programs try these and go on when they are refused: attributes, peers, more memory than there is.


def failed_rows(trace: Trace) -> Table:
    return np.flatnonzero(trace.column("failed"))


def first_sticky(trace: Trace) -> Row:
    """The first operation that reported a fault of the device, or NONE."""
    rows = failed_rows(trace)
    sticky = rows[np.isin(trace.operations["result"][rows], STICKY)]
    return int(sticky[0]) if len(sticky) else NONE


def wait_that_reported_a_fault(trace: Trace, row: Row) -> Row:
    """The first wait behind an operation that told of a fault of the device instead, or NONE."""
    rows = failed_rows(trace)
    rows = rows[(rows > row) & np.isin(trace.operations["result"][rows], STICKY)]
    kinds, waits = trace.operations["kind"][rows], trace.operations["waits"][rows]
    same = trace.operations["stream"][rows] == trace.operations["stream"][row]
    for_it = np.isin(kinds, _WAITS) & (same | (kinds != Kind.WAIT_STREAM))
    for_it |= np.isin(waits, (Waits.FOR_IT, Waits.FOR_DEVICE))
    rows = rows[for_it]
    return int(rows[0]) if len(rows) else NONE


def first_failure(trace: Trace, *, tried: bool = False) -> Row:
    """The first operation that failed, or NONE; `tried`: calls that programs try count too."""
    chosen = failed_rows(trace) if tried else failures(trace)
    return int(chosen[0]) if len(chosen) else NONE


def failures(trace: Trace) -> Table:
    """Operations that failed, but for those that programs try and for what hurts nobody."""
    rows = failed_rows(trace)
    kinds, results = trace.operations["kind"][rows], trace.operations["result"][rows]
    matters = ~np.isin(kinds, _TRIED) | np.isin(results, STICKY)
    matters |= (kinds == Kind.ALLOCATE) & (results == NOT_INITIALIZED)
    matters &= (results != DEINITIALIZED) & ~_of_a_capture(trace, rows)
    return rows[matters & ~is_tried_again(trace, rows)]


def _of_a_capture(trace: Trace, rows: Table) -> Table:
    """Which of these calls were refused for a capture of the thread that made them.

    Its program then does without the graph, and does again what was refused; if it uses the graph,
    that fails. What another thread copies or launches meanwhile is lost.
    """
    operations = trace.operations
    began = np.isin(operations["call"], _beginning_capture(trace))
    own = np.isin(operations["thread"][rows], np.unique(operations["thread"][began]))
    is_work = np.isin(operations["kind"][rows], _LOST_IF_REFUSED)
    refused: Table = np.isin(operations["result"][rows], CAPTURING)
    return refused & (own | ~is_work)


def capture_around(trace: Trace, row: Row) -> Row:
    """The call that began a capture which had not ended when another was made, or NONE."""
    steps = [_graph_step(name) for name in trace.calls]
    calls = trace.operations["call"][:row]
    ok = ~trace.column("failed")[:row]
    began, ended = (
        np.flatnonzero(np.isin(calls, [i for i, one in enumerate(steps) if one is step]) & ok)
        for step in (Step.BEGIN_CAPTURE, Step.END_CAPTURE)
    )
    if not len(began) or (len(ended) and ended[-1] > began[-1]):
        return NONE
    return int(began[-1])


def _beginning_capture(trace: Trace) -> list[int]:
    return [i for i, name in enumerate(trace.calls) if _graph_step(name) is Step.BEGIN_CAPTURE]


def _graph_step(call: str) -> Step | None:
    does = effects_of(call)
    return does.graph.step if does and does.graph else None


_REFUSED_LAUNCHES: Final = 256
_SOON: Final = 64


def is_tried_again(trace: Trace, rows: Table) -> Table:
    """Which of these calls are launches that the program made again, with sizes that HIP took.

    So a program finds out what a device can run: all that it gave the kernel is the same, and the
    call comes soon after. Of very many refusals only the first are looked at.
    """
    operations = trace.operations
    again = np.zeros(len(rows), bool)
    launches = np.flatnonzero(operations["kind"][rows] == Kind.LAUNCH)
    for place in launches[:_REFUSED_LAUNCHES].tolist():
        row = int(rows[place])
        later = operations[row + 1 : row + 1 + _SOON]
        same = (later["kind"] == Kind.LAUNCH) & (later["kernel"] == operations["kernel"][row])
        same &= ~later["failed"] & (later["thread"] == operations["thread"][row])
        found = np.flatnonzero(same)
        if len(found) and int(operations["kernel"][row]) != NONE:
            again[place] = _is_again(trace, row, row + 1 + int(found[0]))
    return again


def _is_again(trace: Trace, row: Row, other: Row) -> bool:
    """Whether a launch differs from another in nothing but its sizes, and in some of these."""
    one, two = (trace.describe(int(trace.operations["seq"][r])) for r in (row, other))
    sizes = [(c.grid, c.block, c.arguments.get("sharedMemBytes"), c.name) for c in (one, two)]
    if sizes[0] == sizes[1] or one.grid is None or one.block is None:
        return False
    something = all((*one.grid, *one.block))  # a batch of nothing is no attempt
    known = [value for *_, value in one.kernel_arguments]
    if not known or None in known:  # structs, or a kernel of which little is known
        return False
    return something and one.kernel_arguments == two.kernel_arguments


def last_that_counts(trace: Trace) -> Row:
    """The last operation that is no consequence of a fault that was reported before it."""
    sticky = first_sticky(trace)
    return len(trace.operations) - 1 if sticky == NONE else sticky
