"""Ranges of addresses that can be looked up and changed a million times: what lies where now."""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from typing import Final, NamedTuple

from greta.trace.trace import NONE

_BLOCK: Final = 1024


class Range(NamedTuple):
    """From its start, which is its key, up to `end`; `row` is what it stands for."""

    end: int
    row: int


class Ranges:
    """Ranges by their start. The starts lie in short sorted lists, so that no insertion is slow."""

    def __init__(self) -> None:
        self._blocks: list[list[int]] = []
        self._firsts: list[int] = []
        self._ranges: dict[int, Range] = {}

    def put(self, start: int, end: int, row: int) -> None:
        if start not in self._ranges:
            self._insert(start)
        self._ranges[start] = Range(end, row)

    def pop(self, start: int) -> Range:
        at = self._block_of(start)
        block = self._blocks[at]
        del block[bisect.bisect_left(block, start)]
        if block:
            self._firsts[at] = block[0]
        else:
            del self._blocks[at], self._firsts[at]
        return self._ranges.pop(start)

    def containing(self, address: int) -> int | None:
        """The row of the last range that begins at or before the address, if it contains it."""
        start = next(self.starts_down(address), None)
        if start is None:
            return None
        found = self._ranges[start]
        return found.row if address < found.end else None

    def overlapping(self, start: int, end: int) -> list[int]:
        """Rows of ranges that share a byte with this one, if no two ranges share one."""
        rows = []
        for begin in self.starts_down(end - 1):
            if self._ranges[begin].end > start:
                rows.append(self._ranges[begin].row)
            if begin <= start:
                break
        return rows

    def starts_down(self, address: int) -> Iterator[int]:
        """Starts at or before the address, the nearest first."""
        at = self._block_of(address)
        while at >= 0 and self._blocks:
            block = self._blocks[at]
            stop = bisect.bisect_right(block, address)
            yield from reversed(block[:stop])
            at -= 1

    def _block_of(self, address: int) -> int:
        return max(bisect.bisect_right(self._firsts, address) - 1, 0)

    def _insert(self, start: int) -> None:
        if not self._blocks:
            self._blocks, self._firsts = [[start]], [start]
            return
        at = self._block_of(start)
        block = self._blocks[at]
        bisect.insort(block, start)
        self._firsts[at] = block[0]
        if len(block) > 2 * _BLOCK:
            self._blocks.insert(at + 1, block[_BLOCK:])
            self._firsts.insert(at + 1, block[_BLOCK])
            del block[_BLOCK:]


class LiveMemory:
    """What lies where now, and what lay there last. Live ranges do not overlap."""

    def __init__(self) -> None:
        self._live = Ranges()
        self._dead = Ranges()
        self._generations: dict[int, int] = {}

    def next_generation(self, address: int) -> int:
        number = self._generations.get(address, 0)
        self._generations[address] = number + 1
        return number

    def begin(self, address: int, size: int, row: int) -> None:
        """A lifetime begins; what overlaps has ended."""
        self._live.put(address, address + max(size, 1), row)

    def end(self, address: int) -> None:
        ended = self._live.pop(address)
        self._dead.put(address, ended.end, ended.row)

    def overlapping(self, address: int, size: int) -> list[int]:
        return self._live.overlapping(address, address + max(size, 1))

    def live_at(self, address: int) -> int | None:
        return self._live.containing(address)

    def dead_at(self, address: int) -> int:
        """The row of a range that contained it once."""
        row = self._dead.containing(address)
        return NONE if row is None else row

    def at(self, address: int) -> int:
        """The live one, else the dead one."""
        row = self.live_at(address)
        return self.dead_at(address) if row is None else row
