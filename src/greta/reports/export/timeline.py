"""What a time line shows of a process: when calls, work and memory begin and end, and in which row.

At the HIP ABI one sees work being put on streams and the host waiting for it, and nothing in
between. So work is known to be complete when a call has returned that waits for it: see
greta.forensics.order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

import numpy as np
import numpy.typing as npt

from greta.forensics.copies import copies_in
from greta.forensics.order import completion
from greta.recording import Allocation, LiveKind, Process
from greta.trace.reading import trace_of
from greta.trace.trace import NONE, Kind, Seq, StreamKind

DEVICE_KINDS = (LiveKind.DEVICE_MEMORY, LiveKind.MANAGED_MEMORY, LiveKind.POOL_MEMORY)
NEVER: Final = (1 << 63) - 1
_FAR: Final = 1 << 61
"""Clocks that are damaged go further."""

Ticks = int
Time = int
Times = npt.NDArray[np.int64]
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


def start_of(process: Process) -> Time:
    return min(process.header.start_monotonic_ns, _FAR)


def call_times(process: Process) -> tuple[Times, Times]:
    """Begin and end of all calls; NEVER of those that have not returned.

    The calls of a thread lie within each other or after each other. Where clocks are damaged they
    do overlap in part; they are then moved so that they do not.
    """
    columns, start = process.columns, start_of(process)
    begin, end = (np.clip(ns, -start, _FAR) + start for ns in (columns.begin_ns, columns.end_ns))
    end[~columns.finished] = NEVER
    for lane in range(len(process.lanes)):
        rows = np.flatnonzero(columns.lane_place == lane)
        first, last = begin[rows], end[rows]
        if (first <= last).all() and (last[:-1] <= first[1:]).all():
            continue  # one after the other, as nearly always
        placed = list(_nested(first.tolist(), last.tolist()))
        begin[rows], end[rows] = np.array(placed, np.int64).reshape(-1, 2).T
    return begin, end


def _nested(begins: list[Time], ends: list[Time]) -> Iterator[tuple[Time, Time]]:
    latest, around = 0, list[Time]()
    for begin, end in zip(begins, ends, strict=True):
        latest = max(begin, latest)
        while around and around[-1] <= latest:
            around.pop()
        around.append(min([max(latest, end), *around[-1:]]))
        yield latest, around[-1]


# Where to draw slices that overlap: on a track, slices stand one after the other, and what overlaps
# goes to another, which a viewer shows as a further row. One within the other would read as a call
# within a call, which work of a stream is not. A program that puts ten thousand kernels on a stream
# before it waits would make as many rows, so only so many are drawn in full at a time.
DRAWN_IN_FULL = 32


@dataclass
class Rows:
    """The rows of one stream. Slices are placed in the order they begin."""

    _ends: list[Time] = field(default_factory=list)  # of each row, where its last slice ends
    _more: list[Time] = field(default_factory=list)  # the same of rows of slices drawn shorter

    def place(self, begin: Time, end: Time, short_end: Time) -> tuple[int, Time]:
        """Row and end; rows from DRAWN_IN_FULL on have only the first part up to `short_end`."""
        row = _first_free(self._ends, begin)
        if row < DRAWN_IN_FULL:
            self._ends[row] = end
            return row, end
        end = max(begin, min(end, short_end))
        row = _first_free(self._more, begin)
        self._more[row] = end
        return DRAWN_IN_FULL + row, end


def _first_free(ends: list[Time], begin: Time) -> int:
    for row, end in enumerate(ends):
        if end <= begin:
            return row
    ends.append(begin)
    return len(ends) - 1


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
    names = {int(kind): title for kind, title in TITLES.items()}
    kinds = zip(rows.tolist(), operations["kind"][rows].tolist(), strict=True)
    titles = {row: names[kind] for row, kind in kinds}
    copies = copies_in(trace)
    for row, way in zip(copies.operation.tolist(), copies.direction.tolist(), strict=True):
        if titles.get(row) == TITLES[Kind.COPY]:
            titles[row] = f"{TITLES[Kind.COPY]} {way}"
    return Work(
        seq=operations["seq"][rows].tolist(),
        title=list(titles.values()),
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
