"""Small random programs for property tests: every call, streams of every kind, several threads."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from greta.trace.trace import NONE, Kind, Mode, StreamKind, Waits
from tests.forensics.tracing import Buffer, Part, TraceBuilder, pageable

__all__ = ["Action", "Random", "actions", "program"]

Action = tuple[str, int, int, int, int, int]
"""What, and numbers from which the arguments are taken."""

WORK = ("copy", "copy", "fill", "launch", "launch", "graph", "touch", "pageable", "prefetch")
ORDER = (
    "record",
    "record",
    "record",
    "stream_wait",
    "stream_wait",
    "stream_wait",
    "wait_stream",
    "wait_event",
    "wait_device",
    "query",
    "callback",
)
MEMORY = ("allocate", "free")
STREAM_KINDS = (
    StreamKind.LEGACY,
    StreamKind.BLOCKING,
    StreamKind.NON_BLOCKING,
    StreamKind.NON_BLOCKING,
    StreamKind.PER_THREAD,
)
_number = st.integers(0, 1 << 16)
actions = st.lists(
    st.tuples(
        st.sampled_from(WORK * 3 + ORDER * 2 + MEMORY + ("destroy", "odd")),
        _number,
        _number,
        _number,
        _number,
        _number,
    ),
    min_size=2,
    max_size=40,
)


class Program:
    """Interprets actions; any numbers make a program that can be run."""

    def __init__(self, streams: int = 5, devices: int = 2, spread: int = 0) -> None:
        self.build = TraceBuilder()
        self.streams = [0]
        for number in range(1, streams):
            kind = STREAM_KINDS[number % len(STREAM_KINDS)]
            device = number % devices if number > 3 else 0
            self.streams.append(self.build.add_stream(kind, device))
        self.events = [self.build.event() for _ in range(3)]
        self.live: list[Buffer] = [self.build.allocate(12) for _ in range(2)]
        self.dead_streams: set[int] = set()
        self.spread = spread
        self.free_at: dict[int, int] = {}

    def take(self, action: Action) -> None:
        """One call."""
        what, a, b, c, d, e = action
        fields = self._times(d, e)
        stream = self.streams[a % len(self.streams)]
        event = self.events[b % len(self.events)]
        if what in WORK:
            self._work(what, stream, b, c, e, fields)
        elif what == "record":
            self.build.record(event, stream, **fields)
        elif what == "stream_wait":
            self.build.stream_wait(stream, event, **fields)
        elif what == "wait_stream":
            self.build.wait_stream(stream, **fields)
        elif what == "wait_event":
            self.build.wait_event(event, **fields)
        elif what == "wait_device":
            self.build.wait_device(b % 2, **fields)
        elif what == "query":
            fields["result"] = 600 * (c % 2)
            self.build.call(Kind.QUERY_STREAM, stream=stream, **fields)
        elif what == "callback":
            self.build.host_function(stream, **fields)
        else:
            self._life(what, stream, b, c, fields)

    def _times(self, thread: int, length: int) -> dict[str, Any]:
        """Calls of other threads may overlap; a thread makes one after the other."""
        thread = thread % 3 if self.spread else 0
        begin = 10 * len(self.build.operations)
        if self.free_at.get(thread, 0) > begin:
            thread = 3 + len(self.build.operations)
        end = begin + 5 + length % (self.spread + 1)
        self.free_at[thread] = end
        return {"thread": thread, "begin": begin, "end": end}

    def _work(self, what: str, stream: int, b: int, c: int, e: int, fields: dict[str, Any]) -> None:
        one, other = self._part(b), self._part(c)
        waits: dict[str, Any] = {"waits": Waits.FOR_IT if e % 7 == 0 else Waits.NO}
        if what == "copy":
            self.build.copy(one, other, stream, **waits, **fields)
        elif what == "fill":
            self.build.fill(one, stream, **waits, **fields)
        elif what == "launch":
            reads, writes = [one] if c % 3 == 0 else [], [one] if c % 3 == 1 else []
            events = {"start_event": self.events[b % 3], "event": self.events[e % 3]}
            timed: dict[str, Any] = events if e % 5 == 0 else {}
            kernel = "fgh"[e % 3]
            numbers = ((), (0,), (7,), (1, 2))[b % 4]
            timed |= {"numbers": numbers, "kernel": kernel}
            self.build.launch(stream, reads, [other], writes, **timed, **fields)
        elif what == "prefetch":
            self.build.call(Kind.PREFETCH, stream=stream, **fields)
        elif what == "touch":
            self.build.host_touch(one, (Mode.READ, Mode.WRITE)[c % 2], **fields)
        elif what == "pageable":
            host = pageable(0x10 + c % 6, 1 + b % 4)
            to, source = (one, host) if e % 2 else (host, one)
            self.build.copy(to, source, stream, **waits, **fields)
        else:
            self.build.launch(stream, may_write=[one], **fields)
            self.build.operations[-1].update(kind=Kind.GRAPH_LAUNCH, event=c % 2)

    def _life(self, what: str, stream: int, b: int, c: int, fields: dict[str, Any]) -> None:
        if what == "allocate":
            self.live.append(self.build.allocate(12, stream=stream if b % 2 else NONE, **fields))
        elif what == "free" and len(self.live) > 1:
            buffer = self.live.pop(b % len(self.live))
            waits = None if c % 3 else Waits.NO
            self.build.free(buffer, stream if c % 2 else NONE, waits, **fields)
        elif what == "destroy":
            kind = StreamKind(self.build.streams[stream]["kind"])
            if kind != StreamKind.LEGACY:
                self.build.call(Kind.STREAM_DESTROY, stream=stream, **fields)
                device = self.build.streams[stream]["device"]
                self.streams[self.streams.index(stream)] = self.build.add_stream(kind, device)
        else:
            self.build.fill(self._part(b), stream, **fields)
            odd = ({"failed": True, "result": 1}, {"captured": True}, {"finished": False})[c % 3]
            self.build.operations[-1].update(odd)

    def _part(self, number: int) -> Part:
        buffer = self.live[number % len(self.live)]
        number //= len(self.live)
        begin = number % 3 * 4
        if number % 11 == 0:
            return buffer.rectangle(number % 2, 1, 4, 3)
        return buffer[begin : begin + 4 + number % 2 * 4]


def program(chosen: list[Action], spread: int = 0) -> TraceBuilder:
    """The program of these actions; `spread`: how long calls may overlap others."""
    made = Program(spread=spread)
    for action in chosen:
        made.take(action)
    return made.build
