"""The nodes of graphs: how captures create them, and which graphs have branches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from greta.errors import UsageError
from greta.trace.trace import BranchedGraph, GraphNode, Kind, Row, Table

NodeKey: TypeAlias = int
"""A node's handle; of a captured one, whose handle nobody saw, minus its row."""


@dataclass(frozen=True)
class Node:
    rows: tuple[Row, ...]
    """The operations that named its memory last; for a child graph, those of its nodes."""
    after: frozenset[NodeKey] | None
    """None: nobody saw which."""
    captured: Kind | None = None
    """What it does, if it was captured."""
    inner: State = ()
    """The nodes of a child graph."""
    has_events: bool = False
    """Whether it records an event or waits for one; of a child graph, whether a node does."""
    memory: tuple[Row, ...] = ()
    """The operations of nodes that allocate memory or free it."""


MOST_NODES: Final = 1 << 18
"""Of a child graph, with those of its own child graphs."""
Nodes: TypeAlias = "dict[NodeKey, Node]"
State: TypeAlias = "tuple[tuple[NodeKey, Node], ...]"


def child(nodes: Nodes, after: frozenset[NodeKey] | None, captured: Kind | None = None) -> Node:
    """A graph within a graph: to the outer one it is a single node.

    Raises UsageError if there are too many: a graph that is added to itself doubles each time.
    """
    rows, events = rows_of(nodes), any(node.has_events for node in nodes.values())
    if len(rows) > MOST_NODES:
        raise UsageError("the recording has graphs with more nodes than can be followed")
    return Node(rows, after, captured, tuple(nodes.items()), events, memory_of(nodes))


def rows_of(nodes: Nodes) -> tuple[Row, ...]:
    return tuple(row for node in nodes.values() for row in node.rows)


def memory_of(nodes: Nodes) -> tuple[Row, ...]:
    return tuple(row for node in nodes.values() for row in node.memory)


def behind_memory(nodes: Nodes) -> tuple[tuple[Row, tuple[Row, ...]], ...]:
    """For each operation that allocates or frees: those of the nodes that surely come behind it."""
    found = [
        pair for node in nodes.values() if node.inner for pair in behind_memory(dict(node.inner))
    ]
    followers: dict[NodeKey, list[NodeKey]] = defaultdict(list)
    for key, after in _in_order(nodes):
        for one in after:
            followers[one].append(key)
    seen = 0
    for key, node in nodes.items():
        if not node.memory or seen > MOST_NODES:
            continue
        later = _reached(followers, key)
        seen += len(later)
        rows = tuple(row for one in later for row in (*nodes[one].rows, *nodes[one].memory))
        found += ((row, rows) for row in node.memory if rows)
    return tuple(found)


def _reached(followers: Mapping[NodeKey, list[NodeKey]], start: NodeKey) -> dict[NodeKey, None]:
    """Nodes that come behind one, in an order that does not change from run to run."""
    found: dict[NodeKey, None] = {}
    open_ = [start]
    while open_:
        for key in followers.get(open_.pop(), ()):
            if key not in found:
                found[key] = None
                open_.append(key)
    return found


def renamed(nodes: Nodes, old: NodeKey, new: NodeKey) -> Nodes:
    """The same graph with another handle of one node."""
    return {
        new if key == old else key: replace(node, after=node.after - {old} | {new})
        if node.after is not None and old in node.after
        else node
        for key, node in nodes.items()
    }


def nameless(nodes: Nodes, kinds: tuple[Kind, ...]) -> list[NodeKey]:
    """Captured nodes of some kinds whose handles nobody saw."""
    return [key for key, node in nodes.items() if key < 0 and node.captured in kinds]


def without(nodes: Nodes, gone: NodeKey) -> Nodes:
    """The graph after a node was taken out of it: what depended on it does not any more."""
    return {
        key: replace(node, after=node.after - {gone}) if node.after else node
        for key, node in nodes.items()
        if key != gone
    }


def branches_of(nodes: Nodes) -> tuple[GraphNode, ...]:
    """The nodes in an order that keeps their dependencies.

    None where a dependency is not known: then no missing one can be shown.
    """
    order = _in_order(nodes)
    place = {key: at for at, (key, _) in enumerate(order)}
    return tuple(
        GraphNode(nodes[key].rows, tuple(sorted(place[one] for one in after)))
        for key, after in order
    )


def _in_order(nodes: Nodes) -> list[tuple[NodeKey, frozenset[NodeKey]]]:
    """Each with those that it waits for; none if that is not known of all."""
    known = {key: node.after for key, node in nodes.items() if node.after is not None}
    if len(known) < len(nodes):
        return []
    try:
        order = list(TopologicalSorter(known).static_order())
    except CycleError:
        return []
    # More: a dependency is no node that was seen.
    return [(key, known[key]) for key in order] if len(order) == len(nodes) else []


def spread_out(nodes: Nodes) -> tuple[GraphNode, ...]:
    """The same with the nodes of child graphs in the place of these."""
    made: list[GraphNode] = []
    ends: dict[NodeKey, tuple[int, ...]] = {}
    for key, waits_for in _in_order(nodes):
        after = tuple(sorted({end for one in waits_for for end in ends[one]}))
        inner, first = spread_out(dict(nodes[key].inner)), len(made)
        if len(nodes[key].inner) and not inner:
            return ()
        made += (
            GraphNode(one.rows, tuple(first + other for other in one.after) or after)
            for one in inner or (GraphNode(nodes[key].rows, ()),)
        )
        behind = {other for one in made[first:] for other in one.after}
        ends[key] = tuple(place for place in range(first, len(made)) if place not in behind)
    return tuple(made)


def may_have_branches(nodes: Nodes) -> bool:
    """Whether its dependencies are not simply those of a chain, or are not known."""
    after = [node.after for node in nodes.values()][1:]
    return any(one is None or last not in one for last, one in zip(nodes, after, strict=False))


MOST_STATES: Final = 256
"""A limit for all graphs of a process together."""


class BranchedGraphs:
    def __init__(self) -> None:
        self.found: list[BranchedGraph] = []
        self.left_off = 0
        """Launches of states that are not among those."""
        self._known: set[State] = set()

    def launched(self, row: Row, nodes: Nodes) -> None:
        """A graph was launched, for the first time since anything in it changed."""
        for node in nodes.values():
            if node.inner:
                self.launched(row, dict(node.inner))
        if not may_have_branches(nodes):
            return
        state = tuple(nodes.items())
        if state in self._known:
            return
        branches = branches_of(nodes) if len(self._known) < MOST_STATES else ()
        if not branches:
            self.left_off += 1
            return
        self._known.add(state)
        self.found.append(BranchedGraph(row, branches))


MOST_PARTS: Final = 1 << 20
"""Nodes of all launches of graphs with event nodes together."""


class EventGraphs:
    """Launches of graphs whose nodes record events or wait for them."""

    def __init__(self) -> None:
        self.found: list[BranchedGraph] = []
        self.left_off = 0
        self._parts = 0
        self._known: dict[State, tuple[GraphNode, ...]] = {}

    def launched(self, row: Row, nodes: Nodes) -> None:
        if not any(node.has_events for node in nodes.values()):
            return
        state = tuple(nodes.items())
        if state not in self._known:
            self._known[state] = spread_out(nodes)
        spread = self._known[state]
        self._parts += len(spread)
        if not spread or self._parts > MOST_PARTS:
            self.left_off += 1
        else:
            self.found.append(BranchedGraph(row, spread))


EVENT_KINDS = (Kind.EVENT_RECORD, Kind.STREAM_WAIT_EVENT)
NODE_KINDS = (Kind.COPY, Kind.FILL, Kind.LAUNCH, Kind.HOST_FUNCTION, Kind.GRAPH_LAUNCH)
MEMORY_KINDS = (Kind.ALLOCATE, Kind.FREE)
CAPTURED_KINDS = (*NODE_KINDS, *EVENT_KINDS, *MEMORY_KINDS)


class Captured(NamedTuple):
    row: Row
    kind: int
    stream: Row
    event: int


@dataclass
class Capture:
    """A capture under way: its streams, each with the row from which on it is captured."""

    into: int = 0
    """The graph that it adds to; 0: a new one."""
    since: dict[Row, Row] = field(default_factory=dict)
    calls: list[Captured] = field(default_factory=list)

    def mark(self, operations: Table, first: Row, stop: Row) -> None:
        """Mark what was captured up to a row, and remember it."""
        for stream, since in self.since.items():
            begin = max(since, first)
            part = operations[begin - first : stop - first]
            captured = (part["stream"] == stream) & np.isin(part["kind"], CAPTURED_KINDS)
            captured &= part["finished"] & ~part["failed"] & ~part["captured"]
            part["captured"] |= captured
            part["waits"][captured] = 0
            for at in np.flatnonzero(captured).tolist():
                kind, event = int(part["kind"][at]), int(part["event"][at])
                self.calls.append(Captured(begin + at, kind, stream, event))
            self.since[stream] = stop

    def nodes(self, launched: dict[Row, Nodes]) -> Nodes:
        """What it makes of the calls; a launch of a graph becomes a graph within this one."""
        made: Nodes = {}
        last: dict[Row, frozenset[NodeKey]] = {}
        recorded: dict[int, frozenset[NodeKey]] = {}
        for row, kind, stream, event in sorted(self.calls):
            before = last.get(stream, frozenset())
            if kind == Kind.EVENT_RECORD:
                recorded[event] = before
            elif kind == Kind.STREAM_WAIT_EVENT:
                last[stream] = before | recorded.get(event, frozenset())
            elif kind in NODE_KINDS:
                after = None if self.into else before
                graph = launched.get(row)
                made[-row] = (
                    Node((row,), after, Kind(kind))
                    if graph is None
                    else child(graph, after, Kind(kind))
                )
                last[stream] = frozenset({-row})
            elif kind in MEMORY_KINDS:
                made[-row] = Node((), None if self.into else before, Kind(kind), memory=(row,))
                last[stream] = frozenset({-row})
        return made


class OpenCaptures:
    """The captures under way, and the streams and events that belong to them."""

    def __init__(self) -> None:
        self._of_stream: dict[Row, Capture] = {}
        self._of_event: dict[int, Capture] = {}

    def __bool__(self) -> bool:
        return bool(self._of_stream)

    def has(self, stream: Row) -> bool:
        return stream in self._of_stream

    def begin(self, stream: Row, into: int, row: Row) -> None:
        self._of_stream[stream] = Capture(into, {stream: row})

    def follow_event(self, operation: np.void, row: Row) -> None:
        stream, event = int(operation["stream"]), int(operation["event"])
        if operation["kind"] == Kind.EVENT_RECORD:
            self._of_event.pop(event, None)
            if stream in self._of_stream:
                self._of_event[event] = self._of_stream[stream]
        elif event in self._of_event and stream not in self._of_stream:
            capture = self._of_event[event]
            self._of_stream[stream] = capture
            capture.since[stream] = row

    def end(self, stream: Row) -> Capture | None:
        """The capture of a stream is over, for all its streams."""
        capture = self._of_stream.get(stream)
        self._of_stream = {s: c for s, c in self._of_stream.items() if c is not capture}
        self._of_event = {e: c for e, c in self._of_event.items() if c is not capture}
        return capture

    def mark(self, operations: Table, first: Row) -> None:
        for capture in {id(c): c for c in self._of_stream.values()}.values():
            capture.mark(operations, first, first + len(operations))
