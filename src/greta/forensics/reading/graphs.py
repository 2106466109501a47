"""Graphs: work that is described first and runs, as one operation, when the graph is launched.

A graph is made of calls: those captured from streams, or those that add nodes. Each node is the
row of the operation that named its memory last. This is a fold over the few calls that concern
graphs; while a stream is captured, also over the events that pull other streams into the capture.

What happens between the branches of one graph is not followed: its launch counts as one operation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from greta.forensics.reading.meanings import Step
from greta.forensics.trace import Kind, Row, Table

Handle: TypeAlias = int
NodeKey: TypeAlias = int
"""A node's handle; of a captured one, whose handle nobody saw, minus its row."""
Nodes: TypeAlias = "dict[NodeKey, tuple[Row, ...]]"

NODE_KINDS = (Kind.COPY, Kind.FILL, Kind.LAUNCH, Kind.HOST_FUNCTION, Kind.GRAPH_LAUNCH)
CAPTURED_KINDS = (
    *NODE_KINDS,
    *(Kind.EVENT_RECORD, Kind.STREAM_WAIT_EVENT, Kind.ALLOCATE, Kind.FREE),
)


@dataclass(frozen=True)
class GraphCall:
    """A call that concerns graphs, and succeeded."""

    row: Row
    step: Step
    graph: Handle = 0
    node: Handle = 0
    other: Handle = 0


@dataclass
class Capture:
    """A capture under way: its streams, each with the row from which on it is captured."""

    into: Handle = 0
    since: dict[int, Row] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)


class Graphs:
    """Follows the graph calls of a process."""

    def __init__(self) -> None:
        self.unknown = 0
        """Launches of graphs nobody saw made, and changes of nodes nobody saw."""
        self._graphs: dict[Handle, Nodes] = {}
        self._owner: dict[NodeKey, Handle] = {}
        self._execs: dict[Handle, Nodes] = {}
        self._disabled: dict[Handle, set[NodeKey]] = {}
        self._capture_of: dict[int, Capture] = {}
        self._captured_events: dict[int, Capture] = {}
        self._launched: dict[Row, tuple[Row, ...]] = {}

    def follow(self, operations: Table, first: Row, calls: list[GraphCall]) -> list[Row]:
        """Follow a block of operations, the first of which has a row number; gives the launches.

        Operations that are captured are marked.
        """
        launches: list[Row] = []
        for row, call in self._relevant(operations, first, calls):
            if call is None:
                self._follow_event(operations[row - first], row)
            elif call.step is Step.LAUNCH:
                self._launch(call)
                launches.append(row)
            else:
                self._take(call, operations, first)
        self._close_block(operations, first)
        return launches

    def nodes_of_launch(self, row: Row) -> tuple[Row, ...]:
        """The operations that a launch runs."""
        return self._launched.get(row, ())

    # --- what matters -----------------------------------------------------------------------------

    def _relevant(
        self, operations: Table, first: Row, calls: list[GraphCall]
    ) -> list[tuple[Row, GraphCall | None]]:
        """Graph calls, and events if any stream is captured in this block, in order."""
        found: list[tuple[Row, GraphCall | None]] = [(call.row, call) for call in calls]
        if self._capture_of or any(call.step is Step.BEGIN_CAPTURE for call in calls):
            kind = operations["kind"]
            events = (kind == Kind.EVENT_RECORD) | (kind == Kind.STREAM_WAIT_EVENT)
            done = operations["finished"] & ~operations["failed"]
            found += [(first + int(at), None) for at in np.flatnonzero(events & done)]
        return sorted(found, key=lambda pair: pair[0])

    def _take(self, call: GraphCall, operations: Table, first: Row) -> None:
        stream = int(operations["stream"][call.row - first])
        if call.step is Step.BEGIN_CAPTURE:
            self._capture_of[stream] = Capture(call.graph, {stream: call.row})
        elif call.step is Step.END_CAPTURE:
            self._end_capture(stream, call, operations, first)
        else:
            _TAKE[call.step](self, call)

    # --- captures ---------------------------------------------------------------------------------

    def _follow_event(self, operation: np.void, row: Row) -> None:
        stream, event = int(operation["stream"]), int(operation["event"])
        if operation["kind"] == Kind.EVENT_RECORD:
            self._captured_events.pop(event, None)
            if stream in self._capture_of:
                self._captured_events[event] = self._capture_of[stream]
        elif event in self._captured_events and stream not in self._capture_of:
            capture = self._captured_events[event]
            self._capture_of[stream] = capture
            capture.since[stream] = row

    def _end_capture(self, stream: int, call: GraphCall, operations: Table, first: Row) -> None:
        capture = self._capture_of.get(stream)
        if capture is None:
            return
        self._mark(capture, operations, first, call.row)
        self._capture_of = {s: c for s, c in self._capture_of.items() if c is not capture}
        self._captured_events = {e: c for e, c in self._captured_events.items() if c is not capture}
        graph = capture.into or call.graph
        if not graph:
            return  # it failed: the work was neither done nor kept
        nodes = self._graphs.setdefault(graph, {}) if capture.into else {}
        nodes.update({-row: self._launched.get(row, (row,)) for row in sorted(capture.rows)})
        self._graphs[graph] = nodes

    def _mark(self, capture: Capture, operations: Table, first: Row, stop: Row) -> None:
        """Mark what was captured up to a row, and remember the work among it."""
        for stream, since in capture.since.items():
            part = operations[max(since, first) - first : stop - first]
            captured = (part["stream"] == stream) & np.isin(part["kind"], CAPTURED_KINDS)
            captured &= part["finished"] & ~part["failed"] & ~part["captured"]
            part["captured"] |= captured
            part["waits"][captured] = 0
            work = np.flatnonzero(captured & np.isin(part["kind"], NODE_KINDS))
            capture.rows += (max(since, first) + work).tolist()
            capture.since[stream] = stop

    def _close_block(self, operations: Table, first: Row) -> None:
        for capture in {id(c): c for c in self._capture_of.values()}.values():
            self._mark(capture, operations, first, first + len(operations))

    # --- graphs -----------------------------------------------------------------------------------

    def _create(self, call: GraphCall) -> None:
        self._graphs[call.graph] = {}

    def _clone(self, call: GraphCall) -> None:
        self._graphs[call.graph] = dict(self._graphs.get(call.other, {}))

    def _find_in_clone(self, call: GraphCall) -> None:
        nodes = self._graphs.get(call.graph, {})
        if call.other in nodes:
            nodes[call.node] = nodes.pop(call.other)
            self._owner[call.node] = call.graph

    def _add_node(self, call: GraphCall) -> None:
        self._graphs.setdefault(call.graph, {})[call.node] = (call.row,)
        self._owner[call.node] = call.graph

    def _add_child(self, call: GraphCall) -> None:
        nodes = self._graphs.setdefault(call.graph, {})
        nodes[call.node] = _rows(self._graphs.get(call.other, {}))
        self._owner[call.node] = call.graph

    def _change_node(self, call: GraphCall) -> None:
        nodes = self._graphs.get(self._owner.get(call.node, 0), {})
        if call.node in nodes:
            nodes[call.node] = (call.row,)
        else:
            self.unknown += 1

    def _remove_node(self, call: GraphCall) -> None:
        self._graphs.get(self._owner.pop(call.node, 0), {}).pop(call.node, None)

    # --- graphs that can be launched --------------------------------------------------------------

    def _instantiate(self, call: GraphCall) -> None:
        if call.other in self._graphs:
            self._execs[call.graph] = dict(self._graphs[call.other])
        else:
            self._execs.pop(call.graph, None)
        self._disabled.pop(call.graph, None)

    def _update(self, call: GraphCall) -> None:
        """The nodes keep their names and take what those of another graph do, in its order."""
        nodes = self._execs.get(call.graph)
        new = self._graphs.get(call.other)
        if nodes is None or new is None or len(new) != len(nodes):
            self._execs.pop(call.graph, None)
            if new is not None:
                self._execs[call.graph] = dict(new)
            return
        self._execs[call.graph] = dict(zip(nodes, new.values(), strict=True))

    def _change_exec_node(self, call: GraphCall) -> None:
        nodes = self._execs.get(call.graph, {})
        if call.node in nodes:
            nodes[call.node] = (call.row,)
        else:
            self.unknown += 1

    def _change_exec_child(self, call: GraphCall) -> None:
        nodes = self._execs.get(call.graph, {})
        nodes[call.node] = _rows(self._graphs.get(call.other, {}))

    def _enable_exec_node(self, call: GraphCall) -> None:
        disabled = self._disabled.setdefault(call.graph, set())
        (disabled.discard if call.other else disabled.add)(call.node)

    def _launch(self, call: GraphCall) -> None:
        nodes = self._execs.get(call.graph)
        if nodes is None:
            self.unknown += 1
            return
        disabled = self._disabled.get(call.graph, set())
        self._launched[call.row] = _rows({k: v for k, v in nodes.items() if k not in disabled})


def _rows(nodes: Nodes) -> tuple[Row, ...]:
    return tuple(row for rows in nodes.values() for row in rows)


_TAKE: dict[Step, Callable[[Graphs, GraphCall], None]] = {
    Step.CREATE: Graphs._create,
    Step.CLONE: Graphs._clone,
    Step.FIND_IN_CLONE: Graphs._find_in_clone,
    Step.ADD_NODE: Graphs._add_node,
    Step.ADD_CHILD: Graphs._add_child,
    Step.CHANGE_NODE: Graphs._change_node,
    Step.REMOVE_NODE: Graphs._remove_node,
    Step.INSTANTIATE: Graphs._instantiate,
    Step.UPDATE: Graphs._update,
    Step.CHANGE_EXEC_NODE: Graphs._change_exec_node,
    Step.CHANGE_EXEC_CHILD: Graphs._change_exec_child,
    Step.ENABLE_EXEC_NODE: Graphs._enable_exec_node,
}
