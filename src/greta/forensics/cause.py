"""From findings to the one that explains the failure.

The most upstream finding that explains the blamed call is the cause. A fault of the device is
explained by a launch that is suspected of it; a call that HIP refused by what is wrong with that
call. A race explains a fault of the device only if the launch that faulted reads what is being
written, and nothing shows which buffer it left: what it read may have led it anywhere. Other races
come after. With no failed call at all the
first sure finding is the cause. What ran and with which model are no operations: they are the
cause only if nothing else is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from greta.forensics.attribution import Attribution, Blamed
from greta.forensics.suspects import Suspect
from greta.forensics.verdict import HYPOTHESES, Finding, Outcome, Ruling, Saying, Value
from greta.trace.trace import NONE, Call, Kind, Memory, Row, Seq, Trace

FACT: Final = 0.95
"""The finding is about the very call that HIP refused."""
SURE: Final = 0.9
LIKELY: Final = 0.6

_REACHES: Final = ("byte_size_mismatch", "use_after_free", "bad_pointer", "upstream_kernel_fault")
_READS_TOO_EARLY: Final = "missing_sync"
_NO_OPERATION: Final = ("model_mismatch", "wrong_binary")
EXPLAINED: Final = 2
"""Ranks up to this explain the blamed call."""


@dataclass(frozen=True)
class OtherSuspect:
    """Another launch that may be the cause."""

    seq: Seq
    confidence: float


@dataclass(frozen=True)
class ChosenCause:
    """The finding that explains the failure, or is the one fault that was found."""

    hypothesis: str
    finding: Finding
    confidence: float
    rule: str
    """Which rule of docs/verdicts.md gave the confidence."""
    alternatives: tuple[OtherSuspect, ...] = ()


def choose_cause(
    rulings: Sequence[Ruling], blamed: Blamed | None, attribution: Attribution | None
) -> ChosenCause | None:
    """Of the findings of all confirmed hypotheses, or None if there are none."""
    candidates = [
        (_key(r.hypothesis, f, blamed, attribution), r.hypothesis, f)
        for r in rulings
        if r.outcome is Outcome.CONFIRMED
        for f in r.findings
    ]
    if not candidates:
        return None
    _, hypothesis, finding = min(candidates, key=lambda candidate: candidate[0])
    confidence, rule = _confidence(hypothesis, finding, blamed, attribution)
    return ChosenCause(hypothesis, finding, confidence, rule, _alternatives(finding, attribution))


def explains(cause: ChosenCause, blamed: Blamed, attribution: Attribution | None) -> bool:
    """Whether a cause has to do with the blamed call, and is not just another fault."""
    return _rank(cause.hypothesis, cause.finding, blamed, attribution) <= EXPLAINED


def _key(
    hypothesis: str, finding: Finding, blamed: Blamed | None, attribution: Attribution | None
) -> tuple[int, int, int, int]:
    rank = _rank(hypothesis, finding, blamed, attribution)
    return (rank, -finding.strength, finding.seq, HYPOTHESES.index(hypothesis))


def _rank(
    hypothesis: str, finding: Finding, blamed: Blamed | None, attribution: Attribution | None
) -> int:
    if hypothesis in _NO_OPERATION:
        return 6 + _NO_OPERATION.index(hypothesis)
    if blamed is None:
        return 0
    if not blamed.is_device_fault:
        return 0 if finding.seq == blamed.seq else 4
    if hypothesis == _READS_TOO_EARLY and _may_have_misled(finding, attribution):
        return 1
    if hypothesis not in _REACHES:
        return 5
    rank = _rank_of_reach(finding, blamed, attribution)
    return max(rank, 2) if _went_anywhere(finding) else rank


def _went_anywhere(finding: Finding) -> bool:
    """Whether a launch faulted at an address that none of its buffers explains."""
    return finding.code == "kernel_faulted" and finding.data.get("fault_address") is not None


def _may_have_misled(finding: Finding, attribution: Attribution | None) -> bool:
    """Whether the launch that faulted is the one that used a result too early, surely."""
    likely = attribution.likely if attribution else None
    return likely is not None and finding.seq == likely.seq and finding.strength >= 2


def _rank_of_reach(finding: Finding, blamed: Blamed, attribution: Attribution | None) -> int:
    suspects = attribution.suspects if attribution else ()
    if suspects and _is_about(finding, suspects[0]):
        return 0
    if finding.seq == blamed.seq:
        return 1
    return 2 if any(_is_about(finding, suspect) for suspect in suspects) else 4


def _is_about(finding: Finding, suspect: Suspect) -> bool:
    """Of what is freed in flight, the work that faulted is the other operation."""
    return suspect.seq == (finding.other if finding.code == "freed_in_flight" else finding.seq)


def _confidence(
    hypothesis: str, finding: Finding, blamed: Blamed | None, attribution: Attribution | None
) -> tuple[float, str]:
    likely = attribution.likely if attribution else None
    if hypothesis == _READS_TOO_EARLY and _may_have_misled(finding, attribution):
        return LIKELY, "likely"
    if attribution and attribution.rule and likely and _is_about(finding, likely):
        return attribution.confidence, attribution.rule
    if blamed and blamed.seq == finding.seq and blamed.by == "call" and not blamed.is_device_fault:
        return FACT, "refused"
    return (SURE, "sure") if finding.strength >= 2 else (LIKELY, "likely")


def _alternatives(finding: Finding, attribution: Attribution | None) -> tuple[OtherSuspect, ...]:
    if attribution is None or attribution.likely is None:
        return ()
    if not _is_about(finding, attribution.likely) or attribution.rule == "pinned":
        return ()
    equals = {suspect.seq for suspect in attribution.equals}
    others = max(1, attribution.count - len(equals))
    rest = max(0.0, 1.0 - attribution.confidence * len(equals)) / others
    return tuple(
        OtherSuspect(s.seq, attribution.confidence if s.seq in equals else round(rest, 2))
        for s in attribution.suspects[1:]
    )


# --- calls that HIP refused, and that nothing else explains ---------------------------------------

REFUSALS: Final[dict[str, tuple[str, ...]]] = {
    "verdict_error_unexplained": ("seq", "call", "error"),
    "verdict_error_logged": ("line", "error"),
    "verdict_launch_refused": ("seq", "kernel", "error", "blocks", "threads", "shared"),
    "verdict_no_memory": ("seq", "call", "asked", "live"),
}
Words: TypeAlias = "dict[str, Value]"
_OUT_OF_MEMORY: Final = 2
_SIZES: Final = ("size", "sizeBytes")
_ON_DEVICE: Final = (Memory.DEVICE, Memory.POOL, Memory.MANAGED)


def refused(trace: Trace, blamed: Blamed) -> Saying:
    """A call, or what a log says of one that it does not show."""
    if blamed.row == NONE:
        return Saying("verdict_error_logged", {"line": blamed.seq, "error": blamed.error})
    call = trace.describe(blamed.seq)
    kind = int(trace.operations["kind"][blamed.row])
    asked = _launch(call) if kind == Kind.LAUNCH else None
    if kind == Kind.ALLOCATE and blamed.error == _OUT_OF_MEMORY:
        asked = _memory(trace, blamed.row, call)
    return asked or Saying(
        "verdict_error_unexplained", {"seq": call.seq, "call": call.name, "error": _error(call)}
    )


def _error(call: Call) -> str:
    return call.result_name or str(call.result)


def _launch(call: Call) -> Saying | None:
    """Most launches that are not accepted are refused because of what they ask for."""
    if call.kernel is None or call.grid is None or call.block is None:
        return None
    shared = call.arguments.get("sharedMemBytes") or 0
    asked: Words = {"blocks": _product(call.grid), "threads": _product(call.block)}
    named: Words = {"seq": call.seq, "kernel": call.kernel, "error": _error(call)}
    return Saying("verdict_launch_refused", {**named, **asked, "shared": shared})


def _product(sides: tuple[int, int, int]) -> str:
    """As it is written in programs: 64 x 1 x 1, without what is 1 at the end."""
    return " x ".join(map(str, sides)).removesuffix(" x 1").removesuffix(" x 1")


def _memory(trace: Trace, row: Row, call: Call) -> Saying | None:
    asked = next((call.arguments[name] for name in _SIZES if name in call.arguments), None)
    if not isinstance(asked, int):
        return None
    known: Words = {"seq": call.seq, "call": call.name, "asked": asked}
    return Saying("verdict_no_memory", {**known, "live": _live_bytes(trace, row)})


def _live_bytes(trace: Trace, row: Row) -> int:
    """Of the devices together, when an operation was called."""
    table = trace.allocations
    live = (table["made_at"] < row) & ((table["freed_at"] == NONE) | (table["freed_at"] > row))
    return int(table["bytes"][live & np.isin(table["memory"], _ON_DEVICE)].sum())
