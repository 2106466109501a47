"""Copies whose source and destination overlap: HIP does not say what they leave there.

A cache that is shifted in place is the usual one. A copy onto itself changes nothing and is none.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from greta.forensics.scan import Block, Mask, where
from greta.trace.trace import NONE, Role, Row, Seq, Table, Trace

ROWS: Final = 1 << 12
"""Rectangles with more rows than this are not compared."""
_LAST: Final = 1 << 62
"""No memory ends beyond it, and sums of two numbers below it do not run over."""


class OwnOverlap(NamedTuple):
    """The two sides of a copy, as rows in accesses."""

    destination: Row
    source: Row


def own_overlaps(trace: Trace) -> list[OwnOverlap]:
    """All such copies that HIP did not refuse, in order."""
    (sides,) = where(trace, _is_side_of_a_copy)
    first = sides[:-1][sides[1:] == sides[:-1] + 1]
    for alike in ("operation", "origin"):
        column = trace.accesses[alike]
        first = first[column[first] == column[first + 1]]
    start, size = trace.accesses["address"], trace.accesses["bytes"]
    meet = start[first] < start[first + 1] + size[first + 1]
    meet &= start[first + 1] < start[first] + size[first]
    pairs = (_in_order(trace, row) for row in first[meet].tolist())
    return [pair for pair in pairs if pair and _really_meet(trace, pair)]


def _in_order(trace: Trace, first: Row) -> OwnOverlap | None:
    """An access and the next one, if they are the two sides of a copy."""
    roles = trace.accesses["role"][first : first + 2].tolist()
    if roles == [Role.DESTINATION, Role.SOURCE]:
        return OwnOverlap(first, first + 1)
    return OwnOverlap(first + 1, first) if roles == [Role.SOURCE, Role.DESTINATION] else None


def _is_side_of_a_copy(block: Block) -> Mask:
    mask: Mask = block.counts & block.is_transfer & (block.bytes > 0) & (block.address != 0)
    return mask & ~block.of_operation("failed")


def _really_meet(trace: Trace, copy: OwnOverlap) -> bool:
    """Rectangles may lie in each other's gaps; what lies between slices of a box is not known."""
    one, other = trace.accesses[copy.destination], trace.accesses[copy.source]
    pitches = int(one["pitch"]), int(other["pitch"])
    if int(one["address"]) == int(other["address"]) and pitches[0] == pitches[1]:
        return False
    if pitches == (0, 0):
        return True
    if not _is_rectangle(trace, int(one["origin"])):
        return False
    starts, other_starts = _row_starts(one), _row_starts(other)
    if len(starts) == 0 or len(other_starts) == 0:
        return False
    return _any_meet(starts, _width(one), other_starts, _width(other))


def _is_rectangle(trace: Trace, seq: Seq) -> bool:
    row = trace.row_of(seq)
    return row != NONE and "2D" in trace.calls[int(trace.operations["call"][row])]


def _width(side: Table) -> int:
    return int(side["width"]) if int(side["pitch"]) else int(side["bytes"])


def _row_starts(side: Table) -> Table:
    """Where its rows begin; nothing if there are too many, or if no memory can be like that."""
    pitch, width, start = int(side["pitch"]), int(side["width"]), int(side["address"])
    rows = (int(side["bytes"]) - width) // pitch + 1 if pitch else 1
    fits = max(pitch, width, start + int(side["bytes"])) < _LAST
    if not fits or not 0 < rows <= ROWS:
        return np.zeros(0, np.int64)
    return start + np.arange(rows, dtype=np.int64) * pitch


def _any_meet(starts: Table, width: int, others: Table, other_width: int) -> bool:
    """Whether any of these rows overlaps any of those; both are in order."""
    after = np.searchsorted(others, starts - other_width, "right")
    inside = after < len(others)
    return bool((others[after[inside]] < starts[inside] + width).any())
