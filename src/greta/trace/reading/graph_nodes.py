"""The nodes of a graph, and whether they form branches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias

from greta.trace.trace import GraphNode, Kind, Row

NodeKey: TypeAlias = int
"""A node's handle; of a captured one, whose handle nobody saw, minus its row."""


@dataclass(frozen=True)
class Node:
    """What a node runs, and after which others."""

    rows: tuple[Row, ...]
    """Of the operations that named its memory last; of a child graph, those of its nodes."""
    after: frozenset[NodeKey] | None
    """None: nobody saw which."""
    captured: Kind | None = None
    """What it does, if it was captured."""
    inner: State = ()
    """Of a child graph."""


Nodes: TypeAlias = "dict[NodeKey, Node]"
State: TypeAlias = "tuple[tuple[NodeKey, Node], ...]"


def child(nodes: Nodes, after: frozenset[NodeKey] | None, captured: Kind | None = None) -> Node:
    """A graph within a graph: to the outer one it is a single node."""
    return Node(rows_of(nodes), after, captured, tuple(nodes.items()))


def rows_of(nodes: Nodes) -> tuple[Row, ...]:
    """All operations of a graph."""
    return tuple(row for node in nodes.values() for row in node.rows)


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
    known = {key: node.after for key, node in nodes.items() if node.after is not None}
    if len(known) < len(nodes):
        return ()
    try:
        order = list(TopologicalSorter(known).static_order())
    except CycleError:
        return ()
    if len(order) > len(nodes):
        return ()  # a dependency is no node that was seen
    place = {key: at for at, key in enumerate(order)}
    return tuple(
        GraphNode(nodes[key].rows, tuple(sorted(place[one] for one in known[key]))) for key in order
    )


def may_have_branches(nodes: Nodes) -> bool:
    """Whether its dependencies are not simply those of a chain, or are not known."""
    after = [node.after for node in nodes.values()][1:]
    return any(one is None or last not in one for last, one in zip(nodes, after, strict=False))
