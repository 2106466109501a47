"""What is known to come after what, by HIP's rules: vector clocks over streams and the host.

An operation is its stream and its number in that stream. A clock says, for each stream, how many
of its operations are known to be over. The host has a clock, and every stream has one: that of its
next operation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

StreamId = int  # never used twice; not HIP's handle
Clock = dict[StreamId, int]


@dataclass(frozen=True)
class Operation:
    stream: StreamId
    number: int


def join(into: Clock, other: Clock) -> None:
    for stream, number in other.items():
        if into.get(stream, 0) < number:
            into[stream] = number


@dataclass
class StreamState:
    blocking: bool
    submitted: int = 0
    clock: Clock = field(default_factory=dict)


class Order:
    """The rules of streams, events and the default stream."""

    def __init__(self) -> None:
        self.host: Clock = {}
        self._streams: dict[StreamId, StreamState] = {}
        self.default = self.add_stream(blocking=True)

    def add_stream(self, *, blocking: bool) -> StreamId:
        stream = len(self._streams)
        self._streams[stream] = StreamState(blocking)
        return stream

    def submit(self, stream: StreamId) -> Operation:
        """Work comes after all that the host knows to be over, and after the default stream's."""
        state = self._streams[stream]
        state.clock = self.clock_of_next(stream)
        state.submitted += 1
        state.clock[stream] = state.submitted
        return Operation(stream, state.submitted)

    def clock_of_next(self, stream: StreamId) -> Clock:
        """What the next operation of the stream will come after without further ado."""
        state = self._streams[stream]
        clock = dict(state.clock)
        join(clock, self.host)
        if stream == self.default:
            for other in self._streams.values():
                if other.blocking:
                    join(clock, other.clock)
        elif state.blocking:
            join(clock, self._streams[self.default].clock)
        return clock

    def clock_of_last(self, stream: StreamId) -> Clock:
        """What is over when all that was submitted to the stream is."""
        return dict(self._streams[stream].clock)

    def wait(self, stream: StreamId, record: Clock) -> None:
        """The stream's next operation comes after the record of an event."""
        join(self._streams[stream].clock, record)

    def synchronize(self, streams: Iterable[StreamId]) -> None:
        """The host waits for these streams."""
        for stream in streams:
            join(self.host, self._streams[stream].clock)

    def synchronize_default(self) -> None:
        """The host waits for the default stream, which takes the blocking streams along."""
        self.synchronize(name for name, state in self._streams.items() if state.blocking)

    def synchronize_all(self) -> None:
        self.synchronize(self._streams)


def is_over(operation: Operation, clock: Clock) -> bool:
    return clock.get(operation.stream, 0) >= operation.number
