"""A wait that did not end: the process was ended from outside while it waited for the device.

What it does:
    Takes a process that a request ended (SIGTERM, SIGINT, SIGHUP) inside a call that waits for the
    device. If it had waited there much longer than in any wait before, the wait is the finding; the
    first operation that the wait is for and that is not known to be done is named beside it.

Evidence:
    Calls that did not return, times of calls and of the end, synchronization.

Known problems:
    Work that takes long and work that never ends look the same from outside: the finding leaves
    room for that. A process that was killed (SIGKILL) leaves no time of its end: INCONCLUSIVE.

Example:
    hipStreamWaitValue32(s, word, 1, hipStreamWaitValueEq); hipStreamSynchronize(s);
"""

from __future__ import annotations

import signal
from typing import Final

import numpy as np

from greta.forensics.case import Case
from greta.forensics.completion import completion
from greta.forensics.gaps import hiding
from greta.forensics.verdict import Finding, Ruling
from greta.forensics.wording import OPERATION_FIELDS, operation_words, ruling_codes, settled
from greta.trace.trace import NONE, Kind, Row, Table, Trace, Waits

HYPOTHESIS: Final = "hang"
CODES: Final[dict[str, tuple[str, ...]]] = {
    "wait_without_end": (*OPERATION_FIELDS, "seconds", "longest", "signal", "awaited"),
    "wait_for_without_end": (*OPERATION_FIELDS, "seconds", "longest", "signal", "awaited"),
    **ruling_codes(HYPOTHESIS),
}
_REQUESTS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_WAITS: Final = (Kind.WAIT_STREAM, Kind.WAIT_EVENT, Kind.WAIT_DEVICE)
_WORK: Final = (Kind.COPY, Kind.FILL, Kind.LAUNCH, Kind.GRAPH_LAUNCH, Kind.HOST_FUNCTION)
_WAITS_FOR_VALUE: Final = ("hipStreamWaitValue32", "hipStreamWaitValue64")
LEAST: Final = 100_000_000
"""Nanoseconds; a shorter wait is not taken for one without end."""
TIMES: Final = 10
"""As long as the longest wait before."""


def examine(case: Case) -> Ruling:
    """Rule on this hypothesis."""
    trace = case.trace
    waits = _waits(trace)
    row = _left_waiting(trace, waits)
    missing = hiding(trace)
    if row == NONE:
        return settled(HYPOTHESIS, len(waits), (), missing)
    longest = _longest(trace, waits)
    waited = (trace.ended or 0) - int(trace.operations["begin"][row])
    if trace.signal not in _REQUESTS or waited < max(LEAST, TIMES * longest):
        return settled(HYPOTHESIS, len(waits), (), (*missing, "ended_while_waiting"))
    return settled(HYPOTHESIS, len(waits), (_finding(trace, row, waited, longest),))


def _waits(trace: Trace) -> Table:
    """Calls in which the host waits for the device."""
    operations = trace.operations
    chosen = np.isin(operations["kind"], _WAITS) | (operations["waits"] != Waits.NO)
    found: Table = np.flatnonzero(chosen & ~operations["captured"])
    return found


def _left_waiting(trace: Trace, waits: Table) -> Row:
    """The last wait that did not return; NONE if all did."""
    open_ones = waits[~trace.operations["finished"][waits]]
    return int(open_ones[-1]) if len(open_ones) else NONE


def _longest(trace: Trace, waits: Table) -> int:
    """Of the waits that returned, in nanoseconds."""
    done = trace.operations[waits[trace.operations["finished"][waits]]]
    return int((done["end"] - done["begin"]).max()) if len(done) else 0


def _finding(trace: Trace, row: Row, waited: int, longest: int) -> Finding:
    awaited = _awaited(trace, row)
    words = operation_words(trace, row)
    words |= {
        "seconds": f"{waited / 1e9:.1f}",
        "longest": f"{longest / 1e9:.3f}",
        "signal": signal.Signals(trace.signal or 0).name,
        "awaited": None,
    }
    seq = int(trace.operations["seq"][row])
    if awaited == NONE:
        return Finding("wait_without_end", seq, data=words, strength=1)
    named = operation_words(trace, awaited)
    words["awaited"] = named["kernel"] or named["call"]
    other = int(trace.operations["seq"][awaited])
    return Finding("wait_for_without_end", seq, other, data=words, strength=1)


def _awaited(trace: Trace, row: Row) -> Row:
    """The first operation on the stream that is waited for and is not known to be done."""
    operations = trace.operations
    stream, last = _waited_for(trace, row)
    done = completion(trace, row).known_by != NONE
    before = operations[: len(done)]
    work = np.isin(before["kind"], _WORK) | _is_wait_for_value(trace, before)
    work &= ~(before["failed"] | before["captured"])
    work[last:] = False
    if stream != NONE:
        work &= before["stream"] == stream
    finished = np.flatnonzero(work & done)
    pending = np.flatnonzero(work & ~done)
    if stream != NONE and len(finished):  # a stream does one thing after the other
        pending = pending[pending > finished[-1]]
    return int(pending[0]) if len(pending) else NONE


def _waited_for(trace: Trace, row: Row) -> tuple[Row, Row]:
    """The stream, or NONE for all of them, and the row up to which its work is waited for."""
    operation = trace.operations[row]
    if int(operation["kind"]) != Kind.WAIT_EVENT:
        is_device = int(operation["kind"]) == Kind.WAIT_DEVICE
        return (NONE if is_device else int(operation["stream"])), row
    same = trace.operations["event"][:row] == operation["event"]
    recorded = np.flatnonzero(same & (trace.operations["kind"][:row] == Kind.EVENT_RECORD))
    last = int(recorded[-1]) if len(recorded) else row
    return int(trace.operations["stream"][last]), last


def _is_wait_for_value(trace: Trace, operations: Table) -> Table:
    names = [place for place, name in enumerate(trace.calls) if name in _WAITS_FOR_VALUE]
    found: Table = np.isin(operations["call"], names)
    return found
