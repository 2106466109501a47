"""Which work the host knows to be done: the rules of docs/order.md once more, slow and plain.

Every call is two moments, its beginning and its return. At the first it is asked which work is sure
to come before it, as sets of rows; at the second it has happened for others. No clocks, no queues.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from greta.trace.trace import NONE, Kind, Memory, Row, StreamKind, Trace, Waits

ON_STREAMS = {
    *(Kind.COPY, Kind.FILL, Kind.LAUNCH, Kind.GRAPH_LAUNCH, Kind.HOST_FUNCTION),
    *(Kind.EVENT_RECORD, Kind.PREFETCH),
}
BLOCKING = {StreamKind.BLOCKING, StreamKind.PER_THREAD}


@dataclass
class Begun:
    row: Row
    waited_for: set[Row]
    before: set[Row] | None
    """What comes before its work; None: it puts none on a stream."""
    there: list[Row]
    """The work of its stream when it began."""


class CompletionReference:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.operations: list[dict[str, Any]] = [
            dict(zip(trace.operations.dtype.names or (), row.tolist(), strict=True))
            for row in trace.operations
        ]
        self.known_by: dict[Row, Row] = {}
        self.on_stream: dict[Row, list[Row]] = defaultdict(list)
        self.comes_after: dict[Row, set[Row]] = {}
        self.events: dict[int, set[Row]] = {}
        self.graphs: dict[int, set[Row]] = {}
        under_way: list[Begun] = []
        for row, operation in enumerate(self.operations):
            under_way = self.let_return(under_way, operation)
            if operation["failed"] or operation["captured"]:
                continue
            self.make_void(operation)
            if operation["finished"]:
                under_way.append(self.begin(row, operation))
        for call in sorted(under_way, key=lambda one: self.end(one)):
            self.returns(call)

    def end(self, call: Begun) -> int:
        return int(self.operations[call.row]["end"])

    def let_return(self, under_way: list[Begun], following: dict[str, Any]) -> list[Begun]:
        """Calls that returned before the next one begins: first that of the same thread."""
        own = [c for c in under_way if self.operations[c.row]["thread"] == following["thread"]]
        others = [c for c in under_way if c not in own]
        over = [c for c in others if self.end(c) <= following["begin"]]
        for call in [*own, *sorted(over, key=self.end)]:
            self.returns(call)
        return [c for c in others if c not in over]

    def make_void(self, operation: dict[str, Any]) -> None:
        if operation["kind"] in (Kind.EVENT_RECORD, Kind.LAUNCH):
            self.events.pop(operation["event"], None)
        if operation["kind"] == Kind.LAUNCH:
            self.events.pop(operation["start_event"], None)

    # ---- when a call begins

    def begin(self, row: Row, operation: dict[str, Any]) -> Begun:
        before = self.before(operation) if self.is_on_stream(operation) else None
        there = list(self.on_stream[operation["stream"]])
        return Begun(row, self.waited_for(operation), before, there)

    def is_on_stream(self, operation: dict[str, Any]) -> bool:
        kind = operation["kind"]
        if operation["stream"] == NONE:
            return False
        if kind == Kind.STREAM_WAIT_EVENT:
            return operation["event"] == NONE or operation["event"] in self.events
        if kind == Kind.ALLOCATE:
            return bool(self.trace.allocations["memory"][operation["allocation"]] == Memory.POOL)
        return kind == Kind.FREE or kind in ON_STREAMS

    def kind_of(self, stream: Row) -> int:
        return int(self.trace.streams["kind"][stream])

    def device_of(self, stream: Row) -> int:
        return int(self.trace.streams["device"][stream])

    def of_stream(self, stream: Row) -> set[Row]:
        """All its work, and what that comes after."""
        work = self.on_stream.get(stream, [])
        return set(work).union(*(self.comes_after[row] for row in work))

    def neighbours(self, stream: Row, kinds: set[StreamKind]) -> set[Row]:
        found: set[Row] = set()
        for other in list(self.on_stream):
            if self.device_of(other) == self.device_of(stream) and self.kind_of(other) in kinds:
                found |= self.of_stream(other)
        return found

    def before(self, operation: dict[str, Any]) -> set[Row]:
        stream, found = operation["stream"], set[Row]()
        if self.kind_of(stream) == StreamKind.LEGACY:
            found |= self.neighbours(stream, BLOCKING)
        if self.kind_of(stream) in BLOCKING:
            found |= self.neighbours(stream, {StreamKind.LEGACY})
        if operation["kind"] == Kind.STREAM_WAIT_EVENT:
            found |= self.events.get(operation["event"], set())
        if operation["kind"] == Kind.GRAPH_LAUNCH:
            found |= self.graphs.get(operation["event"], set())
        if operation["waits"] == Waits.FOR_DEVICE:
            found |= self.of_device(operation["device"])
        return found

    def of_device(self, device: int) -> set[Row]:
        streams = [one for one in self.on_stream if self.device_of(one) == device]
        return set().union(*map(self.of_stream, streams)) if device >= 0 else set()

    def waited_for(self, operation: dict[str, Any]) -> set[Row]:
        kind, stream = operation["kind"], operation["stream"]
        if operation["result"] != 0:
            return set()
        if kind in (Kind.WAIT_STREAM, Kind.QUERY_STREAM) and stream != NONE:
            is_default = self.kind_of(stream) == StreamKind.LEGACY
            others = self.neighbours(stream, BLOCKING) if is_default else set()
            return self.of_stream(stream) | others
        if kind in (Kind.WAIT_EVENT, Kind.QUERY_EVENT):
            return self.events.get(operation["event"], set())
        if kind in (Kind.WAIT_DEVICE, Kind.RESET) or operation["waits"] == Waits.FOR_DEVICE:
            return self.of_device(operation["device"])
        return set()

    # ---- when it has returned

    def returns(self, call: Begun) -> None:
        operation, waited_for = self.operations[call.row], call.waited_for
        if call.before is not None:
            behind = self.put(call, operation, call.before)
            if operation["waits"] == Waits.FOR_IT:
                waited_for = waited_for | behind
        if operation["waits"] == Waits.FOR_IT:
            waited_for = waited_for | {call.row}
        for row in waited_for:
            self.known_by.setdefault(row, call.row)

    def put(self, call: Begun, operation: dict[str, Any], before: set[Row]) -> set[Row]:
        """What is over when it is; without it, if it may stand behind work of other calls."""
        work = self.on_stream[operation["stream"]]
        alone = work == call.there
        seen = set(call.there).union(before, *(self.comes_after[row] for row in call.there))
        behind = seen | {call.row} if alone else seen
        work.append(call.row)
        self.comes_after[call.row] = before
        kind = operation["kind"]
        if kind == Kind.LAUNCH and operation["start_event"] >= 0:
            self.events[operation["start_event"]] = seen
        if kind in (Kind.EVENT_RECORD, Kind.LAUNCH) and operation["event"] >= 0:
            self.events[operation["event"]] = behind
        if kind == Kind.GRAPH_LAUNCH and operation["event"] >= 0:
            self.graphs[operation["event"]] = behind
        return behind
