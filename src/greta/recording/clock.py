"""Ticks of a recording as nanoseconds since the start of its process."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from greta.recording._format import HeaderFlags
from greta.recording.header import Header
from greta.recording.problems import Problems

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
    def of(header: Header, problems: Problems) -> Clock:
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
