"""The first look at a lane: which slots are calls, and the columns that order and count them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from greta.recording import _format as f
from greta.recording.files import Structs
from greta.recording.lane_header import LaneFacts
from greta.recording.problems import Problems
from greta.recording.slots import Index


@dataclass(frozen=True)
class Scan:
    """The columns that are read when a lane is opened, one row a call."""

    index: Index  # the record's number since the lane began, continuations counted
    call: npt.NDArray[np.uint32]
    more: npt.NDArray[np.uint16]
    flags: npt.NDArray[np.uint16]
    result: npt.NDArray[np.int32]
    begin: npt.NDArray[np.uint64]
    end: npt.NDArray[np.uint64]


class Gatherer:
    """Collects the calls from blocks of slots, and looks at how the slots between are filled."""

    def __init__(self) -> None:
        self.seen = 0  # one past the last slot that is not empty
        self._columns: list[Scan] = []
        self._empty: list[Index] = []
        self._continuations: list[Index] = []
        self._fillers: list[npt.NDArray[np.bool_]] = []

    def add(self, block: Structs, index: Index) -> None:
        """Take the next slots of a lane."""
        call = block["call"].copy()
        is_call = (call != f.CALL_NONE) & (call != f.CALL_MORE)
        if not is_call.all():
            is_more = call == f.CALL_MORE
            self._empty.append(index[call == f.CALL_NONE])
            self._continuations.append(index[is_more])
            kinds = block.view(f.MORE)["kind"][is_more]
            self._fillers.append(kinds == f.PayloadKind.FILLER)
        filled = np.flatnonzero(call != f.CALL_NONE)
        if len(filled):
            self.seen = int(index[filled[-1]]) + 1
        self._columns.append(_columns(block, index, is_call))

    def scan(self) -> Scan:
        """The calls of all blocks."""
        if not self._columns:
            self.add(np.empty(0, f.RECORD), np.arange(0))
        names = Scan.__dataclass_fields__
        return Scan(*(np.concatenate([getattr(c, n) for c in self._columns]) for n in names))

    def report(self, facts: LaneFacts, scan: Scan, problems: Problems) -> None:
        """Tell of empty slots before the last call, and of continuations missing or nobody's."""
        if not len(scan.index) or not self._empty:
            return
        empty = np.concatenate(self._empty)
        empty = empty[empty < scan.index[-1]]
        # The oldest slots of a ring are the ones that are being written anew.
        empty = empty[empty > scan.index[0]] if facts.ring_records else empty
        if len(empty):
            what = f"{len(empty)} empty slots among the records; what is behind them is kept"
            problems.add(facts.file, facts.offset(int(empty[0])), what)
        self._report_continuations(facts, scan, problems)

    def _report_continuations(self, facts: LaneFacts, scan: Scan, problems: Problems) -> None:
        continuations = np.concatenate(self._continuations)
        owner = np.searchsorted(scan.index, continuations) - 1
        owned = (owner >= 0) & (continuations - scan.index[owner] <= scan.more[owner])
        found = np.bincount(owner[owned], minlength=len(scan.index))
        short = np.flatnonzero(found < scan.more)
        if len(short):
            what = f"{len(short)} records have fewer continuations than they say"
            problems.add(facts.file, facts.offset(int(scan.index[short[0]])), what)
        # Those after the last call may belong to one that was being written, and those before the
        # first one of a ring to one that is overwritten.
        first = 0 if facts.ring_records else -1
        between = (owner >= first) & (owner < len(scan.index) - 1)
        orphans = continuations[between & ~owned & ~np.concatenate(self._fillers)]
        if len(orphans):
            what = f"{len(orphans)} continuations belong to no record; left out"
            problems.add(facts.file, facts.offset(int(orphans[0])), what)


def _columns(block: Structs, index: Index, chosen: npt.NDArray[np.bool_]) -> Scan:
    names = [name for name in Scan.__dataclass_fields__ if name != "index"]
    if chosen.all():
        return Scan(index, *(block[name].copy() for name in names))
    return Scan(index[chosen], *(block[name][chosen] for name in names))
