"""From logged operations to the tables of a trace."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from greta.recording import HostWait, result_name
from greta.trace import trace as t
from greta.trace import waits
from greta.trace.logs.addresses import LiveMemory
from greta.trace.logs.lines import line_at
from greta.trace.logs.logged import (
    UNKNOWN_STREAM,
    LoggedAccess,
    LoggedAllocation,
    LoggedOperation,
    ProcessLog,
)
from greta.trace.reading.allocations import FOREVER, Addresses, address_index
from greta.trace.reading.blocks import AnnouncedBlocks, Live, dated_blocks
from greta.trace.reading.handles import PER_THREAD_STREAM, Found, Seqs
from greta.trace.trace import Gap, Kind, Memory, Space, StreamKind, Table, Trace

_ROWS_AT_ONCE: Final = 1 << 14


class GrowingTable:
    """Rows of Python numbers, packed as they come. All rows name the same columns."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self._dtype = dtype
        self._parts: list[Table] = []
        self._rows: list[dict[str, int]] = []
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, **row: int) -> None:
        self._rows.append(row)
        self._length += 1
        if len(self._rows) == _ROWS_AT_ONCE:
            self._pack()

    def finished(self) -> Table:
        self._pack()
        return np.concatenate(self._parts)

    def _pack(self) -> None:
        self._parts.append(table_of(self._rows, self._dtype))
        self._rows = []


def table_of(rows: Sequence[_Row], dtype: np.dtype[Any]) -> Table:
    """Rows as a table; columns that the first row does not have are 0."""
    table = np.zeros(len(rows), dtype)
    for name in rows[0] if rows else ():
        table[name] = _column([row.get(name, 0) for row in rows], table.dtype[name])
    return table


def _column(values: list[int], kind: np.dtype[Any]) -> Table:
    """What a hostile log makes larger than the column is cut to its limits."""
    if kind.kind not in "iu":
        return np.array(values, kind)
    limits = np.iinfo(kind)
    low, high = int(limits.min), int(limits.max)
    if min(values) < low or max(values) > high:
        values = [min(max(value, low), high) for value in values]
    return np.array(values, kind)


_FOUND: Final = np.dtype([("memory", "u1"), ("at_start", "?")])
_RULES: Final = tuple(HostWait)
_ENQUEUED: Final = (
    Kind.COPY,
    Kind.FILL,
    Kind.LAUNCH,
    Kind.GRAPH_LAUNCH,
    Kind.HOST_FUNCTION,
    Kind.EVENT_RECORD,
    Kind.STREAM_CREATE,
    Kind.STREAM_DESTROY,
    Kind.STREAM_WAIT_EVENT,
    Kind.WAIT_STREAM,
    Kind.QUERY_STREAM,
)
_Row = dict[str, int]


def trace_of(log: ProcessLog, gaps: dict[Gap, str]) -> Trace:
    """The trace of one process; its operations are in their common order."""
    operations = log.operations
    tables = _Tables()
    seqs = _numbers(operations)
    for seq, operation in zip(seqs, operations, strict=True):
        tables.add(seq, operation)
    done, accesses = tables.operations.finished(), tables.accesses.finished()
    _settle_waits(done, accesses, tables.found.finished(), np.array(tables.rules, np.uint8))
    if tables.unseen:
        text = f"{tables.unseen} addresses are used whose allocation is not shown"
        gaps = gaps | {Gap.DAMAGED: text}
    allocations = table_of(tables.allocations, t.ALLOCATION)
    blocks = _blocks(log, allocations, done, accesses)
    return Trace(
        operations=done,
        accesses=accesses,
        allocations=allocations,
        blocks=blocks.table,
        block_names=blocks.names,
        streams=table_of(tables.streams, t.STREAM),
        calls=tuple(tables.calls),
        kernels=tuple(tables.kernels),
        describe=_describer(seqs, operations),
        gaps=gaps,
        total_calls=log.total_calls,
        pid=log.pid,
        rank=log.rank,
        source=log.source,
    )


def _settle_waits(operations: Table, accesses: Table, found: Table, rules: Table) -> None:
    """Once it is known what memory each call was given."""
    is_source = accesses["role"] == t.Role.SOURCE
    is_target = np.isin(accesses["role"], (t.Role.DESTINATION, t.Role.FREED))
    to, source = (
        _side(accesses[one], found[one], len(operations)) for one in (is_target, is_source)
    )
    at_start = np.zeros(len(operations), bool)
    at_start[accesses["operation"][is_target]] = found["at_start"][is_target]
    for number, rule in enumerate(_RULES):
        chosen = rules == number
        if rule is not HostWait.NO and chosen.any():
            operations["waits"][chosen] = waits.settled(rule, to, source, at_start)[chosen]
    row = accesses["operation"]
    is_copy = operations["kind"][row] == Kind.COPY
    for side, one in ((to, is_target), (source, is_source)):
        accesses["at_call"] |= one & is_copy & side.staged(side.space)[row]


def _side(accesses: Table, found: Table, count: int) -> waits.Side:
    """One side of all operations, where each has at most one access on that side."""
    space, memory = np.zeros((2, count), np.uint8)
    given, row = np.zeros(count, bool), accesses["operation"]
    space[row], memory[row], given[row] = (
        accesses["space"],
        found["memory"],
        accesses["address"] != 0,
    )
    return waits.Side(space, memory, np.full(count, t.NONE, np.int64), given)


class _Allocated:
    """The allocations of a log, by the calls that began and ended them."""

    def __init__(self, table: Table, operations: Table) -> None:
        seqs = np.append(operations["seq"], 0)
        self.table = table
        self._first = np.where(table["made_at"] == t.NONE, 0, seqs[table["made_at"]])
        self._last = np.where(table["freed_at"] == t.NONE, FOREVER, seqs[table["freed_at"]])
        self._index = address_index(table["address"], table["bytes"], self._first, self._last)

    def find(self, address: Addresses, seq: Seqs) -> tuple[Found, Live, Addresses]:
        return *self._index.find(address, seq), address

    def seqs(self, rows: Found) -> tuple[Seqs, Seqs]:
        return self._first[rows], self._last[rows]


def _blocks(
    log: ProcessLog, allocations: Table, operations: Table, accesses: Table
) -> AnnouncedBlocks:
    last = np.iinfo(np.int64).max  # a log may hold any number
    times = np.array([min(one.begin, last) for one in log.operations], np.int64)
    begin = np.maximum.accumulate(times)
    found = [*dated_blocks(log.blocks, begin)] if len(begin) else []
    blocks = AnnouncedBlocks(found, _Allocated(allocations, operations))
    if len(blocks):
        accesses["block"] = blocks.find(
            accesses["address"], accesses["origin"].astype(np.int64), accesses["allocation"]
        )
        blocks.settle(operations)
    return blocks


def _numbers(operations: Sequence[LoggedOperation]) -> list[int]:
    """The lines, if they number the operations; otherwise 1, 2, 3 in their common order."""
    lines = [operation.line for operation in operations]
    one_file = len({operation.file for operation in operations}) <= 1
    rising = all(a < b for a, b in itertools.pairwise(lines))
    return lines if one_file and rising else list(range(1, len(lines) + 1))


def _describer(seqs: list[int], operations: Sequence[LoggedOperation]) -> Callable[[int], t.Call]:
    def describe(seq: int) -> t.Call:
        at = bisect.bisect_left(seqs, seq)
        if at == len(seqs) or seqs[at] != seq:
            raise KeyError(seq)
        return _call(seq, operations[at])

    return describe


def _call(seq: int, operation: LoggedOperation) -> t.Call:
    line = line_at(operation.file, operation.offset) if operation.file else ""
    name = result_name(operation.name, operation.result) if operation.finished else None
    return t.Call(
        seq=seq,
        name=operation.name,
        result=operation.result,
        result_name=name,
        arguments={"line": line},
        where=operation.where
        or t.Where(str(operation.file) if operation.file else None, operation.line),
        kernel=operation.kernel,
        kernel_arguments=operation.arguments,
        grid=operation.grid,
        block=operation.block,
        annotations=operation.labels,
    )


@dataclass
class _Tables:
    operations: GrowingTable = field(default_factory=lambda: GrowingTable(t.OPERATION))
    accesses: GrowingTable = field(default_factory=lambda: GrowingTable(t.ACCESS))
    allocations: list[_Row] = field(default_factory=list)
    streams: list[_Row] = field(
        default_factory=lambda: [{"handle": 0, "kind": StreamKind.LEGACY, "thread": t.NONE}]
    )
    kernels: dict[str, int] = field(default_factory=dict)
    found: GrowingTable = field(default_factory=lambda: GrowingTable(_FOUND))
    """Beside each access: the memory that is live there, and whether it begins there."""
    rules: list[int] = field(default_factory=list)
    """Beside each operation: the rule of HIP by which the host waits."""
    unseen: int = 0
    """Ranges that were used and whose allocation the source does not show."""
    calls: dict[str, int] = field(default_factory=dict)
    _memory: LiveMemory = field(default_factory=lambda: LiveMemory())
    _threads: dict[int, int] = field(default_factory=dict)
    _streams: dict[tuple[int, int], int] = field(default_factory=lambda: {(0, 0): 0})
    _stream_generations: dict[int, int] = field(default_factory=lambda: {0: 1})
    _events: dict[int, int] = field(default_factory=dict)
    _first: int | None = None

    def add(self, seq: int, operation: LoggedOperation) -> None:
        for allocated in operation.shown:
            self._show(allocated)
        row, first = len(self.operations), len(self.accesses)
        thread = self._threads.setdefault(operation.thread, len(self._threads))
        stream = self._stream(operation, thread)
        self._add_accesses(seq, row, operation)
        allocation = self._allocation(seq, row, operation, stream)
        self.rules.append(_RULES.index(operation.host))
        if self._first is None:
            self._first = operation.begin
        call = self.calls.setdefault(operation.name, len(self.calls))
        begin = max(operation.begin - self._first, 0)
        end = max(operation.end - self._first, 1) if operation.finished else 0
        self.operations.add(
            seq=seq,
            kind=operation.kind,
            waits=operation.waits,
            finished=operation.finished,
            failed=operation.failed,
            captured=operation.captured,
            result=operation.result if -(1 << 31) <= operation.result < 1 << 31 else -1,
            thread=thread,
            stream=stream,
            event=t.NONE
            if operation.event is None
            else self._events.setdefault(operation.event, len(self._events)),
            start_event=t.NONE,
            allocation=allocation,
            call=call,
            kernel=self._kernel(operation),
            begin=begin,
            end=end,
            first_access=first,
        )

    def _show(self, allocated: LoggedAllocation) -> None:
        row = self._memory.live_at(allocated.address)
        if row is not None:
            known = self.allocations[row]
            part = known["known_bytes"] and _end(known) >= allocated.address + allocated.bytes
            if part or not allocated.known_bytes or not allocated.firm:
                return
        self._allocate(allocated, made_by=t.NONE, made_at=t.NONE)

    def _allocate(self, allocated: LoggedAllocation, made_by: int, made_at: int) -> int:
        for old in self._memory.overlapping(allocated.address, allocated.bytes):
            # The source did not show the free: the memory has a new lifetime all the same.
            self._end_lifetime(old, t.NONE, made_at if made_at >= 0 else len(self.operations))
        row = len(self.allocations)
        self.allocations.append(
            {
                "address": allocated.address,
                "bytes": allocated.bytes,
                "known_bytes": allocated.known_bytes,
                "memory": allocated.memory,
                "generation": self._memory.next_generation(allocated.address),
                "made_by": made_by,
                "freed_by": t.NONE,
                "made_at": made_at,
                "freed_at": t.NONE,
                "free_stream": t.NONE,
            }
        )
        self._memory.begin(allocated.address, allocated.bytes, row)
        return row

    def _end_lifetime(self, row: int, freed_by: int, freed_at: int, stream: int = t.NONE) -> None:
        allocation = self.allocations[row]
        allocation |= {"freed_by": freed_by, "freed_at": freed_at, "free_stream": stream}
        self._memory.end(allocation["address"])

    def _allocation(self, seq: int, row: int, operation: LoggedOperation, stream: int) -> int:
        if operation.kind is Kind.ALLOCATE and operation.allocated is not None:
            return self._allocate(operation.allocated, seq, row)
        if operation.kind is Kind.FREE and operation.freed and not operation.failed:
            return self._free(seq, row, operation.freed, stream)
        return t.NONE

    def _free(self, seq: int, row: int, address: int, stream: int) -> int:
        found = self._memory.live_at(address)
        if found is None or self.allocations[found]["address"] != address:
            return self._memory.dead_at(address)
        pooled = self.allocations[found]["memory"] == Memory.POOL
        self._end_lifetime(found, seq, row, stream if pooled else t.NONE)
        return found

    def _add_accesses(self, seq: int, row: int, operation: LoggedOperation) -> None:
        for access in operation.accesses:
            allocation = self._accepted(operation, access)
            start = self.allocations[allocation]["address"] if allocation != t.NONE else -1
            memory = self._live_memory(allocation)
            self.found.add(memory=memory, at_start=start == access.address)
            self.accesses.add(
                operation=row,
                origin=seq,
                address=access.address,
                bytes=self._clipped(access, allocation),
                reach=access.bytes if access.estimated and access.bytes > 1 else 0,
                pitch=access.pitch,
                width=access.width,
                allocation=allocation,
                argument=access.argument,
                mode=access.mode,
                role=access.role,
                space=access.space,
                known=t.Known.PLAIN,
            )

    def _accepted(self, operation: LoggedOperation, access: LoggedAccess) -> int:
        """Where it lies. HIP refuses device memory it does not know, so what it took is memory."""
        found = self._memory.at(access.address)
        moves = operation.kind in (Kind.COPY, Kind.FILL) and access.space is Space.DEVICE
        took = operation.finished and not operation.failed and access.address > 0
        states_its_memory = any(allocated.known_bytes for allocated in operation.shown)
        if found != t.NONE or not (moves and took) or states_its_memory:
            return found
        self.unseen += 1
        allocated = LoggedAllocation(access.address, 1, Memory.DEVICE, known_bytes=False)
        return self._allocate(allocated, made_by=t.NONE, made_at=t.NONE)

    def _live_memory(self, allocation: int) -> int:
        """What kind of memory is there now; 0: none that HIP knows."""
        if allocation == t.NONE or self.allocations[allocation]["freed_at"] != t.NONE:
            return 0
        return self.allocations[allocation]["memory"]

    def _clipped(self, access: LoggedAccess, allocation: int) -> int:
        if not access.estimated or allocation == t.NONE:
            return access.bytes
        found = self.allocations[allocation]
        room = max(_end(found) - access.address, 0)
        return min(access.bytes, room) if found["known_bytes"] else access.bytes

    def _stream(self, operation: LoggedOperation, thread: int) -> int:
        handle = operation.stream
        if handle == UNKNOWN_STREAM and operation.kind not in _ENQUEUED:
            return t.NONE
        key = (handle, thread if handle == PER_THREAD_STREAM else 0)
        if operation.kind is Kind.STREAM_CREATE:
            return self._new_stream(key, operation.stream_kind or StreamKind.UNKNOWN, thread)
        if key not in self._streams:
            kind = StreamKind.PER_THREAD if handle == PER_THREAD_STREAM else StreamKind.UNKNOWN
            self._new_stream(key, kind, thread)
        row = self._streams[key]
        if (
            operation.kind is Kind.STREAM_DESTROY
            and not operation.failed
            and handle > PER_THREAD_STREAM
        ):
            del self._streams[key]
        return row

    def _new_stream(self, key: tuple[int, int], kind: StreamKind, thread: int) -> int:
        row = len(self.streams)
        handle = key[0] if key[0] != UNKNOWN_STREAM else 0
        generation = self._stream_generations.get(handle, 0)
        self._stream_generations[handle] = generation + 1
        owner = thread if kind is StreamKind.PER_THREAD else t.NONE
        self.streams.append(
            {"handle": handle, "kind": kind, "thread": owner, "generation": generation}
        )
        self._streams[key] = row
        return row

    def _kernel(self, operation: LoggedOperation) -> int:
        if operation.kind is not Kind.LAUNCH or operation.kernel is None:
            return t.NONE
        return self.kernels.setdefault(operation.kernel, len(self.kernels))


def _end(allocation: _Row) -> int:
    return int(allocation["address"]) + int(allocation["bytes"])
