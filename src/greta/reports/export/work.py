"""The work that a process put on streams, and from when on each piece is known to be complete."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from greta.forensics.copies import copies_in
from greta.recording import Process
from greta.reports.export.captures import Captures
from greta.reports.export.in_flight import InFlight, Reach, Stream
from greta.reports.export.roles import CallRole, Role, role_of
from greta.reports.export.streams import Streams
from greta.trace.reading import trace_of
from greta.trace.trace import NONE, Kind, Trace, Waits

CHUNK_ROWS = 1 << 14
FINISHED = 1
HANDLE_BYTES = 8


@dataclass
class Work:
    """One row for each piece of work, in the order of the calls. `known_by` 0: never."""

    seq: array[int] = field(default_factory=lambda: array("q"))
    stream: array[int] = field(default_factory=lambda: array("q"))  # a place in `streams`
    known_by: array[int] = field(default_factory=lambda: array("q"))
    known_ticks: array[int] = field(default_factory=lambda: array("Q"))
    streams: dict[Stream, int] = field(default_factory=dict)
    directions: dict[int, str] = field(default_factory=dict)
    """Which way copies went, by seq."""

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
        trace = trace_of(process, kernels=False)
        self.work = Work(directions=_directions(trace))
        self._waits = _HostWaits(trace)
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
        if self._waits.of(call.seq) is Waits.FOR_IT:
            return lambda: self._complete(after, call, row)
        voided, recorded = self._events_of_launch(call)
        for event in voided:
            self._flight.forget(event)

        def enqueued() -> None:
            self._flight.put(row, stream, after)
            for event in recorded:
                self._flight.record(event, self._flight.reach_of_next(stream))

        return enqueued

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

    def free(self, call: _Call) -> Effect | None:
        """Memory is freed: that may wait for all streams of its device."""
        if self._waits.of(call.seq) is not Waits.FOR_DEVICE:
            return None
        device = self._waits.device_of(call.seq)
        device = self._streams.device(call.lane) if device is None else device
        reach = self._flight.reach_of_device(device)
        return lambda: self._complete(reach, call)

    def reset(self, call: _Call) -> Effect:
        """All that was on a device is done, and its streams are gone."""
        reach = self._flight.reach_of_device(self._streams.device(call.lane))

        def after() -> None:
            self._complete(reach, call)
            self._streams.forget()

        return after

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
        self._streams.set_device(call.lane, call.words[call.role.device or 0])

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
        if role.in_struct is not None:
            struct, offset = role.in_struct
            config = self._process.event(call.seq).pointed.get(struct)
            if config is None or len(config.data) < offset + HANDLE_BYTES:
                return None
            handle = int.from_bytes(config.data[offset : offset + HANDLE_BYTES], "little")
        return self._streams.stream(handle, call.seq, call.lane, per_thread=role.per_thread)

    def _events(self, call: _Call) -> list[int]:
        return [call.words[at] for at in call.role.events if at < len(call.words)]

    def _events_of_launch(self, call: _Call) -> tuple[list[int], list[int]]:
        """Events that a launch makes void and records behind itself: past the tenth word too."""
        role = call.role
        if not role.events and role.voided is None:
            return [], []
        words = self._process.event(call.seq).words
        recorded = [words[at] for at in role.events if at < len(words) and words[at]]
        voided = [words[at] for at in (role.voided,) if at is not None and at < len(words)]
        return [*voided, *recorded], recorded


class _HostWaits:
    """Which calls the host waited in, and for which device, as the trace has it."""

    def __init__(self, trace: Trace) -> None:
        waiting = np.flatnonzero(trace.operations["waits"] != Waits.NO)
        chosen = trace.operations[waiting]
        self._found = {
            seq: (Waits(waits), None if device == NONE else device)
            for seq, waits, device in zip(
                *(chosen[name].tolist() for name in ("seq", "waits", "device")), strict=True
            )
        }

    def of(self, seq: int) -> Waits:
        return self._found[seq][0] if seq in self._found else Waits.NO

    def device_of(self, seq: int) -> int | None:
        return self._found[seq][1] if seq in self._found else None


def _directions(trace: Trace) -> dict[int, str]:
    copies = copies_in(trace)
    alone = trace.operations["kind"][copies.operation] == Kind.COPY  # and not nodes of a graph
    seqs = trace.operations["seq"][copies.operation[alone]].tolist()
    return dict(zip(seqs, copies.direction[alone].tolist(), strict=True))


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
    Role.FREE: _Follower.free,
    Role.CHANGE_STREAMS: _Follower.change_streams,
    Role.RESET: _Follower.reset,
}
