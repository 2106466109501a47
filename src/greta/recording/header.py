"""The file `header`: who was recorded, when, how it ended; and its clock, ticks as nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from greta.recording import _format as f
from greta.recording._format import HeaderFlags
from greta.recording.files import opened, read_struct
from greta.recording.problems import Problems, RecordingError


@dataclass(frozen=True)
class ProcessHeader:
    """The facts of a process. All zero if the file could not be read."""

    readable: bool
    flags: f.HeaderFlags
    pid: int
    parent_pid: int
    ring_records: int
    start_ticks: int
    start_monotonic_ns: int
    start_realtime_ns: int
    latest_ticks: int
    latest_monotonic_ns: int
    end: f.End
    end_code: int
    end_ticks: int
    dropped: int
    lanes: int

    @property
    def ring(self) -> bool:
        """Whether lanes keep only the last records."""
        return bool(self.flags & f.HeaderFlags.RING)

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
        return _unreadable()
    values = dict(zip(f.HEADER.fields or {}, structs[0].item(), strict=True))
    if values["magic"] != f.HEADER_MAGIC:
        problems.add("header", 0, "does not begin as the header of a recording does")
        return _unreadable()
    _require_version(path, values["version"])
    if found < f.HEADER.itemsize:
        problems.add("header", found, f"is cut short: {found} of {f.HEADER.itemsize} bytes")
    return ProcessHeader(
        readable=True,
        flags=f.HeaderFlags(values["flags"] & 7),
        end=_end(values["end"], problems),
        **{name: values[name] for name in _PLAIN},
    )


_PLAIN = (
    *("pid", "parent_pid", "ring_records", "start_ticks", "start_monotonic_ns"),
    *("start_realtime_ns", "latest_ticks", "latest_monotonic_ns"),
    *("end_code", "end_ticks", "dropped", "lanes"),
)


END_OFFSET = 72  # of `end` in struct greta_header


def _unreadable() -> ProcessHeader:
    zeros = dict.fromkeys(_PLAIN, 0)
    return ProcessHeader(readable=False, flags=f.HeaderFlags(0), end=f.End.OPEN, **zeros)


def _require_version(path: Path, version: int) -> None:
    if version != f.VERSION:
        raise RecordingError(
            f"{path.parent} is a recording of version {version}, and this greta reads version "
            f"{f.VERSION}; use the greta that recorded it"
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
        """Of many records."""
        since_start: Nanoseconds = (ticks - np.uint64(self.start_ticks)).view(np.int64)
        if self.ns_per_tick == 1.0:
            return since_start
        scaled = np.rint(since_start * self.ns_per_tick)
        clipped: Nanoseconds = np.clip(scaled, -FARTHEST_NS, FARTHEST_NS).astype(np.int64)
        return clipped

    def ns_of(self, ticks: int) -> int:
        """Of one; the same arithmetic."""
        since_start = (ticks - self.start_ticks + SIGN) % (2 * SIGN) - SIGN
        if self.ns_per_tick == 1.0:
            return since_start
        return round(min(max(since_start * self.ns_per_tick, -FARTHEST_NS), FARTHEST_NS))
