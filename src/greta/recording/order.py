"""One order for the calls of all threads: by the time they began, each thread's own order kept."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from greta.recording.clock import Ticks
from greta.recording.lanes import Lane
from greta.recording.problems import Problems


def sort_keys(begin: Ticks) -> Ticks:
    """Times that never go back, so that sorting by them cannot change a lane's order.

    Where a clock goes back, the time before stands; a single record that is far ahead of those
    after it (a damaged one) is not allowed to hold them back.
    """
    back = np.flatnonzero(begin[1:] < begin[:-1])
    if not len(back):
        return begin
    keys = begin.copy()
    for row in back[:1000]:  # more is not a stray record, but a broken clock
        before = keys[row - 1] if row else np.uint64(0)
        if keys[row + 1] >= before:
            keys[row] = before
    return np.maximum.accumulate(keys)


def report_backward_times(lane: Lane, problems: Problems) -> None:
    """Say how often a lane's times go back, and calls that end before they begin."""
    begin, end = lane.scan.begin, lane.scan.end
    back = np.flatnonzero(begin[1:] < begin[:-1])
    if len(back):
        place = lane.facts.offset(int(lane.scan.index[back[0] + 1]))
        what = f"times go back {len(back)} times; the order of the file is kept"
        problems.add(lane.facts.file, place, what)
    finished = (lane.scan.flags & 1).astype(bool)
    early = np.flatnonzero(finished & (end < begin))
    if len(early):
        place = lane.facts.offset(int(lane.scan.index[early[0]]))
        problems.add(lane.facts.file, place, f"{len(early)} calls end before they begin")


def merged_places(keys: list[Ticks]) -> npt.NDArray[np.int64]:
    """For each row of all lanes, one lane after the other, its place in the common order."""
    together = np.concatenate(keys) if keys else np.empty(0, np.uint64)
    # Stable sorting of runs that are sorted is a merge, and keeps the order within each of them.
    order = np.argsort(together, kind="stable")
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places
