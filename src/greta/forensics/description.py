"""What is said of a process without its recording: the calls and buffers it names, described."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import numpy as np

from greta.forensics.attribution import Blamed, words_of
from greta.forensics.cause import JudgedProcess, explains
from greta.forensics.fault_address import NEAR, address_words, reported_address
from greta.forensics.scan import WORK, bounds_of, buffer_of
from greta.forensics.verdict import (
    RACES,
    STOPS,
    Alternative,
    BlamedCall,
    CallSite,
    Cause,
    FaultAccess,
    FaultBuffer,
    Finding,
    NearbyAllocation,
    NearbyCall,
    Ruling,
    Stack,
    Surroundings,
    Value,
)
from greta.forensics.wording import parameter_name, stream_name
from greta.recording import ERROR_NAMES
from greta.trace.evidence import DeviceFault, Evidence
from greta.trace.trace import (
    NONE,
    NOWHERE,
    RECORDING,
    Call,
    Gap,
    Kind,
    Known,
    Row,
    Seq,
    Table,
    Trace,
    Where,
)

_MOST_ALTERNATIVES: Final = 16
_NO_REASON: Final = "Unknown"
"""ROCr's word for a fault of which the driver told it nothing."""


def without_rows(ruling: Ruling) -> Ruling:
    """Rows mean nothing without the trace."""
    found = (Finding(one.code, one.seq, one.other, data=one.data) for one in ruling.findings)
    return replace(ruling, findings=tuple(found))


def blamed_call_of(process: JudgedProcess, several: bool) -> BlamedCall | None:
    blamed = process.blamed
    if blamed is None:
        return None
    call = process.evidence.trace.describe(blamed.seq) if blamed.row != NONE else None
    said = words_of(process.evidence, blamed)
    return BlamedCall(
        seq=blamed.seq,
        call=call.name if call else (said.call if said else None),
        kernel=call.kernel if call else None,
        error=_error(process, blamed, call),
        where=call.where if call else _said_at(process, blamed),
        by=blamed.by,
        pid=_pid(process, several),
        rank=process.evidence.trace.rank,
        stage=_stage(call),
        stack=_stack(call),
        apart=_is_apart(process, blamed) or None,
    )


def _is_apart(process: JudgedProcess, blamed: Blamed) -> bool:
    """Whether a call failed for another reason than the fault that is called the cause."""
    cause, trace = process.cause, process.evidence.trace
    if cause is None or blamed.by != "call" or trace.source != RECORDING:
        return False
    return not explains(trace, cause, blamed, process.attribution)


_OF_ONE_PROCESS: Final = ("recording", "amd_log", "hrr", "rocprof")


def _pid(process: JudgedProcess, several: bool) -> int | None:
    """Of several, or where lines of a report name it: that may be another program's."""
    trace = process.evidence.trace
    return trace.pid or None if several or trace.source not in _OF_ONE_PROCESS else None


def _said_at(process: JudgedProcess, blamed: Blamed) -> Where:
    """Of a failure that only the program's own words tell: what line they name."""
    said = (one.where for one in process.evidence.messages if one.line == blamed.seq)
    return next(said, NOWHERE) if blamed.by == "message" else NOWHERE


def _error(process: JudgedProcess, blamed: Blamed, call: Call | None) -> str | None:
    said = words_of(process.evidence, blamed)
    if said and (said.wait or said.status):
        return said.status or "timeout"
    if blamed.error:
        known = call.result_name if call else None
        return known or ERROR_NAMES.get(blamed.error, str(blamed.error))
    if blamed.by == "end":
        return f"signal {process.evidence.trace.signal}"
    faults = process.evidence.faults
    if not faults:
        return None
    reason = faults[0].reason
    return reason if reason and reason != _NO_REASON else "memory access fault"


def cause_of(process: JudgedProcess, several: bool) -> Cause | None:
    cause = process.cause
    if cause is None:
        return None
    trace, finding = process.evidence.trace, cause.finding
    row = trace.row_of(finding.seq)
    call = trace.describe(finding.seq) if row != NONE else None
    kernel = finding.data.get("kernel")
    return Cause(
        hypothesis=cause.hypothesis,
        seq=finding.seq,
        call=call.name if call else None,
        kernel=kernel if isinstance(kernel, str) else (call.kernel if call else None),
        stream=int(trace.operations["stream"][row]) if row != NONE else None,
        buffer=_buffer(trace, finding),
        access=_told_access(process.evidence, finding, _access(trace, finding)),
        confidence=cause.confidence,
        launch_confidence=cause.launch_confidence,
        turn=cause.turn,
        rule=cause.rule,
        alternatives=_alternatives(trace, cause.alternatives),
        code=finding.code,
        data=finding.words,
        where=call.where if call else Where(),
        pid=(process.evidence.trace.pid or None) if several else None,
        rank=process.evidence.trace.rank,
        stage=_stage(call),
        stack=_stack(call),
        other=_call_site(trace, finding.other) if cause.hypothesis in RACES else None,
    )


def _stack(call: Call | None) -> Stack:
    """Nothing where it says no more than the call's own place."""
    return call.stack if call and len(call.stack) > 1 else None


def _call_site(trace: Trace, seq: Seq | None) -> CallSite | None:
    call = trace.describe(seq) if seq and trace.row_of(seq) != NONE else None
    if call is None or not call.stack:
        return None
    return CallSite(seq, call.kernel or call.name, call.where, _stack(call))


def _stage(call: Call | None) -> tuple[str, ...] | None:
    """Where in its work the program was, as far as it said so."""
    return (call.annotations or None) if call else None


def _alternatives(trace: Trace, others: tuple[Alternative, ...]) -> tuple[Alternative, ...]:
    calls = ((trace.describe(one.seq or 0), one) for one in others[:_MOST_ALTERNATIVES])
    return tuple(
        replace(one, call=call.name, kernel=call.kernel, stage=_stage(call)) for call, one in calls
    )


def _buffer(trace: Trace, finding: Finding) -> FaultBuffer | None:
    if finding.allocation == NONE:
        return None
    record = buffer_of(trace, finding.allocation, finding.block)
    made_by, freed_by = int(record["made_by"]), int(record["freed_by"])
    known = finding.block or record["known_bytes"]
    return FaultBuffer(
        address=hex(int(record["address"])),
        bytes=int(record["bytes"]) if known else None,
        allocated_at=made_by if made_by != NONE else None,
        freed_at=freed_by if freed_by != NONE else None,
        name=_name(trace, finding, made_by),
        allocation=_call_site(trace, made_by),
        free=_call_site(trace, freed_by),
    )


def _name(trace: Trace, finding: Finding, made_by: Seq) -> str | None:
    """What the program called it when it allocated it; else the kernel's name for it."""
    given = trace.block_names[finding.block - 1] if finding.block else ""
    named = given or (None if finding.block else _allocation_name(trace, made_by))
    if named:
        return named
    if finding.access == NONE:
        return None
    return parameter_name(trace, finding.access)


_STAGE: Final = re.compile(r"(?:iteration|step|layer|phase|test)=.*|prefill|decode|load")
"""Ranges that say where in its work a program is, and not what a buffer is called."""


def _allocation_name(trace: Trace, made_by: Seq) -> str | None:
    """The innermost range around the call that allocated it."""
    annotations = trace.describe(made_by).annotations if made_by > 0 else ()
    if not annotations or _STAGE.fullmatch(annotations[-1]):
        return None
    return annotations[-1].removeprefix("tensor=")


def _access(trace: Trace, finding: Finding) -> FaultAccess | None:
    fault, page = finding.data.get("fault_address"), finding.data.get("fault_bytes")
    size = page if isinstance(page, int) and page else 1
    if finding.access == NONE:
        if not isinstance(fault, str) or finding.allocation == NONE:
            return None
        # Of memory that the operation was not seen to be given.
        past_end = _whole(finding.data.get("past_end"))
        return FaultAccess(fault, size, None, past_end, _past_end_below(finding, past_end))
    record = trace.accesses[finding.access]
    reach = int(record["reach"]) or int(record["bytes"])
    past_end = _past_end(trace, finding, int(record["address"]) + reach)
    noted = bool(int(record["known"]) & Known.FOLLOWED)  # and `reach` is an estimate
    return FaultAccess(
        address=fault if isinstance(fault, str) else hex(int(record["address"])),
        address_bytes=size,
        bytes=None if noted else reach,
        past_end=past_end,
        past_end_below=_past_end_below(finding, past_end),
        before_start=_whole(finding.data.get("before_start")),
    )


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _told_access(
    evidence: Evidence, finding: Finding, access: FaultAccess | None
) -> FaultAccess | None:
    """With what a device that checks every access told of this one."""
    for fault in evidence.faults:
        if fault.source != "device" or not _is_of(evidence.trace, fault, finding):
            continue
        known = access or FaultAccess()
        if fault.space is None and fault.address is not None:
            known = replace(known, address=hex(fault.address), address_bytes=1)
        return replace(
            known,
            bytes=fault.bytes,
            kind=fault.access,
            block=fault.block,
            thread=fault.thread,
            line=f"{fault.place[0]}:{fault.place[1]}" if fault.place else None,
        )
    return access


def _is_of(trace: Trace, fault: DeviceFault, finding: Finding) -> bool:
    if fault.space is not None:
        return finding.code == f"kernel_past_{fault.space}"
    if fault.address is None:
        return finding.code in STOPS and fault.seq == finding.seq
    if "fault_address" in finding.data:
        return hex(fault.address) == finding.data["fault_address"]
    return _faulted_there(trace, fault, finding)


def _faulted_there(trace: Trace, fault: DeviceFault, finding: Finding) -> bool:
    """The same launch, in the very memory that it should not have been given."""
    if fault.seq is None or fault.seq != finding.seq or not fault.exact:
        return False
    if finding.code == "kernel_given_null":
        return (fault.address or 0) < NEAR
    given = finding.data.get("address")
    if finding.code == "kernel_given_unknown" and isinstance(given, str):
        return abs((fault.address or 0) - int(given, 16)) < NEAR
    if finding.allocation == NONE:
        return False
    start, end = bounds_of(trace.allocations[finding.allocation])
    return start <= (fault.address or 0) < end


def _past_end(trace: Trace, finding: Finding, stop: int) -> int | None:
    """None if it is not known; an operation that no fault is known of reaches as far as it says."""
    if "past_end" in finding.data:
        return _whole(finding.data["past_end"])
    if finding.allocation == NONE or not trace.allocations["known_bytes"][finding.allocation]:
        return None
    return max(0, stop - bounds_of(buffer_of(trace, finding.allocation, finding.block))[1])


def _past_end_below(finding: Finding, past_end: int | None) -> int | None:
    """It was fewer than this; one more than `past_end` where that is known to the byte."""
    said = finding.data.get("past_end_below")
    if isinstance(said, int):
        return said
    return None if past_end is None else past_end + 1


# --- operations and memory around the cause -------------------------------------------------------

SHOWN: Final = 18
_BEFORE, _AFTER = 4, 3
_NEIGHBOURS: Final = 2


def around(process: JudgedProcess) -> Surroundings | None:
    """Operations around cause and blamed call, memory around the buffer; None if neither is."""
    if process.blamed is None and process.cause is None:
        return None
    trace, cause = process.evidence.trace, process.cause
    roles = _roles(process)
    finding = cause.finding if cause else None
    fault: Value = None
    if finding:
        fault = finding.data.get("fault_address") or finding.data.get("address")
    else:
        fault = address_words(reported_address(process.evidence.faults))["fault_address"]
    return Surroundings(
        operations=tuple(_call(process, row, roles.get(row, "")) for row in _rows(trace, roles)),
        memory=_memory(trace, finding, min(roles, default=0)) if finding else (),
        address=fault if isinstance(fault, str) else None,
    )


def _roles(process: JudgedProcess) -> dict[Row, str]:
    """What is to be shown of all: suspects, the blamed call, the cause."""
    trace = process.evidence.trace
    roles: dict[Row, str] = {}
    if process.attribution:
        roles |= dict.fromkeys((s.row for s in process.attribution.suspects[:8]), "suspect")
    if process.blamed and process.blamed.row != NONE:
        roles[process.blamed.row] = "blamed"
    if process.cause:
        seqs = (process.cause.finding.other, process.cause.finding.seq)
        rows = [trace.row_of(seq) for seq in seqs if seq is not None]
        roles |= {row: roles.get(row, "other") for row in rows[:-1] if row != NONE}
        if rows[-1] != NONE:
            roles[rows[-1]] = "cause"
    return roles


def _rows(trace: Trace, roles: dict[Row, str]) -> list[Row]:
    """The rows with a role, and those near cause and blamed call, as far as there is space."""
    shown = dict.fromkeys(roles)
    ends = [row for row, role in roles.items() if role in ("cause", "blamed")]
    near = [row + d for d in range(1, _AFTER + 1) for row in ends]
    near += [row - d for d in range(1, _BEFORE + 1) for row in ends]
    for row in near:
        if len(shown) < SHOWN and 0 <= row < len(trace.operations):
            shown[row] = None
    return sorted(shown)


def _call(process: JudgedProcess, row: Row, role: str) -> NearbyCall:
    trace = process.evidence.trace
    record = trace.operations[row]
    call = trace.describe(int(record["seq"]))
    begin, end = int(record["begin"]), int(record["end"])
    done_by, in_flight = _end_of_work(process, row)
    return NearbyCall(
        seq=call.seq,
        call=call.name,
        kernel=call.kernel,
        stream=stream_name(trace, int(record["stream"])),
        result=(call.result_name or str(call.result)) if record["finished"] else "",
        role=role,
        begin_ns=begin or None,
        took_ns=end - begin if 0 < begin <= end else None,
        done_by=done_by,
        in_flight=in_flight,
    )


def _end_of_work(process: JudgedProcess, row: Row) -> tuple[Seq | None, bool | None]:
    """When the host knew that what was given to a stream was done; whether it never did."""
    trace = process.evidence.trace
    record = trace.operations[row]
    is_queued = record["kind"] in (*WORK, Kind.HOST_FUNCTION)
    if not is_queued or record["captured"] or record["failed"] or Gap.NO_ORDER in trace.gaps:
        return None, None
    known = int(process.case.completion.known_by[row])
    return (None, True) if known == NONE else (int(trace.operations["seq"][known]), None)


def _memory(trace: Trace, finding: Finding, at: Row) -> tuple[NearbyAllocation, ...]:
    """The buffer with its neighbours by address, as they were at a row: blocks among blocks."""
    if finding.allocation == NONE:
        return ()
    table = trace.blocks if finding.block else trace.allocations
    own = finding.block - 1 if finding.block else finding.allocation
    known = np.flatnonzero((table["made_at"] <= at) | (np.arange(len(table)) == own))
    order = known[np.argsort(table["address"][known], kind="stable")].tolist()
    place = order.index(own)
    chosen = order[max(0, place - _NEIGHBOURS) : place + _NEIGHBOURS + 1]
    names = [trace.block_names[row] if finding.block else None for row in chosen]
    pairs = zip(chosen, names, strict=True)
    return tuple(_allocation(trace, table[row], at, name) for row, name in pairs)


def _allocation(trace: Trace, record: Table, at: Row, name: str | None) -> NearbyAllocation:
    """`name`: of a block; an allocation has that under which it was allocated."""
    made_by = int(record["made_by"])
    freed = 0 <= int(record["freed_at"]) <= at
    freed_by = int(record["freed_by"])
    generation = int(record["generation"]) if name is None else 1  # blocks are not counted
    return NearbyAllocation(
        address=hex(int(record["address"])),
        bytes=int(record["bytes"]),
        name=_allocation_name(trace, made_by) if name is None else name or None,
        state="freed" if freed else "live",
        generation=generation if generation > 1 else None,
        freed_at=freed_by if freed and freed_by > 0 else None,
    )
