"""The work that a process put on streams, and from when on each piece is known to be complete."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from greta.recording import Process
from greta.reports.export.captures import Captures
from greta.reports.export.in_flight import InFlight, Reach, Stream
from greta.reports.export.roles import CallRole, Role, role_of
from greta.reports.export.streams import Streams

CHUNK_ROWS = 1 << 14
FINISHED = 1
# In hipLaunchConfig_t and in HIP_LAUNCH_CONFIG.
STREAM_IN_CONFIG = slice(32, 40)


@dataclass
class Work:
    """One row for each piece of work, in the order of the calls. `known_by` 0: never."""

    seq: array[int] = field(default_factory=lambda: array("q"))
    stream: array[int] = field(default_factory=lambda: array("q"))  # a place in `streams`
    known_by: array[int] = field(default_factory=lambda: array("q"))
    known_ticks: array[int] = field(default_factory=lambda: array("Q"))
    streams: dict[Stream, int] = field(default_factory=dict)

    def add(self, seq: int, stream: Stream) -> int:
        """A piece of work that is not known to be complete; gives its row."""
        self.seq.append(seq)
        self.stream.append(self.streams.setdefault(stream, len(self.streams)))
        self.known_by.append(0)
        self.known_ticks.append(0)
        return len(self.seq) - 1

    def complete(self, row: int, call: _Call) -> None:
        """It was complete when this call returned."""
        self.known_by[row], self.known_ticks[row] = call.seq, call.end


@dataclass(frozen=True, slots=True)
class _Call:
    seq: int
    lane: int
    role: CallRole
    begin: int
    end: int
    finished: bool
    succeeded: bool
    words: tuple[int, ...]


Effect = Callable[[], None]


def work_of(process: Process) -> Work:
    """All work of a process."""
    follower = _Follower(process)
    for call in _calls(process):
        follower.follow(call)
    follower.let_return(None)
    return follower.work


def _calls(process: Process) -> Iterator[_Call]:
    """The calls that matter, in order."""
    found = {id_: role_of(entry) for id_, entry in process.tables.calls.items()}
    roles = {id_: role for id_, role in found.items() if role is not None}
    columns = process.columns
    rows = np.flatnonzero(np.isin(columns.call, np.array(list(roles), np.uint32)))
    for start in range(0, len(rows), CHUNK_ROWS):
        chunk = rows[start : start + CHUNK_ROWS]
        lanes = columns.lane[chunk].tolist()
        records = columns.records(chunk).tolist()
        for row, lane, record in zip(chunk.tolist(), lanes, records, strict=True):
            call, _, flags, begin, end, _, result, *_, words = record
            finished = bool(flags & FINISHED)
            succeeded = finished and result == 0
            yield _Call(row + 1, lane, roles[call], begin, end, finished, succeeded, tuple(words))


class _Follower:
    """Follows the calls of a process: first each begins, and some time later it returns."""

    def __init__(self, process: Process) -> None:
        self.work = Work()
        self._process = process
        self._flight = InFlight()
        self._captures = Captures()
        self._streams = Streams(process)
        self._returning: list[tuple[int, int, Effect]] = []

    def follow(self, call: _Call) -> None:
        """A call begins."""
        self.let_return(call.begin)
        if call.succeeded:
            effect = _BEGIN[call.role.role](self, call)
            if effect is not None:
                heapq.heappush(self._returning, (call.end, call.seq, effect))
        elif call.role.role is Role.PUT and not call.finished:
            self._add(call)

    def let_return(self, until: int | None) -> None:
        """Calls that have returned by then take effect; all, if it is None."""
        while self._returning and (until is None or self._returning[0][0] <= until):
            heapq.heappop(self._returning)[2]()

    # --- what a call does: at once, and the effect when it has returned ---------------------------

    def put(self, call: _Call) -> Effect | None:
        """A copy, a fill, a kernel."""
        stream = self._stream(call)
        if stream is None or stream in self._captures:
            return None
        after = self._flight.reach_of_next(stream)
        row = self.work.add(call.seq, stream)
        if call.role.blocks(call.words):
            return lambda: self._complete(after, call, row)
        for event in self._all_events(call):
            self._flight.forget(event)
        return lambda: self._flight.put(row, stream, after)

    def wait_for_stream(self, call: _Call) -> Effect | None:
        """The host waits for a stream, or is told that it is idle."""
        stream = self._stream(call)
        if stream is None:
            return None
        reach = self._flight.reach_of_stream(stream)
        return lambda: self._complete(reach, call)

    def wait_for_device(self, call: _Call) -> Effect:
        """The host waits for all streams of a device."""
        reach = self._flight.reach_of_device(self._streams.device(call.lane))
        return lambda: self._complete(reach, call)

    def wait_for_events(self, call: _Call) -> Effect:
        """The host waits for events, or is told that they have happened."""
        reach = self._flight.reach_of_events(*self._events(call))
        return lambda: self._complete(reach, call)

    def record(self, call: _Call) -> Effect | None:
        """An event is recorded on a stream."""
        stream = self._stream(call)
        event = self._events(call)[0]
        if stream is None or self._captures.record(event, stream):
            return lambda: self._flight.forget(event)
        reach = self._flight.reach_of_next(stream)
        return lambda: self._flight.record(event, reach)

    def stream_waits(self, call: _Call) -> Effect | None:
        """Later work of a stream waits for an event."""
        stream = self._stream(call)
        event = self._events(call)[0]
        if stream is None or self._captures.wait(stream, event):
            return None
        reach = self._flight.reach_of_events(event)
        return lambda: self._flight.wait(stream, reach)

    def begin_capture(self, call: _Call) -> None:
        """From here on, work of a stream goes into a graph."""
        if stream := self._stream(call):
            self._captures.begin(stream)

    def end_capture(self, call: _Call) -> None:
        """And no longer."""
        if stream := self._stream(call):
            self._captures.end(stream)

    def forget_event(self, call: _Call) -> None:
        """An event is destroyed."""
        self._flight.forget(self._events(call)[0])

    def set_device(self, call: _Call) -> None:
        """The thread turns to a device."""
        self._streams.set_device(call.lane, call.words[0])

    def change_streams(self, _: _Call) -> Effect:
        """Streams are made or destroyed."""
        return self._streams.forget

    # --- inside -----------------------------------------------------------------------------------

    def _add(self, call: _Call) -> None:
        stream = self._stream(call)
        if stream is not None and stream not in self._captures:
            self.work.add(call.seq, stream)

    def _complete(self, reach: Reach, call: _Call, own: int | None = None) -> None:
        for row in self._flight.complete(reach):
            self.work.complete(row, call)
        if own is not None:
            self.work.complete(own, call)

    def _stream(self, call: _Call) -> Stream | None:
        role = call.role
        handle = call.words[role.stream] if role.stream is not None else 0
        if role.in_struct:
            config = self._process.event(call.seq).pointed.get("config")
            if config is None or len(config.data) < STREAM_IN_CONFIG.stop:
                return None
            handle = int.from_bytes(config.data[STREAM_IN_CONFIG], "little")
        return self._streams.stream(handle, call.seq, call.lane, per_thread=role.per_thread)

    def _events(self, call: _Call) -> list[int]:
        return [call.words[at] for at in call.role.events if at < len(call.words)]

    def _all_events(self, call: _Call) -> list[int]:
        """Events that a launch records: past the tenth word too."""
        if not call.role.events:
            return []
        words = self._process.event(call.seq).words
        return [words[at] for at in call.role.events if at < len(words)]


_BEGIN: dict[Role, Callable[[_Follower, _Call], Effect | None]] = {
    Role.PUT: _Follower.put,
    Role.WAIT_STREAM: _Follower.wait_for_stream,
    Role.WAIT_DEVICE: _Follower.wait_for_device,
    Role.WAIT_EVENTS: _Follower.wait_for_events,
    Role.RECORD: _Follower.record,
    Role.STREAM_WAITS: _Follower.stream_waits,
    Role.BEGIN_CAPTURE: _Follower.begin_capture,
    Role.END_CAPTURE: _Follower.end_capture,
    Role.FORGET_EVENT: _Follower.forget_event,
    Role.SET_DEVICE: _Follower.set_device,
    Role.CHANGE_STREAMS: _Follower.change_streams,
}
