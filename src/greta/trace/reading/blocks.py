"""Blocks that the program announced inside its allocations: in which of them an address lies."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from greta.recording import Block, Process
from greta.trace.memory_history import DatedBlock, MemoryHistory
from greta.trace.reading.allocations import FOREVER, Addresses, address_index
from greta.trace.reading.handles import Found, Seqs
from greta.trace.trace import BLOCK, NONE, Table

Numbers = npt.NDArray[np.uint32]
"""Block numbers: row + 1; 0 is none."""
Live = npt.NDArray[np.bool_]
_LARGEST = 1 << 62  # of an address or a size, so that sums fit 64 bits


APART_NS = 1_000_000
"""Clocks of two programs agree to this: a call nearer to a block's begin or end is on no side."""


@dataclass(frozen=True)
class BlockLifetime:
    """When a block began and ended, as calls of its process."""

    base: int
    bytes: int
    name: str
    first: int
    """The first call at which it is known to be live."""
    last: int = FOREVER
    """And the last."""
    over: int = FOREVER
    """The first call at which it is known to be over."""
    perhaps_first: int = 0
    """Between these it may have been live; 0: as above."""
    perhaps_last: int = 0
    made_by: int = NONE
    freed_by: int = NONE
    is_dated: bool = True


class AllocationLifetimes(Protocol):
    """The allocations that blocks lie in, of a recording or of another source."""

    table: Table

    def find(self, address: Addresses, seq: Seqs) -> tuple[Found, Live, Addresses]:
        """The lifetime that contains an address, if it is live, and the address that counts."""

    def seqs(self, rows: Found) -> tuple[Seqs, Seqs]:
        """The first and the last call of each lifetime; FOREVER if it has no end."""


class AnnouncedBlocks:
    """Blocks in memory that HIP knows: announced by the program, or read from a history."""

    def __init__(self, found: Sequence[BlockLifetime], allocations: AllocationLifetimes) -> None:
        first = np.array([one.first for one in found], np.int64)
        base = np.array([min(one.base, _LARGEST) for one in found], np.uint64)
        allocation, live, address = allocations.find(base, first)
        kept = np.flatnonzero(live & np.array([one.bytes > 0 for one in found], bool)).tolist()
        known = [found[place] for place in kept]
        self.names = tuple(one.name for one in known)
        self.table = np.zeros(len(known), BLOCK)
        self.table["address"], self.table["allocation"] = address[kept], allocation[kept]
        for column in ("made_by", "freed_by", "is_dated"):
            self.table[column] = [getattr(one, column) for one in known]
        self._first, self._last, self._over = (
            np.array([getattr(one, name) for one in known], np.int64)
            for name in ("first", "last", "over")
        )
        self._end([one.bytes for one in known], allocations)
        places = self.table["address"], self.table["bytes"]
        self._index = address_index(*places, self._first, self._last)
        perhaps = np.array([(one.perhaps_first, one.perhaps_last) for one in known], np.int64)
        perhaps = perhaps.reshape(-1, 2)
        self._perhaps_live = address_index(
            *places,
            np.where(perhaps[:, 0] > 0, perhaps[:, 0], self._first),
            np.where(perhaps[:, 1] > 0, perhaps[:, 1], self._last),
        )
        self._borders = _borders(self.table)
        self._borders_around = _borders(allocations.table)

    def __len__(self) -> int:
        return len(self.table)

    def find(self, address: Addresses, seq: Seqs, allocation: Found) -> Numbers:
        """The block in an allocation that contains each address, or did last; 0: none is known."""
        found, live = self._index.find(address, seq)
        known = (found != NONE) & (self.table["allocation"][found] == allocation)
        over = (self._over[found] <= seq) & ~self._perhaps_live.find(address, seq)[1]
        known &= live | over
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
        """Rows of mode, begin, bytes, stride and count, cut where buffers begin and end.

        A stride may lead from one buffer to the next: such rows are notes of the device, which
        knows nothing of what belongs together.
        """
        across = _are_across(ranges, self._borders)
        around = _are_across(ranges, self._borders_around)
        if not across.any() and not around.any():
            return ranges
        live = self.table[(self._first <= seq) & (self._last >= seq)]
        borders = _borders(live) if across.any() else _borders(self.table[:0])
        borders = np.union1d(borders, self._borders_around) if around.any() else borders
        cut, every = across | around, [int(one) for one in borders]
        pieces = [piece for row in ranges[cut].tolist() for piece in _cut(row, every)]
        return np.concatenate([ranges[~cut], np.array(pieces, np.uint64)])

    def settle(self, operations: Table) -> None:
        """Fill in what refers to operations, when these are complete."""
        if not len(self.table):
            return  # a search puts all numbers of operations side by side first
        rows = np.searchsorted(operations["seq"], self._first)
        self.table["made_at"] = rows
        # The first operation that comes too late is the one behind this.
        rows = np.maximum(np.searchsorted(operations["seq"], self._over) - 1, 0)
        self.table["freed_at"] = np.where(self._over == FOREVER, NONE, rows)

    def _end(self, bytes_: list[int], allocations: AllocationLifetimes) -> None:
        """A block ends with its allocation at the latest, in space and in time."""
        around = allocations.table[self.table["allocation"]]
        left = around["address"] + around["bytes"] - self.table["address"]
        size = np.array([min(one, _LARGEST) for one in bytes_], np.uint64)
        self.table["bytes"] = np.where(around["known_bytes"], np.minimum(size, left), size)
        begun, gone = allocations.seqs(self.table["allocation"])
        self._first = np.where(self.table["is_dated"], self._first, begun)
        with_it = gone < np.minimum(self._last, self._over)
        self.table["freed_by"] = np.where(with_it, around["freed_by"], self.table["freed_by"])
        self._last = np.minimum(self._last, gone)
        self._over = np.where(with_it, gone + 1, self._over)


def _borders(table: Table) -> Addresses:
    """All addresses at which something begins or ends."""
    found: Addresses = np.unique(
        np.concatenate([table["address"], table["address"] + table["bytes"]])
    )
    return found


def _are_across(ranges: Addresses, borders: Addresses) -> npt.NDArray[np.bool_]:
    """Whether a border lies within each range, from its first byte to its last."""
    _, begin, bytes_, stride, count = ranges.T
    end = begin + stride * (np.maximum(count, np.uint64(1)) - np.uint64(1)) + bytes_
    first = np.searchsorted(borders, begin, "right")
    across: npt.NDArray[np.bool_] = first != np.searchsorted(borders, end, "left")
    return across


def _announced(block: Block) -> BlockLifetime:
    """One that another lies over is over, and nobody said since when."""
    lifetime = BlockLifetime(
        block.base, block.bytes, block.name, block.created, made_by=block.created
    )
    if block.destroyed is None:
        return lifetime
    if block.replaced:
        return replace(lifetime, last=block.destroyed)
    end = block.destroyed
    return replace(lifetime, last=end, over=end + 1, freed_by=end)


def announced_blocks(process: Process, history: MemoryHistory | None) -> list[BlockLifetime]:
    """What a recorded program said of its blocks, and what its allocator wrote down of them."""
    found = [_announced(one) for one in process.blocks()]
    if history is None:
        return found
    header = process.header
    clocks = {"realtime": header.start_realtime_ns, "monotonic": header.start_monotonic_ns}
    begin = np.maximum.accumulate(process.clock.ns(process.columns.begin_ticks))
    return [*found, *dated_blocks(history.blocks, begin, clocks[history.clock])]


def dated_blocks(
    blocks: Iterable[DatedBlock], begin: npt.NDArray[np.int64], start: int = 0
) -> Iterator[BlockLifetime]:
    """By the calls of a process, numbered from 1, which began at these times after `start`."""

    def calls_before(time: int) -> int:
        return int(np.searchsorted(begin, time - start))

    for block in blocks:
        lifetime = BlockLifetime(block.base, block.bytes, block.name, 1, is_dated=block.is_dated)
        if not block.is_dated:
            # Of memory that is there to the end; see _end.
            lifetime = replace(lifetime, first=FOREVER - 1)
        else:
            lifetime = replace(
                lifetime,
                first=calls_before(block.begun + APART_NS) + 1,
                perhaps_first=calls_before(block.begun - APART_NS) + 1,
            )
        if block.ended is not None and block.is_dated:
            over = calls_before(block.ended + APART_NS) + 1
            last = calls_before(block.ended - APART_NS)
            lifetime = replace(lifetime, last=last, over=over, perhaps_last=max(over - 1, 1))
        yield lifetime


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
