"""Graphs with branches, unrolled: each as a small trace of its own, in which its nodes run.

To the rest of a program the launch of a graph is one operation. Within it, nodes that do not depend
on each other may run at the same time. Here branches become streams and dependencies events, so
that the rules which find missing order between streams find it between branches, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from greta.forensics.failures import last_that_counts
from greta.forensics.scan import (
    AccessBlock,
    Mask,
    are_between,
    first_operations,
    fresh_memory,
    led_by_memory,
    may_be_written,
    where,
)
from greta.trace.trace import (
    ACCESS,
    NONE,
    OPERATION,
    STREAM,
    BranchedGraph,
    GraphNode,
    Kind,
    Mode,
    Role,
    Row,
    Seq,
    Space,
    StreamKind,
    Table,
    Trace,
    Waits,
)

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class UnrolledGraph:
    """A graph as a trace, and where its rows stand in the trace that it is from."""

    trace: Trace
    rows: Rows
    accesses: Rows
    fresh: Mask
    """Allocations to which nobody had written before the launch."""


def unrolled_graphs(trace: Trace) -> Iterator[UnrolledGraph]:
    """All graphs that have branches and were launched before the device had a fault, if it had."""
    last = last_that_counts(trace)
    graphs = [graph for graph in trace.branched_graphs if graph.launch <= last]
    if not graphs:
        return
    copies, writes = where(trace, _is_copied_to, may_be_written)
    first_copy, first_write = first_operations(trace, copies), first_operations(trace, writes)
    fresh, led = fresh_memory(trace), led_by_memory(trace)
    allocations = trace.allocations.copy()
    allocations["made_at"] = allocations["freed_at"] = NONE  # they live while the graph runs
    for graph in graphs:
        is_fresh = fresh & (first_write >= graph.launch)
        is_fresh &= ~are_between(led, trace.allocations["made_at"], graph.launch)
        yield _unrolled(
            trace, graph, allocations, np.flatnonzero(first_copy < graph.launch), is_fresh
        )


def _is_copied_to(block: AccessBlock) -> Mask:
    copied = np.isin(block.of_operation("kind"), (Kind.COPY, Kind.GRAPH_LAUNCH))
    into = (block.rows["role"] == Role.DESTINATION) & (block.allocation != NONE)
    return copied & into & block.counts


class _Step(NamedTuple):
    stream: int
    kind: Kind
    event: int = NONE
    source: Row = NONE


def _unrolled(
    trace: Trace, graph: BranchedGraph, allocations: Table, copied: Rows, fresh: Mask
) -> UnrolledGraph:
    steps = list(_steps(trace, graph.nodes))
    rows = np.array([step.source for step in steps], np.int64)
    noted = _noted(trace, graph.launch)
    accessed = [_accesses_of(trace, row, noted) for row in rows.tolist()]
    sources = np.concatenate(accessed)
    accesses = np.concatenate([_brought(copied, allocations), _as_launched(trace, graph, sources)])
    counts = [len(copied), *map(len, accessed[1:])]
    accesses["operation"] = np.repeat(np.arange(len(steps)), counts)
    small = replace(
        trace,
        operations=_operations(trace, steps, rows, counts),
        accesses=accesses,
        allocations=allocations,
        streams=_streams(max(step.stream for step in steps) + 1),
        branched_graphs=(),
    )
    places = np.concatenate([np.full(len(copied), NONE), sources])
    return UnrolledGraph(small, rows, places, fresh)


def branch_of_each(nodes: Sequence[GraphNode]) -> list[int]:
    """The branch that each node continues, from 0: that of a node that nothing else continues."""
    found: list[int] = []
    last: list[int] = []  # the last node of each branch
    for at, node in enumerate(nodes):
        branch = next((found[one] for one in node.after if last[found[one]] == one), NONE)
        if branch == NONE:
            branch = len(last)
            last.append(NONE)
        found.append(branch)
        last[branch] = at
    return found


def _steps(trace: Trace, nodes: tuple[GraphNode, ...]) -> Iterator[_Step]:
    """First what copies had brought before the launch; then each node, behind its waits."""
    yield _Step(0, Kind.COPY)
    yield _Step(0, Kind.EVENT_RECORD, event=len(nodes))
    for at, (node, branch) in enumerate(zip(nodes, branch_of_each(nodes), strict=True)):
        stream = branch + 1  # 0 is the stream of the launch
        for event in node.after or (len(nodes),):
            yield _Step(stream, Kind.STREAM_WAIT_EVENT, event)
        for row in node.rows:
            kind = Kind(int(trace.operations["kind"][row]))
            if kind not in (Kind.EVENT_RECORD, Kind.STREAM_WAIT_EVENT):
                yield _Step(stream, kind, source=row)
        yield _Step(stream, Kind.EVENT_RECORD, event=at)


def _noted(trace: Trace, launch: Row) -> dict[Seq, list[Row]]:
    """What the device saw each node access, when the graph was launched."""
    noted: dict[Seq, list[Row]] = {}
    part = trace.access_rows(launch)
    seen = np.flatnonzero(trace.accesses["role"][part] == Role.FOOTPRINT) + part.start
    for row, origin in zip(seen.tolist(), trace.accesses["origin"][seen].tolist(), strict=True):
        noted.setdefault(origin, []).append(row)
    return noted


def _accesses_of(trace: Trace, row: Row, noted: dict[Seq, list[Row]]) -> Rows:
    """What a node was given, and what it was seen to access."""
    if row == NONE:
        return np.empty(0, np.int64)
    part = trace.access_rows(row)
    seen = noted.get(int(trace.operations["seq"][row]), [])
    return np.array([*range(part.start, part.stop), *seen], np.int64)


def _operations(trace: Trace, steps: list[_Step], rows: Rows, counts: list[int]) -> Table:
    table = np.zeros(len(steps), OPERATION)
    table["kernel"] = table["allocation"] = NONE
    table[rows != NONE] = trace.operations[rows[rows != NONE]]
    table["kind"] = [step.kind for step in steps]
    table["stream"] = [step.stream for step in steps]
    table["event"] = [step.event for step in steps]
    table["start_event"] = NONE
    table["waits"], table["captured"], table["finished"] = Waits.NO, False, True
    table["thread"] = table["device"] = 0
    table["begin"] = np.arange(len(steps))
    table["end"] = table["begin"] + 1
    table["first_access"] = np.cumsum(counts) - counts
    return table


def _brought(copied: Rows, allocations: Table) -> Table:
    """One copy to each allocation, as a whole."""
    table = np.zeros(len(copied), ACCESS)
    table["allocation"] = copied
    table["address"], table["bytes"] = allocations["address"][copied], allocations["bytes"][copied]
    table["mode"], table["role"], table["space"] = Mode.WRITE, Role.DESTINATION, Space.DEVICE
    return table


def _as_launched(trace: Trace, graph: BranchedGraph, sources: Rows) -> Table:
    """What the nodes access. What an address means may have changed since they were created.

    Where the device saw all that a node did, its pointers by themselves are no accesses.
    """
    launched = trace.accesses_of(graph.launch)
    launched = launched[launched["role"] != Role.FOOTPRINT]
    columns = (launched[name].tolist() for name in ("origin", "address", "allocation", "known"))
    meant = {
        (origin, address): as_launched
        for origin, address, *as_launched in zip(*columns, strict=True)
    }
    table: Table = trace.accesses[sources]
    given = table["role"] != Role.FOOTPRINT
    named = table[["origin", "address"]][given].tolist()
    unknown = [NONE, 0]
    now = np.array([meant.get(one, unknown) for one in named], np.int64).reshape(-1, 2)
    table["allocation"][given], table["known"][given] = now.T
    table["at_call"] = False
    return table


def _streams(count: int) -> Table:
    table = np.zeros(count, STREAM)
    table["handle"] = np.arange(count) + 1
    table["kind"], table["thread"] = StreamKind.NON_BLOCKING, NONE
    return table
