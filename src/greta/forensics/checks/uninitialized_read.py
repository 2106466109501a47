"""Bytes are used that nothing has written since they were allocated.

What it does:
    Follows, for device memory, which bytes copies and memsets have written, copies between device
    buffers included, and looks whether a copy to the host takes others. If it takes nothing else,
    the finding is about the first copy that took them out of their buffer; if it does, whether the
    program uses them is not known, and it is a doubt. Of kernels the simulated device notes reads
    of bytes that nothing wrote (--footprints). A load is not a use: kernels load padding, slots of
    an empty cache, all of a fresh buffer to warm up, and drop it. So it is a doubt, unless such
    bytes led the launch to the address at which it faulted, or `greta pin` has shown that what
    comes to the host, or what the program does, is another when fresh memory holds other bytes.

Evidence:
    Addresses and sizes of allocations and transfers; what the simulated device noted; `greta pin`.

Known problems:
    What a kernel writes is not known without footprints. If one ran between the allocation and the
    copy, the copy shows nothing, and the ruling is INCONCLUSIVE (kernel_reach).
    Pinned and managed memory is written by the host as well, and memory that is shared with other
    processes by them: neither is looked at.
    Of a kernel that reads and writes the same bytes the device notes a read that came first, in
    memory whose every write it knows. That none did is not in the evidence (in_place).
    The device tells of the first such bytes of a launch only.
    Where something that may write the bytes has no order with the read, here or where a copy
    brought them from, they may only have been read too early: left to the hypotheses about order.

Example:
    hipMalloc(&d, 4096); hipMemcpy(h, d, 4096, hipMemcpyDeviceToHost);
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from greta.forensics.case import Case
from greta.forensics.copies import ROWS, copies_in
from greta.forensics.limits import limited
from greta.forensics.order import ordered
from greta.forensics.scan import (
    KERNEL_ROLES,
    LAUNCHES,
    AccessBlock,
    Mask,
    bounds_of,
    count_of,
    feeds,
    is_shared,
    live_at,
    new_memory,
    ran,
)
from greta.forensics.verdict import (
    DROPPED_READS,
    IN_PLACE,
    KERNEL_REACH,
    Doubt,
    Finding,
    Ruling,
    Value,
)
from greta.forensics.wording import (
    ACCESS_FIELDS,
    BUFFER_FIELDS,
    KEPT,
    OPERATION_FIELDS,
    buffer_words,
    finding_of,
    operation_words,
    ruling_codes,
    settled,
)
from greta.large_arrays import places_of_true
from greta.trace.evidence import DeviceRemark
from greta.trace.trace import (
    LOST_LIFETIMES,
    NONE,
    RECORDING,
    Gap,
    Kind,
    Memory,
    Mode,
    Role,
    Row,
    Table,
    Trace,
    hiding,
    present,
)

HYPOTHESIS: Final = "uninitialized_read"
_UNWRITTEN: Final = ("unwritten", "unwritten_bytes")
CODES: Final[dict[str, tuple[str, ...]]] = {
    "copy_of_unwritten": (*ACCESS_FIELDS, *BUFFER_FIELDS, *_UNWRITTEN),
    "unwritten_copied_on": (*ACCESS_FIELDS, *BUFFER_FIELDS, *_UNWRITTEN, "user"),
    "kernel_reads_unwritten": (*OPERATION_FIELDS, *BUFFER_FIELDS, *_UNWRITTEN),
    "unwritten_used": (*OPERATION_FIELDS, *BUFFER_FIELDS, *_UNWRITTEN, "user"),
    "unwritten_shows": (*OPERATION_FIELDS, *BUFFER_FIELDS, *_UNWRITTEN),
    "doubt_unwritten_copy": (*ACCESS_FIELDS, *BUFFER_FIELDS, *_UNWRITTEN, "seq"),
    "doubt_unwritten_read": (*OPERATION_FIELDS, *BUFFER_FIELDS, *_UNWRITTEN, "seq"),
    "doubt_unwritten_result": (*OPERATION_FIELDS, *BUFFER_FIELDS, *_UNWRITTEN, "seq", "user"),
    **ruling_codes(HYPOTHESIS),
}
MOST: Final = 20_000
"""So many transfers are followed one by one."""


def examine(case: Case) -> Ruling:
    trace = case.trace
    reads = _Reads(case)
    missing = hiding(trace, Gap.NO_ADDRESSES, Gap.NO_SIZES)
    known = not present(trace, LOST_LIFETIMES | {Gap.NO_ADDRESSES, Gap.NO_SIZES, Gap.OVERWRITTEN})
    findings, doubts = _of_remarks(case)
    if known and trace.source == RECORDING:
        of_copies, more = _of_copies(case, reads)
        findings, doubts = findings + of_copies, doubts + more
    missing = (*missing, *sorted({_doubt(one).code for one in doubts}))
    if len(reads.sure) > MOST:
        missing = (*missing, "too_many_transfers")
    if is_shared(trace):
        missing = (*missing, "shared_memory")
    examined = reads.count + count_of(trace, *LAUNCHES)
    kept, open_ones = _by_call(findings), _by_call(doubts)
    ruling = settled(HYPOTHESIS, examined, tuple(kept[:KEPT]), missing, len(kept))
    ruling = limited(ruling, (*_unknown_of_launches(case), *_dropped(case)))
    return replace(ruling, doubts=tuple(map(_doubt, open_ones[:KEPT])))


def _by_call(findings: list[Finding]) -> list[Finding]:
    """The first of each call."""
    first = {one.seq: one for one in reversed(findings)}
    return sorted(first.values(), key=lambda one: one.seq)


def _doubt(finding: Finding) -> Doubt:
    """Whether the bytes that nothing wrote are used is not known."""
    words = {name: value for name, value in finding.data.items() if name != "user"}
    code = "unwritten_read" if finding.code == "kernel_reads_unwritten" else "unwritten_copy"
    if finding.code == "unwritten_used":
        code, words = "unwritten_result", dict(finding.data)
    return Doubt(code, (finding.seq,), HYPOTHESIS, {**words, "seq": finding.seq})


def _unknown_of_launches(case: Case) -> tuple[str, ...]:
    """What the device did not note of the kernels that ran."""
    noted, launched = case.evidence.noted_launches, ran(case.trace, *LAUNCHES)
    if len(noted) < np.count_nonzero(launched):
        return (KERNEL_REACH,)
    seqs = case.trace.operations["seq"][launched].tolist()
    if not noted.keys() >= set(seqs):
        return (KERNEL_REACH,)
    return (IN_PLACE,) if any(noted[seq] for seq in seqs) else ()


class _Reads:
    """Copies out of fresh device memory, by whether a kernel may have written there before."""

    def __init__(self, case: Case) -> None:
        trace = case.trace
        is_fresh = new_memory(trace) & trace.allocations["known_bytes"]
        self._trace, self._is_fresh = trace, np.append(is_fresh, False)
        self._launches = places_of_true(ran(trace, *LAUNCHES))
        self.count = 0
        (sources,) = case.survey.where(_is_copied)
        parts = (sources[first : first + ROWS] for first in range(0, len(sources), ROWS))
        self.sure: Table = np.concatenate([np.empty(0, np.int64), *map(self._sure, parts)])
        """Rows in accesses: no kernel ran since the memory was allocated."""

    def _sure(self, source: Table) -> Table:
        trace, accesses = self._trace, self._trace.accesses
        source = source[self._is_fresh[accesses["allocation"][source]]]
        self.count += len(source)
        operation, allocation = accesses["operation"][source], accesses["allocation"][source]
        made_at = trace.allocations["made_at"][allocation]
        # A graph may have kernels before its copies.
        in_graph = trace.column("kind")[operation] == Kind.GRAPH_LAUNCH
        launched = np.searchsorted(self._launches, operation + in_graph)
        return source[launched == np.searchsorted(self._launches, np.maximum(made_at, 0))]


def _is_copied(block: AccessBlock) -> Mask:
    """What a copy that ran, or was to run, reads."""
    copied = (block.role == Role.SOURCE) & (block.bytes > 0)
    return copied & ~block.of_operation("captured") & ~block.of_operation("failed")


CHOICES: Final = (_is_copied,)


# --- copies, followed one by one ------------------------------------------------------------------


@dataclass
class _Unwritten:
    """A range of bytes that nothing has written, and the copy that first took them, if one did."""

    start: int
    end: int
    taken_by: Row = NONE
    """Row in accesses."""

    def first_taken(self, now: Row) -> Row:
        return self.taken_by if self.taken_by != NONE else now


@dataclass
class _Shadow:
    """The unwritten ranges of each allocation."""

    trace: Trace
    ranges: dict[int, list[_Unwritten]] = field(default_factory=dict)

    def of(self, allocation: int) -> list[_Unwritten]:
        """All of it until something is written."""
        if allocation not in self.ranges:
            whole = bounds_of(self.trace.allocations[allocation])
            self.ranges[allocation] = [_Unwritten(*whole)]
        return self.ranges[allocation]

    def write(self, allocation: int, start: int, end: int) -> None:
        """A rectangle counts as written from its first byte to its last."""
        kept = []
        for one in self.of(allocation):
            kept.append(_Unwritten(one.start, min(one.end, start), one.taken_by))
            kept.append(_Unwritten(max(one.start, end), one.end, one.taken_by))
        self.ranges[allocation] = [one for one in kept if one.start < one.end]

    def read(self, access: Table) -> list[_Unwritten]:
        """The unwritten parts of what an access takes."""
        start, size = int(access["address"]), int(access["bytes"])
        found = [
            _Unwritten(max(one.start, start), min(one.end, start + size), one.taken_by)
            for one in self.of(int(access["allocation"]))
        ]
        return [one for one in found if one.start < one.end and _is_in_a_row(access, one)]


def _is_in_a_row(access: Table, found: _Unwritten) -> bool:
    """Whether bytes of a rectangle are among those, and not only what lies between its rows."""
    pitch, width = int(access["pitch"]), int(access["width"])
    if pitch == 0:
        return True
    offset = (found.start - int(access["address"])) % pitch
    return offset < width or found.start + pitch - offset < found.end


def _of_copies(case: Case, reads: _Reads) -> tuple[list[Finding], list[Finding]]:
    """What copies to the host take that nothing wrote: all they take, or some of it."""
    trace = case.trace
    if not len(reads.sure) or len(reads.sure) > MOST:
        return [], []
    wanted = np.zeros(len(trace.allocations) + 1, bool)
    wanted[trace.accesses["allocation"][reads.sure]] = True
    sure = {int(row) for row in reads.sure.tolist()}
    whole: list[Finding] = []
    partly: list[Finding] = []
    shadow = _Shadow(trace)
    for source, destination in _transfers(trace, wanted):
        unwritten = shadow.read(trace.accesses[source]) if source in sure else []
        unwritten = [one for one in unwritten if not _may_be_written(case, source, one)]
        if destination != NONE and wanted[trace.accesses["allocation"][destination]]:
            _pass_on(shadow, trace, source, destination, unwritten)
        elif unwritten and not _is_on_device(trace, destination):
            first = unwritten[0].first_taken(source)
            size = sum(one.end - one.start for one in unwritten)
            copied = trace.accesses[source]
            is_whole = not int(copied["pitch"]) and size == int(copied["bytes"])
            (whole if is_whole else partly).append(_finding(trace, first, source, unwritten[0]))
    return whole, partly


def _transfers(trace: Trace, wanted: Table) -> list[tuple[Row, Row]]:
    """Sources and destinations of copies and memsets that concern these allocations, in order."""
    copies = copies_in(trace)
    pairs = [*zip(copies.source.tolist(), copies.destination.tolist(), strict=True)]
    accesses, operations = trace.accesses, trace.operations
    filled = accesses["role"] == Role.DESTINATION
    filled[copies.destination[copies.destination != NONE]] = False
    filled &= ~operations["captured"][accesses["operation"]]
    pairs += [(NONE, row) for row in np.flatnonzero(filled).tolist()]
    concerned = [pair for pair in pairs if any(_concerns(trace, row, wanted) for row in pair)]
    return sorted(concerned, key=max)


def _concerns(trace: Trace, access: Row, wanted: Table) -> bool:
    if access == NONE:
        return False
    record = trace.accesses[access]
    failed = trace.operations["failed"][int(record["operation"])]
    return bool(wanted[int(record["allocation"])] and not failed)


def _pass_on(
    shadow: _Shadow, trace: Trace, source: Row, destination: Row, unwritten: list[_Unwritten]
) -> None:
    """A copy between device buffers writes what it read; what was unwritten still is."""
    into = trace.accesses[destination]
    start, allocation = int(into["address"]), int(into["allocation"])
    shadow.write(allocation, start, start + int(into["bytes"]))
    if source == NONE or int(into["pitch"]) or int(trace.accesses["pitch"][source]):
        return
    moved = start - int(trace.accesses["address"][source])
    shadow.ranges[allocation] += [
        _Unwritten(one.start + moved, one.end + moved, one.first_taken(source)) for one in unwritten
    ]


def _is_on_device(trace: Trace, destination: Row) -> bool:
    """Whether the copy goes to memory of a device, where nobody has looked at it yet."""
    if destination == NONE:
        return True
    allocation = int(trace.accesses["allocation"][destination])
    on_device = (Memory.DEVICE, Memory.POOL, Memory.SYMBOL, Memory.MANAGED)
    return allocation != NONE and int(trace.allocations["memory"][allocation]) in on_device


def _may_be_written(case: Case, source: Row, unwritten: _Unwritten) -> bool:
    """Whether a later call writes there that is not known to come after the read."""
    trace, accesses = case.trace, case.trace.accesses
    read = int(accesses["operation"][source])
    allocation = int(accesses["allocation"][source])
    later = accesses[(accesses["allocation"] == allocation) & (accesses["operation"] > read)]
    later = later[np.isin(later["role"], (Role.DESTINATION, *KERNEL_ROLES))]
    start, end = later["address"], later["address"] + later["bytes"]
    meets = (start < unwritten.end) & (end > unwritten.start)
    kernels = np.isin(later["role"], KERNEL_ROLES)
    rows = later["operation"][meets | kernels]
    rows = rows[~(trace.operations["failed"] | trace.operations["captured"])[rows]]
    done = int(case.completion.known_by[read])
    return bool(len(rows)) and (done == NONE or done > int(rows.min()))


def _finding(trace: Trace, first: Row, used: Row, unwritten: _Unwritten) -> Finding:
    more: dict[str, Value] = {
        "unwritten": hex(unwritten.start),
        "unwritten_bytes": unwritten.end - unwritten.start,
    }
    if first == used:
        return finding_of(trace, "copy_of_unwritten", first, more=more)
    user = int(trace.operations["seq"][int(trace.accesses["operation"][used])])
    return finding_of(trace, "unwritten_copied_on", first, more={**more, "user": user})


# --- what the device noted ------------------------------------------------------------------------


def _of_remarks(case: Case) -> tuple[list[Finding], list[Finding]]:
    """Of kernels and copies; the second: those of which it is not known whether they matter."""
    found: list[Finding] = []
    partly: list[Finding] = []
    loads: list[Finding] = []
    for row, remark in _unwritten(case):
        if not remark.kernel:
            if finding := _of_copy(case.trace, row, remark):
                is_whole = finding.data["bytes"] == remark.bytes
                (found if is_whole else partly).append(finding)
        elif _leads_astray(case, row):
            found.append(_of_kernel(case.trace, row, remark, 1))
        else:
            loads.append(_of_kernel(case.trace, row, remark, 2))
    used, unknown = _tried(case, loads)
    return found + used, partly + unknown


def _unwritten(case: Case) -> list[tuple[Row, DeviceRemark]]:
    """The first of each kernel and place, but not what was only read too early."""
    first: dict[tuple[str | None, int], tuple[Row, DeviceRemark]] = {}
    for remark in case.evidence.remarks:
        row = case.trace.row_of(remark.seq) if remark.seq is not None else NONE
        if remark.what == "unwritten" and row != NONE:
            first.setdefault((remark.kernel, remark.address), (row, remark))
    noted = list(first.values())
    writers = [
        (place, pair)
        for place, (row, remark) in enumerate(noted)
        for pair in _writers(
            case.trace,
            row,
            allocation_at(case.trace, remark.buffer, row),
            range(remark.address, remark.address + (remark.bytes or 1)),
        )
    ]
    answers = ordered(case.trace, [pair for _, pair in writers])
    early = {place for (place, _), one in zip(writers, answers, strict=True) if not one.ordered}
    return [one for place, one in enumerate(noted) if place not in early]


def _writers(
    trace: Trace, reader: Row, allocation: Row, read: range, most: int = 16
) -> Iterator[tuple[Row, Row]]:
    """The read and each operation that may write its bytes; also where copies brought them from."""
    mine = trace.accesses[trace.accesses["allocation"] == allocation]
    meets = mine["address"] < np.uint64(read.stop)
    meets &= np.uint64(read.start) < mine["address"] + mine["bytes"]
    meets &= (mine["mode"] != Mode.READ) & (mine["operation"] != reader)
    rows = np.unique(mine["operation"][meets])
    rows = rows[~(trace.operations["failed"] | trace.operations["captured"])[rows]]
    yield from ((min(reader, row), max(reader, row)) for row in rows.tolist()[:KEPT])
    for row in rows[rows < reader].tolist()[-1:] if most else ():
        sides = trace.accesses_of(row)
        into, source = (sides[sides["role"] == role] for role in (Role.DESTINATION, Role.SOURCE))
        if len(into) == len(source) == 1 and not int(into["pitch"][0]):
            moved = int(source["address"][0]) - int(into["address"][0])
            brought = range(read.start + moved, read.stop + moved)
            yield from _writers(trace, row, int(source["allocation"][0]), brought, most - 1)


def _leads_astray(case: Case, row: Row) -> bool:
    """Whether a launch faulted where fresh bytes lead, and this one read or passed on such."""
    attribution = case.attribution
    likely = attribution.likely if attribution and attribution.by_fresh_memory else None
    return likely is not None and (row == likely.row or feeds(case.trace, row, likely.row))


def _tried(case: Case, loads: list[Finding]) -> tuple[list[Finding], list[Finding]]:
    """What `greta pin` has shown of what kernels load: used, or not known."""
    tried = case.evidence.fresh_bytes
    if tried is None or not loads:
        return [], loads
    if tried.reach == "none":
        return [], []
    seq = tried.copy
    loads = [one for one in loads if seq is None or one.seq < seq] or loads
    kinds = {(one.data["kernel"], one.allocation) for one in loads}
    first = min(loads, key=lambda one: one.seq)
    code, more = ("unwritten_shows", {}) if seq is None else ("unwritten_used", {"user": seq})
    # Of several that load such bytes it is not known which of them matters.
    strength = 2 if len(kinds) == 1 else 1
    used = replace(first, code=code, data={**first.data, **more}, strength=strength)
    return ([used], []) if tried.reach == "used" else ([], [used])


def _dropped(case: Case) -> tuple[str, ...]:
    """What it takes to say that loaded bytes do not matter: they did not in the runs of a pin."""
    tried = case.evidence.fresh_bytes
    return (DROPPED_READS,) if tried and tried.reach == "none" else ()


def _of_copy(trace: Trace, row: Row, remark: DeviceRemark) -> Finding | None:
    accesses = trace.access_rows(row)
    sources = np.flatnonzero(trace.accesses[accesses]["role"] == Role.SOURCE)
    if int(trace.operations["kind"][row]) != Kind.COPY or len(sources) != 1:
        return None
    more: dict[str, Value] = {"unwritten": hex(remark.address), "unwritten_bytes": remark.bytes}
    return finding_of(trace, "copy_of_unwritten", accesses.start + int(sources[0]), more=more)


def _of_kernel(trace: Trace, row: Row, remark: DeviceRemark, strength: int) -> Finding:
    allocation = allocation_at(trace, remark.buffer, row)
    words = operation_words(trace, row) | buffer_words(trace, allocation)
    words["kernel"] = words["kernel"] or remark.kernel
    words |= {"unwritten": hex(remark.address), "unwritten_bytes": remark.bytes}
    seq = int(trace.operations["seq"][row])
    code = "kernel_reads_unwritten"
    return Finding(code, seq, allocation=allocation, data=words, strength=strength)


def allocation_at(trace: Trace, address: int, row: Row) -> Row:
    """The allocation that begins there and was live at a row; NONE if there is none."""
    table = trace.allocations
    found = np.flatnonzero(live_at(table, row) & (table["address"] == np.uint64(address)))
    return int(found[-1]) if len(found) else NONE
