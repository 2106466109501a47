"""The nodes of a graph, and whether they form branches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias

from greta.forensics.trace import GraphNode, Kind, Row

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


Nodes: TypeAlias = "dict[NodeKey, Node]"


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


def branches_of(nodes: Nodes) -> tuple[GraphNode, ...]:
    """The nodes in an order that keeps their dependencies; none if they are a chain.

    None also where a dependency is not known: then no missing one can be shown.
    """
    if not may_have_branches(nodes):
        return ()
    known = {key: node.after or frozenset() for key, node in nodes.items()}
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
    """Whether all dependencies are known, and are not simply those of a chain."""
    after = [node.after for node in nodes.values()]
    if None in after:
        return False
    pairs = zip(nodes, after[1:], strict=False)
    return any(one is not None and last not in one for last, one in pairs)
