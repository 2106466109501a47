"""A recording as a Perfetto trace: threads, streams, annotations, memory, the fault as tracks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Final

import numpy as np

from greta.forensics.verdict import Verdict, VerdictWord
from greta.lab.summary import Summary
from greta.recording import CallEvent, Process, Recording
from greta.reports.export import Advance
from greta.reports.export.call_packets import MOST_KNOWN, ROCTX, CallPacket, CallPackets
from greta.reports.export.timeline import (
    DRAWN_IN_FULL,
    NEVER,
    Rows,
    Time,
    Times,
    call_times,
    device_bytes,
    start_of,
    work_of,
)
from greta.reports.export.trace_file import (
    FLOW_BYTES,
    NUMBER_BYTES,
    SLICE_BEGIN,
    SLICE_END,
    TIME_BYTES,
    Arguments,
    Around,
    TraceFile,
    Track,
    Value,
    flow_ids,
    varints,
)
from greta.reports.lang import Say
from greta.reports.reported import Reported
from greta.reports.sentences import story_sentence
from greta.trace.trace import Seq

ENQUEUED = "enqueued .. known complete"
CALL = "the call: it returned when the work was complete"
OPEN = "enqueued .. not known to be complete"
SHORTENED = "; drawn shorter, as too many were in flight"


@dataclass(frozen=True)
class FaultMarks:
    """What of a verdict is drawn: the moment it surfaced, and what caused it."""

    title: str
    """The verdict, and in one sentence why."""
    blamed: Seq | None = None
    cause: Seq | None = None
    about: tuple[tuple[str, Value], ...] = ()
    """The cause: hypothesis, buffer, confidence."""
    pid: int | None = None
    """Whose calls these are; None: there was one process."""


NO_FAULT: Final = FaultMarks("")
CAUSE: Final = "CAUSE: "
"""Before the name of what caused the fault, so that a viewer gives it a colour of its own."""


def fault_marks(verdict: Verdict) -> FaultMarks:
    """Nothing of a run in which no fault was seen."""
    if verdict.word is not VerdictWord.REPRODUCED:
        return NO_FAULT
    cause, blamed = verdict.cause, verdict.blamed
    title = f"{verdict.word.value}: {story_sentence(Reported(Summary(verdict)), Say('en'))}"
    about: list[tuple[str, Value]] = []
    if cause:
        buffer = cause.buffer
        about.append(("hypothesis", cause.hypothesis))
        about += [("confidence", cause.confidence)] if cause.confidence is not None else []
        about += [("buffer", buffer.name)] if buffer and buffer.name else []
        about += [("buffer address", buffer.address)] if buffer and buffer.address else []
        about += [("buffer bytes", buffer.bytes)] if buffer and buffer.bytes is not None else []
    call = cause or blamed
    return FaultMarks(
        title.replace("`", ""),
        blamed.seq if blamed else None,
        cause.seq if cause else None,
        tuple(about),
        call.pid if call else None,
    )


def write_perfetto(
    recording: Recording, file: IO[bytes], advance: Advance, verdict: Verdict | None = None
) -> None:
    """All processes in one trace; with a verdict, the fault and its cause are marked."""
    trace = TraceFile(file)
    marks = fault_marks(verdict) if verdict else NO_FAULT
    for number, process in enumerate(recording.processes, start=1):
        if number == 1:
            trace.same_time(process.header.start_monotonic_ns, process.header.start_realtime_ns)
        own = marks if marks.pid in (None, process.pid) else NO_FAULT
        _ProcessTrace(trace, process, number, own).write(advance)
    trace.finish()


AT_ONCE: Final = 1 << 12


class _ProcessTrace:
    """Draws one process."""

    def __init__(self, trace: TraceFile, process: Process, number: int, marks: FaultMarks) -> None:
        self._trace = trace
        self._process = process
        self._marks = marks
        entry = process.tables.process
        name = entry.executable.rpartition("/")[2] or process.folder.name
        name = name if process.rank is None else f"rank {process.rank}: {name}"
        self._track = trace.process_track(process.pid, name, entry.arguments)
        self._threads = [
            trace.thread_track(process.pid, lane.facts.thread_id, lane.facts.thread_name)
            for lane in process.lanes
        ]
        numbers = [lane.facts.number for lane in process.lanes]
        tracks = dict(zip(numbers, self._threads, strict=True))
        self._annotations = Annotations(trace, self._track, tracks.__getitem__)
        self._begin, self._end = call_times(process)
        self._arrows = np.arange(len(process)) + (number << 40)
        self._calls = CallPackets(trace, process, self._threads)
        self._streams = _StreamSlices(trace, process, self._track, marks)

    def write(self, advance: Advance) -> None:
        self._write_memory()
        for first in range(0, len(self._process), AT_ONCE):
            rows = np.arange(first, min(first + AT_ONCE, len(self._process)))
            self._write_calls(rows)
            advance(len(rows))

    def _write_memory(self) -> None:
        tracks: dict[int | None, Track] = {}
        changes = list(device_bytes(self._process))
        times = self._process.clock.ns(np.array([ticks for ticks, *_ in changes], np.uint64))
        start = self._process.header.start_monotonic_ns
        for (_, device, bytes_), time in zip(changes, times.tolist(), strict=True):
            if device not in tracks:
                name = f"memory of device {'?' if device is None else device}"
                tracks[device] = self._trace.bytes_track(name, self._track)
            self._trace.count(tracks[device], start + time, bytes_)

    def _write_calls(self, rows: Times) -> None:
        """What every call goes through: bytes that were put together before, joined."""
        columns, ends, parts = self._process.columns, self._calls.ends, list[bytes]()
        begin, end = self._begin[rows], self._end[rows]
        puts_work = self._streams.puts_work[rows]
        packets = self._calls.of_rows(rows, puts_work)
        apart = self._apart(rows)
        for event, at in zip(self._calls.events(apart), (apart - rows[0]).tolist(), strict=True):
            packets[at] = self._write_apart(event, packets[at], bool(puts_work[at]))
        slices = self._streams.slices(rows, (begin, end, self._arrows[rows]), packets)
        told = zip(
            packets,
            varints(begin),
            varints(rows + 1, NUMBER_BYTES),
            flow_ids(self._arrows[rows]),
            puts_work.tolist(),
            columns.finished[rows].tolist(),
            columns.lane_place[rows].tolist(),
            varints(end),
            strict=True,
        )
        for packet, began, seq, arrow, puts, finished, lane, ended in told:
            if packet is None:
                continue
            parts += (packet.before, began, packet.after, seq)
            if puts:
                parts.append(arrow)
                parts += next(slices)
            if finished:
                before, after = ends[lane]
                parts += (before, ended, after)
        self._trace.add(parts)

    def _apart(self, rows: Times) -> Times:
        """Annotations, the first call of each thread, and what is marked."""
        columns, marks = self._process.columns, (self._marks.blamed, self._marks.cause)
        _, firsts = np.unique(columns.lane_place[rows], return_index=True)
        chosen = np.isin(columns.call[rows], self._calls.roctx)
        chosen |= np.isin(rows + 1, [seq for seq in marks if seq is not None])
        chosen[firsts] = True
        return rows[chosen]

    def _write_apart(
        self, event: CallEvent, packet: CallPacket | None, puts_work: bool
    ) -> CallPacket | None:
        marks, row = self._marks, event.seq - 1
        begin, end = int(self._begin[row]), int(self._end[row])
        if self._annotations.follow(event, begin, end):
            return None
        if event.seq == (marks.cause if marks.blamed is None else marks.blamed):
            self._mark(event, begin, end)
        if event.seq == marks.cause and not puts_work:
            return self._calls.described(event, puts_work, CAUSE, marks.about)
        return packet

    def _mark(self, event: CallEvent, begin: Time, end: Time) -> None:
        """The fault where it surfaced: when the call that reported it returned."""
        marks = self._marks
        track = self._trace.track("fault", self._track)
        about = [*marks.about, ("surfaced at call", event.seq), ("caused by call", marks.cause)]
        known = ((name, value) for name, value in about if value is not None)
        self._trace.instant(track, end if event.finished else begin, marks.title, known)


class _StreamSlices:
    """Draws the work of streams, in the order of the calls that put it there."""

    def __init__(
        self, trace: TraceFile, process: Process, parent: Track, marks: FaultMarks
    ) -> None:
        self._trace = trace
        self._parent = parent
        self._marks = marks
        self._work = work = work_of(process)
        self._seq = np.array(work.seq, np.int64)
        self._known_by = np.array(work.known_by, np.int64)
        self._known = np.array(work.known_ns, np.int64) + start_of(process)
        self.puts_work = np.zeros(len(process), np.bool_)
        self.puts_work[self._seq - 1] = True
        self._rows = [Rows() for _ in work.streams]
        self._tracks: dict[tuple[int, int], Track] = {}
        self._packets: dict[tuple[object, ...], tuple[Around, Around]] = {}
        self._enqueued = trace.counting("enqueued by")
        self._by = trace.counting("known complete by")
        self._after = trace.counting("known complete after ns", TIME_BYTES)

    def slices(
        self,
        rows: Times,
        calls: tuple[Times, Times, Times],
        packets: Sequence[CallPacket | None],
    ) -> Iterator[tuple[bytes, ...]]:
        """Each piece of work from its call to when it is known to be complete, as packets.

        `calls`: when the calls in these rows begin and end, and their arrows.
        """
        first, stop = np.searchsorted(self._seq, (rows[0] + 1, rows[-1] + 2)).tolist()
        seq, by = self._seq[first:stop], self._known_by[first:stop]
        at = seq - 1 - rows[0]
        begin, end, arrow = (column[at] for column in calls)
        known = np.where(by > 0, np.maximum(begin, self._known[first:stop]), NEVER)
        short = np.maximum(begin, np.minimum(known, np.where(end == NEVER, begin, end)))
        numbers = zip(
            range(first, stop),
            *(column.tolist() for column in (seq, by, at, begin, known, short)),
            strict=True,
        )
        encoded = zip(
            varints(begin),
            varints(seq, NUMBER_BYTES),
            flow_ids(arrow, ending=True),
            varints(by, NUMBER_BYTES, self._by),
            varints(known - begin, TIME_BYTES, self._after),
            varints(known),
            varints(short),
            strict=True,
        )
        for (place, number, knows, row, began, until, less), texts in zip(
            numbers, encoded, strict=True
        ):
            time, called, flow, known_by, took, ended, cut = texts
            stream, packet = self._work.stream[place], packets[row]
            title = (packet.kernel if packet else "") or self._work.title[place]
            line, stop_at = self._rows[stream].place(began, until, less)
            shortened = line >= DRAWN_IN_FULL
            bounds = OPEN if not knows else CALL if knows == number else ENQUEUED
            key = (title, stream, line, bounds, number == self._marks.cause)
            around, around_end = self._packets.get(key) or self._packet(*key)
            told: tuple[bytes, ...] = (around[0], time, around[1], called, flow)
            if knows:
                told += (known_by, took)
            if stop_at != NEVER:
                told += (around_end[0], cut if shortened else ended, around_end[1])
            yield told

    def _packet(
        self, title: str, stream: int, line: int, bounds: str, is_cause: bool
    ) -> tuple[Around, Around]:
        trace = self._trace
        if (stream, line) not in self._tracks:
            self._tracks[stream, line] = trace.track(self._work.streams[stream], self._parent)
        track = self._tracks[stream, line]
        cut = SHORTENED if line >= DRAWN_IN_FULL else ""
        about: Arguments = [("bounds", bounds + cut), *(self._marks.about if is_cause else ())]
        fields = trace.named(CAUSE + title if is_cause else title) + trace.told(about)
        more = NUMBER_BYTES + FLOW_BYTES
        if bounds != OPEN:
            more += len(self._by) + NUMBER_BYTES + len(self._after) + TIME_BYTES
        begin = trace.around(SLICE_BEGIN, track, fields + self._enqueued, more)
        if len(self._packets) >= MOST_KNOWN:
            self._packets.clear()
        found = self._packets[title, stream, line, bounds, is_cause] = (
            begin,
            trace.around(SLICE_END, track),
        )
        return found


NO_NAME = "(no name)"


class Annotations:
    """The annotations of one process."""

    def __init__(self, trace: TraceFile, process: Track, thread: Callable[[int], Track]) -> None:
        self._trace = trace
        self._process = process
        self._thread = thread
        self._tracks: dict[int, Track] = {}
        self._depth: dict[int, int] = {}
        self._free: list[Track] = []
        self._started: dict[int, list[tuple[Track, int]]] = {}
        own = (self._push, self._pop, self._start, self._stop, self._mark)
        self._calls = dict(zip(ROCTX, own, strict=True))

    @property
    def lanes(self) -> dict[int, int]:
        """Those of which a call was followed."""
        return self._depth

    def follow(self, event: CallEvent, begin: int, end: int) -> bool:
        """Whether it is a call of roctx, which is then drawn."""
        if event.lane not in self._depth:
            # In a ring, the calls that opened the ranges around the first event are lost.
            self._depth[event.lane] = len(event.annotations)
            for annotation in event.annotations:
                self._trace.begin(self._track(event.lane), begin, annotation.text or NO_NAME)
        call = self._calls.get(event.call)
        if call is not None:
            call(event, begin, end if event.finished else begin)
        return call is not None

    def _push(self, event: CallEvent, begin: int, _: int) -> None:
        self._depth[event.lane] += 1
        self._trace.begin(self._track(event.lane), begin, _message(event), [("seq", event.seq)])

    def _pop(self, event: CallEvent, _: int, end: int) -> None:
        if self._depth[event.lane] > 0:
            self._depth[event.lane] -= 1
            self._trace.end(self._track(event.lane), end)

    def _start(self, event: CallEvent, begin: int, _: int) -> None:
        """Such a range may end on another thread, and overlap others."""
        track = self._free.pop() if self._free else self._trace.track("ranges", self._process)
        self._started.setdefault(_range_id(event), []).append((track, begin))
        self._trace.begin(track, begin, _message(event), [("seq", event.seq)])

    def _stop(self, event: CallEvent, _: int, end: int) -> None:
        if started := self._started.get(_range_id(event)):
            track, begin = started.pop()
            self._free.append(track)
            self._trace.end(track, max(begin, end))

    def _mark(self, event: CallEvent, begin: int, _: int) -> None:
        self._trace.instant(self._track(event.lane), begin, _message(event), [("seq", event.seq)])

    def _track(self, lane: int) -> Track:
        if lane not in self._tracks:
            self._tracks[lane] = self._trace.track("annotations", self._thread(lane))
        return self._tracks[lane]


def _message(event: CallEvent) -> str:
    return str(event.arguments.get("message") or NO_NAME)


def _range_id(event: CallEvent) -> int:
    id_ = event.arguments.get("id")
    return id_ if isinstance(id_, int) else 0
