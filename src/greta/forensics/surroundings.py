"""What lies around a cause: the operations before and after it, and its neighbours in memory."""

from __future__ import annotations

from typing import Final

import numpy as np

from greta.forensics.report import ProcessReport
from greta.forensics.verdict import NearbyAllocation, NearbyCall, Surroundings
from greta.forensics.wording import stream_name
from greta.trace.trace import NONE, Row, Trace

SHOWN: Final = 18
_BEFORE, _AFTER = 4, 3
_NEIGHBOURS: Final = 2


def around(process: ProcessReport) -> Surroundings | None:
    """Operations around cause and blamed call, memory around the buffer; None if neither is."""
    if process.blamed is None and process.cause is None:
        return None
    trace, cause = process.evidence.trace, process.cause
    roles = _roles(process)
    finding = cause.finding if cause else None
    fault = finding.data.get("fault_address") or finding.data.get("address") if finding else None
    return Surroundings(
        operations=tuple(_call(trace, row, roles.get(row, "")) for row in _rows(trace, roles)),
        memory=_memory(trace, finding.allocation, min(roles, default=0)) if finding else (),
        address=fault if isinstance(fault, str) else None,
    )


def _roles(process: ProcessReport) -> dict[Row, str]:
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


def _call(trace: Trace, row: Row, role: str) -> NearbyCall:
    record = trace.operations[row]
    call = trace.describe(int(record["seq"]))
    return NearbyCall(
        seq=call.seq,
        call=call.name,
        kernel=call.kernel,
        stream=stream_name(trace, int(record["stream"])),
        result=(call.result_name or str(call.result)) if record["finished"] else "",
        role=role,
    )


def _memory(trace: Trace, allocation: Row, at: Row) -> tuple[NearbyAllocation, ...]:
    """The buffer with its neighbours by address, as they were at a row."""
    if allocation == NONE:
        return ()
    table = trace.allocations
    known = np.flatnonzero((table["made_at"] <= at) | (np.arange(len(table)) == allocation))
    order = known[np.argsort(table["address"][known], kind="stable")].tolist()
    place = order.index(allocation)
    chosen = order[max(0, place - _NEIGHBOURS) : place + _NEIGHBOURS + 1]
    return tuple(_allocation(trace, row, at) for row in chosen)


def _allocation(trace: Trace, row: Row, at: Row) -> NearbyAllocation:
    record = trace.allocations[row]
    made_by = int(record["made_by"])
    names = trace.describe(made_by).annotations if made_by > 0 else ()
    freed = 0 <= int(record["freed_at"]) <= at
    return NearbyAllocation(
        address=hex(int(record["address"])),
        bytes=int(record["bytes"]),
        name=names[-1] if names else None,
        state="freed" if freed else "live",
    )
