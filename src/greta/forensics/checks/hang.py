"""A wait that did not end: the process was ended while it waited for the device.

What it does:
    Takes a process that was ended inside a call that waits for the device: by a signal that asks it
    to end (SIGTERM, SIGINT, SIGHUP), or by itself, with an exit code, while another thread waited.
    The wait is the finding if a second passed in it and ten times the longest wait before. The
    first operation that it is for and that is not known to be done is named beside it. If that is a
    wait for a value in memory of the device, and nothing is left that could write it, the value can
    never come.

Evidence:
    Calls that did not return, times of calls and of the end, synchronization.

Known problems:
    Work that takes long and work that never ends look the same from outside: but for a value that
    cannot come the finding leaves room for that. That a wait is long is no finding by itself.
    A process that another signal ended, such as SIGKILL, leaves no time of its end: it is
    INCONCLUSIVE.

Example:
    hipStreamWaitValue32(s, word, 1, hipStreamWaitValueEq); hipStreamSynchronize(s);
"""

from __future__ import annotations

import signal
from typing import Final

import numpy as np

from greta.forensics.attribution import exit_code_of
from greta.forensics.case import Case
from greta.forensics.order import completion
from greta.forensics.scan import WORK, is_kind, live_at
from greta.forensics.verdict import Finding, Ruling
from greta.forensics.wording import OPERATION_FIELDS, operation_words, ruling_codes, settled
from greta.trace.trace import NONE, Kind, Memory, Row, StreamKind, Trace, Waits, hiding

HYPOTHESIS: Final = "hang"
CODES: Final[dict[str, tuple[str, ...]]] = {
    "wait_without_end": (*OPERATION_FIELDS, "seconds", "longest", "ending"),
    "wait_for_without_end": (*OPERATION_FIELDS, "seconds", "longest", "ending", "awaited"),
    "wait_for_value_in_vain": (*OPERATION_FIELDS, "seconds", "longest", "ending", "awaited"),
    **ruling_codes(HYPOTHESIS),
}
_REQUESTS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_WAITS: Final = (Kind.WAIT_STREAM, Kind.WAIT_EVENT, Kind.WAIT_DEVICE)
_WAITS_FOR_VALUE: Final = {"hipStreamWaitValue32": 4, "hipStreamWaitValue64": 8}
_WRITES_VALUE: Final = {"hipStreamWriteValue32": 4, "hipStreamWriteValue64": 8}
LEAST: Final = 1_000_000_000
"""Nanoseconds; a program that is asked to end sooner may have been about to go on."""
TIMES: Final = 10
"""As long as the longest wait before."""


def examine(case: Case) -> Ruling:
    trace, operations = case.trace, case.trace.operations
    chosen = is_kind(trace, *_WAITS) | (trace.column("waits") != Waits.NO)
    waits = np.flatnonzero(chosen & ~trace.column("captured"))
    returned = trace.column("finished")[waits]
    missing = hiding(trace)
    if returned.all():
        return settled(HYPOTHESIS, len(waits), (), missing)
    row, done = int(waits[~returned][-1]), operations[waits[returned]]
    longest = int((done["end"] - done["begin"]).max()) if len(done) else 0
    waited = (trace.ended or 0) - int(trace.operations["begin"][row])
    if not _was_ended(case) or waited < max(LEAST, TIMES * longest):
        return settled(HYPOTHESIS, len(waits), (), (*missing, "ended_while_waiting"))
    return settled(HYPOTHESIS, len(waits), (_finding(case, row, waited, longest),))


def _was_ended(case: Case) -> bool:
    """Whether somebody lost patience: a signal, or a thread of the program that watches others."""
    if case.trace.signal is not None:
        return case.trace.signal in _REQUESTS
    return exit_code_of(case.evidence) != 0


def _finding(case: Case, row: Row, waited: int, longest: int) -> Finding:
    trace = case.trace
    awaited = _awaited(trace, row)
    words = operation_words(trace, row)
    code = f"exit({exit_code_of(case.evidence)})"
    ending = signal.Signals(trace.signal).name if trace.signal else code
    words |= {
        "seconds": f"{waited / 1e9:.1f}",
        "longest": f"{longest / 1e9:.3f}",
        "ending": ending,
    }
    seq = int(trace.operations["seq"][row])
    if awaited == NONE:
        return Finding("wait_without_end", seq, data=words, strength=1)
    named = operation_words(trace, awaited)
    words["awaited"] = named["kernel"] or named["call"]
    other = int(trace.operations["seq"][awaited])
    if _can_never_come(trace, row, awaited):
        return Finding("wait_for_value_in_vain", seq, other, data=words)
    return Finding("wait_for_without_end", seq, other, data=words, strength=1)


def _awaited(trace: Trace, row: Row) -> Row:
    """The first operation on the stream that is waited for and is not known to be done."""
    operations = trace.operations
    stream, last = _waited_for(trace, row)
    done = completion(trace, row).known_by != NONE
    before = operations[: len(done)]
    values = [place for place, name in enumerate(trace.calls) if name in _WAITS_FOR_VALUE]
    work = np.isin(before["kind"], (*WORK, Kind.HOST_FUNCTION)) | np.isin(before["call"], values)
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
    """The stream, or NONE for all of them, and the row up to which its work is waited for.

    What the default stream does comes after the work of others.
    """
    operation = trace.operations[row]
    if int(operation["kind"]) != Kind.WAIT_EVENT:
        stream = int(operation["stream"])
        legacy = stream != NONE and int(trace.streams["kind"][stream]) == StreamKind.LEGACY
        is_device = legacy or int(operation["kind"]) == Kind.WAIT_DEVICE
        return (NONE if is_device else stream), row
    same = trace.operations["event"][:row] == operation["event"]
    same &= ~trace.operations["captured"][:row]  # a node has recorded nothing yet
    recorded = np.flatnonzero(same & (trace.operations["kind"][:row] == Kind.EVENT_RECORD))
    last = int(recorded[-1]) if len(recorded) else row
    return int(trace.operations["stream"][last]), last


def _can_never_come(trace: Trace, row: Row, awaited: Row) -> bool:
    """Whether nothing is left that could write the value that a stream waits for.

    Only if the host cannot write it either, and no other thread can enqueue more work.
    """
    call = trace.describe(int(trace.operations["seq"][awaited]))
    word, size = call.arguments.get("ptr"), _WAITS_FOR_VALUE.get(call.name, 0)
    if not size or not isinstance(word, int) or len(np.unique(trace.operations["thread"])) > 1:
        return False
    allocation = _device_memory_at(trace, word, awaited)
    done = completion(trace, row).known_by != NONE
    left = trace.operations[: len(done)]
    waiting = ~(done | left["failed"] | left["captured"]) & (left["stream"] != NONE)
    waiting &= (left["stream"] != left["stream"][awaited]) | (np.arange(len(left)) < awaited)
    return allocation != NONE and not any(
        _may_write(trace, one, allocation, word, size) for one in np.flatnonzero(waiting).tolist()
    )


def _device_memory_at(trace: Trace, address: int, row: Row) -> Row:
    """The live memory there that only the device writes; else NONE."""
    table = trace.allocations
    there = (table["address"] <= address) & (address < table["address"] + table["bytes"])
    found = np.flatnonzero(
        live_at(table, row) & there & np.isin(table["memory"], (Memory.DEVICE, Memory.POOL))
    )
    return int(found[-1]) if len(found) else NONE


def _may_write(trace: Trace, row: Row, allocation: Row, word: int, size: int) -> bool:
    kind = int(trace.operations["kind"][row])
    if kind in (Kind.LAUNCH, Kind.GRAPH_LAUNCH, Kind.HOST_FUNCTION):
        return True  # a kernel may reach it in ways that nobody sees
    call = trace.describe(int(trace.operations["seq"][row]))
    start, length = call.arguments.get("ptr"), _WRITES_VALUE.get(call.name, 0)
    if length and isinstance(start, int):
        return start < word + size and word < start + length
    return bool((trace.accesses_of(row)["allocation"] == allocation).any())
