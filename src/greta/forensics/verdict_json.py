"""The report as verdict.json, a contract with other tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from greta.forensics.attribution import Blamed
from greta.forensics.coverage import Coverage
from greta.forensics.report import Cause, ProcessReport, Report, Saying
from greta.forensics.surroundings import around
from greta.forensics.verdict import Finding, Ruling, Value
from greta.recording import ERROR_NAMES
from greta.trace.trace import NONE, Call, Seq, Trace, Where

SCHEMA: Final = 1
Say = Callable[[str, dict[str, Value]], str]
Json = dict[str, Any]


def to_json(report: Report, say: Say) -> Json:
    """`say` puts a code and its data into words."""
    main, several = report.main, len(report.processes) > 1
    return {
        "schema": SCHEMA,
        "verdict": report.verdict.value,
        "reason": say(report.reason.code, report.reason.data),
        "reason_code": report.reason.code,
        "reason_data": _plain(report.reason.data),
        "coverage": _coverage(report.coverage),
        "hypotheses": [_hypothesis(ruling, say) for ruling in report.rulings],
        "blamed": _blamed(main, report.blamed, several) if main else None,
        "cause": _cause(main, report.cause, several) if main else None,
        "next_steps": [say(step.code, step.data) for step in report.next_steps],
        "next_step_codes": [_saying(step) for step in report.next_steps],
        "around": around(main) if main else None,
    }


def _saying(saying: Saying) -> Json:
    return {"code": saying.code, "data": _plain(saying.data)}


def _plain(data: dict[str, Value]) -> Json:
    return {key: list(v) if isinstance(v, tuple) else v for key, v in data.items()}


def _coverage(coverage: Coverage) -> Json:
    return {
        "calls": coverage.calls,
        "d2h": {
            "calls": coverage.d2h_calls,
            "bytes": coverage.d2h_bytes,
            "audited": coverage.d2h_audited,
        },
        "launches": coverage.launches,
        "dropped": coverage.dropped,
        "complete": coverage.complete,
        "gaps": [{"code": name.lower(), "detail": text} for name, text in coverage.gaps],
    }


def _hypothesis(ruling: Ruling, say: Say) -> Json:
    return {
        "id": ruling.hypothesis,
        "verdict": ruling.outcome.value,
        "reason": _reason(ruling, say),
        "evidence": _seqs(ruling.findings),
        "examined": ruling.examined,
        "code": ruling.code,
        "data": _plain(ruling.data),
        "missing": list(ruling.missing),
        "findings": [_finding(finding, say) for finding in ruling.findings],
    }


def _reason(ruling: Ruling, say: Say) -> str:
    """The first finding says more than that there are some."""
    if not ruling.findings:
        return say(ruling.code, ruling.data)
    first = ruling.findings[0]
    return say(first.code, _with_seqs(first))


def _finding(finding: Finding, say: Say) -> Json:
    data = _with_seqs(finding)
    return {
        "code": finding.code,
        "seq": finding.seq,
        "other": finding.other,
        "text": say(finding.code, data),
        "data": _plain(data),
    }


def _with_seqs(finding: Finding) -> dict[str, Value]:
    return {**finding.data, "seq": finding.seq, "other": finding.other}


def _seqs(findings: tuple[Finding, ...]) -> list[Seq]:
    seqs: dict[Seq, None] = {}
    for finding in findings:
        seqs[finding.seq] = None
        if finding.other is not None:
            seqs[finding.other] = None
    return list(seqs)


def _blamed(process: ProcessReport, blamed: Blamed | None, several: bool) -> Json | None:
    if blamed is None:
        return None
    call = process.evidence.trace.describe(blamed.seq) if blamed.row != NONE else None
    return {
        "seq": blamed.seq,
        "call": call.name if call else None,
        "kernel": call.kernel if call else None,
        "error": _error(process, blamed, call),
        "where": _where(call.where if call else Where()),
        "by": blamed.by,
        **_pid(process, several),
    }


def _error(process: ProcessReport, blamed: Blamed, call: Call | None) -> str | None:
    if blamed.error:
        known = call.result_name if call else None
        return known or ERROR_NAMES.get(blamed.error, str(blamed.error))
    if blamed.by == "end":
        return f"signal {process.evidence.trace.signal}"
    faults = process.evidence.faults
    return (faults[0].reason or "memory access fault") if faults else None


def _where(where: Where) -> Json:
    return {"file": where.file, "line": where.line, "function": where.function}


def _pid(process: ProcessReport, several: bool) -> Json:
    """Numbers of calls are a process' own, so with several it is said whose they are."""
    return {"pid": process.evidence.trace.pid} if several else {}


def _cause(process: ProcessReport, cause: Cause | None, several: bool) -> Json | None:
    if cause is None:
        return None
    trace, finding = process.evidence.trace, cause.finding
    row = trace.row_of(finding.seq)
    call = trace.describe(finding.seq) if row != NONE else None
    return {
        "hypothesis": cause.hypothesis,
        "seq": finding.seq,
        "call": call.name if call else None,
        "kernel": _kernel(finding, call),
        "stream": int(trace.operations["stream"][row]) if row != NONE else None,
        "buffer": _buffer(trace, finding),
        "access": _access(trace, finding),
        "confidence": cause.confidence,
        "rule": cause.rule,
        "alternatives": [_alternative(trace, a.seq, a.confidence) for a in cause.alternatives[:16]],
        "code": finding.code,
        "data": _plain(_with_seqs(finding)),
        "where": _where(call.where if call else Where()),
        **_pid(process, several),
    }


def _kernel(finding: Finding, call: Call | None) -> str | None:
    kernel = finding.data.get("kernel")
    return kernel if isinstance(kernel, str) else (call.kernel if call else None)


def _alternative(trace: Trace, seq: Seq, confidence: float) -> Json:
    call = trace.describe(seq)
    return {"seq": seq, "call": call.name, "kernel": call.kernel, "confidence": confidence}


def _buffer(trace: Trace, finding: Finding) -> Json | None:
    if finding.allocation == NONE:
        return None
    record = trace.allocations[finding.allocation]
    made_by, freed_by = int(record["made_by"]), int(record["freed_by"])
    return {
        "address": hex(int(record["address"])),
        "bytes": int(record["bytes"]) if record["known_bytes"] else None,
        "allocated_at": made_by if made_by != NONE else None,
        "freed_at": freed_by if freed_by != NONE else None,
        "name": _name(trace, finding, made_by),
    }


def _name(trace: Trace, finding: Finding, made_by: Seq) -> str | None:
    """What the program called it when it allocated it; else the kernel's name for it."""
    annotations = trace.describe(made_by).annotations if made_by > 0 else ()
    if annotations:
        return annotations[-1]
    if finding.access == NONE:
        return None
    record = trace.accesses[finding.access]
    origin, argument = int(record["origin"]), int(record["argument"])
    seq = origin if origin > 0 else finding.seq
    arguments = trace.describe(seq).kernel_arguments
    return (arguments[argument][0] or None) if 0 <= argument < len(arguments) else None


def _access(trace: Trace, finding: Finding) -> Json | None:
    if finding.access == NONE:
        return None
    record = trace.accesses[finding.access]
    fault = finding.data.get("fault_address")
    reach = int(record["reach"]) or int(record["bytes"])
    past_end = _past_end(trace, finding, int(record["address"]) + reach)
    return {
        "address": fault if isinstance(fault, str) else hex(int(record["address"])),
        "address_bytes": finding.data.get("fault_bytes") or 1,
        "bytes": reach,
        "past_end": past_end,
        "past_end_below": _past_end_below(finding, past_end),
    }


def _past_end(trace: Trace, finding: Finding, stop: int) -> int | None:
    """None if it is not known; an operation that no fault is known of reaches as far as it says."""
    if "past_end" in finding.data:
        said = finding.data["past_end"]
        return said if isinstance(said, int) else None
    if finding.allocation == NONE or not trace.allocations["known_bytes"][finding.allocation]:
        return None
    record = trace.allocations[finding.allocation]
    return max(0, stop - int(record["address"]) - int(record["bytes"]))


def _past_end_below(finding: Finding, past_end: int | None) -> int | None:
    """It was fewer than this; one more than `past_end` where that is known to the byte."""
    said = finding.data.get("past_end_below")
    if isinstance(said, int):
        return said
    return None if past_end is None else past_end + 1
