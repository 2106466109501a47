"""From findings to the one that explains the failure.

The most upstream finding that explains the blamed call is the cause. A fault of the device is
explained by an operation that is suspected of it; a refused call by what is wrong with that
call. A race explains a fault of the device if it fed the launch that faulted, unless that launch's
own pointers and numbers explain the fault: what it read may have led it anywhere. Other races come
after. With no failed call at all the first sure finding is the cause. What ran and with which model
are no operations: they are the cause only if nothing else is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from greta.forensics.attribution import Attribution, Blamed
from greta.forensics.suspects import Suspect
from greta.forensics.verdict import (
    HYPOTHESES,
    RACES,
    Doubt,
    Finding,
    Outcome,
    Ruling,
    Saying,
    Turn,
    Value,
)
from greta.trace.trace import NONE, Call, Kind, Memory, Mode, Role, Row, Seq, Trace

FACT: Final = 0.95
"""The finding is about the very call that HIP refused."""
SURE: Final = 0.9
LIKELY: Final = 0.6

_REACHES: Final = ("byte_size_mismatch", "use_after_free", "bad_pointer", "upstream_kernel_fault")
_NO_OPERATION: Final = ("model_mismatch", "wrong_binary")
_LISTED: Final = 64
EXPLAINED: Final = 2
"""Ranks up to this explain the blamed call."""


@dataclass(frozen=True)
class OtherSuspect:
    """Another operation that may be the cause; of launches that are alike, the first."""

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
    launch_confidence: float
    """How sure it is which launch; `confidence` is for kernel, argument and buffer."""
    alternatives: tuple[OtherSuspect, ...] = ()
    turn: Turn | None = None


def choose_cause(
    trace: Trace,
    rulings: Sequence[Ruling],
    blamed: Blamed | None,
    attribution: Attribution | None,
) -> ChosenCause | None:
    """Of the findings of all confirmed hypotheses, or None if there are none."""
    surfaced = _Surfaced(trace, blamed, attribution)
    candidates = [
        (surfaced.key(r.hypothesis, f), r.hypothesis, f)
        for r in rulings
        if r.outcome is Outcome.CONFIRMED
        for f in r.findings
    ]
    if not candidates:
        return None
    _, hypothesis, finding = min(candidates, key=lambda candidate: candidate[0])
    confidence, rule = surfaced.confidence(hypothesis, finding)
    if confidence > LIKELY and surfaced.may_be_fed_by(one for r in rulings for one in r.doubts):
        confidence, rule = LIKELY, "likely"
    if not attribution or not attribution.likely or not _is_about(finding, attribution.likely):
        return ChosenCause(hypothesis, finding, confidence, rule, confidence)
    is_race = hypothesis in RACES
    return ChosenCause(
        hypothesis,
        finding,
        confidence,
        rule,
        min(confidence, attribution.launch_confidence),
        _alternatives(attribution),
        None if is_race else _turn(attribution, attribution.likely),
    )


def explains(
    trace: Trace, cause: ChosenCause, blamed: Blamed, attribution: Attribution | None
) -> bool:
    """Whether a cause has to do with the blamed call, and is not just another fault."""
    surfaced = _Surfaced(trace, blamed, attribution)
    return surfaced.rank(cause.hypothesis, cause.finding) <= EXPLAINED


@dataclass(frozen=True)
class _Surfaced:
    """What findings are held against."""

    trace: Trace
    blamed: Blamed | None
    attribution: Attribution | None

    def key(self, hypothesis: str, finding: Finding) -> tuple[int, int, int, int]:
        """The smallest is the cause."""
        rank = self.rank(hypothesis, finding)
        return (rank, -finding.strength, finding.seq, HYPOTHESES.index(hypothesis))

    def rank(self, hypothesis: str, finding: Finding) -> int:
        """How well a finding explains the blamed call, from the best."""
        blamed = self.blamed
        if hypothesis in _NO_OPERATION:
            return 6 + _NO_OPERATION.index(hypothesis)
        if blamed is None:
            return 0
        if not blamed.is_device_fault:
            return 0 if finding.seq == blamed.seq else 4
        if hypothesis in RACES:
            return -1 if self._may_have_misled(hypothesis, finding) else 5
        return self._rank_of_reach(finding, blamed) if hypothesis in _REACHES else 5

    def confidence(self, hypothesis: str, finding: Finding) -> tuple[float, str]:
        """With the rule that gave it."""
        attribution, blamed = self.attribution, self.blamed
        likely = attribution.likely if attribution else None
        if attribution and hypothesis in RACES and self._may_have_misled(hypothesis, finding):
            return min(LIKELY, attribution.confidence), "likely"
        if attribution and attribution.rule and likely and _is_about(finding, likely):
            return attribution.confidence, attribution.rule
        is_call = blamed is not None and blamed.by == "call" and not blamed.is_device_fault
        if is_call and blamed and blamed.seq == finding.seq:
            return FACT, "refused"
        return (SURE, "sure") if finding.strength >= 2 else (LIKELY, "likely")

    def may_be_fed_by(self, doubts: Iterable[Doubt]) -> bool:
        """Whether one of them could be a race that led the launch that faulted astray."""
        return any(
            one.hypothesis in RACES and self._is_fed(_victims(one.hypothesis, *one.operations[:2]))
            for one in doubts
        )

    def _may_have_misled(self, hypothesis: str, finding: Finding) -> bool:
        """Whether the launch that faulted surely used what a race left, and went astray by it."""
        victims = _victims(hypothesis, finding.seq, finding.other)
        return finding.strength >= 2 and self._is_fed(victims)

    def _is_fed(self, victims: tuple[Seq, ...]) -> bool:
        """Not if its own numbers explain the fault, or if waiting everywhere did not help."""
        attribution = self.attribution
        likely = attribution.likely if attribution else None
        if attribution is None or likely is None or likely.is_transfer:
            return False
        if likely.is_plain or attribution.rule == "pinned":
            return False
        return likely.seq in victims or any(
            _feeds(self.trace, self.trace.row_of(seq), likely.row) for seq in victims
        )

    def _rank_of_reach(self, finding: Finding, blamed: Blamed) -> int:
        suspects = self.attribution.suspects if self.attribution else ()
        if suspects and _is_about(finding, suspects[0]):
            return 0
        if finding.seq == blamed.seq:
            return 1
        return 2 if any(_is_about(finding, suspect) for suspect in suspects) else 4


def _victims(hypothesis: str, second: Seq, first: Seq | None = None) -> tuple[Seq, ...]:
    """The operations of a race that leave, or use, something else than what was meant."""
    other = () if first is None else (first,)
    if hypothesis == "missing_sync":
        return (second,)
    return other if hypothesis == "staging_reuse" else (second, *other)


def _feeds(trace: Trace, row: Row, launch: Row) -> bool:
    """Whether an operation writes what a later launch was given."""
    if row == NONE or row >= launch:
        return False
    sides = trace.accesses_of(row)
    sides = sides[(sides["role"] == Role.DESTINATION) | (sides["mode"] == Mode.MAY_WRITE)]
    given = trace.accesses_of(launch)
    return any(
        (
            (given["allocation"] == side["allocation"])
            & (given["allocation"] != NONE)
            & (given["address"] < side["address"] + side["bytes"])
        ).any()
        for side in sides
    )


def _is_about(finding: Finding, suspect: Suspect) -> bool:
    """Of what is freed in flight, the work that faulted is the other operation."""
    return suspect.seq == (finding.other if finding.code == "freed_in_flight" else finding.seq)


def _alternatives(attribution: Attribution) -> tuple[OtherSuspect, ...]:
    """One for each kernel, argument and buffer; launches that are alike are one."""
    if attribution.rule == "pinned":
        return ()
    likely = attribution.suspects[0]
    equals = [one for one in attribution.others if one.weight == likely.weight]
    left = max(0.0, 1.0 - attribution.confidence * (1 + len(equals)))
    rest = left / max(1, len(attribution.others) - len(equals))
    return tuple(
        OtherSuspect(s.seq, attribution.confidence if s in equals else round(rest, 2))
        for s in attribution.others
    )


def _turn(attribution: Attribution, likely: Suspect) -> Turn | None:
    if attribution.alike_count == 1:
        return None
    seqs = sorted(one.seq for one in attribution.alike)
    return Turn(seqs.index(likely.seq) + 1, attribution.alike_count, tuple(seqs[:_LISTED]))


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
