"""A transfer or a kernel's argument names memory that has been freed, or is freed in flight.

What it does:
    Looks at every transfer, every pointer given to a kernel, inside structs too, at those of a
    graph at each of its launches, and at every free, whether the address lies in a lifetime of
    memory that had ended by then and in no newer one. A block whose end the program announced is
    such a lifetime, but not for what a graph uses. Asks the order of streams whether memory was
    freed while work that uses it had not ended.

Evidence:
    Addresses of allocations, frees, transfers and kernels' arguments; synchronization.

Known problems:
    An address that has been handed out again belongs to its new owner: who still means the old
    one cannot be told by the address, and is not reported.
    Memory that was pinned and is no longer is the program's own, or somebody's who got the address
    next: a copy that uses it as host memory is reported only if it failed.
    A kernel may not use a pointer that it is given. Where no fault followed and one of its numbers
    is 0 or may be a switch, or the device would have faulted, that is a doubt; else a finding about
    the argument, but not where something else explains the fault of that launch. A footprint
    decides it. A word of a
    struct need not even be a pointer: with no fault it makes the ruling INCONCLUSIVE.
    Where some memory of an allocation is used and never announced, a block that is over may be in
    use again, unannounced: a doubt.
    Whether work of another stream is over when a graph's node frees what it uses is not looked at.
    munmap and free are no calls of HIP. That memory which the program registered is gone is seen
    only by a fault in it, or by a transfer that is the only work that can have faulted.

Example:
    hipFree(d); hipMemcpy(h, d, 1024, hipMemcpyDeviceToHost);
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from greta.forensics.blocks import CODES as CODES_OF_BLOCKS
from greta.forensics.blocks import fully_announced
from greta.forensics.case import Case
from greta.forensics.fault_address import (
    address_words,
    freed_before,
    freed_meanwhile,
    reported_address,
    reported_kernel,
)
from greta.forensics.order import Conflict, ConflictKind, Sign, ordered
from greta.forensics.races import doubt_of, may_be_ordered, orders_otherwise
from greta.forensics.scan import AccessBlock, Mask, is_named, live_at
from greta.forensics.suspects import Suspect
from greta.forensics.verdict import Doubt, Finding, Ruling, Value
from greta.forensics.wording import (
    ACCESS_FIELDS,
    BUFFER_FIELDS,
    KEPT,
    OPERATION_FIELDS,
    access_words,
    buffer_words,
    doubts_of,
    finding_of,
    operation_words,
    ruling_codes,
    settled,
)
from greta.trace.device_errors import STICKY
from greta.trace.evidence import DeviceRemark
from greta.trace.trace import (
    LOST_LIFETIMES,
    NONE,
    Gap,
    Known,
    Memory,
    Role,
    Row,
    Space,
    Table,
    Trace,
    hiding,
    present,
)

HYPOTHESIS: Final = "use_after_free"
_FIELDS: Final = (*ACCESS_FIELDS, *BUFFER_FIELDS)
_FAULT: Final = ("fault_address", "fault_bytes", "suspects")
CODES: Final[dict[str, tuple[str, ...]]] = {
    "transfer_uses_freed": _FIELDS,
    "kernel_given_freed": _FIELDS,
    "uses_ended_tensor": _FIELDS,
    "freed_twice": _FIELDS,
    "freed_in_flight": (*_FIELDS, "user", "user_stream"),
    "kernel_reached_freed": (*OPERATION_FIELDS, *BUFFER_FIELDS, *_FAULT),
    "kernel_accessed_freed": (*OPERATION_FIELDS, *BUFFER_FIELDS, "fault_address"),
    "host_memory_gone": (*_FIELDS, *_FAULT),
    "doubt_dangling_argument": (*_FIELDS, "seq"),
    "doubt_ended_block": CODES_OF_BLOCKS["doubt_ended_block"],
    **ruling_codes(HYPOTHESIS),
}


def examine(case: Case) -> Ruling:
    trace = case.trace
    looked_at = case.survey.count(is_named)
    transfers, arguments, frees, late = case.survey.where(*CHOICES)
    transfers = _without_reused_host_memory(trace, transfers)
    arguments = _without_refused(case, _without_ends(trace, arguments))
    arguments, words = _without_mere_words(case, arguments)
    arguments, dangling = _without_dangling(case, arguments)
    arguments, unused = _without_unused(case, arguments)
    late, reused, perhaps = _in_ended_blocks(trace, late)
    doubts = doubts_of(trace, "dangling_argument", HYPOTHESIS, np.append(unused, perhaps))
    doubts += doubts_of(trace, "ended_block", HYPOTHESIS, reused)
    findings = _of_freed(case, np.concatenate([transfers, arguments, frees, late]))
    reached = [*_reached_by_fault(case), *_seen_in_freed(case)]
    in_flight, doubted, unsure = _in_flight(case)
    doubts += unsure
    if orders_otherwise(trace) and not present(trace, LOST_LIFETIMES):
        found_open = (c for c in case.conflicts if c.kind is ConflictKind.FREED_IN_FLIGHT)
        some = itertools.islice(found_open, KEPT)
        doubts += tuple(doubt_of(trace, "other_order", HYPOTHESIS, one) for one in some)
    missing = hiding(trace, Gap.NO_ADDRESSES, Gap.NO_ARGUMENTS, Gap.UNKNOWN_KERNELS, Gap.NO_ORDER)
    codes = dict.fromkeys(doubt.code for doubt in doubts)
    reasons = {"freed_words": len(words), "freed_arguments": len(dangling)}
    reasons |= dict.fromkeys(codes, 1)
    reasons |= {"callback": doubted, "too_many_conflicts": case.conflicts.left_off}
    missing = (*missing, *(name for name, there in reasons.items() if there))
    several = (*reached, *findings, *in_flight)
    kept = sorted(several, key=lambda finding: finding.seq)[:KEPT]
    found = len(reached) + len(in_flight)
    found += sum(len(rows) for rows in (transfers, arguments, frees, late))
    ruling = settled(HYPOTHESIS, looked_at, tuple(kept), missing, found)
    return replace(ruling, doubts=doubts)


def _is_transfer(block: AccessBlock) -> Mask:
    return block.counts & block.is_transfer & block.is_freed & (block.bytes > 0)


def _is_argument(block: AccessBlock) -> Mask:
    followed = (block.rows["known"] & Known.FOLLOWED) != 0
    return block.counts & block.is_kernels & block.is_freed & ~followed


def _is_second_free(block: AccessBlock) -> Mask:
    again = (block.rows["role"] == Role.FREED) & block.is_freed
    return again & block.counts & block.of_operation("failed")


def _without_reused_host_memory(trace: Trace, rows: Table) -> Table:
    """Leave out host memory that a copy could use: it is mapped, so it is somebody's again.

    HIP refuses no copy for it, so it went wrong only if the device faulted or the process died.
    """
    operations = trace.operations[trace.accesses["operation"][rows]]
    space = trace.accesses["space"][rows]
    wrong = np.isin(operations["result"], STICKY) & operations["failed"]
    wrong |= (space == Space.UNKNOWN) & operations["failed"]
    wrong |= ~operations["finished"] & (trace.signal is not None)
    return rows[(space == Space.DEVICE) | wrong]


def _without_ends(trace: Trace, rows: Table) -> Table:
    """Leave out pointers to the end of a live buffer of the same launch: (begin, end) pairs."""
    address = trace.accesses["address"][rows]
    first = trace.allocations["address"][trace.accesses["allocation"][rows]]
    ends = np.unique(trace.allocations["address"] + trace.allocations["bytes"])
    may_be_end = np.flatnonzero((address == first) & np.isin(address, ends))
    out = [place for place in may_be_end.tolist() if _is_end(trace, int(rows[place]))]
    return np.delete(rows, out)


def _is_end(trace: Trace, access: Row) -> bool:
    address, row = trace.accesses["address"][access], int(trace.accesses["operation"][access])
    others = trace.accesses_of(row)["allocation"]
    buffers = trace.allocations[others[others != NONE]]
    live = (buffers["freed_at"] < 0) | (buffers["freed_at"] > row)
    return bool((live & (buffers["address"] + buffers["bytes"] == address)).any())


def _without_refused(case: Case, rows: Table) -> Table:
    """Leave out launches that did not run; one that reports its own fault did."""
    operations = case.trace.accesses["operation"][rows]
    refused = case.trace.operations["failed"][operations]
    if refused.any():
        refused &= operations != _likely(case)
    return rows[~refused]


def _without_mere_words(case: Case, rows: Table) -> tuple[Table, Table]:
    """Set apart words of structs of which no fault says that the kernel used them."""
    accesses = case.trace.accesses[rows]
    words = accesses["role"] == Role.STRUCT_WORD
    if words.any():
        words &= accesses["operation"] != _likely(case)
    return rows[~words], rows[words]


def _without_dangling(case: Case, rows: Table) -> tuple[Table, Table]:
    """Set apart freed arguments of the launch whose fault something else explains."""
    attribution = case.attribution
    suspect = attribution.likely if attribution else None
    if suspect is None or suspect.hypothesis == HYPOTHESIS or suspect.weight[1] == 0:
        return rows, rows[:0]
    dangling = case.trace.accesses["operation"][rows] == suspect.row
    return rows[~dangling], rows[dangling]


def _without_unused(case: Case, rows: Table) -> tuple[Table, Table]:
    """Set apart freed arguments that a kernel may have left alone.

    One of its numbers is 0, and may switch them off, or there are several, and one may be a switch;
    or the device would have faulted: the simulated one gives freed memory back at once, but for
    that of pools.
    """
    accesses = case.trace.accesses[rows]
    unused = (accesses["known"] & Known.ACCESSED) == 0
    unused |= (accesses["known"] & (Known.PLAIN | Known.LONE)) == 0
    device = case.evidence.run.device
    if device and device.kind == "sim":
        memory = case.trace.allocations["memory"][accesses["allocation"]]
        unused |= memory == Memory.DEVICE
    if unused.any():  # what is freed under the launch that faulted is freed under others, too
        faulted = accesses["operation"] == _likely(case)
        unused &= ~np.isin(accesses["allocation"], accesses["allocation"][faulted])
    return rows[~unused], rows[unused]


def _is_in_ended_block(block: AccessBlock) -> Mask:
    """Only plain pointers among a kernel's words: a word of a struct may be anything."""
    named = block.is_transfer | (block.role == Role.ARGUMENT)
    used = named & block.counts & (block.bytes > 0) & ~block.of_operation("failed")
    return used & block.is_in_ended_block


CHOICES: Final = (_is_transfer, _is_argument, _is_second_free, _is_in_ended_block)


def _in_ended_blocks(trace: Trace, rows: Table) -> tuple[Table, Table, Table]:
    """Uses of blocks that are over, of such that may be in use again, and pointers to any."""
    uses = np.array([_uses(trace, row) for row in rows.tolist()], object)
    perhaps, rows = rows[uses == None], rows[uses == True]  # noqa: E711, E712 - of each
    if not len(rows):
        return rows, rows, perhaps
    sure = fully_announced(trace, rows)
    return rows[sure], rows[~sure], perhaps


def _uses(trace: Trace, access: Row) -> bool | None:
    """Whether a transfer or launch uses its block, not only names it; None: not known."""
    record = trace.accesses[access]
    if int(record["role"]) != Role.ARGUMENT:
        return True
    row = int(record["operation"])
    noted = trace.accesses_of(row)
    if int(record["known"]) & Known.FOLLOWED:
        same = (noted["role"] == Role.FOOTPRINT) & (noted["block"] == record["block"])
        return bool(same.any())
    blocks = trace.blocks[noted["block"][noted["block"] > 0].astype(np.int64) - 1]
    ends = (blocks["address"] + blocks["bytes"])[live_at(blocks, row)]
    if (ends == record["address"]).any():  # (begin, end) pairs
        return False
    return True if int(record["known"]) & Known.ACCESSED else None


def _reached_by_fault(case: Case) -> list[Finding]:
    """Memory that the fault is in, or must be in, and that no pointer of a call shows as freed."""
    attribution = case.attribution
    suspect = attribution.likely if attribution else None
    if attribution is None or suspect is None or suspect.hypothesis != HYPOTHESIS:
        return []
    more: dict[str, Value] = {
        **address_words(reported_address(case.evidence.faults)),
        "suspects": attribution.count,
    }
    if suspect.reached_freed:
        return [_reached(case, suspect, more)]
    pointer = suspect.pointer
    access = pointer.access if pointer else suspect.host_memory
    allocation = int(case.trace.accesses["allocation"][access])
    memory = case.trace.allocations
    # Of host memory that is registered HIP is not told that the program gave it back.
    gone = live_at(memory, suspect.row) & (memory["memory"] == Memory.REGISTERED)
    if allocation == NONE or not gone[allocation]:
        return []
    strength = 2 if pointer else 1
    return [finding_of(case.trace, "host_memory_gone", access, strength, more)]


def _reached(case: Case, suspect: Suspect, more: dict[str, Value]) -> Finding:
    """By a pointer that lies in device memory: a table, a variable, a struct."""
    trace, allocation = case.trace, suspect.freed_there
    words = operation_words(trace, suspect.row) | buffer_words(trace, allocation) | more
    words["kernel"] = words["kernel"] or reported_kernel(case.evidence.faults)
    other = words["freed_by"] if isinstance(words["freed_by"], int) else None
    strength = 2 if case.attribution and case.attribution.confidence >= 0.85 else 1
    return Finding("kernel_reached_freed", suspect.seq, other, allocation, 0, NONE, words, strength)


def _seen_in_freed(case: Case) -> Iterator[Finding]:
    """Launches that the simulated device saw in freed memory: pools keep it mapped."""
    trace = case.trace
    for remark in case.evidence.remarks:
        row, allocation = freed_meanwhile(trace, remark)
        if row != NONE and not _is_over_before_free(trace, row, allocation):
            yield _freed_too_early(trace, row, allocation, remark)
            continue
        row, allocation = freed_before(trace, remark)
        if row == NONE or present(trace, LOST_LIFETIMES):
            continue
        place = trace.access_rows(row)
        given = np.flatnonzero(trace.accesses[place]["allocation"] == allocation)
        if len(given):
            yield finding_of(trace, "kernel_given_freed", int(given[0]) + place.start)
            continue
        words = operation_words(trace, row) | buffer_words(trace, allocation)
        words |= {"fault_address": hex(remark.address), "kernel": words["kernel"] or remark.kernel}
        seqs = int(trace.operations["seq"][row]), int(trace.allocations["freed_by"][allocation])
        yield Finding("kernel_accessed_freed", *seqs, allocation, data=words)


def _is_over_before_free(trace: Trace, row: Row, allocation: Row) -> bool:
    free = int(trace.allocations["freed_at"][allocation])
    return ordered(trace, [(row, free)])[0].ordered


def _freed_too_early(trace: Trace, row: Row, allocation: Row, remark: DeviceRemark) -> Finding:
    """About the free, as where the order shows it."""
    used, free = operation_words(trace, row), int(trace.allocations["freed_at"][allocation])
    words = operation_words(trace, free) | buffer_words(trace, allocation)
    words |= {"side": "argument", "argument": NONE, "origin": None}
    words |= {"address": hex(remark.address), "bytes": remark.bytes}
    words |= {"user": used["kernel"] or remark.kernel, "user_stream": used["stream"]}
    seq, other = trace.operations["seq"][[free, row]].tolist()
    return Finding("freed_in_flight", seq, other, allocation, data=words)


def _of_freed(case: Case, rows: Table) -> list[Finding]:
    trace = case.trace
    if present(trace, LOST_LIFETIMES):
        rows = rows[trace.operations["failed"][trace.accesses["operation"][rows]]]
    likely = _likely(case) if len(rows) else NONE
    first = np.sort(rows)[:KEPT].tolist()
    return [_finding(trace, row, likely) for row in first]


def _likely(case: Case) -> Row:
    """The launch that most probably made the device fault, if freed memory explains it."""
    attribution = case.attribution
    suspect = attribution.likely if attribution else None
    return suspect.row if suspect and suspect.hypothesis == HYPOTHESIS else NONE


def _finding(trace: Trace, access: Row, likely: Row) -> Finding:
    record = trace.accesses[access]
    role = int(record["role"])
    if role == Role.FREED:
        return finding_of(trace, "freed_twice", access)
    block = int(record["block"])
    if block and int(trace.blocks["freed_by"][block - 1]) == NONE:
        return finding_of(trace, "uses_ended_tensor", access)
    if role in (Role.SOURCE, Role.DESTINATION):
        return finding_of(trace, "transfer_uses_freed", access)
    memory = int(trace.allocations["memory"][int(record["allocation"])])
    plain = role == Role.ARGUMENT and memory != Memory.REGISTERED
    faulted = int(record["operation"]) == likely
    return finding_of(trace, "kernel_given_freed", access, 2 if plain or faulted else 1)


def _in_flight(case: Case) -> tuple[list[Finding], bool, tuple[Doubt, ...]]:
    """What is freed too early; whether a host function may have told the program; what else may be.

    The last is work of which it is not known whether it uses what is freed.
    """
    trace = case.trace
    if present(trace, LOST_LIFETIMES | {Gap.NO_ORDER}):
        return [], False, ()  # the synchronization may be among what is missing
    found = [c for c in case.conflicts if c.kind is ConflictKind.FREED_IN_FLIGHT]
    untold = [conflict for conflict in found if Sign.CALLBACK not in conflict.signs]
    doubted = [(_doubt_about(case, one), one) for one in untold]
    sure = [conflict for code, conflict in doubted if code is None]
    unsure = [(code, one) for code, one in doubted if code is not None]
    doubts = (doubt_of(trace, code, HYPOTHESIS, one) for code, one in unsure[:KEPT])
    findings = [_freed_in_flight(trace, one) for one in sure[:KEPT]]
    return findings, len(untold) < len(found), tuple(doubts)


def _doubt_about(case: Case, conflict: Conflict) -> str | None:
    if may_be_ordered(case.trace, conflict):
        return "other_order"
    if Sign.POLLED in conflict.signs:
        return "polled_memory"
    is_sure = Sign.DOUBTFUL not in conflict.signs or _faulted_in(case, conflict)
    return None if is_sure else "estimated_overlap"


def _faulted_in(case: Case, conflict: Conflict) -> bool:
    """Whether the work in flight alone may have faulted, and in this memory."""
    where_, attribution = reported_address(case.evidence.faults), case.attribution
    if where_ is None or attribution is None or conflict.allocation == NONE:
        return False
    if attribution.count != 1 or [one.row for one in attribution.suspects] != [conflict.first]:
        return False
    memory = case.trace.allocations[conflict.allocation]
    begin = int(memory["address"])
    return where_.overlaps(begin, begin + int(memory["bytes"]))


def _freed_in_flight(trace: Trace, conflict: Conflict) -> Finding:
    """About the free: the work in flight is the other operation, and had every right."""
    used = access_words(trace, conflict.first_access)
    words = used | operation_words(trace, conflict.second)
    words |= buffer_words(trace, conflict.allocation)
    words |= {"user": used["kernel"] or used["call"], "user_stream": used["stream"]}
    seq, other = trace.operations["seq"][[conflict.second, conflict.first]].tolist()
    where_ = conflict.allocation, 0, conflict.first_access
    return Finding("freed_in_flight", seq, other, *where_, words)
