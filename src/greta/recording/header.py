"""The files `header` (who was recorded, when, its clock, how it ended) and `live`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from greta.recording import _format as f
from greta.recording._format import HeaderFlags
from greta.recording.files import (
    READABLE_VERSIONS,
    Problems,
    RecordingError,
    Structs,
    blocks_until_zeros,
    opened,
    read_struct,
)


@dataclass(frozen=True)
class ProcessHeader:
    """The facts of a process. All zero if the file could not be read."""

    readable: bool = False
    flags: f.HeaderFlags = field(default_factory=lambda: f.HeaderFlags(0))
    pid: int = 0
    parent_pid: int = 0
    ring_records: int = 0
    start_ticks: int = 0
    start_monotonic_ns: int = 0
    start_realtime_ns: int = 0
    latest_ticks: int = 0
    latest_monotonic_ns: int = 0
    end: f.End = f.End.OPEN
    end_code: int = 0
    end_ticks: int = 0
    dropped: int = 0
    lanes: int = 0
    guarded: int = 0
    """Allocations before an unmapped page, and those that were to be."""
    unguarded: int = 0

    @property
    def ring(self) -> bool:
        """Whether lanes keep only the last records."""
        return bool(self.flags & f.HeaderFlags.RING)

    @property
    def spent(self) -> bool:
        """Whether the disk budget was spent, and lanes have become rings."""
        return bool(self.flags & f.HeaderFlags.SPENT)

    @property
    def gave_up(self) -> bool:
        """Whether the recorder had to stop recording, as without space."""
        return bool(self.flags & f.HeaderFlags.INCOMPLETE)


def read_header(path: Path, problems: Problems) -> ProcessHeader:
    """The header, as far as it can be read; RecordingError if it is of another version."""
    try:
        with opened(path) as descriptor:
            structs, found = read_struct(descriptor, f.HEADER)
    except OSError as error:
        problems.add("header", None, f"cannot be read: {error.strerror or error}")
        return ProcessHeader()
    values = dict(zip(f.HEADER.fields or {}, structs[0].item(), strict=True))
    if values["magic"] != f.HEADER_MAGIC:
        problems.add("header", 0, "does not begin as the header of a recording does")
        return ProcessHeader()
    _require_version(path, values["version"])
    if found < f.HEADER.itemsize:
        problems.add("header", found, f"is cut short: {found} of {f.HEADER.itemsize} bytes")
    known = {n: value for n, value in values.items() if n in ProcessHeader.__dataclass_fields__}
    known["flags"] = f.HeaderFlags(values["flags"] & 15)
    known["end"] = _end(values["end"], problems)
    return ProcessHeader(readable=True, **known)


END_OFFSET = 72  # of `end` in struct greta_header


def _require_version(path: Path, version: int) -> None:
    if version not in READABLE_VERSIONS:
        raise RecordingError(
            f"{path.parent} is a recording of version {version}, and this greta reads "
            f"versions 1 to {f.RECORDING_VERSION}; use the greta that recorded it"
        )


def _end(value: int, problems: Problems) -> f.End:
    try:
        return f.End(value)
    except ValueError:
        problems.add("header", END_OFFSET, f"has an unknown way to end, {value}")
        return f.End.OPEN


Ticks = npt.NDArray[np.uint64]
Nanoseconds = npt.NDArray[np.int64]

# Time stamp counters run at 10 MHz to 100 GHz; anything else is damage.
PLAUSIBLE_NS_PER_TICK = (0.01, 100.0)
FARTHEST_NS = 2.0**62
SIGN = 1 << 63


class Clock:
    """The line through the two readings of the clocks that the header holds."""

    def __init__(self, start_ticks: int, ns_per_tick: float) -> None:
        self.start_ticks = start_ticks
        self.ns_per_tick = ns_per_tick

    @staticmethod
    def of(header: ProcessHeader, problems: Problems) -> Clock:
        """The clock of a process; a tick counts as a nanosecond where the readings give no line."""
        if not header.flags & HeaderFlags.CLOCK_TSC:
            return Clock(header.start_ticks, 1.0)
        ticks = header.latest_ticks - header.start_ticks
        nanoseconds = header.latest_monotonic_ns - header.start_monotonic_ns
        ns_per_tick = nanoseconds / ticks if ticks > 0 else 0.0
        if PLAUSIBLE_NS_PER_TICK[0] <= ns_per_tick <= PLAUSIBLE_NS_PER_TICK[1]:
            return Clock(header.start_ticks, ns_per_tick)
        problems.add("header", None, "its clock readings give no speed; times are in ticks")
        return Clock(header.start_ticks, 1.0)

    def ns(self, ticks: Ticks) -> Nanoseconds:
        """Times of many records."""
        since_start: Nanoseconds = (ticks - np.uint64(self.start_ticks)).view(np.int64)
        if self.ns_per_tick == 1.0:
            return since_start
        scaled = np.rint(since_start * self.ns_per_tick)
        clipped: Nanoseconds = np.clip(scaled, -FARTHEST_NS, FARTHEST_NS).astype(np.int64)
        return clipped

    def ns_of(self, ticks: int) -> int:
        """The time of one record; the same arithmetic."""
        since_start = (ticks - self.start_ticks + SIGN) % (2 * SIGN) - SIGN
        if self.ns_per_tick == 1.0:
            return since_start
        return round(min(max(since_start * self.ns_per_tick, -FARTHEST_NS), FARTHEST_NS))


FILE = "live"
BLOCK_SLOTS = 1 << 16  # 4 MiB


@dataclass(frozen=True)
class LiveEntry:
    """One allocation or open handle. `since` is in ticks."""

    kind: f.LiveKind
    flags: int
    handle: int
    bytes: int
    number: int
    since: int
    site: int
    stack: int
    annotation: int
    call: int
    device: int
    runtime: int = 0
    """The HIP library that it is of, by its place among hip_libraries."""


@dataclass(frozen=True)
class LiveTable:
    """Everything that is live, in the order it was made."""

    entries: list[LiveEntry] = field(default_factory=list)
    device_bytes: int = 0
    peak_device_bytes: int = 0


def read_live(path: Path, problems: Problems, *, still_written: bool) -> LiveTable:
    """The table as it is now, as far as it can be read."""
    try:
        with opened(path) as descriptor:
            header, found = read_struct(descriptor, f.LIVE_HEADER)
        if header["magic"] == 0 and header["slots"] == 0:
            if not still_written:
                problems.add(FILE, 0, "was created and never begun")
            return LiveTable()
        if found < f.PAGE_BYTES:
            problems.add(FILE, found, "is cut short within its first page")
        count = _count(path, header[0], problems)
        entries = sorted(_entries(path, count, problems), key=lambda entry: entry.number)
    except OSError as error:
        problems.add(FILE, None, f"cannot be read: {error.strerror or error}")
        return LiveTable()
    if count == 0:
        return LiveTable()
    sizes = (int(header[0][name]) for name in ("device_bytes", "peak_device_bytes"))
    return LiveTable(entries, *sizes)


def _count(path: Path, header: np.void, problems: Problems) -> int:
    """How many slots there are to read; 0 if the file is not what it should be."""
    if header["magic"] != f.LIVE_MAGIC:
        problems.add(FILE, 0, "does not begin as a live table does; left out")
        return 0
    if header["version"] not in READABLE_VERSIONS or header["slot_bytes"] != f.LIVE.itemsize:
        problems.add(FILE, 8, "is of another version; left out")
        return 0
    slots = int(header["slots"])
    capacity = max(0, path.stat().st_size - f.PAGE_BYTES) // f.LIVE.itemsize
    if slots > capacity:
        offset = f.PAGE_BYTES + capacity * f.LIVE.itemsize
        problems.add(FILE, offset, f"is cut short: {capacity} of {slots} slots are there")
    return min(slots, capacity)


def _entries(path: Path, count: int, problems: Problems) -> Iterator[LiveEntry]:
    for first, block in blocks_until_zeros(path, f.LIVE, count, BLOCK_SLOTS):
        runtimes = (block["kind"] & f.RUNTIME_MASK) >> f.RUNTIME_SHIFT
        block["kind"] &= ~np.uint32(f.RUNTIME_MASK)
        _report_unknown_kinds(first, block, problems)
        used = (block["kind"] > f.LiveKind.FREE) & (block["kind"] <= max(f.LiveKind))
        for (kind, *values), runtime in zip(
            block[used].tolist(), runtimes[used].tolist(), strict=True
        ):
            yield LiveEntry(f.LiveKind(kind), *[*values, runtime])


def _report_unknown_kinds(first: int, block: Structs, problems: Problems) -> None:
    unknown = np.flatnonzero(block["kind"] > max(f.LiveKind))
    if len(unknown):
        offset = f.PAGE_BYTES + (first + int(unknown[0])) * f.LIVE.itemsize
        problems.add(FILE, offset, f"{len(unknown)} slots are of an unknown kind; left out")
