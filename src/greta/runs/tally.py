"""What a recording holds, in numbers: calls, errors, copies, launches, memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from greta.forensics.copies import UNKNOWN, copies_in, unseen_copies
from greta.recording import (
    ANNOUNCEMENTS,
    ORDINARY,
    CallEvent,
    CallKind,
    Process,
    Recording,
    can_fail,
    effects_of,
    result_name,
)
from greta.runs.folder import shortened
from greta.symbols.stacks import CallStacks, StackFrame
from greta.trace.reading import trace_of
from greta.trace.trace import Kind, Trace

_UNDECIDED = "default"


@dataclass
class CopyTally:
    """Copies by direction: H2D, D2H, D2D, H2H, and "default" if it is not known.

    They are those that the report of the run counts: all that ran, whatever came of them.
    """

    count: Counter[str] = field(default_factory=Counter)
    bytes: Counter[str] = field(default_factory=Counter)
    """What was moved by those that succeeded."""
    failed: Counter[str] = field(default_factory=Counter)
    unfinished: Counter[str] = field(default_factory=Counter)
    """Copies whose calls had not returned at the end."""
    unsized: int = 0
    """Copies whose memory a recording does not keep: of arrays, in batches."""

    def add(self, trace: Trace) -> None:
        copies = copies_in(trace)
        failed, finished = (trace.operations[n][copies.operation] for n in ("failed", "finished"))
        for direction in np.unique(copies.direction).tolist():
            way = _UNDECIDED if UNKNOWN in direction else direction
            chosen = copies.direction == direction
            self.count[way] += int(np.count_nonzero(chosen))
            self.failed[way] += int(np.count_nonzero(chosen & failed))
            self.unfinished[way] += int(np.count_nonzero(chosen & ~finished))
            self.bytes[way] += int(copies.bytes[chosen & finished & ~failed].sum())
        self.unsized += unseen_copies(trace)


@dataclass(frozen=True)
class FailedCall:
    """A call that failed; `seq` is its number in its process, from 1. `place` may be empty."""

    pid: int
    seq: int
    call: str
    error: str
    place: str
    rank: int | None = None


@dataclass(frozen=True)
class HostAccess:
    seq: int
    write: bool
    place: str


@dataclass(frozen=True)
class KilledProcess:
    pid: int
    name: str
    signal: int
    rank: int | None = None


@dataclass
class Tally:
    processes: int = 0
    threads: int = 0
    calls: int = 0
    unfinished: int = 0
    errors: Counter[tuple[str, str]] = field(default_factory=Counter)
    first_error: FailedCall | None = None
    host_accesses: int = 0
    first_host_access: HostAccess | None = None
    copies: CopyTally = field(default_factory=CopyTally)
    launches: int = 0
    failed_launches: int = 0
    graph_launches: int = 0
    kernels: Counter[str] = field(default_factory=Counter)
    peak_device_bytes: int = 0
    device_bytes: int = 0
    dropped: int = 0
    overwritten: int = 0
    gave_up: bool = False
    spent: bool = False
    guarded: int = 0
    unguarded: int = 0
    notes: list[str] = field(default_factory=list)
    killed: list[KilledProcess] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def tally(recording: Recording) -> Tally:
    total = Tally(problems=list(recording.problems))
    failed = []
    for process in recording.processes:
        _add_process(total, process)
        if event := _add_errors(total, process):
            failed.append((process.header.start_realtime_ns + event.begin_ns, process, event))
    if failed:
        _, process, event = min(failed, key=lambda one: one[0])
        error, place = _error(event.call, event.result), place_of(process, event)
        total.first_error = FailedCall(
            process.pid, event.seq, event.call, error, place, process.rank
        )
    return total


def _add_process(total: Tally, process: Process) -> None:
    columns = process.columns
    total.processes += 1
    total.threads += len(process.lanes)
    total.calls += len(columns)
    total.unfinished += int(np.count_nonzero(~columns.finished))
    total.peak_device_bytes += process.live.peak_device_bytes
    total.device_bytes += process.live.device_bytes
    total.dropped += process.header.dropped
    total.overwritten += process.overwritten
    total.gave_up |= process.header.gave_up
    total.spent |= process.header.spent
    total.guarded += process.header.guarded
    total.unguarded += process.header.unguarded
    total.notes += process.tables.notes
    if process.ending.how == "signal" and not process.ending.survived:
        name = process.tables.process.executable.rpartition("/")[2]
        total.killed.append(KilledProcess(process.pid, name, process.ending.code, process.rank))
    _add_work(total, trace_of(process, kernels=False, order=False))
    # Announced blocks and the records of --watch-host are no calls of the program.
    total.calls -= sum(process.calls_by_name.get(name, 0) for name in ANNOUNCEMENTS)
    calls = ((number, effects_of(entry.name)) for number, entry in process.tables.calls.items())
    numbers = [number for number, does in calls if does and does.kind is CallKind.HOST_ACCESS]
    rows = process.columns.rows_of(numbers)
    total.host_accesses += len(rows)
    total.calls -= len(rows)
    if len(rows) and total.first_host_access is None:
        event = process.event(int(rows[0]) + 1)
        write = bool(event.arguments["write"])
        total.first_host_access = HostAccess(event.seq, write, place_of(process, event))


def _add_errors(total: Tally, process: Process) -> CallEvent | None:
    columns, tables = process.columns, process.tables
    silent = [number for number, entry in tables.calls.items() if not can_fail(entry.name)]
    failed = columns.finished & ~np.isin(columns.result, ORDINARY)
    rows = np.flatnonzero(failed & ~np.isin(columns.call, silent))
    pairs = np.stack([columns.call[rows].astype(np.int64), columns.result[rows]], axis=1)
    kinds, counts = np.unique(pairs, axis=0, return_counts=True)
    for (call, result), count in zip(kinds.tolist(), counts.tolist(), strict=True):
        name = tables.call_name(call)
        total.errors[name, _error(name, result)] += count
    return process.event(int(rows[0]) + 1) if len(rows) else None


def _add_work(total: Tally, trace: Trace) -> None:
    """What the report of the run counts, from the same rows."""
    operations = trace.operations
    kind, ran = operations["kind"], ~operations["captured"]
    launched = ran & (kind == Kind.LAUNCH)
    total.copies.add(trace)
    total.launches += int(np.count_nonzero(launched))
    total.failed_launches += int(np.count_nonzero(launched & operations["failed"]))
    total.graph_launches += int(np.count_nonzero(ran & (kind == Kind.GRAPH_LAUNCH)))
    kernels, counts = np.unique(operations["kernel"][launched], return_counts=True)
    for kernel, count in zip(kernels.tolist(), counts.tolist(), strict=True):
        name = trace.kernels[kernel] if kernel >= 0 else ""
        total.kernels[name or "(not known)"] += count


def _error(call: str, result: int) -> str:
    name = result_name(call, result) or ""
    return name if name.endswith(f" {result}") else f"{name} ({result})"


def place_of(process: Process, event: CallEvent) -> str:
    """Such as "solver.py:41 (main)"; empty if nothing is known.

    That of a native program is looked up in its file, which takes time: ask for few.
    """
    frame = CallStacks(process).named(event)
    return _in_words(frame) if frame else ""


def _in_words(place: StackFrame) -> str:
    where = shortened(Path(place.file)) if place.file and place.line is not None else ""
    where = f"{where}:{place.line}" if where else Path(place.file or "").name
    named = place.function and place.function != "<module>"
    return f"{where} ({place.function})" if named else where
