"""Graphs whose nodes record events or wait for them: each launch in its parts.

To the rest of a program the launch of a graph is one operation. A node that records an event says
that what comes before it is over, and no more; one that waits holds up what comes behind it, and no
more. So a launch of such a graph becomes several operations: branches become streams, as in
greta.forensics.graph_branches, between a fork and a join of the stream that it was launched on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from greta.forensics.graph_branches import branch_of_each
from greta.trace.trace import (
    NONE,
    STREAM,
    BranchedGraph,
    GraphNode,
    Kind,
    Row,
    StreamKind,
    Table,
    Trace,
    Waits,
)

Rows = npt.NDArray[np.int64]
LAUNCHING = NONE
"""Stands for the stream that a graph was launched on."""


class Part(NamedTuple):
    """An operation that a launch is made of."""

    stream: int
    """LAUNCHING, or a branch."""
    kind: Kind
    event: int = NONE
    node: Row = NONE
    """The operation that says what it accesses."""
    is_own: bool = False
    """Its event orders the parts of the launch alone, and is numbered from 0."""
    is_work: bool = False
    """It is of a node, and no wait; the others only order these."""
    waits: int = Waits.NO
    """Whether the host waits for it, as it may for an event that processes share."""


@dataclass(frozen=True, eq=False)
class InParts:
    """A trace with such launches in their parts, and where its rows stand in the trace."""

    trace: Trace
    rows: Rows
    accesses: Rows
    first: Rows
    """For each row of the trace, and one behind them, its first part."""
    works: dict[Row, Rows]
    """For each launch, the parts that make it up: when they are over, it is."""

    def of(self, rows: Table) -> Rows:
        """Rows of the trace; NONE stays NONE."""
        found: Rows = np.append(self.rows, NONE)[rows]
        return found


def in_parts(trace: Trace) -> InParts | None:
    """None if no graph has such nodes."""
    if not trace.event_graphs:
        return None
    return _Split(trace).done()


def parts_of(trace: Trace, nodes: Sequence[GraphNode]) -> Iterator[Part]:
    """What a launch is made of, in an order that keeps the dependencies."""
    kinds, events = trace.operations["kind"], trace.operations["event"]
    fork, behind = len(nodes), {one for node in nodes for one in node.after}
    yield Part(LAUNCHING, Kind.GRAPH_LAUNCH)
    yield Part(LAUNCHING, Kind.EVENT_RECORD, fork, is_own=True)
    for at, (node, branch) in enumerate(zip(nodes, branch_of_each(nodes), strict=True)):
        for one in node.after or (fork,):
            yield Part(branch, Kind.STREAM_WAIT_EVENT, one, is_own=True)
        for row in node.rows:
            kind = Kind(int(kinds[row]))
            if kind in (Kind.EVENT_RECORD, Kind.STREAM_WAIT_EVENT):
                is_record = kind is Kind.EVENT_RECORD
                event, waits = int(events[row]), int(trace.operations["waits"][row])
                yield Part(branch, kind, event, is_work=is_record, waits=waits)
            else:
                told = kind if kind is Kind.HOST_FUNCTION else Kind.GRAPH_LAUNCH
                yield Part(branch, told, node=row, is_work=True)
        yield Part(branch, Kind.EVENT_RECORD, at, is_own=True)
    for at in sorted(set(range(len(nodes))) - behind):
        yield Part(LAUNCHING, Kind.STREAM_WAIT_EVENT, at, is_own=True)
    yield Part(LAUNCHING, Kind.GRAPH_LAUNCH)


class _Split:
    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        events = (trace.operations[name] for name in ("event", "start_event"))
        self._events = max(int(column.max(initial=NONE)) for column in events) + 1
        starts = np.append(trace.operations["first_access"], len(trace.accesses))
        self._starts: Rows = starts.astype(np.int64)
        self._known: dict[tuple[GraphNode, ...], list[Part]] = {}
        self._streams: dict[tuple[int, int, int], int] = {}
        """By executable graph, device and branch."""
        self._devices: list[int] = []
        self._tables: list[Table] = []
        self._rows: list[Rows] = []
        self._accesses: list[Rows] = []
        self._counts: list[Rows] = []
        self._works: dict[Row, Rows] = {}
        self._length = 0

    def done(self) -> InParts:
        trace, row = self._trace, 0
        for graph in trace.event_graphs:
            self._take(row, graph.launch)
            self._split(graph)
            row = graph.launch + 1
        self._take(row, len(trace.operations))
        rows, sources = np.concatenate(self._rows), np.concatenate(self._accesses)
        counts = np.concatenate(self._counts)
        first = np.searchsorted(rows, np.arange(len(trace.operations) + 1))
        operations = np.concatenate(self._tables)
        operations["first_access"] = np.cumsum(counts) - counts
        accesses = trace.accesses[sources]
        accesses["operation"] = np.repeat(np.arange(len(rows)), counts)
        small = replace(
            trace,
            operations=operations,
            accesses=accesses,
            allocations=_moved(trace.allocations, first),
            blocks=_moved(trace.blocks, first),
            streams=np.concatenate([trace.streams, self._branches()]),
            branched_graphs=(),
            event_graphs=(),
        )
        return InParts(small, rows, sources, first, self._works)

    def _take(self, begin: Row, end: Row) -> None:
        """Operations as they are."""
        trace, rows = self._trace, np.arange(begin, end)
        starts = self._starts[begin : end + 1]
        self._add(rows, trace.operations[begin:end], np.diff(starts))
        if len(starts):
            self._accesses.append(np.arange(starts[0], starts[-1]))

    def _add(self, rows: Rows, table: Table, counts: Rows) -> None:
        self._rows.append(rows)
        self._tables.append(table)
        self._counts.append(counts)
        self._length += len(rows)

    def _split(self, graph: BranchedGraph) -> None:
        trace, launch = self._trace, graph.launch
        parts = self._known.get(graph.nodes)
        if parts is None:
            parts = self._known[graph.nodes] = list(parts_of(trace, graph.nodes))
        operation = trace.operations[launch]
        table = np.repeat(trace.operations[launch : launch + 1], len(parts))
        table["kind"] = [part.kind for part in parts]
        table["stream"] = [self._stream(operation, launch, part.stream) for part in parts]
        table["event"] = [part.event + self._events * part.is_own for part in parts]
        table["waits"][:-1] = [part.waits for part in parts[:-1]]
        table["event"][[0, -1]] = operation["event"]  # launches of one graph wait for each other
        works = np.flatnonzero([part.is_work for part in parts])
        self._works[launch] = self._length + (works if len(works) else np.array([len(parts) - 1]))
        accessed = self._accessed(launch, parts)
        self._add(np.full(len(parts), launch), table, np.array([len(one) for one in accessed]))
        self._accesses += accessed

    def _stream(self, operation: np.void, launch: Row, branch: int) -> int:
        if branch == LAUNCHING:
            return int(operation["stream"])
        graph = int(operation["event"])
        device = int(operation["device"])
        key = (graph, device, branch) if graph != NONE else (NONE - 1 - launch, device, branch)
        if key not in self._streams:
            self._streams[key] = len(self._trace.streams) + len(self._streams)
            self._devices.append(device)
        return self._streams[key]

    def _accessed(self, launch: Row, parts: list[Part]) -> list[Rows]:
        """By part. What no node of it names, the launch itself does."""
        part = self._trace.access_rows(launch)
        origins = self._trace.accesses["origin"][part]
        seqs = self._trace.operations["seq"]
        found = [
            np.flatnonzero(origins == seqs[one.node]) + part.start
            if one.node != NONE
            else np.empty(0, np.int64)
            for one in parts
        ]
        named = seqs[[one.node for one in parts if one.node != NONE]]
        found[0] = np.flatnonzero(~np.isin(origins, named)) + part.start
        return found

    def _branches(self) -> Table:
        table = np.zeros(len(self._streams), STREAM)
        table["handle"] = np.arange(len(table)) + 1
        table["kind"], table["thread"] = StreamKind.NON_BLOCKING, NONE
        table["device"] = self._devices
        return table


def _moved(table: Table, first: Rows) -> Table:
    """Lifetimes begin and end at the first part of what begins and ends them."""
    moved: Table = table.copy()
    for name in ("made_at", "freed_at"):
        moved[name] = np.append(first, NONE)[table[name]]
    return moved
