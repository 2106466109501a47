"""Blocks that a program announced inside its allocations: who left one, and who used one too late.

What is in no block is not known: a program need not announce all that it carves out of an
allocation. So memory without a block is never the reason of a finding.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

import numpy as np

from greta.forensics.scan import AccessBlock, Mask, bounds_of, live_at, where
from greta.forensics.wording import ACCESS_FIELDS, BUFFER_FIELDS
from greta.trace.trace import Row, Table, Trace

PADDING: Final = 512
"""Allocators round sizes up to this much: what lies behind a block up to there is its own."""
CODES: Final[dict[str, tuple[str, ...]]] = {
    "doubt_several_blocks": (*ACCESS_FIELDS, *BUFFER_FIELDS, "seq"),
    "doubt_ended_block": (*ACCESS_FIELDS, *BUFFER_FIELDS, "seq"),
}


class Left(Enum):
    """How a transfer leaves the block that it begins in."""

    RIGHTLY = 1
    """It is about all of the allocation, or about the padding of its block."""
    PERHAPS = 2
    """It covers several whole blocks, is a rectangle, or ends where nothing is announced."""
    WRONGLY = 3
    """It ends within another block."""


def live_blocks(trace: Trace, allocation: Row, row: Row) -> Table:
    """The blocks of an allocation as of an operation."""
    table = trace.blocks
    return table[live_at(table, row) & (table["allocation"] == allocation)]


def left_block(trace: Trace, access: Row) -> Left:
    """How a transfer that goes on behind the end of its block leaves it."""
    record = trace.accesses[access]
    start, allocation = int(record["address"]), int(record["allocation"])
    end = start + int(record["bytes"])
    own, whole = trace.blocks[int(record["block"]) - 1], trace.allocations[allocation]
    live = live_blocks(trace, allocation, int(record["operation"]))
    if (start, end) == bounds_of(whole) or holding(live, start, end):
        return Left.RIGHTLY
    own_start, own_end = bounds_of(own)
    others = [bounds_of(one) for one in live if own_end <= int(one["address"]) < end]
    if int(record["pitch"]):
        return Left.PERHAPS
    if not others:
        return Left.RIGHTLY if end <= own_end + -own_end % PADDING else Left.PERHAPS
    is_several = start == own_start and end in (stop for _, stop in others)
    is_within = any(begin < end < stop for begin, stop in others)
    return Left.WRONGLY if is_within and not is_several and own["is_dated"] else Left.PERHAPS


def holding(blocks: Table, start: int, end: int) -> bool:
    """Whether one of the blocks has all of a range in it: tensors may be views of others."""
    ends = blocks["address"] + blocks["bytes"]
    return bool(((blocks["address"] <= np.uint64(start)) & (ends >= np.uint64(end))).any())


def fully_announced(trace: Trace, rows: Table) -> Mask:
    """For each access whether all that its allocation is used for is announced, as far as is seen.

    Where some of it is not, a block that is over may be in use again without a word.
    """
    if not len(rows):
        return np.zeros(0, bool)
    (unannounced,) = where(trace, _is_unannounced)
    used = trace.accesses[unannounced]
    memory = trace.allocations[used["allocation"]]
    whole = (used["address"] == memory["address"]) & (used["bytes"] == memory["bytes"])
    first = np.full(len(trace.allocations) + 1, len(trace.operations), np.int64)
    np.minimum.at(first, trace.blocks["allocation"], trace.blocks["made_at"])
    partly = used["allocation"][(used["operation"] > first[used["allocation"]]) & ~whole]
    return ~np.isin(trace.accesses["allocation"][rows], partly)


def _is_unannounced(block: AccessBlock) -> Mask:
    used = (block.is_transfer | block.is_kernels) & (block.bytes > 0) & block.counts
    return used & (block.rows["block"] == 0) & block.is_live & block.in_device_memory
