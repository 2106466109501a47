"""Graphs: work that is described first and runs, as one operation, when the graph is launched.

A graph is made of calls: those captured from streams, or those that add nodes. Each node is the
row of the operation that named its memory last, and the nodes it comes after. This is a fold over
the few calls that concern graphs; while a stream is captured, also over the events that pull other
streams into the capture.

A program that changes a captured node got its handle from the runtime, where nobody saw which node
it is: of several that it may be, none is known any more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from greta.recording import Step
from greta.trace.reading.graph_nodes import (
    EVENT_KINDS,
    NODE_KINDS,
    BranchedGraphs,
    EventGraphs,
    Node,
    NodeKey,
    Nodes,
    OpenCaptures,
    behind_memory,
    child,
    memory_of,
    nameless,
    renamed,
    rows_of,
    without,
)
from greta.trace.trace import Kind, Row, Table

Handle: TypeAlias = int


@dataclass(frozen=True)
class GraphCall:
    row: Row
    step: Step
    graph: Handle = 0
    node: Handle = 0
    other: Handle = 0
    after: tuple[Handle, ...] | None = ()
    """Nodes that come before; None: not all of them were kept."""
    before: tuple[Handle, ...] | None = ()
    """For hipGraphAddDependencies: the nodes that come after those."""
    kind: Kind = Kind.OTHER
    """What the node does that is created or changed."""

    @property
    def dependencies(self) -> frozenset[NodeKey] | None:
        return frozenset(self.after) if self.after is not None else None


Behind: TypeAlias = "tuple[tuple[Row, tuple[Row, ...]], ...]"


class LaunchedMemory(NamedTuple):
    """Of a launch: its nodes that allocate memory or free it, and what comes behind each."""

    nodes: tuple[Row, ...]
    behind: Behind


class Graphs:
    def __init__(self) -> None:
        self.unknown = 0
        """Launches of graphs nobody saw made, and changes of nodes nobody saw."""
        self.branched = BranchedGraphs()
        self.with_events = EventGraphs()
        self.memory: dict[Row, LaunchedMemory] = {}
        """By launch."""
        self._behind_memory: dict[Handle, Behind] = {}
        self._graphs: dict[Handle, Nodes] = {}
        self._owner: dict[NodeKey, Handle] = {}
        self._execs: dict[Handle, Nodes] = {}
        self._disabled: dict[Handle, set[NodeKey]] = {}
        self._seen: set[Handle] = set()
        """Executable graphs that were launched as they are now."""
        self._captures = OpenCaptures()
        self._launched: dict[Row, tuple[Row, ...]] = {}
        self._captured: dict[Row, Nodes] = {}
        """Launches that a capture made a node of another graph."""

    def follow(self, operations: Table, first: Row, calls: list[GraphCall]) -> list[Row]:
        """Follow a block of operations, the first of which has a row number; gives the launches.

        Operations that are captured are marked.
        """
        launches: list[Row] = []
        for row, call in self._relevant(operations, first, calls):
            if call is None:
                self._captures.follow_event(operations[row - first], row)
            elif call.step is Step.LAUNCH:
                is_captured = self._captures.has(int(operations["stream"][row - first]))
                self._launch(call, is_captured)
                launches.append(row)
            else:
                self._take(call, operations, first)
        self._captures.mark(operations, first)
        return launches

    def nodes_of_launch(self, row: Row) -> tuple[Row, ...]:
        return self._launched.get(row, ())

    # --- what matters -----------------------------------------------------------------------------

    def _relevant(
        self, operations: Table, first: Row, calls: list[GraphCall]
    ) -> list[tuple[Row, GraphCall | None]]:
        """Graph calls, and events if any stream is captured in this block, in order."""
        found: list[tuple[Row, GraphCall | None]] = [(call.row, call) for call in calls]
        if self._captures or any(call.step is Step.BEGIN_CAPTURE for call in calls):
            events = np.isin(operations["kind"], EVENT_KINDS) & ~operations["captured"]
            done = operations["finished"] & ~operations["failed"]
            found += [(first + int(at), None) for at in np.flatnonzero(events & done)]
        return sorted(found, key=lambda pair: pair[0])

    def _take(self, call: GraphCall, operations: Table, first: Row) -> None:
        stream = int(operations["stream"][call.row - first])
        if call.step is Step.BEGIN_CAPTURE:
            self._captures.begin(stream, call.graph, call.row)
        elif call.step is Step.END_CAPTURE:
            self._end_capture(stream, call, operations, first)
        else:
            _TAKE[call.step](self, call)

    def _end_capture(self, stream: Row, call: GraphCall, operations: Table, first: Row) -> None:
        capture = self._captures.end(stream)
        if capture is None:
            return
        capture.mark(operations, first, call.row)
        graph = capture.into or call.graph
        if not graph:
            return  # it failed: the work was neither done nor kept
        if not capture.into:
            self._forget(graph)
        self._graphs.setdefault(graph, {}).update(capture.nodes(self._captured))

    # --- graphs -----------------------------------------------------------------------------------

    def _create(self, call: GraphCall) -> None:
        self._forget(call.graph)
        self._graphs[call.graph] = {}

    def _clone(self, call: GraphCall) -> None:
        nodes = dict(self._graphs.get(call.other, {}))
        self._forget(call.graph)
        self._graphs[call.graph] = nodes

    def _destroy(self, call: GraphCall) -> None:
        self._forget(call.graph)

    def _forget(self, graph: Handle) -> None:
        """Its handle, and those of its nodes, may mean others from now on.

        What was made of it for launching has nodes of its own, by the same names.
        """
        for node in self._graphs.pop(graph, {}):
            if self._owner.get(node) == graph:
                del self._owner[node]

    def _find_in_clone(self, call: GraphCall) -> None:
        nodes = self._graphs.get(call.graph, {})
        if call.other in nodes:
            self._graphs[call.graph] = renamed(nodes, call.other, call.node)
            self._owner[call.node] = call.graph

    def _add_node(self, call: GraphCall) -> None:
        rows = () if call.kind is Kind.FREE else (call.row,)
        memory = (call.row,) if call.kind in (Kind.FREE, Kind.OTHER) else ()
        events = call.kind in EVENT_KINDS
        self._add(call, Node(rows, call.dependencies, has_events=events, memory=memory))

    def _add_child(self, call: GraphCall) -> None:
        self._add(call, child(self._graphs.get(call.other, {}), call.dependencies))

    def _add(self, call: GraphCall, node: Node) -> None:
        self._graphs.setdefault(call.graph, {})[call.node] = node
        self._owner[call.node] = call.graph

    def _change_edges(self, call: GraphCall) -> None:
        nodes = self._graphs.get(call.graph, {})
        if call.after is None or call.before is None:
            self._forget_edges(call)
            return
        for earlier, later in zip(call.after, call.before, strict=False):
            node, edge = nodes.get(later), {earlier}
            if node is not None and node.after is not None:
                adds = call.step is Step.ADD_EDGES
                nodes[later] = replace(node, after=node.after | edge if adds else node.after - edge)

    def _forget_edges(self, call: GraphCall) -> None:
        """Which depend on which is not known any more."""
        nodes = self._graphs.get(call.graph, {})
        self._graphs[call.graph] = {k: replace(n, after=None) for k, n in nodes.items()}

    def _change_node(self, call: GraphCall) -> None:
        graph = self._graph_with(call.node, (call.kind,))
        if graph:
            _tell(self._graphs[graph], call.node, Node((call.row,), None))

    def _remove_node(self, call: GraphCall) -> None:
        graph = self._graph_with(call.node, NODE_KINDS)
        if graph:
            self._graphs[graph] = without(self._graphs[graph], call.node)
        self._owner.pop(call.node, None)

    def _graph_with(self, node: Handle, kinds: tuple[Kind, ...]) -> Handle:
        """The graph that has a node; 0 if it is a captured one, and of which graph is not known."""
        if node in self._owner:
            return self._owner[node]
        graphs = [graph for graph, nodes in self._graphs.items() if nameless(nodes, kinds)]
        for graph in graphs:
            self._graphs[graph] = self._named(self._graphs[graph], node, kinds, len(graphs) == 1)
        if len(graphs) != 1:
            self.unknown += 1
            return 0
        self._owner[node] = graphs[0]
        return graphs[0]

    def _named(self, nodes: Nodes, node: Handle, kinds: tuple[Kind, ...], sure: bool) -> Nodes:
        """With a handle for the captured node it means; of several, each may be changed by now."""
        may_be = nameless(nodes, kinds)
        if sure and len(may_be) == 1:
            return renamed(nodes, may_be[0], node)
        self.unknown += 1
        return {k: replace(n, rows=(), inner=()) if k in may_be else n for k, n in nodes.items()}

    # --- graphs that can be launched --------------------------------------------------------------

    def _instantiate(self, call: GraphCall) -> None:
        if call.other in self._graphs:
            self._execs[call.graph] = dict(self._graphs[call.other])
        else:
            self._execs.pop(call.graph, None)
        self._disabled.pop(call.graph, None)
        self._seen.discard(call.graph)

    def _update(self, call: GraphCall) -> None:
        """The nodes keep their names and take what those of another graph do, in its order."""
        self._seen.discard(call.graph)
        nodes = self._execs.get(call.graph)
        new = self._graphs.get(call.other)
        if nodes is None or new is None or len(new) != len(nodes):
            self._execs.pop(call.graph, None)
            if new is not None:
                self._execs[call.graph] = dict(new)
            return
        self._execs[call.graph] = {
            key: replace(nodes[key], rows=told.rows, inner=told.inner, memory=told.memory)
            for key, told in zip(nodes, new.values(), strict=True)
        }

    def _change_exec_node(self, call: GraphCall) -> None:
        self._tell_exec(call, call.kind, Node((call.row,), None))

    def _change_exec_child(self, call: GraphCall) -> None:
        self._tell_exec(call, Kind.GRAPH_LAUNCH, child(self._graphs.get(call.other, {}), None))

    def _tell_exec(self, call: GraphCall, kind: Kind, told: Node) -> None:
        if call.graph not in self._execs:
            self.unknown += 1
            return
        self._find_exec_node(call, (kind,))
        _tell(self._execs[call.graph], call.node, told)

    def _enable_exec_node(self, call: GraphCall) -> None:
        if not call.other and call.graph in self._execs:
            self._find_exec_node(call, (Kind.COPY, Kind.FILL, Kind.LAUNCH))
        self._seen.discard(call.graph)
        disabled = self._disabled.setdefault(call.graph, set())
        (disabled.discard if call.other else disabled.add)(call.node)

    def _find_exec_node(self, call: GraphCall, kinds: tuple[Kind, ...]) -> None:
        nodes = self._execs[call.graph]
        if call.node not in nodes:
            self._execs[call.graph] = self._named(nodes, call.node, kinds, sure=True)
        self._seen.discard(call.graph)

    def _launch(self, call: GraphCall, is_captured: bool) -> None:
        nodes = self._execs.get(call.graph)
        if nodes is None:
            self.unknown += 1
            return
        enabled = self._enabled(call.graph, nodes)
        self._launched[call.row] = rows_of(enabled)
        if is_captured:
            self._captured[call.row] = dict(enabled)
            return
        if memory := memory_of(enabled):
            self.memory[call.row] = LaunchedMemory(memory, self._behind(call.graph, enabled))
        self.with_events.launched(call.row, enabled)
        if call.graph not in self._seen:
            self._seen.add(call.graph)
            self.branched.launched(call.row, enabled)

    def _behind(self, graph: Handle, nodes: Nodes) -> Behind:
        if graph not in self._seen:
            self._behind_memory[graph] = behind_memory(nodes)
        return self._behind_memory[graph]

    def _enabled(self, graph: Handle, nodes: Nodes) -> Nodes:
        """A node that is switched off does nothing, but those behind it still wait for it."""
        disabled = self._disabled.get(graph)
        if not disabled:
            return nodes
        off = {key: replace(nodes[key], rows=(), inner=()) for key in disabled & nodes.keys()}
        return {**nodes, **off}


def _tell(nodes: Nodes, node: Handle, told: Node) -> None:
    """A node does something else from now on, at its place."""
    same = nodes.get(node, told)
    nodes[node] = replace(same, rows=told.rows, inner=told.inner, memory=told.memory)


_TAKE: dict[Step, Callable[[Graphs, GraphCall], None]] = {
    Step.CREATE: Graphs._create,
    Step.CLONE: Graphs._clone,
    Step.FIND_IN_CLONE: Graphs._find_in_clone,
    Step.DESTROY: Graphs._destroy,
    Step.ADD_NODE: Graphs._add_node,
    Step.ADD_CHILD: Graphs._add_child,
    Step.ADD_EDGES: Graphs._change_edges,
    Step.REMOVE_EDGES: Graphs._change_edges,
    Step.CHANGE_NODE: Graphs._change_node,
    Step.REMOVE_NODE: Graphs._remove_node,
    Step.INSTANTIATE: Graphs._instantiate,
    Step.UPDATE: Graphs._update,
    Step.CHANGE_EXEC_NODE: Graphs._change_exec_node,
    Step.CHANGE_EXEC_CHILD: Graphs._change_exec_child,
    Step.ENABLE_EXEC_NODE: Graphs._enable_exec_node,
}
