"""The graphs that were launched and are no chain of nodes: each state of one once, up to a limit.

A program that tells a node something new before each launch has as many states as launches. Each
may be the one that is wrong, but nobody can look at all of them. Nor can anybody look into a graph
whose dependencies nobody saw.
"""

from __future__ import annotations

from typing import Final

from greta.trace.reading.graph_nodes import Nodes, State, branches_of, may_have_branches
from greta.trace.trace import BranchedGraph, Row

MOST_STATES: Final = 256
"""Of all graphs of a process together."""


class BranchedGraphs:
    """Keeps what is to be looked at, and counts the rest."""

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
