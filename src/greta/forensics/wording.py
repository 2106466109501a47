"""What findings say of operations, accesses and allocations: the same fields everywhere."""

from __future__ import annotations

from typing import Final

import numpy as np

from greta.forensics.scan import KERNEL_ROLES, buffer_of
from greta.forensics.verdict import Doubt, Finding, Outcome, Ruling, Value
from greta.trace.trace import NONE, Role, Row, Seq, StreamKind, Table, Trace

OPERATION_FIELDS: Final = ("call", "kernel", "stream", "thread")
ACCESS_FIELDS: Final = (*OPERATION_FIELDS, "side", "argument", "origin", "address", "bytes")
BUFFER_FIELDS: Final = ("buffer", "buffer_bytes", "allocated_by", "freed_by")
RULING_FIELDS: Final = ("examined", "found", "missing")
KEPT: Final = 32
"""Only the first findings are kept; Ruling.data["found"] counts all."""

DOUBTS: Final = (
    "allocation_sizes",
    "dangling_argument",
    "ended_block",
    "ended_by_signal",
    "ended_handles",
    "ended_while_waiting",
    "freed_arguments",
    "freed_words",
    "handle_lifetimes",
    "host_memory",
    "never_waited_for",
    "no_suspect",
    "refused_launch",
    "refused_transfer",
    "several_blocks",
    "shared_memory",
    "suspects_differ",
    "too_many_transfers",
    "unknown_addresses",
    "unknown_arguments",
    "unseen_launches",
    "unwritten_copy",
    "unwritten_read",
    "unwritten_result",
)
"""What `missing` may name beside gaps, in the checks that are not about order."""

_SIDES: Final = {
    Role.SOURCE: "source",
    Role.DESTINATION: "destination",
    Role.ARGUMENT: "argument",
    Role.STRUCT_WORD: "struct",
    Role.HOST: "host",
    Role.FREED: "freed",
    Role.FOOTPRINT: "argument",
}


def ruling_codes(hypothesis: str) -> dict[str, tuple[str, ...]]:
    return {f"{hypothesis}_{outcome.value.lower()}": RULING_FIELDS for outcome in Outcome}


def stream_name(trace: Trace, stream: Row) -> str:
    """As a program's author knows it: by its handle; nothing if it is not known which it is."""
    if stream == NONE:
        return ""
    record = trace.streams[stream]
    return "default" if int(record["kind"]) == StreamKind.LEGACY else hex(int(record["handle"]))


def product(sides: tuple[int, int, int]) -> str:
    """As it is written in programs: 64 x 1 x 1, without what is 1 at the end."""
    return " x ".join(map(str, sides)).removesuffix(" x 1").removesuffix(" x 1")


def operation_words(trace: Trace, row: Row) -> dict[str, Value]:
    operation = trace.operations[row]
    kernel = int(operation["kernel"])
    return {
        "call": trace.calls[int(operation["call"])],
        "kernel": trace.kernels[kernel] if kernel != NONE else None,
        "stream": int(operation["stream"]),
        "thread": int(operation["thread"]),
    }


def access_words(trace: Trace, access: Row) -> dict[str, Value]:
    """Of an access and its operation; a node of a graph is named by the call that made it."""
    record = trace.accesses[access]
    row, origin = int(record["operation"]), int(record["origin"])
    words = operation_words(trace, row)
    if origin not in (NONE, 0, int(trace.operations["seq"][row])):
        words["origin"] = origin
        words["kernel"] = trace.describe(origin).kernel
    return words | {
        "side": _SIDES.get(Role(int(record["role"])), "source"),
        "argument": int(record["argument"]),
        "origin": words.get("origin"),
        "address": hex(int(record["address"])),
        "bytes": int(record["bytes"]),
    }


def parameter_name(trace: Trace, access: Row) -> str | None:
    """What a kernel, or a node of a graph, calls the argument that an access is by."""
    record = trace.accesses[access]
    row, origin, argument = (int(record[name]) for name in ("operation", "origin", "argument"))
    seq = origin if origin > 0 else int(trace.operations["seq"][row])
    return argument_name(trace, seq, argument)


def argument_name(trace: Trace, seq: Seq, argument: int) -> str | None:
    arguments = trace.describe(seq).kernel_arguments
    return (arguments[argument][0] or None) if 0 <= argument < len(arguments) else None


def buffer_words(trace: Trace, allocation: Row, block: int = 0) -> dict[str, Value]:
    """Of an allocation, or of a block in it; nothing is known of NONE."""
    if allocation == NONE:
        return dict.fromkeys(BUFFER_FIELDS)
    record = buffer_of(trace, allocation, block)
    known = bool(block) or bool(record["known_bytes"])
    made_by, freed_by = int(record["made_by"]), int(record["freed_by"])
    return {
        "buffer": hex(int(record["address"])),
        "buffer_bytes": int(record["bytes"]) if known else None,
        "allocated_by": None if made_by == NONE else made_by,
        "freed_by": None if freed_by == NONE else freed_by,
    }


def finding_of(
    trace: Trace, code: str, access: Row, strength: int = 2, more: dict[str, Value] | None = None
) -> Finding:
    record = trace.accesses[access]
    allocation, block = int(record["allocation"]), int(record["block"])
    words = access_words(trace, access) | buffer_words(trace, allocation, block)
    if int(record["role"]) in KERNEL_ROLES and (name := parameter_name(trace, access)):
        words["parameter"] = name
    words |= more or {}
    freed_by = words["freed_by"]
    return Finding(
        code,
        seq=int(trace.operations["seq"][int(record["operation"])]),
        other=freed_by if isinstance(freed_by, int) else None,
        allocation=allocation,
        block=block,
        access=access,
        data=words,
        strength=strength,
    )


def doubts_of(trace: Trace, code: str, hypothesis: str, rows: Table) -> tuple[Doubt, ...]:
    found = (finding_of(trace, code, row) for row in np.sort(rows)[:KEPT].tolist())
    return tuple(
        Doubt(one.code, (one.seq,), hypothesis, {**one.data, "seq": one.seq}) for one in found
    )


def settled(
    hypothesis: str,
    examined: int,
    findings: tuple[Finding, ...] = (),
    missing: tuple[str, ...] = (),
    found: int | None = None,
) -> Ruling:
    """CONFIRMED by a finding; else INCONCLUSIVE if something is missing; else by what was seen."""
    if findings:
        outcome = Outcome.CONFIRMED
    elif missing:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.REFUTED if examined else Outcome.NOT_EXERCISED
    count = len(findings) if found is None else found
    data: dict[str, Value] = {"examined": examined, "found": count, "missing": missing}
    code = f"{hypothesis}_{outcome.value.lower()}"
    return Ruling(hypothesis, outcome, code, examined, findings, data, missing)
