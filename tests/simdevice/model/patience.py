"""Waiting for a thread: one that hangs is told from one that a busy machine makes slow.

Time by the clock says nothing where others want the processors, too. A thread that hangs sleeps,
and so do all others of its process; or it turns around and around, and uses processor time. Linux
counts for each thread how long it ran and how long it stood in line: a process whose threads do
neither for a while will not go on by itself.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path

_TASKS = Path("/proc/self/task")


@dataclass(frozen=True)
class Patience:
    """In seconds."""

    asleep: float = 60.0
    """No thread of the process ran or wanted to."""
    busy: float = 120.0
    """Processor time of the process since the begin: no program needs as much."""
    step: float = 1.0

    def is_over(self, thread: threading.Thread) -> bool:
        """Wait until the thread ends; true if it hangs instead."""
        used, asleep = time.process_time(), 0.0
        wanted = _wanted()
        thread.join(self.step)
        while thread.is_alive():
            now = _wanted()
            asleep = asleep + self.step if _share(wanted, now) < self.step / 200 else 0.0
            if asleep >= self.asleep or time.process_time() - used >= self.busy:
                return True
            wanted = now
            thread.join(self.step)
        return False


def _wanted() -> dict[str, int]:
    """Nanoseconds for which each thread but this one ran, or stood in line to."""
    found = {}
    for task in _TASKS.iterdir():
        if task.name == str(threading.get_native_id()):
            continue
        try:
            ran, stood, _ = (task / "schedstat").read_text().split()
        except OSError:
            continue  # it has ended
        found[task.name] = int(ran) + int(stood)
    return found


def _share(before: dict[str, int], after: dict[str, int]) -> float:
    """Seconds of all threads together, those that came and went not counted."""
    return sum(value - before.get(name, 0) for name, value in after.items()) / 1e9
