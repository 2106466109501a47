"""Captures: work on streams that becomes the nodes of a graph instead of running.

A capture begins with one stream. Others join it when they wait for an event that was recorded in
it. Within it, streams and events give nodes their order as they do to work that runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from greta.trace.reading.graph_nodes import Node, NodeKey, Nodes, child
from greta.trace.trace import Kind, Row, Table

NODE_KINDS = (Kind.COPY, Kind.FILL, Kind.LAUNCH, Kind.HOST_FUNCTION, Kind.GRAPH_LAUNCH)
CAPTURED_KINDS = (
    *NODE_KINDS,
    *(Kind.EVENT_RECORD, Kind.STREAM_WAIT_EVENT, Kind.ALLOCATE, Kind.FREE),
)


class Captured(NamedTuple):
    """A call on a captured stream."""

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
        return made


class Captures:
    """The captures under way, and the streams and events that belong to them."""

    def __init__(self) -> None:
        self._of_stream: dict[Row, Capture] = {}
        self._of_event: dict[int, Capture] = {}

    def __bool__(self) -> bool:
        return bool(self._of_stream)

    def has(self, stream: Row) -> bool:
        """Whether a stream is captured."""
        return stream in self._of_stream

    def begin(self, stream: Row, into: int, row: Row) -> None:
        """A stream is captured from a row on."""
        self._of_stream[stream] = Capture(into, {stream: row})

    def follow_event(self, operation: np.void, row: Row) -> None:
        """An event is recorded or waited for."""
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
        """Mark what was captured until the end of a block."""
        for capture in {id(c): c for c in self._of_stream.values()}.values():
            capture.mark(operations, first, first + len(operations))
