"""From findings to the one that explains the failure.

The most upstream finding that explains the blamed call is the cause. A fault of the device is
explained by an operation that is suspected of it; a refused call by what is wrong with that call. A
race, or a read of what nobody wrote, explains a fault of the device if it fed the launch that
faulted, unless that launch's own pointers and numbers explain the fault: what it read may have led
it anywhere. Other such findings come after. With no failed call at all the first sure finding is
the cause. What ran and with which model are no operations: they are the cause only if nothing else
is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from greta.forensics.attribution import Attribution, Blamed
from greta.forensics.case import Case
from greta.forensics.failures import NOT_INITIALIZED, capture_around
from greta.forensics.lacking import Lack
from greta.forensics.scan import feeds, live_at
from greta.forensics.suspects import Suspect
from greta.forensics.verdict import (
    HYPOTHESES,
    RACES,
    STOPS,
    Alternative,
    Doubt,
    Finding,
    Outcome,
    Ruling,
    Saying,
    Turn,
    Value,
)
from greta.forensics.wording import product
from greta.recording import ERROR_NAMES
from greta.trace.evidence import Evidence
from greta.trace.trace import NONE, Kind, Memory, Seq, Trace

FACT: Final = 0.95
"""The finding is about the very call that HIP refused."""
SURE: Final = 0.9
LIKELY: Final = 0.6

_REACHES: Final = ("byte_size_mismatch", "use_after_free", "bad_pointer", "upstream_kernel_fault")
_UNWRITTEN: Final = "uninitialized_read"
_INPUTS: Final = (*RACES, _UNWRITTEN)
"""What may leave a launch that is right with wrong input."""
_NO_OPERATION: Final = ("model_mismatch", "wrong_binary")
_LISTED: Final = 64
EXPLAINED: Final = 2
"""Ranks up to this explain the blamed call."""


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
    alternatives: tuple[Alternative, ...] = ()
    """By `seq` and `confidence` alone."""
    turn: Turn | None = None


@dataclass(frozen=True)
class JudgedProcess:
    case: Case
    rulings: tuple[Ruling, ...]
    """In the order of the hypotheses."""
    blamed: Blamed | None
    cause: ChosenCause | None
    lack: Lack | None = None
    lacking: Saying | None = None
    """Why the blamed call says nothing about the program, if that is so."""

    @property
    def evidence(self) -> Evidence:
        return self.case.evidence

    @property
    def ran_whole(self) -> bool:
        """False if the simulated device could not run it: it may not have come to free memory."""
        return self.lacking is None and not (self.lack and self.lack.is_serious)

    @property
    def attribution(self) -> Attribution | None:
        return self.case.attribution


def choose_cause(
    trace: Trace,
    rulings: Sequence[Ruling],
    blamed: Blamed | None,
    attribution: Attribution | None,
) -> ChosenCause | None:
    """The cause among the findings of all confirmed hypotheses; None if there are none."""
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
    doubts = [one for r in rulings for one in r.doubts]
    if confidence > LIKELY and surfaced.may_be_fed(hypothesis, doubts):
        confidence, rule = LIKELY, "likely"
    if not attribution or not attribution.likely or not _is_about(finding, attribution.likely):
        return ChosenCause(hypothesis, finding, confidence, rule, confidence)
    of_launch = min(confidence, attribution.launch_confidence)
    others = _alternatives(attribution)
    turn = None if hypothesis in _INPUTS else _turn(attribution, attribution.likely)
    return ChosenCause(hypothesis, finding, confidence, rule, of_launch, others, turn)


def explains(
    trace: Trace, cause: ChosenCause, blamed: Blamed, attribution: Attribution | None
) -> bool:
    """Whether a cause has to do with the blamed call, and is not just another fault."""
    surfaced = _Surfaced(trace, blamed, attribution)
    return surfaced.rank(cause.hypothesis, cause.finding) <= EXPLAINED


@dataclass(frozen=True)
class _Surfaced:
    trace: Trace
    blamed: Blamed | None
    attribution: Attribution | None

    def key(self, hypothesis: str, finding: Finding) -> tuple[int, int, int, int, bool]:
        rank, is_elsewhere = self.rank(hypothesis, finding), not self._led_to_fault(finding)
        return (rank, -finding.strength, finding.seq, HYPOTHESES.index(hypothesis), is_elsewhere)

    def _led_to_fault(self, finding: Finding) -> bool:
        """Of a launch that was given several bad pointers: the one that explains the address."""
        likely = self.attribution.likely if self.attribution else None
        pointer = likely.pointer if likely else None
        return pointer is not None and pointer.explains_address and pointer.access == finding.access

    def rank(self, hypothesis: str, finding: Finding) -> int:
        """How well a finding explains the blamed call, from the best."""
        blamed = self.blamed
        if hypothesis in _NO_OPERATION:
            return 6 + _NO_OPERATION.index(hypothesis)
        if blamed is None:
            return 0
        if not blamed.is_device_fault:
            return 0 if finding.seq == blamed.seq else 4
        if hypothesis in _INPUTS:
            return -1 if self._may_have_misled(hypothesis, finding) else 5
        return self._rank_of_reach(finding, blamed) if hypothesis in _REACHES else 5

    def confidence(self, hypothesis: str, finding: Finding) -> tuple[float, str]:
        attribution, blamed = self.attribution, self.blamed
        likely = attribution.likely if attribution else None
        if attribution and hypothesis in _INPUTS and self._may_have_misled(hypothesis, finding):
            return min(LIKELY, attribution.confidence), "likely"
        if attribution and attribution.rule and likely and _is_about(finding, likely):
            if attribution.may_be_trap and finding.code not in STOPS:
                return min(LIKELY, attribution.confidence), "likely"
            return attribution.confidence, attribution.rule
        is_call = blamed is not None and blamed.by == "call" and not blamed.is_device_fault
        if is_call and blamed and blamed.seq == finding.seq:
            return FACT, "refused"
        return (SURE, "sure") if finding.strength >= 2 else (LIKELY, "likely")

    def may_be_fed(self, hypothesis: str, doubts: Iterable[Doubt]) -> bool:
        """Whether wrong input may have led the launch that faulted astray.

        Its address says so, or one of the doubts is about its input.
        """
        attribution = self.attribution
        if attribution and attribution.by_fresh_memory and hypothesis in _REACHES:
            return True
        return any(
            one.hypothesis in _INPUTS and self._is_fed(one.hypothesis, *one.operations[:2])
            for one in doubts
        )

    def _may_have_misled(self, hypothesis: str, finding: Finding) -> bool:
        """Whether the launch that faulted used what such a finding left, and went astray by it."""
        return self._is_fed(hypothesis, finding.seq, finding.other)

    def _is_fed(self, hypothesis: str, second: Seq, first: Seq | None = None) -> bool:
        """Not if its own numbers explain the fault; no race if waiting everywhere did not help."""
        attribution = self.attribution
        likely = attribution.likely if attribution else None
        if attribution is None or likely is None or likely.is_transfer or likely.is_plain:
            return False
        if attribution.rule == "pinned" and hypothesis in RACES:
            return False
        victims = _victims(hypothesis, second, first)
        return likely.seq in victims or any(
            feeds(self.trace, self.trace.row_of(seq), likely.row) for seq in victims
        )

    def _rank_of_reach(self, finding: Finding, blamed: Blamed) -> int:
        suspects = self.attribution.suspects if self.attribution else ()
        if suspects and _is_about(finding, suspects[0]):
            return 0
        if finding.seq == blamed.seq:
            return 1
        return 2 if any(_is_about(finding, suspect) for suspect in suspects) else 4


def _victims(hypothesis: str, second: Seq, first: Seq | None = None) -> tuple[Seq, ...]:
    """The operations that leave, or use, something else than what was meant."""
    other = () if first is None else (first,)
    if hypothesis in ("missing_sync", _UNWRITTEN):
        return (second,)
    return other if hypothesis == "staging_reuse" else (second, *other)


def _is_about(finding: Finding, suspect: Suspect) -> bool:
    """For memory freed in flight, the work that faulted is the other operation."""
    return suspect.seq == (finding.other if finding.code == "freed_in_flight" else finding.seq)


def _alternatives(attribution: Attribution) -> tuple[Alternative, ...]:
    """One for each kernel, argument and buffer; launches that are alike are one."""
    if attribution.rule == "pinned":
        return ()
    likely = attribution.suspects[0]
    equals = [one for one in attribution.others if one.weight == likely.weight]
    left = max(0.0, 1.0 - attribution.confidence * (1 + len(equals)))
    rest = left / max(1, len(attribution.others) - len(equals))
    return tuple(
        Alternative(s.seq, confidence=attribution.confidence if s in equals else round(rest, 2))
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
    "verdict_while_capturing": ("seq", "call", "error", "since"),
    "verdict_forked": ("seq", "call", "error", "parent"),
    "verdict_error_logged": ("line", "error"),
    "verdict_launch_refused": ("seq", "kernel", "error", "blocks", "threads", "shared"),
    "verdict_no_memory": ("seq", "call", "asked", "live"),
}
_OUT_OF_MEMORY: Final = 2
_FORBIDDEN: Final = (900, 906)
"""hipErrorStreamCaptureUnsupported and -Implicit: not allowed while a stream is captured."""
_SIZES: Final = ("size", "sizeBytes")
_ON_DEVICE: Final = (Memory.DEVICE, Memory.POOL, Memory.MANAGED)


def refused(evidence: Evidence, blamed: Blamed) -> Saying:
    """A call, or what a log says of one that it does not show."""
    trace = evidence.trace
    if blamed.row == NONE:
        name = ERROR_NAMES.get(blamed.error, str(blamed.error))
        return Saying("verdict_error_logged", {"line": blamed.seq, "error": name})
    call = trace.describe(blamed.seq)
    kind = int(trace.operations["kind"][blamed.row])
    error = call.result_name or str(call.result)
    if kind == Kind.LAUNCH and call.kernel is not None and call.grid and call.block:
        # Most launches that are not accepted are refused because of what they ask for.
        words: dict[str, Value] = {"seq": call.seq, "kernel": call.kernel, "error": error}
        words |= {"blocks": product(call.grid), "threads": product(call.block)}
        words["shared"] = call.arguments.get("sharedMemBytes") or 0
        return Saying("verdict_launch_refused", words)
    words = {"seq": call.seq, "call": call.name}
    if blamed.error == NOT_INITIALIZED and (parent := _forked_from(evidence)):
        return Saying("verdict_forked", {**words, "error": error, "parent": parent})
    if blamed.error in _FORBIDDEN and (began := capture_around(trace, blamed.row)) != NONE:
        since = int(trace.operations["seq"][began])
        return Saying("verdict_while_capturing", {**words, "error": error, "since": since})
    asked = next((call.arguments[name] for name in _SIZES if name in call.arguments), None)
    if kind != Kind.ALLOCATE or blamed.error != _OUT_OF_MEMORY or not isinstance(asked, int):
        return Saying("verdict_error_unexplained", {**words, "error": error})
    table = trace.allocations
    on_device = live_at(table, blamed.row) & np.isin(table["memory"], _ON_DEVICE)
    words |= {"asked": asked, "live": int(table["bytes"][on_device].sum())}
    return Saying("verdict_no_memory", words)


def _forked_from(evidence: Evidence) -> int | None:
    """The process that this one is a copy of, with its HIP: it runs what that one runs."""
    own = [one for one in evidence.run.processes if one.pid == evidence.trace.pid]
    for one in own:
        for other in evidence.run.processes:
            same = (other.executable, other.arguments) == (one.executable, one.arguments)
            if other.pid == one.parent_pid and same and other.calls:
                return other.pid
    return None
