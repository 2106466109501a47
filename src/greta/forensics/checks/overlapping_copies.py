"""Two writes overlap, one at least a transfer, and nothing orders them; or a copy meets itself.

What it does:
    Puts all work of streams and all waits of the host in HIP's order and looks, byte range by
    byte range, for two writes to the same memory that do not wait for each other, one of them a
    copy or a fill. Rectangles are compared row by row. docs/order.md has the rules.
    Compares the source of each copy with its destination: HIP asks that they do not overlap.

Evidence:
    Streams, events, waits, copies, kernels' arguments; what the host accesses with --watch-host.

Known problems:
    A copy after which a kernel may write the same memory is missing_sync: the kernel is taken to
    use what the copy brings.
    Rectangles of more than some thousand rows are not compared, and make the ruling INCONCLUSIVE.
    Of copies of boxes (hipMemcpy3D), source and destination are not compared.
    What the host does itself is a limit (greta.forensics.limits), but for what --watch-host sees.

Example:
    hipMemcpyAsync(d, h1, n, hipMemcpyHostToDevice, a);
    hipMemsetAsync(d, 0, n, b);
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from greta.forensics.case import Case
from greta.forensics.races import race_codes, rule
from greta.forensics.scan import KindBlock, Mask, Survey
from greta.forensics.verdict import Finding, Ruling, Value
from greta.forensics.wording import ACCESS_FIELDS, BUFFER_FIELDS, KEPT, finding_of, settled
from greta.trace.trace import NONE, Role, Row, Table, Trace

HYPOTHESIS: Final = "overlapping_copies"
CODES: Final[dict[str, tuple[str, ...]]] = {
    **race_codes(
        HYPOTHESIS,
        "host_writes_over_write",
        "transfer_writes_over_write",
        "kernel_writes_over_write",
    ),
    "copy_meets_itself": (*ACCESS_FIELDS, *BUFFER_FIELDS, "source_address", "source_bytes"),
}


def examine(case: Case) -> Ruling:
    trace, compared = case.trace, case.conflicts
    ruling = rule(case, HYPOTHESIS, compared.transfer_writes)
    own = own_overlaps(trace, case.survey)
    if not own:
        return ruling
    findings = (*ruling.findings, *(_meets_itself(trace, one) for one in own[:KEPT]))
    first = sorted(findings, key=lambda finding: finding.seq)[:KEPT]
    unordered = ruling.data["found"]
    found = len(own) + (unordered if isinstance(unordered, int) else 0)
    return settled(HYPOTHESIS, ruling.examined, tuple(first), ruling.missing, found)


def _meets_itself(trace: Trace, copy: OwnOverlap) -> Finding:
    address, size = trace.accesses[copy.source][["address", "bytes"]].tolist()
    more: dict[str, Value] = {"source_address": hex(address), "source_bytes": size}
    return finding_of(trace, "copy_meets_itself", copy.destination, more=more)


# --- copies onto themselves -----------------------------------------------------------------------

ROWS: Final = 1 << 12
"""Rectangles with more rows than this are not compared."""
_LAST: Final = 1 << 62
"""No memory ends beyond it, and sums of two numbers below it do not run over."""


class OwnOverlap(NamedTuple):
    """The two sides of a copy, as rows in accesses."""

    destination: Row
    source: Row


def own_overlaps(trace: Trace, survey: Survey) -> list[OwnOverlap]:
    """All such copies that HIP did not refuse, in order."""
    (sides,) = survey.where(*CHOICES)
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


def _may_meet(block: KindBlock) -> Mask:
    """A side of a copy whose bytes may meet those of the access beside it."""
    used = block.is_transfer & (block.bytes > 0) & (block.address != 0)
    used &= block.counts & ~block.of_operation("failed")
    return used & block.may_meet


CHOICES: Final = (_may_meet,)


def _really_meet(trace: Trace, copy: OwnOverlap) -> bool:
    """Rectangles may lie in each other's gaps; what lies between slices of a box is not known."""
    one, other = trace.accesses[copy.destination], trace.accesses[copy.source]
    pitches = int(one["pitch"]), int(other["pitch"])
    if int(one["address"]) == int(other["address"]) and pitches[0] == pitches[1]:
        return False
    if pitches == (0, 0):
        return True
    row = trace.row_of(int(one["origin"]))
    if row == NONE or "2D" not in trace.calls[int(trace.operations["call"][row])]:
        return False
    starts, other_starts = _row_starts(one), _row_starts(other)
    if not len(starts) or not len(other_starts):
        return False
    # Both are in order: which row of the other is the first that ends behind each?
    after = np.searchsorted(other_starts, starts - _width(other), "right")
    inside = after < len(other_starts)
    return bool((other_starts[after[inside]] < starts[inside] + _width(one)).any())


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
