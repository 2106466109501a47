"""Why iterations failed: of each its cause, and which causes there were how often.

A cause is what the evidence shows (a hypothesis and the operation at fault), else what was seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from greta.forensics.statistics import failure_rate, fix_proven, unequal_by_luck
from greta.forensics.verdict import RACES, Saying, Value, Verdict
from greta.lab.cases.factors import LEVEL
from greta.lab.judge import Judgement
from greta.lab.outcomes import IterationOutcome
from greta.lab.summary import (
    DeviceRate,
    Interval,
    ProfileRate,
    ProgramEnding,
    RatedCause,
    SeenEnding,
)
from greta.recording import ERROR_NAMES

Key: TypeAlias = "tuple[str, str]"

_ENDINGS: Final[dict[str, tuple[str, str]]] = {
    "exit_code": ("seen_exit_code", "seen_exit_early"),
    "signal": ("seen_signal", "seen_signal_early"),
    "timeout": ("seen_hang", "seen_hang_early"),
    "output_unexpected": ("seen_output_unexpected", "seen_output_unexpected"),
    "output_empty": ("seen_output_empty", "seen_output_empty"),
}
"""Ways to end, as they are said; and before the first HIP call."""
_STEPS: Final[dict[str, tuple[str, ...]]] = {
    "seen_exit_code": ("step_see_output",),
    "seen_signal": ("step_who_sent",),
    "seen_hang": ("step_see_stacks",),
    "seen_hang_in_call": ("step_hang_in_call", "step_see_stacks"),
    "seen_exit_early": ("step_start_alone",),
    "seen_signal_early": ("step_start_alone",),
    "seen_hang_early": ("step_start_alone",),
    "seen_end_unknown": ("step_watch_to_the_end",),
    "seen_output_unexpected": ("step_see_stdout",),
    "seen_output_empty": ("step_see_stdout",),
}
_OF_STEPS: Final[dict[str, tuple[str, ...]]] = {
    "step_see_output": ("exit_code",),
    "step_who_sent": ("signal",),
    "step_see_stacks": ("stacks",),
    "step_hang_in_call": ("call", "seq"),
    "step_see_stdout": ("expected",),
}
"""What their sentences name; the others name nothing."""

_BY_ENDING: Final = ("hang",)
"""Hypotheses that are confirmed by how the program ended."""


@dataclass(frozen=True)
class Failure:
    """A failed iteration and what made it fail."""

    outcome: IterationOutcome
    hypothesis: str | None
    operation: str
    """The kernel or the call; what else tells it from others where there is none."""
    code: str
    data: Mapping[str, Value] = field(default_factory=dict, compare=False)

    @property
    def key(self) -> Key:
        """Equal for failures of one cause; numbers and addresses differ from run to run."""
        return self.hypothesis or self.code, self.operation

    @property
    def is_race(self) -> bool:
        return bool({*RACES} & {self.hypothesis, *self.outcome.problems})


def failures_of(
    outcomes: Iterable[IterationOutcome], judgements: Sequence[Judgement]
) -> list[Failure]:
    verdicts = {judgement.run: judgement.verdict for judgement in judgements}
    return [_failure(one, verdicts.get(one.run)) for one in outcomes if one.result == "FAIL"]


def causes_of(failures: Sequence[Failure], runs: int) -> tuple[RatedCause, ...]:
    """The most frequent first, each with its rate among the judged runs."""
    groups: dict[Key, list[Failure]] = {}
    for failure in failures:
        groups.setdefault(failure.key, []).append(failure)
    causes = []
    for group in sorted(groups.values(), key=len, reverse=True):
        first, rate = group[0], failure_rate(len(group), max(runs, len(group)))
        causes.append(
            RatedCause(
                hypothesis=first.hypothesis,
                operation=first.operation,
                code=first.code,
                data=first.data,
                runs=len(group),
                rate=rate.estimate,
                rate_interval_95=rate.interval,
                test=first.outcome.iteration.test.id,
                iteration=first.outcome.iteration.number,
                run=first.outcome.run,
            )
        )
    return tuple(causes)


def cause_key(verdict: Verdict | None) -> Key | None:
    """The same of the cause that the verdict of a run names."""
    cause = verdict.cause if verdict else None
    return (cause.hypothesis, cause.operation) if cause else None


def _failure(outcome: IterationOutcome, verdict: Verdict | None) -> Failure:
    cause = verdict.cause if verdict else None
    if cause and outcome.holds(cause.seq):
        return Failure(outcome, cause.hypothesis, cause.operation, cause.code, cause.data)
    for one in verdict.rulings if verdict and outcome.range else ():
        for finding in one.findings if one.confirmed else ():
            if outcome.holds(finding.seq):
                operation = str(finding.data.get("kernel") or finding.data.get("call") or "")
                return Failure(outcome, one.hypothesis, operation, finding.code, finding.words)
    return _unexplained(outcome, verdict)


def _unexplained(outcome: IterationOutcome, verdict: Verdict | None) -> Failure:
    error, ending = outcome.error, outcome.ending
    if error and error.call:
        known = ERROR_NAMES.get(error.code or 0, error.code)
        name = str(error.error or error.name or known)
        # The verdict's own reason says more than the bare error, if it is about this call.
        reason = verdict.reason if verdict else None
        if reason is None or error.seq is None or reason.data.get("seq") != error.seq:
            data: dict[str, Value] = {"seq": error.seq, "call": error.call, "error": name}
            reason = Saying("verdict_error_unexplained", data)
        return Failure(outcome, None, f"{error.call} {name}", reason.code, reason.data)
    if ending and (ending.how != "exit_code" or ending.exit_code):
        hung_in = ending.call if ending.is_in_call else ""
        operation = str(ending.exit_code or ending.signal or hung_in)
        return Failure(outcome, None, operation, seen_code(ending), ending.words)
    return Failure(outcome, None, "", "seen_problem", {"problem": outcome.problems[0]})


def seen_code(ending: ProgramEnding) -> str:
    seen, early = _ENDINGS.get(ending.how, ("seen_end_unknown", "seen_end_unknown"))
    if ending.early:
        return early
    return "seen_hang_in_call" if seen == "seen_hang" and ending.is_in_call else seen


def seen_of(
    outcomes: Sequence[IterationOutcome], failures: Sequence[Failure], telling: Judgement | None
) -> SeenEnding | None:
    """The most frequent ending, its code and its run; None where HIP's evidence says more.

    Of a hang it does not: how the program ended is part of that evidence, and its stacks are more.
    """
    verdict = telling.verdict if telling else None
    explained = verdict is not None and verdict.cause and verdict.cause.hypothesis not in _BY_ENDING
    if verdict and (explained or not verdict.blamed or verdict.blamed.by != "end"):
        return None
    ended = [one for one in failures if one.hypothesis is None or one.hypothesis in _BY_ENDING]
    shown = [one.outcome for one in ended if one.outcome.ending]
    if telling:
        shown = [one for one in shown if one.run == telling.run]
    elif shown:
        counts = Counter(map(_way, shown))
        shown = [max(shown, key=lambda one: counts[_way(one)])]
    elif not failures:
        shown = [one for one in outcomes if one.ending]
    if not shown or shown[0].ending is None:
        return None
    return SeenEnding(seen_code(shown[0].ending), shown[0].run, shown[0].ending)


def steps_after(seen: SeenEnding) -> tuple[Saying, ...]:
    codes = _STEPS.get(seen.code, ())
    if seen.code == "seen_signal" and seen.ending.signal == "SIGKILL":
        codes = ("step_who_killed",)
    words = seen.ending.words
    return tuple(
        Saying(code, {name: words.get(name) for name in _OF_STEPS.get(code, ())}) for code in codes
    )


def _way(outcome: IterationOutcome) -> tuple[object, ...]:
    ending = outcome.ending or ProgramEnding("")
    return ending.how, ending.exit_code, ending.signal, ending.returned


def profiles_of(outcomes: Iterable[IterationOutcome]) -> tuple[ProfileRate, ...]:
    counts: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        counts.setdefault(outcome.iteration.test.profile, Counter())[outcome.result] += 1
    return tuple(ProfileRate(name, *_rate(own)) for name, own in counts.items())


def _rate(results: Counter[str]) -> tuple[int, int, float | None, Interval]:
    failures, runs = results["FAIL"], results["PASS"] + results["FAIL"]
    rate = failure_rate(failures, runs)
    return runs, failures, rate.estimate, rate.interval


def devices_of(outcomes: Iterable[IterationOutcome]) -> tuple[DeviceRate, ...]:
    counts: dict[tuple[str, int | None], Counter[str]] = {}
    for one in outcomes:
        if one.node is not None or one.device is not None:
            counts.setdefault((one.node or "", one.device), Counter())[one.result] += 1
    rates = [
        DeviceRate(node, device, *_rate(own), own["INCONCLUSIVE"])
        for (node, device), own in sorted(
            counts.items(), key=lambda one: (one[0][0], one[0][1] or 0)
        )
    ]
    return tuple(replace(one, apart=_is_apart(one, rates)) for one in rates)


def _is_apart(own: DeviceRate, rates: Sequence[DeviceRate]) -> bool:
    runs = sum(one.runs for one in rates) - own.runs
    failures = sum(one.failures for one in rates) - own.failures
    if not own.runs or not runs or own.failures * runs <= failures * own.runs:
        return False
    by_luck = unequal_by_luck(own.failures, own.runs, failures, runs)
    return by_luck * len(rates) <= LEVEL


def profile_evidence(
    outcomes: Sequence[IterationOutcome], failures: Sequence[Failure]
) -> str | None:
    """What serialization changes: a code, None if there is nothing to compare."""
    by_name = {one.name: one for one in profiles_of(outcomes)}
    free, serialized = by_name.get("none"), by_name.get("serialize")
    if free is None or serialized is None or not free.failures + serialized.failures:
        return None
    if free.failures and serialized.failures:
        return "profile_persists" if _persists(failures) else "profile_no_conclusion"
    often, never = (free, serialized) if free.failures else (serialized, free)
    if not fix_proven(often.failures, often.runs, 0, never.runs).proven:
        return "profile_undecided"
    return "profile_vanishes" if often is free else "profile_only_serialized"


def _persists(failures: Sequence[Failure]) -> bool:
    """Whether one cause, known and no race, made runs fail with and without serialization.

    That runs fail in both is not enough: serializing may hide a race and uncover, or make, another
    failure; and a race is one however its runs end.
    """
    races = {one.key for one in failures if one.is_race}
    seen: dict[str, set[tuple[str, str]]] = {"none": set(), "serialize": set()}
    for one in failures:
        profile = one.outcome.iteration.test.profile
        if one.hypothesis and one.key not in races and profile in seen:
            seen[profile].add(one.key)
    return not seen["none"].isdisjoint(seen["serialize"])
