"""Blocks that the program announced inside its allocations: in which of them an address lies."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from greta.recording import Process
from greta.trace.reading.allocations import FOREVER, Addresses, AddressIndex, Allocations
from greta.trace.reading.handles import Found, Seqs
from greta.trace.trace import BLOCK, NONE, Table

Numbers = npt.NDArray[np.uint32]
"""Of blocks: their rows + 1; 0 is none."""
_LARGEST = 1 << 62  # of an address or a size, so that sums fit 64 bits


class Blocks:
    """Those that lie in memory which HIP knows."""

    def __init__(self, process: Process, allocations: Allocations) -> None:
        announced = process.blocks()
        base = np.array([min(one.base, _LARGEST) for one in announced], np.uint64)
        size = np.array([min(one.bytes, _LARGEST) for one in announced], np.uint64)
        first = np.array([one.created for one in announced], np.int64)
        last = np.array([one.destroyed or FOREVER for one in announced], np.int64)
        said = np.array([not one.replaced for one in announced], bool)
        allocation, live, address = allocations.find(base, first)
        kept = np.flatnonzero(live & (size > 0))
        self.table = np.zeros(len(kept), BLOCK)
        self.table["address"], self.table["allocation"] = address[kept], allocation[kept]
        self.table["made_by"] = first[kept]
        self._said = said[kept]
        """Whether somebody said that it is over: another that lies over it does not say when."""
        self._end(size[kept], last[kept], allocations)
        self._index = AddressIndex(
            self.table["address"], self.table["bytes"], first[kept], self._last
        )

        self._borders = np.unique(
            np.concatenate([self.table["address"], self.table["address"] + self.table["bytes"]])
        )

    def __len__(self) -> int:
        return len(self.table)

    def find(self, address: Addresses, seq: Seqs, allocation: Found) -> Numbers:
        """The block in an allocation that contains each address, or did last; 0: none is known."""
        found, live = self._index.find(address, seq)
        known = (found != NONE) & (self.table["allocation"][found] == allocation)
        known &= live | self._said[found]
        return np.where(known, found + 1, 0).astype(np.uint32)

    def bounds(
        self, number: Numbers, seq: Seqs, base: Addresses, size: Addresses
    ) -> tuple[Addresses, Addresses]:
        """Where the memory that pointers are meant for begins, and its bytes: of a live block."""
        row = number.astype(np.int64) - 1
        live = (number > 0) & (self._last[row] >= seq)
        own = self.table[row]
        return np.where(live, own["address"], base), np.where(live, own["bytes"], size)

    def still_in(self, number: Numbers, allocation: Found) -> Numbers:
        """Without those whose allocation is another one by now."""
        same = self.table["allocation"][number.astype(np.int64) - 1] == allocation
        return np.where(same, number, 0).astype(np.uint32)

    def cut(self, ranges: Addresses, seq: int) -> Addresses:
        """Rows of mode, begin, bytes, stride and count, cut where live blocks begin and end."""
        _, begin, bytes_, stride, count = ranges.T
        end = begin + stride * (np.maximum(count, np.uint64(1)) - np.uint64(1)) + bytes_
        first = np.searchsorted(self._borders, begin, "right")
        across = first != np.searchsorted(self._borders, end, "left")
        if not across.any():
            return ranges
        borders = self._live_borders(seq)
        pieces = [piece for row in ranges[across].tolist() for piece in _cut(row, borders)]
        return np.concatenate([ranges[~across], np.array(pieces, np.uint64)])

    def _live_borders(self, seq: int) -> list[int]:
        live = self.table[(self.table["made_by"] <= seq) & (self._last >= seq)]
        borders = np.unique(np.concatenate([live["address"], live["address"] + live["bytes"]]))
        return [int(one) for one in borders]

    def settle(self, operations: Table) -> None:
        """Fill in what refers to operations, when these are complete."""
        for at, by in (("made_at", "made_by"), ("freed_at", "freed_by")):
            rows = np.searchsorted(operations["seq"], self.table[by])
            self.table[at] = np.where(self.table[by] == NONE, NONE, rows)

    def _end(self, size: Addresses, last: Seqs, allocations: Allocations) -> None:
        """A block ends with its allocation at the latest, in space and in time."""
        around = allocations.table[self.table["allocation"]]
        left = around["address"] + around["bytes"] - self.table["address"]
        self.table["bytes"] = np.where(around["known_bytes"], np.minimum(size, left), size)
        gone = allocations.last_seqs(self.table["allocation"])
        self._last = np.minimum(last, gone)
        self._said |= gone <= last
        ended = self._said & (self._last < FOREVER)
        by = np.where(last <= gone, last, around["freed_by"])
        self.table["freed_by"] = np.where(ended, by, NONE)


def _cut(row: list[int], borders: list[int]) -> Iterator[tuple[int, int, int, int, int]]:
    """One run, or runs of `bytes_` bytes, `stride` bytes from one to the next."""
    mode, begin, bytes_, stride, count = row
    if count <= 1:
        inside = borders[bisect_right(borders, begin) : bisect_left(borders, begin + bytes_)]
        for first, last in pairwise([begin, *inside, begin + bytes_]):
            yield mode, first, last - first, 0, 1
        return
    end = begin + stride * (count - 1) + bytes_
    done = 0
    for border in borders[bisect_right(borders, begin) : bisect_left(borders, end)]:
        before = min(-(-(border - begin) // stride), count)  # runs that begin before it
        last = begin + (before - 1) * stride
        meets = before > done and last + bytes_ > border
        if before - meets > done:
            yield mode, begin + done * stride, bytes_, stride, before - meets - done
        if meets:
            yield from _cut([mode, last, bytes_, 0, 1], borders)
        done = max(done, before)
    if count > done:
        yield mode, begin + done * stride, bytes_, stride, count - done
