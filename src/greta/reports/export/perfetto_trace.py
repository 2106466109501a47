"""A recording as a Perfetto trace: threads, streams, annotations, memory, the fault as tracks.

At the HIP ABI one sees work being put on streams and the host waiting for it, and nothing in
between. So work is known to be complete when a call has returned that waits for it: see
greta.forensics.completion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import IO, Final

import numpy as np

from greta.forensics.completion import completion
from greta.forensics.copies import copies_in
from greta.forensics.verdict import Verdict, VerdictWord
from greta.lab.summary import Summary
from greta.recording import Allocation, CallEvent, LiveKind, Process, Recording
from greta.recording._format import RECORD_WORDS, RecordFlags
from greta.recording.events import EventSource
from greta.reports.export import Advance
from greta.reports.export.trace_file import Address, Encoded, TraceFile, Track, Value
from greta.reports.export.values import Places, is_address
from greta.reports.lang import Say
from greta.reports.reported import Reported
from greta.reports.sentences import story_sentence
from greta.trace.reading import trace_of
from greta.trace.trace import NONE, Kind, Seq, StreamKind

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


class _ProcessTrace:
    """Draws one process."""

    def __init__(self, trace: TraceFile, process: Process, number: int, marks: FaultMarks) -> None:
        self._trace = trace
        self._process = process
        self._marks = marks
        self._first_arrow = number << 40
        self._start = process.header.start_monotonic_ns
        entry = process.tables.process
        name = entry.executable.rpartition("/")[2] or process.folder.name
        self._track = trace.process_track(process.pid, name, entry.arguments)
        self._threads = {
            lane.facts.number: trace.thread_track(
                process.pid, lane.facts.thread_id, lane.facts.thread_name
            )
            for lane in process.lanes
        }
        self._rows = {lane.facts.number: Calls() for lane in process.lanes}
        self._annotations = Annotations(trace, self._track, self._threads.__getitem__)
        self._calls = _CallArguments(trace, process)
        self._streams = _StreamSlices(trace, process, self._track, marks)

    def write(self, advance: Advance) -> None:
        self._write_memory()
        columns, seq = self._process.columns, 0
        for sources, records in self._process.records():
            part = slice(seq, seq + len(records))
            times = (columns.begin_ns[part].tolist(), columns.end_ns[part].tolist())
            for source, record, began, ended in zip(sources, records, *times, strict=True):
                seq += 1
                self._write_call(seq, source, record, self._start + began, self._start + ended)
            advance(len(records))

    def _write_memory(self) -> None:
        tracks: dict[int | None, Track] = {}
        changes = list(device_bytes(self._process))
        times = self._process.clock.ns(np.array([ticks for ticks, *_ in changes], np.uint64))
        for (_, device, bytes_), time in zip(changes, times.tolist(), strict=True):
            if device not in tracks:
                name = f"memory of device {'?' if device is None else device}"
                tracks[device] = self._trace.bytes_track(name, self._track)
            self._trace.count(tracks[device], self._start + time, bytes_)

    def _write_call(
        self, seq: Seq, source: EventSource, record: tuple[int, ...], begin: Time, end: Time
    ) -> None:
        lane = source.lane.facts.number
        finished = bool(record[2] & _FINISHED)
        begin, end = self._rows[lane].place(begin, end if finished else NEVER)
        known = self._calls.of_record(seq, source, record)
        if known.is_annotation or lane not in self._annotations.lanes:
            event = CallEvent(seq, source, record)
            if self._annotations.follow(event, begin, end):
                return
        track = self._threads[lane]
        arrow = self._first_arrow | seq if self._streams.next_seq == seq else None
        fields = known.fields + self._trace.counted("seq", seq)
        if seq in (self._marks.blamed, self._marks.cause):
            event = CallEvent(seq, source, record)
            if seq == self._marks.cause and arrow is None:  # no work of a stream
                named = self._trace.named(CAUSE + _title(event))
                fields = named + fields[known.name_bytes :] + self._trace.told(self._marks.about)
            self._mark(event, begin, end)
        self._trace.begin_encoded(track, begin, fields, starts=arrow)
        if arrow is not None:
            self._streams.write(known.kernel, begin, end if finished else begin, arrow)
        if finished:
            self._trace.end(track, end)

    def _mark(self, event: CallEvent, begin: Time, end: Time) -> None:
        """The fault where it surfaced: when the call that reported it returned."""
        marks = self._marks
        if event.seq != (marks.cause if marks.blamed is None else marks.blamed):
            return
        track = self._trace.track("fault", self._track)
        time = end if event.finished else begin
        about = [*marks.about, ("surfaced at call", event.seq), ("caused by call", marks.cause)]
        known = ((name, value) for name, value in about if value is not None)
        self._trace.instant(track, time, marks.title, known)


def _title(event: CallEvent) -> str:
    if not event.finished:
        return f"{event.call} (did not return)"
    if event.failed:
        return f"{event.call}: {event.result_name}"
    return event.call


_FINISHED: Final = int(RecordFlags.FINISHED)
_MOST_KNOWN: Final = 1 << 16


@dataclass(frozen=True)
class _KnownCall:
    """What is written of every call that is given the same from the same place."""

    fields: Encoded
    """Its name and its arguments."""
    name_bytes: int
    """How many of them are the name."""
    kernel: str
    is_annotation: bool


class _CallArguments:
    """What is told about a call when it is clicked at. Programs do the same again and again."""

    def __init__(self, trace: TraceFile, process: Process) -> None:
        self._trace = trace
        self._tables = process.tables
        self._places = Places(process)
        self._era = self._places.sites.era if self._places.sites.changes else None
        self._known: dict[tuple[int, ...], _KnownCall] = {}

    def of_record(self, seq: Seq, source: EventSource, record: tuple[int, ...]) -> _KnownCall:
        """By all of the record but its times and the annotations around it."""
        call, _, flags, begin, _, site, result, script, _, *rest = record
        era = self._era(begin) if self._era else 0
        key = (call, flags, site, result, script, era, *rest)
        known = self._known.get(key)
        if known is None:
            known = self._describe(CallEvent(seq, source, record))
            entry = self._tables.calls.get(call)
            if entry is None or len(entry.words) <= RECORD_WORDS:  # all of them are in the key
                if len(self._known) >= _MOST_KNOWN:
                    self._known.clear()
                self._known[key] = known
        return known

    def _describe(self, event: CallEvent) -> _KnownCall:
        if event.call in ROCTX:
            return _KnownCall(b"", 0, "", is_annotation=True)
        name = self._trace.named(_title(event))
        fields = name + self._trace.told(self.arguments_of(event))
        kernel = event.kernel.name if event.kernel else ""
        return _KnownCall(fields, len(name), kernel, is_annotation=False)

    def arguments_of(self, event: CallEvent) -> Iterator[tuple[str, Value]]:
        """Result, arguments, place."""
        if event.finished and event.result_name:
            yield "result", event.result_name
        words = event.call_entry.words if event.call_entry else ()
        for word, value in zip(words, event.arguments.values(), strict=False):
            if isinstance(value, int) and is_address(word.type):
                yield word.name, Address(value)
            elif value is not None:
                yield word.name, value
        if event.kernel:
            yield "kernel", event.kernel.name
        if script := self._places.script(event.script_id):
            yield "script", f"{script.file}:{script.line} {script.function}"
        elif native := self._places.native(event.site, event.script_id, event.begin_ticks):
            line = f"{native.file}:{native.line}" if native.file else native.library
            yield "native", f"{line} {native.function or ''}".rstrip()
        yield "site", Address(event.site)


class _StreamSlices:
    """Draws the work of streams, in the order of the calls that put it there."""

    def __init__(
        self, trace: TraceFile, process: Process, parent: Track, marks: FaultMarks
    ) -> None:
        self._trace = trace
        self._parent = parent
        self._marks = marks
        self._start = process.header.start_monotonic_ns
        self._work: Work = work_of(process)
        self._rows = [Rows() for _ in self._work.streams]
        self._tracks: dict[tuple[int, int], Track] = {}
        self._told: dict[str, Encoded] = {}
        self._next = 0

    @property
    def next_seq(self) -> Seq:
        """The call that put the next piece of work on a stream; 0 if there is none left."""
        return self._work.seq[self._next] if self._next < len(self._work.seq) else 0

    def write(self, kernel: str, begin: Time, short_end: Time, arrow: int) -> None:
        """That piece of work, from the call to when it is known to be complete."""
        row, self._next = self._next, self._next + 1
        work, trace, seq = self._work, self._trace, self._work.seq[self._next - 1]
        known_by = work.known_by[row]
        known = max(begin, self._start + work.known_ns[row]) if known_by else NEVER
        stream = work.stream[row]
        place = self._rows[stream].place(begin, known, short_end)
        bounds = CALL if known_by == seq else ENQUEUED if known_by else OPEN
        title = kernel or work.title[row]
        fields = trace.named(CAUSE + title if seq == self._marks.cause else title)
        fields += self._bounds(bounds + SHORTENED if place.shortened else bounds)
        fields += trace.counted("enqueued by", seq)
        if known_by:
            fields += trace.counted("known complete by", known_by)
            fields += trace.counted("known complete after ns", known - begin)
        if seq == self._marks.cause:
            fields += trace.told(self._marks.about)
        track = self._track(stream, place.row)
        trace.begin_encoded(track, begin, fields, ends=arrow)
        if place.end != NEVER:
            trace.end(track, place.end)

    def _bounds(self, text: str) -> Encoded:
        if text not in self._told:
            self._told[text] = self._trace.told([("bounds", text)])
        return self._told[text]

    def _track(self, stream: int, row: int) -> Track:
        if (stream, row) not in self._tracks:
            track = self._trace.track(self._work.streams[stream], self._parent)
            self._tracks[stream, row] = track
        return self._tracks[stream, row]


NO_NAME = "(no name)"
ROCTX: Final = (
    *("roctxRangePushA", "roctxRangePop", "roctxRangeStartA", "roctxRangeStop", "roctxMarkA"),
)


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


DEVICE_KINDS = (LiveKind.DEVICE_MEMORY, LiveKind.MANAGED_MEMORY, LiveKind.POOL_MEMORY)

Ticks = int
Device = int | None


def device_bytes(process: Process) -> Iterator[tuple[Ticks, Device, int]]:
    """When the bytes in use of a device changed, and what they then were."""
    in_use: dict[Device, int] = {}
    for ticks, device, change in sorted(_changes(process), key=itemgetter(0)):
        in_use[device] = in_use.get(device, 0) + change
        yield ticks, device, in_use[device]


def _changes(process: Process) -> Iterator[tuple[Ticks, Device, int]]:
    later: dict[int, Allocation] = {}  # the next allocation at the same address
    for allocation in reversed(process.allocations()):
        if allocation.kind in DEVICE_KINDS and allocation.bytes:
            yield allocation.made_ticks, allocation.device, allocation.bytes
            end, next_one = allocation.ended_ticks, later.get(allocation.address)
            if end is None and allocation.replaced and next_one is not None:
                end = next_one.made_ticks  # at the latest then: its address was given out again
            if end is not None:
                yield end, allocation.device, -allocation.bytes
        later[allocation.address] = allocation


# Where to draw slices that overlap: on a track, slices stand one after the other, and what overlaps
# goes to another, which a viewer shows as a further row. One within the other would read as a call
# within a call, which work of a stream is not. A program that puts ten thousand kernels on a stream
# before it waits would make as many rows, so only so many are drawn in full at a time.
DRAWN_IN_FULL = 32
NEVER = 1 << 63

Time = int


@dataclass(frozen=True)
class Place:
    """The row of a slice, and where to end it."""

    row: int
    end: Time
    shortened: bool


@dataclass
class Rows:
    """The rows of one stream. Slices are placed in the order they begin."""

    _ends: list[Time] = field(default_factory=list)  # of each row, where its last slice ends
    _more: list[Time] = field(default_factory=list)  # the same of rows of slices drawn shorter

    def place(self, begin: Time, end: Time, short_end: Time) -> Place:
        """A place for a slice; where there is none, for its first part up to `short_end`."""
        row = _first_free(self._ends, begin)
        if row < DRAWN_IN_FULL:
            _take(self._ends, row, end)
            return Place(row, end, shortened=False)
        end = max(begin, min(end, short_end))
        row = _first_free(self._more, begin)
        _take(self._more, row, end)
        return Place(DRAWN_IN_FULL + row, end, shortened=True)


def _first_free(ends: list[Time], begin: Time) -> int:
    for row, end in enumerate(ends):
        if end <= begin:
            return row
    return len(ends)


def _take(ends: list[Time], row: int, end: Time) -> None:
    if row == len(ends):
        ends.append(end)
    else:
        ends[row] = end


@dataclass
class Calls:
    """The calls of one thread, which lie within each other or after each other.

    Calls do overlap in part where clocks are damaged; they are then drawn so that they do not.
    """

    _latest: Time = 0
    _open: list[Time] = field(default_factory=list)

    def place(self, begin: Time, end: Time) -> tuple[Time, Time]:
        """Where to begin and to end the next call."""
        self._latest = begin = max(begin, self._latest)
        while self._open and self._open[-1] <= begin:
            self._open.pop()
        end = min([max(begin, end), *self._open[-1:]])
        self._open.append(end)
        return begin, end


TITLES: Final = {
    Kind.COPY: "copy",
    Kind.FILL: "fill",
    Kind.PREFETCH: "prefetch",
    Kind.LAUNCH: "kernel",
    Kind.GRAPH_LAUNCH: "graph",
    Kind.HOST_FUNCTION: "host function",
}
"""What a piece of work is called, if it has no better name."""


@dataclass(frozen=True)
class Work:
    """One row for each piece of work, in the order of the calls."""

    seq: list[Seq]
    title: list[str]
    stream: list[int]
    """A place in `streams`."""
    known_by: list[Seq]
    """0: never."""
    known_ns: list[int]
    """When that call returned, since the process started."""
    streams: list[str]
    """Their names."""


def work_of(process: Process) -> Work:
    """All work of a process; not that of a call that was refused, or whose stream is not known."""
    trace = trace_of(process, kernels=False)
    operations = trace.operations
    chosen = np.isin(operations["kind"], list(TITLES)) & (operations["stream"] != NONE)
    rows = np.flatnonzero(chosen & ~(operations["captured"] | operations["failed"]))
    by = completion(trace).known_by[rows]
    known = by != NONE
    # Copies with the way they went.
    copies = copies_in(trace)
    ways = dict(zip(copies.operation.tolist(), copies.direction.tolist(), strict=True))
    titles = [TITLES[Kind(kind)] for kind in trace.operations["kind"][rows].tolist()]
    return Work(
        seq=operations["seq"][rows].tolist(),
        title=[
            f"{title} {ways[row]}" if title == TITLES[Kind.COPY] and row in ways else title
            for row, title in zip(rows.tolist(), titles, strict=True)
        ],
        stream=operations["stream"][rows].tolist(),
        known_by=np.where(known, operations["seq"][by], 0).tolist(),
        known_ns=np.where(known, operations["end"][by], 0).tolist(),
        streams=[_stream_name(stream, process) for stream in trace.streams],
    )


def _stream_name(stream: np.void, process: Process) -> str:
    """By device and handle; a handle that was used before has a number."""
    device, handle, generation = (int(stream[n]) for n in ("device", "handle", "generation"))
    where = "" if device == NONE else f", device {device}"
    if stream["kind"] == StreamKind.LEGACY:
        return f"default stream{where}"
    if stream["kind"] == StreamKind.PER_THREAD:
        thread = process.lanes[int(stream["thread"])].facts.thread_id
        return f"default stream of thread {thread}{where}"
    if stream["kind"] == StreamKind.UNKNOWN:
        return f"stream {handle:#x}"
    again = f" #{generation}" if generation > 1 else ""
    return f"stream {handle:#x}{again}{where}"
