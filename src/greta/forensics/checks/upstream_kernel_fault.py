"""A kernel reached outside the live memory its arguments gave it; wherever the error surfaced.

What it does:
    Starts from a fault of the device: an error that every later call repeats, or a fault that the
    runtime reported. Looks back to the last synchronization that is known to be good, and weighs
    the launches since then by what the device said, by the address, and by their arguments. With
    no fault, looks for launches that were seen to access memory which they were not given.

Evidence:
    Results of calls, synchronization, kernels' arguments with the grid; the runtime's report with
    its address and kernel, if there is one.

Known problems:
    An overrun that meets other mapped memory does not fault, on hardware and by default on the
    simulated device: only footprints show it. The latter notices writes in the rest of a buffer's
    last page when the buffer is freed; who wrote them is weighed by the launches' arguments.
    A buffer that is too small by grid and arguments is a hint for choosing among suspects, never a
    finding: kernels need not access it all.
    A kernel with a freed, null or unknown pointer that explains the fault is the matter of
    use_after_free and bad_pointer.

Example:
    rope<<<8, 64>>>(q, pos); next<<<...>>>(q); hipMemcpy(h, q, n, hipMemcpyDeviceToHost);  // 700
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np

from greta.forensics import strayed
from greta.forensics.attribution import Attribution, blamed_call, ended_badly
from greta.forensics.blocks import CODES as CODES_OF_BLOCKS
from greta.forensics.case import Case
from greta.forensics.fault_address import (
    FRACTIONS,
    FaultAddress,
    Nearness,
    address_words,
    below_zero,
    beyond_own_memory,
    freed_before,
    given_above,
    has_pointers_in_memory,
    has_trapped,
    left_buffer,
    live_memory_below,
    reported_address,
    reported_kernel,
)
from greta.forensics.scan import KERNEL_ROLES, LAUNCHES, bounds_of, buffer_of, count_of, ran
from greta.forensics.suspects import Suspect
from greta.forensics.verdict import Doubt, Finding, Outcome, Ruling, Value
from greta.forensics.wording import (
    ACCESS_FIELDS,
    BUFFER_FIELDS,
    KEPT,
    OPERATION_FIELDS,
    RULING_FIELDS,
    buffer_words,
    doubts_of,
    finding_of,
    operation_words,
    parameter_name,
    ruling_codes,
    settled,
)
from greta.trace.device_errors import STOPPED
from greta.trace.evidence import ASSERTION, DeviceFault, DeviceRemark, Evidence
from greta.trace.trace import NONE, RECORDING, Mode, Row, Table, Trace, hiding

HYPOTHESIS: Final = "upstream_kernel_fault"
_FAULT: Final = ("fault_address", "fault_bytes", "suspects")
_EXTENT: Final = ("past_end", "past_end_below", "reach")
_SPACE: Final = ("byte", "bytes", "past_end")
_BUFFER: Final = (*ACCESS_FIELDS, *BUFFER_FIELDS, *_FAULT, *_EXTENT)
CODES: Final[dict[str, tuple[str, ...]]] = {
    "kernel_past_end": _BUFFER,
    "kernel_past_end_in_page": _BUFFER,
    "kernel_around_buffer": _BUFFER,
    "kernel_near_buffer": _BUFFER,
    "kernel_outgrew_buffer": _BUFFER,
    "kernel_left_buffer": _BUFFER,
    "kernel_left_unsized": _BUFFER,
    "kernel_below_buffer": _BUFFER,
    "kernel_index_unsigned": (*_BUFFER, "below_zero"),
    "kernel_before_start": (*_BUFFER, "before_start"),
    "kernel_past_end_of_other": (*OPERATION_FIELDS, *BUFFER_FIELDS, *_FAULT, *_EXTENT),
    "kernel_faulted": (*OPERATION_FIELDS, *_FAULT),
    "kernel_faulted_below": (*OPERATION_FIELDS, *_FAULT, "argument", "before_start"),
    "kernel_stopped": (*OPERATION_FIELDS, *_FAULT),
    "kernel_asserted": (*OPERATION_FIELDS, *_FAULT, "assertion", "where"),
    "kernel_past_shared": (*OPERATION_FIELDS, *_FAULT, *_SPACE),
    "kernel_past_private": (*OPERATION_FIELDS, *_FAULT, *_SPACE),
    "kernel_wrote_past_end": (*ACCESS_FIELDS, *BUFFER_FIELDS, *_FAULT, "past_end"),
    "kernel_wrote_before": (*ACCESS_FIELDS, *BUFFER_FIELDS, *_FAULT, "past_end"),
    "kernel_wrote_outside": (*OPERATION_FIELDS, *BUFFER_FIELDS, *_FAULT, "past_end"),
    **strayed.CODES,
    "doubt_several_blocks": CODES_OF_BLOCKS["doubt_several_blocks"],
    "doubt_never_waited_for": (*OPERATION_FIELDS, "seq"),
    **ruling_codes(HYPOTHESIS),
    f"{HYPOTHESIS}_refuted_otherwise": RULING_FIELDS,
}


def examine(case: Case) -> Ruling:
    trace = case.trace
    launches = count_of(trace, *LAUNCHES)
    attribution = case.attribution
    if attribution is None:
        missing = _hidden(case) if launches else hiding(trace)
        findings = (*case.strayed.findings(), *_damage_findings(case))
        doubts = doubts_of(trace, "several_blocks", HYPOTHESIS, case.strayed.doubtful)
        missing = (*missing, "several_blocks") if doubts else missing
        ruling = settled(HYPOTHESIS, launches, findings[:KEPT], missing)
        return replace(ruling, doubts=(*doubts, *_unwaited(case)))
    suspect = attribution.likely
    if suspect is None:
        return settled(HYPOTHESIS, launches, (), (*hiding(trace), "no_suspect"))
    if {one.hypothesis for one in attribution.equals if not one.is_mere_transfer} != {HYPOTHESIS}:
        return _of_others(trace, attribution, launches)
    if attribution.rule == "unseen":
        return settled(HYPOTHESIS, launches, (), (*hiding(trace), "unseen_launches"))
    return settled(HYPOTHESIS, launches, (_finding(case.evidence, attribution, suspect),))


def _hidden(case: Case) -> tuple[str, ...]:
    """Reasons why a fault could have gone unseen."""
    trace = case.trace
    missing = hiding(trace)
    if ended_badly(case.evidence):
        missing = (*missing, "ended_by_signal")
    if len(case.completion.unfinished(*LAUNCHES)):
        missing = (*missing, "never_waited_for")
    return missing


def _unwaited(case: Case) -> Iterator[Doubt]:
    """The first launch of each kernel whose end nobody saw, in a run that ended well."""
    trace = case.trace
    rows = case.completion.unfinished(*LAUNCHES)
    whole = trace.source == RECORDING and not hiding(trace)
    if not len(rows) or not whole or blamed_call(case.evidence) is not None:
        return
    firsts = np.sort(np.unique(trace.operations["kernel"][rows], return_index=True)[1])
    for row in rows[firsts][:KEPT].tolist():
        seq, words = int(trace.operations["seq"][row]), operation_words(trace, row)
        words |= {"seq": seq, "kernel": words["kernel"] or words["call"]}  # of a graph
        yield Doubt("never_waited_for", (seq,), HYPOTHESIS, words)


def _of_others(trace: Trace, attribution: Attribution, launches: int) -> Ruling:
    """Another hypothesis explains the fault; surely, if it is one launch's alone."""
    likely = attribution.suspects[0]
    explained = likely.reached_null or likely.weight[1] > 0
    sure = attribution.count == 1 or explained
    missing = hiding(trace) if sure else (*hiding(trace), "suspects_differ")
    ruling = settled(HYPOTHESIS, launches, (), missing)
    if ruling.outcome is not Outcome.REFUTED:
        return ruling
    return replace(ruling, code=f"{HYPOTHESIS}_refuted_otherwise")


def _finding(evidence: Evidence, attribution: Attribution, suspect: Suspect) -> Finding:
    trace, pointer = evidence.trace, suspect.pointer
    address = reported_address(evidence.faults)
    more: dict[str, Value] = {
        **address_words(address),
        "suspects": attribution.count,
    }
    strength = 2 if attribution.confidence >= 0.85 else 1
    if own := beyond_own_memory(evidence.faults):
        words = operation_words(trace, suspect.row) | more | _beyond(own)
        words["kernel"] = words["kernel"] or own.kernel
        return Finding(f"kernel_past_{own.space}", suspect.seq, data=words, strength=strength)
    error = attribution.blamed.error
    stopped = error in STOPPED or has_trapped(evidence, error)
    if not (stopped or pointer):
        # Where it has its pointers from memory, the buffer below the fault is the one it left.
        in_memory = has_pointers_in_memory(trace, suspect.row)
        through = live_memory_below(trace, suspect.row, address) if in_memory else NONE
        if through != NONE:
            return _past_other(trace, suspect, through, address, strength, more)
        left = NONE if in_memory else left_buffer(trace, suspect.row, address)
        if left != NONE:
            more |= _extent(trace, left, address)
            place = address.place(*_bounds(trace, left), 0) if address else None
            left_code = "kernel_left_buffer" if _is_sized(trace, left) else "kernel_left_unsized"
            code = "kernel_below_buffer" if place is Nearness.BEFORE else left_code
            if below := below_zero(trace, suspect.row, trace.accesses[left], address):
                code, more = "kernel_index_unsigned", more | {"below_zero": below}
            return _reached(trace, code, left, strength, more, address)
    if stopped or pointer is None:
        code = "kernel_stopped" if stopped else "kernel_faulted"
        words = operation_words(trace, suspect.row) | more
        if suspect.named:
            words["kernel"] = words["kernel"] or reported_kernel(evidence.faults)
        if stopped and (said := _assertion(evidence)):
            code, words = "kernel_asserted", words | said
        above = NONE if stopped else given_above(trace, suspect.row, address)
        if address and above != NONE:
            code, words = "kernel_faulted_below", words | _below(trace, above, address)
        return Finding(code, suspect.seq, data=words, strength=strength)
    more |= _extent(trace, pointer.access, address)
    explained = address if pointer.explains_address else None
    code = _reach_code(trace, pointer.access, explained)
    return _reached(trace, code, pointer.access, strength, more, address)


def _reached(
    trace: Trace,
    code: str,
    access: int,
    strength: int,
    more: dict[str, Value],
    address: FaultAddress | None,
) -> Finding:
    """Below a buffer by so many bytes, where the address is known to the byte."""
    if code == "kernel_below_buffer" and address and address.size == 1:
        start, _ = _bounds(trace, access)
        more, code = more | {"before_start": start - address.start}, "kernel_before_start"
    return finding_of(trace, code, access, strength, more)


def _assertion(evidence: Evidence) -> dict[str, Value] | None:
    """What the device printed before it stopped: the first that failed."""
    said = (one for one in evidence.messages if one.source == ASSERTION and one.where.file)
    first = next(said, None)
    return (
        {"assertion": first.text, "where": f"{first.where.file}:{first.where.line}"}
        if first
        else None
    )


def _below(trace: Trace, access: Row, address: FaultAddress) -> dict[str, Value]:
    """Which argument's buffer a fault is below, and by how many bytes at most."""
    start, _ = bounds_of(trace.allocations[int(trace.accesses["allocation"][access])])
    words: dict[str, Value] = {"argument": int(trace.accesses["argument"][access])}
    if name := parameter_name(trace, access):
        words["parameter"] = name
    return words | {"before_start": start - address.start}


def _beyond(fault: DeviceFault) -> dict[str, Value]:
    byte, size = fault.space_address or 0, fault.space_bytes or 0
    return {"byte": byte, "bytes": size, "past_end": max(0, byte - size)}


def _past_other(
    trace: Trace,
    suspect: Suspect,
    allocation: int,
    address: FaultAddress | None,
    strength: int,
    more: dict[str, Value],
) -> Finding:
    words = operation_words(trace, suspect.row) | buffer_words(trace, allocation) | more
    words |= _distances(address, *bounds_of(trace.allocations[allocation])) | {"reach": 0}
    code = "kernel_past_end_of_other"
    return Finding(code, suspect.seq, allocation=allocation, data=words, strength=strength)


def _reach_code(trace: Trace, access: int, address: FaultAddress | None) -> str:
    """By where the fault was, seen from the buffer; without an address its size has to do."""
    if address is None:
        return "kernel_outgrew_buffer"
    start, end = _bounds(trace, access)
    if address.surrounds(start, end):
        return "kernel_around_buffer"
    if address.start + address.size <= start:
        return "kernel_below_buffer"
    if address.start + address.size <= end:
        return "kernel_near_buffer"
    return "kernel_past_end_in_page" if address.size > 1 else "kernel_past_end"


def _bounds(trace: Trace, access: int) -> tuple[int, int]:
    record = trace.accesses[access]
    return bounds_of(buffer_of(trace, int(record["allocation"]), int(record["block"])))


def _extent(trace: Trace, access: int, address: FaultAddress | None) -> dict[str, Value]:
    """How far the launch reaches, and how far past the buffer's end the fault was.

    At least `past_end` bytes and fewer than `past_end_below`: a report means a page, as a rule.
    A page that holds the buffer's last bytes was left through the buffer's end, unless it holds
    bytes before the buffer too.
    """
    record = trace.accesses[access]
    (start, end), reach = _bounds(trace, access), int(record["reach"])
    if not _is_sized(trace, access):
        return {"reach": reach, "past_end": None, "past_end_below": None}
    if address is None:
        past_end = max(0, int(record["address"]) + reach - end)
        return {"reach": reach, "past_end": past_end, "past_end_below": past_end + 1}
    return {"reach": reach, **_distances(address, start, end)}


def _is_sized(trace: Trace, access: int) -> bool:
    """Of what another process shares, only the beginning may be known."""
    return bool(trace.allocations["known_bytes"][trace.accesses["allocation"][access]])


def _distances(address: FaultAddress | None, start: int, end: int) -> dict[str, Value]:
    below = address.start + address.size - end if address else 0
    if address is None or below <= 0 or address.surrounds(start, end):
        return {"past_end": None, "past_end_below": None}
    return {"past_end": max(0, address.start - end), "past_end_below": below}


# --- writes next to an allocation that hardware does not notice, and the simulated device does ----
#
# It finds them late, when the memory is freed, and does not know who wrote. The launches that were
# given the memory while it was allocated are the suspects; one whose numbers lead past its end is
# the likely one.

_MOST: Final = 256
"""So many launches are looked at one by one, the last ones."""


def _damage_findings(case: Case) -> tuple[Finding, ...]:
    """One for each buffer beside which something was written, while kernels ran."""
    found: dict[Row, Finding] = {}
    for remark in case.evidence.remarks:
        buffer = _buffer(case.trace, remark)
        if remark.what == "unwritten" or buffer == NONE:
            continue
        if remark.access == "read" or freed_before(case.trace, remark)[0] != NONE:
            continue  # which harms nobody; which is the matter of use_after_free
        finding = _damage_finding(case.trace, remark, buffer)
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


def _damage_finding(trace: Trace, remark: DeviceRemark, buffer: Row) -> Finding | None:
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
    reaching = [one for one in accesses[-_MOST:].tolist() if _reaches(trace, one, remark.address)]
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
