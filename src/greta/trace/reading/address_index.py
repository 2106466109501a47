"""Which allocation an address lies in, at a time; for millions of addresses at once.

Lives of allocations are rectangles in addresses and time. The borders of all of them cut the
addresses into pieces, and each life covers a run of pieces: as a segment tree does, it is entered
at the few nodes that make up its run. An address asks the nodes above its piece, one of each level,
for the last life that had begun. Where allocators reuse whole blocks, each life is one piece, and
only one level has any lives.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from greta.trace.reading.lives import Found, LastBegun, Seqs
from greta.trace.trace import NONE

FOREVER = 1 << 62
EARLIER_LIVES = 4  # looked at, where memory was registered or mapped twice at the same time

Addresses = npt.NDArray[np.uint64]


class AddressIndex:
    """Lives: from an address, over some bytes, from a call to another one (both included)."""

    def __init__(self, address: Addresses, bytes_: Addresses, first: Seqs, last: Seqs) -> None:
        self._first, self._last = first, last
        end = address + np.maximum(bytes_, np.uint64(1))
        end = np.where(end < address, np.uint64(2**64 - 1), end)
        self._borders = np.unique(np.concatenate([address, end]))
        self._levels = [
            (level, LastBegun(node, first[life]), life)
            for level, node, life in _nodes(
                np.searchsorted(self._borders, address), np.searchsorted(self._borders, end)
            )
        ]

    def find(self, address: Addresses, seq: Seqs) -> tuple[Found, npt.NDArray[np.bool_]]:
        """For each address the life that contains it, and whether that is live at its call.

        If none is live, the one that ended last; NONE if it was never in any.
        """
        best = np.full(len(address), NONE, np.int64)
        live = np.zeros(len(address), bool)
        piece = np.searchsorted(self._borders, address, "right") - 1
        for level, index, life in self._levels:
            found = self._in_level(index, life, piece >> level, seq)
            self._improve(best, live, found, seq)
        return best, live

    def _in_level(
        self, index: LastBegun, life: Found, node: npt.NDArray[np.int64], seq: Seqs
    ) -> Found:
        place = index.places(node, seq)
        items = life[index.items]
        found = np.where(place == NONE, NONE, items[place])
        for _ in range(EARLIER_LIVES):
            ended = np.flatnonzero((found != NONE) & (self._last[found] < seq))
            place_before = index.before(place[ended])
            ended, place_before = ended[place_before != NONE], place_before[place_before != NONE]
            earlier = items[place_before]
            place[ended] = place_before
            still = self._last[earlier] >= seq[ended]
            found[ended[still]] = earlier[still]
            if not len(ended):
                break
        return found

    def _improve(self, best: Found, live: npt.NDArray[np.bool_], found: Found, seq: Seqs) -> None:
        """Live ones before ended ones, the later before the earlier."""
        found_live = (found != NONE) & (self._last[found] >= seq)
        later = np.where(found_live, self._first[found], self._last[found]) > np.where(
            live, self._first[best], self._last[best]
        )
        better = (found != NONE) & (
            (best == NONE) | (found_live & ~live) | ((found_live == live) & later)
        )
        best[better] = found[better]
        live |= found_live


def _nodes(
    begin: npt.NDArray[np.int64], end: npt.NDArray[np.int64]
) -> Iterator[tuple[int, npt.NDArray[np.int64], Found]]:
    """The nodes that make up each run of pieces: level, node and life, for levels with any."""
    life = np.arange(len(begin))
    level = 0
    while len(life):
        left, right = (begin & 1).astype(bool), (end & 1).astype(bool)
        node = np.concatenate([begin[left], end[right] - 1])
        if len(node):
            yield level, node, np.concatenate([life[left], life[right]])
        begin, end = (begin + left) >> 1, (end - right) >> 1
        inside = begin < end
        begin, end, life = begin[inside], end[inside], life[inside]
        level += 1
