"""How long a process waited for a processor that others had.

The kernel counts it for each thread (/proc/PID/task/TID/schedstat: nanoseconds run, nanoseconds
ready but not running, turns), so that what a busy machine adds to a duration can be told apart.
What ran is asked of the process: of a thread that runs, schedstat knows only up to the last tick,
which is most of a short iteration.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


class ProcessorTimes(NamedTuple):
    """In seconds, of all threads. Kernels that do not count the waiting say 0."""

    ran: float
    waited: float


def processor_times(threads: Path = Path("/proc/self/task")) -> ProcessorTimes:
    """Those of this process so far."""
    waited = 0
    for path in threads.glob("*/schedstat"):
        with suppress(OSError, ValueError):  # a thread that has just ended
            _, others, _ = map(int, path.read_text().split())
            waited += others
    return ProcessorTimes(time.process_time(), waited / 1e9)


def share_waited(seconds: float, before: ProcessorTimes, after: ProcessorTimes) -> float:
    """How much of a duration was waiting.

    Threads that wait at once add up to more than the duration: then the share of their time counts.
    Where the device is the one that works, they run little, and their sum is the lesser.
    """
    ran, waited = max(0.0, after.ran - before.ran), max(0.0, after.waited - before.waited)
    return min(waited, seconds * waited / (ran + waited)) if waited else 0.0
