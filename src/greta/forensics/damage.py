"""Writes next to an allocation that hardware does not notice, and the simulated device does.

It finds them late, when the memory is freed, and does not know who wrote. The launches that were
given the memory while it lived are the suspects; one whose numbers lead past its end is the likely
one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import numpy as np

from greta.forensics.case import Case
from greta.forensics.fault_address import FRACTIONS, freed_before
from greta.forensics.scan import KERNEL_ROLES, LAUNCHES, bounds_of, ran
from greta.forensics.verdict import Finding, Value
from greta.forensics.wording import buffer_words, finding_of, operation_words
from greta.trace.evidence import DeviceRemark
from greta.trace.trace import NONE, Mode, Row, Table, Trace

MOST: Final = 256
"""So many launches are looked at one by one, the last ones."""


def damage_findings(case: Case) -> tuple[Finding, ...]:
    """One for each buffer beside which something was written, while kernels ran."""
    found: dict[Row, Finding] = {}
    for remark in case.evidence.remarks:
        buffer = _buffer(case.trace, remark)
        if remark.what == "unwritten" or buffer == NONE:
            continue
        if remark.access == "read" or freed_before(case.trace, remark)[0] != NONE:
            continue  # which harms nobody; which is the matter of use_after_free
        finding = _finding(case.trace, remark, buffer)
        known = found.get(buffer)
        if finding and (known is None or finding.strength > known.strength):
            found[buffer] = finding
    return tuple(sorted(found.values(), key=lambda one: one.seq))


def _buffer(trace: Trace, remark: DeviceRemark) -> Row:
    """Its last lifetime: addresses are not handed out again soon."""
    table = trace.allocations
    same = (table["address"] == np.uint64(remark.buffer)) & (table["bytes"] == remark.buffer_bytes)
    rows = np.flatnonzero(same)
    return int(rows[-1]) if len(rows) else NONE


def _finding(trace: Trace, remark: DeviceRemark, buffer: Row) -> Finding | None:
    end = bounds_of(trace.allocations[buffer])[1]
    accesses = _given(trace, remark, buffer)
    rows = np.unique(trace.accesses["operation"][accesses])
    more: dict[str, Value] = {
        "fault_address": hex(remark.address),
        "fault_bytes": 1,
        "past_end": max(0, remark.address - end),
        "suspects": max(1, len(rows)),
    }
    code = "kernel_wrote_past_end" if remark.address >= end else "kernel_wrote_before"
    if len(rows) == 1:
        return finding_of(trace, code, int(accesses[0]), more=more)
    reaching = [one for one in accesses[-MOST:].tolist() if _reaches(trace, one, remark.address)]
    if reaching or len(rows):
        likely = reaching[-1] if reaching else int(accesses[-1])
        return finding_of(trace, code, likely, 1, more)
    return _of_unknown(trace, buffer, more)


def _given(trace: Trace, remark: DeviceRemark, buffer: Row) -> Table:
    """The pointers into a buffer, not const, of launches while it lived; or of the one named."""
    accesses = trace.accesses
    chosen = (accesses["allocation"] == buffer) & np.isin(accesses["role"], KERNEL_ROLES)
    chosen &= (accesses["mode"] != Mode.READ) & ran(trace, *LAUNCHES)[accesses["operation"]]
    named = trace.row_of(remark.seq) if remark.seq is not None else NONE
    if named != NONE:
        chosen &= accesses["operation"] == named
    return np.flatnonzero(chosen)


def _reaches(trace: Trace, access: Row, address: int) -> bool:
    """Whether one of the launch's numbers, or two together, as a count lead past an address."""
    record = trace.accesses[access]
    start, element = int(record["address"]), max(int(record["element"]), 1)
    if start + int(record["reach"]) > address:
        return True
    return any(start + count * element > address for count in _counts(trace, record))


def _counts(trace: Trace, record: Table) -> Iterator[int]:
    origin = int(record["origin"])
    seq = origin if origin > 0 else int(trace.operations["seq"][int(record["operation"])])
    arguments = trace.describe(seq).kernel_arguments
    numbers = [
        value
        for _, type_, value in arguments
        if value and not any(word in type_ for word in ("*", *FRACTIONS, "half"))
    ]
    yield from numbers
    yield from (one + other for one, other in combinations(numbers, 2))


def _of_unknown(trace: Trace, buffer: Row, more: dict[str, Value]) -> Finding | None:
    """No launch was given the buffer: one has reached it in another way, if any ran."""
    record = trace.allocations[buffer]
    rows = np.flatnonzero(ran(trace, *LAUNCHES))
    rows = rows[rows > int(record["made_at"])]
    rows = rows[rows < int(record["freed_at"])] if int(record["freed_at"]) >= 0 else rows
    if not len(rows):
        return None
    row = int(rows[-1])
    words = operation_words(trace, row) | buffer_words(trace, buffer) | more
    words["suspects"] = len(rows)
    seq = int(trace.operations["seq"][row])
    strength = 2 if len(rows) == 1 else 1
    return Finding("kernel_wrote_outside", seq, allocation=buffer, data=words, strength=strength)
