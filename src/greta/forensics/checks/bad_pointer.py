"""A pointer that names no memory, or not the memory that its use says.

What it does:
    Looks at both sides of transfers for null, for addresses that the copy's kind calls the
    device's and that are in no allocation, and for device memory where the kind says host; at
    fills and kernels' pointers for alignment; at frees for pointers that were never allocated or
    are not the beginning of what was. Null and unknown pointers given to a kernel count when a
    fault followed that they explain.

Evidence:
    Addresses of allocations, transfers and kernels' arguments; copy kinds; the types of kernels'
    arguments; what the device reported.

Known problems:
    Kernels may take null for "not given", and may be given memory that HIP did not allocate, where
    the device can reach that. With no fault an unknown pointer makes this inconclusive, not more.
    A pointer to the end of a live buffer is not unknown: kernels are given (begin, end).
    Where devices reach pageable memory (HSA_XNACK=1, hipDeviceAttributePageableMemoryAccess),
    memory that HIP did not allocate is no bad pointer: only a fault at it says so.
    Pinned memory is the device's as well: it may stand where a kind says device.

Example:
    hipMemcpy(d, h, 1024, hipMemcpyDeviceToHost);  // swapped
"""

from __future__ import annotations

from typing import Final

import numpy as np

from greta.forensics.attribution import Attribution
from greta.forensics.case import Case
from greta.forensics.fault_address import (
    ALIGNED,
    WildWord,
    address_words,
    is_misaligned,
    reported_address,
    reported_kernel,
)
from greta.forensics.scan import PINNED, AccessBlock, Mask, is_named, live_at
from greta.forensics.suspects import Suspect
from greta.forensics.verdict import Finding, Ruling, Value
from greta.forensics.wording import (
    ACCESS_FIELDS,
    BUFFER_FIELDS,
    KEPT,
    OPERATION_FIELDS,
    argument_name,
    finding_of,
    operation_words,
    ruling_codes,
    settled,
)
from greta.trace.device_errors import STICKY
from greta.trace.evidence import Evidence
from greta.trace.trace import (
    LOST_CALLS,
    LOST_LIFETIMES,
    NONE,
    SAYS_SIZES,
    Gap,
    Kind,
    Memory,
    Role,
    Row,
    Space,
    Trace,
    hiding,
    present,
)

HYPOTHESIS: Final = "bad_pointer"
_FIELDS: Final = (*ACCESS_FIELDS, *BUFFER_FIELDS)
_WILD: Final = ("argument", "address", "fault_address", "fault_bytes")
CODES: Final[dict[str, tuple[str, ...]]] = {
    "null_pointer": _FIELDS,
    "never_allocated": _FIELDS,
    "outside_allocation": (*_FIELDS, "nearest", "nearest_bytes", "beyond"),
    "swapped": _FIELDS,
    "wrong_kind": _FIELDS,
    "misaligned": (*_FIELDS, "element"),
    "misaligned_set": (*_FIELDS, "element"),
    "kernel_given_null": _FIELDS,
    "kernel_given_unknown": _FIELDS,
    "kernel_given_wild_struct": (*OPERATION_FIELDS, *_WILD),
    "kernel_given_other_device": _FIELDS,
    "kernel_reached_null": (*OPERATION_FIELDS, "fault_address", "fault_bytes", "suspects"),
    "host_side_faulted": _FIELDS,
    "free_of_unknown": _FIELDS,
    "free_of_inside": _FIELDS,
    "free_of_wrong_memory": _FIELDS,
    **ruling_codes(HYPOTHESIS),
}
_INVALID_DIRECTION: Final = 21
_INVALID_VALUES: Final = (1, 713)
_NEAR: Final = 1 << 20
"""How far past a buffer an address is still taken for an offset into it."""


def examine(case: Case) -> Ruling:
    evidence, trace = case.evidence, case.trace
    looked_at = case.survey.count(is_named)
    plain, transfers, frees, unknown = case.survey.where(*CHOICES)
    if Gap.NO_ADDRESSES in trace.gaps:  # zeros may only mean that the source did not know
        failed = trace.operations["failed"][trace.accesses["operation"][plain]]
        plain = plain[(trace.accesses["address"][plain] != 0) | failed]
    if trace.reaches_pageable:  # what HIP did not allocate may be the host's, and in order
        transfers, unknown = transfers[:0], unknown[:0]
    if not present(trace, LOST_LIFETIMES | {Gap.OVERWRITTEN}):
        plain = np.union1d(plain, np.union1d(transfers, frees))
    elif trace.source in SAYS_SIZES:
        # Such a line states the allocation that the transfer is meant to be in.
        plain = np.union1d(plain, transfers)
    findings = [_finding(trace, int(row)) for row in plain[:KEPT]]
    attribution = case.attribution
    findings += _explaining_the_fault(evidence, attribution)
    missing = hiding(trace, Gap.NO_ADDRESSES, Gap.NO_ARGUMENTS, Gap.UNKNOWN_KERNELS)
    ends = np.unique(trace.allocations["address"] + trace.allocations["bytes"])
    if not np.isin(trace.accesses["address"][unknown], ends).all():
        missing = (*missing, "unknown_arguments")
    if (len(transfers) or len(frees)) and present(trace, LOST_CALLS):
        missing = (*missing, "unknown_addresses")
    if attribution and attribution.likely and attribution.likely.hypothesis == HYPOTHESIS:
        missing = (*missing, "suspects_differ")
    if _host_side_is_doubtful(evidence):
        missing = (*missing, "host_memory")
    kept = sorted(findings, key=lambda finding: finding.seq)
    return settled(HYPOTHESIS, looked_at, tuple(kept), missing, len(plain) or len(kept))


def _is_plainly_wrong(block: AccessBlock) -> Mask:
    """Wrong whatever calls are missing."""
    null = block.is_transfer & (block.address == 0) & (block.bytes > 0)
    return block.counts & (null | _is_of_wrong_kind(block) | _is_misaligned(block))


def _is_of_wrong_kind(block: AccessBlock) -> Mask:
    device_as_host = (block.rows["space"] == Space.HOST) & block.in_device_memory & block.is_live
    refused = block.of_operation("failed") & (block.of_operation("result") == _INVALID_DIRECTION)
    refused &= block.role == Role.DESTINATION
    return block.is_transfer & ((device_as_host & (block.bytes > 0)) | refused)


def _is_misaligned(block: AccessBlock) -> Mask:
    element = np.ascontiguousarray(block.rows["element"])
    bits = np.maximum(element, 1).astype(np.uint64) - np.uint64(1)  # of powers of two
    aligned: Mask = (block.address & bits) == 0
    if aligned.all():
        return ~aligned
    ran = ~(block.is_kernels & block.of_operation("failed"))
    return np.isin(element, ALIGNED) & ~aligned & block.is_live & ran


def _is_nowhere(block: AccessBlock) -> Mask:
    """The device's by what the call says, or a fill's that was refused, and in no allocation."""
    said = block.rows["space"] == Space.DEVICE
    fill = block.of_operation("failed") & (block.of_operation("kind") == Kind.FILL)
    nowhere = block.is_transfer & block.is_nowhere & (block.bytes > 0)
    return (said | fill) & nowhere & block.counts


def _is_odd_free(block: AccessBlock) -> Mask:
    """A refused free of something else than freed memory."""
    failed = block.counts & (block.role == Role.FREED) & block.of_operation("failed")
    if not failed.any():
        return failed
    refused = np.isin(block.of_operation("result"), _INVALID_VALUES)
    return failed & refused & ~block.is_freed


def _is_unknown_argument(block: AccessBlock) -> Mask:
    unknown = (block.role == Role.ARGUMENT) & block.is_nowhere
    return unknown & block.counts & ~block.of_operation("failed")


CHOICES: Final = (_is_plainly_wrong, _is_nowhere, _is_odd_free, _is_unknown_argument)


def _finding(trace: Trace, access: Row) -> Finding:
    record = trace.accesses[access]
    if int(record["role"]) == Role.FREED:
        return finding_of(trace, _free_code(trace, access), access)
    kernels = int(record["role"]) in (Role.ARGUMENT, Role.STRUCT_WORD)
    if kernels or is_misaligned(record):
        code = "misaligned" if kernels else "misaligned_set"
        return finding_of(trace, code, access, 1, {"element": int(record["element"])})
    if int(record["address"]) == 0:
        return finding_of(trace, "null_pointer", access)
    if _is_swapped(trace, access):
        return finding_of(trace, "swapped", access)
    if int(record["allocation"]) == NONE and int(record["space"]) != Space.HOST:
        return _nowhere(trace, access)
    return finding_of(trace, "wrong_kind", access)


def _free_code(trace: Trace, access: Row) -> str:
    record = trace.accesses[access]
    allocation = int(record["allocation"])
    if allocation == NONE:
        return "free_of_unknown"
    inside = int(trace.allocations["address"][allocation]) != int(record["address"])
    return "free_of_inside" if inside else "free_of_wrong_memory"


def _is_swapped(trace: Trace, access: Row) -> bool:
    """Each side is the other's: what is called host is the device's, and the other way round."""
    sides = trace.accesses_of(int(trace.accesses["operation"][access]))
    sides = sides[sides["origin"] == trace.accesses["origin"][access]]
    memory = np.append(trace.allocations["memory"], 0)[sides["allocation"]]
    on_device = np.isin(memory, (Memory.DEVICE, Memory.POOL, Memory.SYMBOL))
    host_is_device = (sides["space"] == Space.HOST) & on_device
    device_is_host = (sides["space"] == Space.DEVICE) & np.isin(memory, (0, *PINNED))
    return bool(host_is_device.any() and device_is_host.any())


def _nowhere(trace: Trace, access: Row) -> Finding:
    record, table = trace.accesses[access], trace.allocations
    address, live = int(record["address"]), live_at(table, int(record["operation"]))
    ends = table["address"] + table["bytes"]
    below = np.flatnonzero(live & (ends <= address) & (ends + np.uint64(_NEAR) > address))
    if len(below) == 0:
        return finding_of(trace, "never_allocated", access)
    nearest = int(below[np.argmax(ends[below])])
    more: dict[str, Value] = {
        "nearest": hex(int(table["address"][nearest])),
        "nearest_bytes": int(table["bytes"][nearest]),
        "beyond": address - int(ends[nearest]),
    }
    return finding_of(trace, "outside_allocation", access, more=more)


def _explaining_the_fault(evidence: Evidence, attribution: Attribution | None) -> list[Finding]:
    """The null or unknown pointer of the launch that faulted, if it is one launch's alone."""
    if attribution is None:
        return []
    suspect = attribution.likely
    if suspect is None:
        return _host_side(evidence, attribution.blamed.row)
    if suspect.is_mere_transfer:
        return _host_side(evidence, suspect.row)
    if suspect.reached_null:
        return [_reached_null(evidence, attribution, suspect)]
    if suspect.wild:
        return [_wild(evidence, attribution, suspect, suspect.wild)]
    pointer = suspect.pointer
    if pointer is None or suspect.hypothesis != HYPOTHESIS:
        return []
    alone = attribution.count == 1 and attribution.rule != "unseen"
    if not pointer.explains_address and not alone:
        return []
    if is_misaligned(evidence.trace.accesses[pointer.access]):
        return []  # which it is without any fault, and was found as such
    code = _given_code(evidence.trace, pointer.access)
    return [finding_of(evidence.trace, code, pointer.access)] if code else []


def _reached_null(evidence: Evidence, attribution: Attribution, suspect: Suspect) -> Finding:
    """A null pointer in a struct or in memory: it is not among the arguments."""
    words = operation_words(evidence.trace, suspect.row)
    words["kernel"] = words["kernel"] or reported_kernel(evidence.faults)
    words |= address_words(reported_address(evidence.faults)) | {"suspects": attribution.count}
    strength = 2 if attribution.confidence >= 0.85 else 1
    return Finding("kernel_reached_null", suspect.seq, data=words, strength=strength)


def _wild(
    evidence: Evidence, attribution: Attribution, suspect: Suspect, wild: WildWord
) -> Finding:
    words = operation_words(evidence.trace, suspect.row)
    words |= {"argument": wild.argument, "address": hex(wild.address)}
    if name := argument_name(evidence.trace, suspect.seq, wild.argument):
        words["parameter"] = name
    words |= address_words(reported_address(evidence.faults))
    strength = 2 if attribution.confidence >= 0.85 else 1
    return Finding("kernel_given_wild_struct", suspect.seq, data=words, strength=strength)


def _given_code(trace: Trace, access: Row) -> str | None:
    """None: a transfer's pointer that is wrong without any fault, and was found as such."""
    record = trace.accesses[access]
    if int(record["role"]) in (Role.SOURCE, Role.DESTINATION):
        return "host_side_faulted" if int(record["space"]) != Space.DEVICE else None
    if int(record["allocation"]) != NONE:
        return "kernel_given_other_device"
    return "kernel_given_null" if int(record["address"]) == 0 else "kernel_given_unknown"


def _host_side(evidence: Evidence, row: Row) -> list[Finding]:
    """A copy that reports a fault which no launch can have made: its pageable side is bad."""
    access = _pageable_side(evidence.trace, row)
    if access == NONE or int(evidence.trace.operations["result"][row]) not in STICKY:
        return []
    if reported_address(evidence.faults) is not None:
        return []  # it is elsewhere, or the pointer would explain it
    if present(evidence.trace, LOST_CALLS):
        return []  # a launch that is not shown may have faulted; the copy only reports it
    return [finding_of(evidence.trace, "host_side_faulted", access, 1)]


def _pageable_side(trace: Trace, row: Row) -> Row:
    if row == NONE or int(trace.operations["kind"][row]) != Kind.COPY:
        return NONE
    place = trace.access_rows(row)
    sides = trace.accesses[place]
    unknown = (sides["allocation"] == NONE) & (sides["address"] != 0)
    found = np.flatnonzero(unknown & (sides["space"] != Space.DEVICE))
    return int(found[0]) + place.start if len(found) else NONE


def _host_side_is_doubtful(evidence: Evidence) -> bool:
    """Whether the process died inside a copy that uses memory unknown to HIP."""
    trace = evidence.trace
    if trace.signal is None or evidence.faults:
        return False
    under_way = np.flatnonzero(~trace.operations["finished"])
    return any(_pageable_side(trace, int(row)) != NONE for row in under_way[-8:])
