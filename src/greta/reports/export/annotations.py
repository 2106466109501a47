"""roctx ranges and marks as slices."""

from __future__ import annotations

from collections.abc import Callable

from greta.recording import CallEvent
from greta.reports.export.trace_file import TraceFile, Track

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
        self._calls = {
            "roctxRangePushA": self._push,
            "roctxRangePop": self._pop,
            "roctxRangeStartA": self._start,
            "roctxRangeStop": self._stop,
            "roctxMarkA": self._mark,
        }

    def follow(self, event: CallEvent, begin: int, end: int) -> bool:
        """Whether it is a call of roctx, which is then drawn."""
        if event.lane not in self._depth:
            self._open_what_is_lost(event, begin)
        call = self._calls.get(event.call)
        if call is not None:
            call(event, begin, end if event.finished else begin)
        return call is not None

    def _open_what_is_lost(self, event: CallEvent, begin: int) -> None:
        """In a ring, the calls that opened the ranges around the first event are lost."""
        self._depth[event.lane] = len(event.annotations)
        for annotation in event.annotations:
            self._trace.begin(self._track(event.lane), begin, annotation.text or NO_NAME)

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
