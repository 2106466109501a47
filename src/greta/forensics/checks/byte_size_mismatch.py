"""A transfer starts inside a live allocation and runs past its end, on either side.

What it does:
    Compares both sides of every copy and fill, rectangles and symbols too, and those of a graph
    at each launch, with what is left of the allocation that they start in, and of the block in it
    that the program announced. A transfer that HIP refused for this reason counts: the program
    asked for it.

Evidence:
    Addresses and sizes of allocations and transfers.

Known problems:
    Pageable host memory is not HIP's: how long it is nobody says, so an overrun of it is not seen.
    Where calls were lost, an overrun counts only if HIP refused the transfer, since the memory may
    have been freed and allocated anew.
    One transfer over several mappings that lie side by side (hipMemMap) is right and not reported.
    One that leaves its block and ends within another is a finding. One over several whole blocks,
    or into memory that nobody announced, may be meant: a doubt. Over all of the allocation it is.

Example:
    hipMalloc(&d, 1000); hipMemcpy(h, d, 1024, hipMemcpyDeviceToHost);
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from greta.forensics.blocks import CODES as CODES_OF_BLOCKS
from greta.forensics.blocks import Left, left_block
from greta.forensics.case import Case
from greta.forensics.scan import AccessBlock, Mask, bounds_of, buffer_of
from greta.forensics.verdict import Finding, Ruling, Value
from greta.forensics.wording import (
    ACCESS_FIELDS,
    BUFFER_FIELDS,
    KEPT,
    doubts_of,
    finding_of,
    ruling_codes,
    settled,
)
from greta.trace.device_errors import STICKY
from greta.trace.trace import (
    LOST_LIFETIMES,
    SAYS_SIZES,
    Gap,
    Role,
    Row,
    Space,
    Table,
    Trace,
    hiding,
    present,
)

HYPOTHESIS: Final = "byte_size_mismatch"
CODES: Final[dict[str, tuple[str, ...]]] = {
    "transfer_past_end": (*ACCESS_FIELDS, *BUFFER_FIELDS, "left", "past_end", "refused"),
    "row_wider_than_pitch": (*ACCESS_FIELDS, *BUFFER_FIELDS, "width", "pitch", "refused"),
    "doubt_several_blocks": CODES_OF_BLOCKS["doubt_several_blocks"],
    **ruling_codes(HYPOTHESIS),
}
_INVALID_VALUE: Final = 1
_OPEN: Final = (Left.WRONGLY, Left.PERHAPS)


def examine(case: Case) -> Ruling:
    trace = case.trace
    past_end, too_wide, unsized, refused, reasons, past_block = case.survey.where(*CHOICES)
    sides = sum(map(case.survey.count, COUNTED))
    if trace.source in SAYS_SIZES:  # where a copy leads is not told by all of its lines
        sides = max(sides, int(np.count_nonzero(trace.accesses["role"] == Role.SOURCE)))
    past_end = _confirmed(trace, past_end)
    how = [left_block(trace, row) for row in past_block.tolist()]
    left, perhaps = (past_block[np.array([one is kind for one in how], bool)] for kind in _OPEN)
    rows = np.union1d(np.union1d(past_end, too_wide), left)
    findings = tuple(_finding(trace, int(row)) for row in rows[:KEPT])
    missing = hiding(trace, Gap.NO_SIZES, Gap.NO_ADDRESSES)
    if len(unsized):
        missing = (*missing, "allocation_sizes")
    operation = trace.accesses["operation"]
    if not np.isin(operation[refused], operation[np.union1d(reasons, rows)]).all():
        missing = (*missing, "refused_transfer")
    if len(perhaps):
        missing = (*missing, "several_blocks")
    ruling = settled(HYPOTHESIS, sides, findings, missing, len(rows))
    return replace(ruling, doubts=doubts_of(trace, "several_blocks", HYPOTHESIS, perhaps))


def _is_past(block: AccessBlock) -> Mask:
    return block.counts & block.is_transfer & block.is_live & (block.bytes > block.left)


def _is_wide(block: AccessBlock) -> Mask:
    refused = block.counts & block.is_transfer & block.of_operation("failed")
    pitch = block.rows["pitch"]
    return refused & (pitch > 0) & (block.rows["width"] > pitch) if refused.any() else refused


def _is_refused_side(block: AccessBlock) -> Mask:
    invalid = block.of_operation("failed") & (block.of_operation("result") == _INVALID_VALUE)
    return block.counts & block.is_transfer & invalid


def _is_reason(block: AccessBlock) -> Mask:
    """Why HIP may have refused it, if not for its size: the memory is not what it should be."""
    refused = _is_refused_side(block)
    if not refused.any():
        return refused
    space, element = block.rows["space"], np.maximum(block.rows["element"], 1)
    bad = block.is_freed | (block.address == 0) | (block.is_nowhere & (space != Space.HOST))
    bad |= (space == Space.HOST) & block.in_device_memory
    bad |= block.address % element.astype(np.uint64) != 0
    return bad & refused


def _is_destination(block: AccessBlock) -> Mask:
    return block.counts & (block.role == Role.DESTINATION)


def _is_unsized(block: AccessBlock) -> Mask:
    return block.counts & block.is_transfer & block.is_live & ~block.has_size


def _is_past_block(block: AccessBlock) -> Mask:
    return block.counts & block.is_transfer & block.is_past_block & ~_is_past(block)


CHOICES: Final = (_is_past, _is_wide, _is_unsized, _is_refused_side, _is_reason, _is_past_block)
COUNTED: Final = (_is_destination,)


def _confirmed(trace: Trace, rows: Table) -> Table:
    """Without those that go on into the next mapping, or that lost calls may explain."""
    if "hipMemMap" in trace.calls:
        alone = [not _goes_on_into_next_mapping(trace, row) for row in rows.tolist()]
        rows = rows[np.array(alone, bool)]
    if trace.source not in SAYS_SIZES and present(trace, LOST_LIFETIMES):
        rows = rows[_is_refused(trace, rows)]
    return rows


def _is_refused(trace: Trace, rows: Table) -> Mask:
    operations = trace.operations[trace.accesses["operation"][rows]]
    return operations["failed"] & ~np.isin(operations["result"], STICKY)


def _goes_on_into_next_mapping(trace: Trace, access: Row) -> bool:
    record, table = trace.accesses[access], trace.allocations
    row, end = int(record["operation"]), int(record["address"]) + int(record["bytes"])
    at = int(record["allocation"])
    if not _is_mapping(trace, at):
        return False
    reached = bounds_of(table[at])[1]
    live = (table["freed_at"] < 0) | (table["freed_at"] > row)
    while reached < end:
        following = np.flatnonzero((table["address"] == reached) & live & (table["bytes"] > 0))
        following = following[[_is_mapping(trace, int(f)) for f in following]]
        if len(following) == 0:
            return False
        reached += int(table["bytes"][following[0]])
    return True


def _is_mapping(trace: Trace, allocation: Row) -> bool:
    made_at = int(trace.allocations["made_at"][allocation])
    return made_at >= 0 and trace.calls[int(trace.operations["call"][made_at])] == "hipMemMap"


def _finding(trace: Trace, access: Row) -> Finding:
    record = trace.accesses[access]
    allocation, size = int(record["allocation"]), int(record["bytes"])
    refused = "yes" if _is_refused(trace, np.array([access]))[0] else "no"
    if allocation >= 0:
        buffer = buffer_of(trace, allocation, int(record["block"]))
        left = bounds_of(buffer)[1] - int(record["address"])
        if size > left:
            more: dict[str, Value] = {"left": left, "past_end": size - left, "refused": refused}
            return finding_of(trace, "transfer_past_end", access, more=more)
    more = {"width": int(record["width"]), "pitch": int(record["pitch"]), "refused": refused}
    return finding_of(trace, "row_wider_than_pitch", access, more=more)
