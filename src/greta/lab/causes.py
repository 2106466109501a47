"""Why iterations failed: of each its cause, and which causes there were how often.

A cause is what the evidence shows (a hypothesis and the operation at fault), else what was seen: a
call that failed, an exit code, a signal, a hang. It is a code with data, as all that is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from greta.forensics.statistics import failure_rate
from greta.forensics.verdict import RACES
from greta.lab.judge import Judgement
from greta.lab.outcomes import Outcome
from greta.recording import ERROR_NAMES

Key: TypeAlias = "tuple[str, str]"

SEEN: Final[dict[str, str]] = {
    "exit_code": "seen_exit_code",
    "signal": "seen_signal",
    "timeout": "seen_hang",
    "unknown": "seen_end_unknown",
    "output_unexpected": "seen_output_unexpected",
    "output_empty": "seen_output_empty",
}
"""Ways to end, as they are said."""
EARLY: Final[dict[str, str]] = {
    "exit_code": "seen_exit_early",
    "signal": "seen_signal_early",
    "timeout": "seen_hang_early",
}
"""The same, before the first HIP call."""


@dataclass(frozen=True)
class Failure:
    """A failed iteration and what made it fail."""

    outcome: Outcome
    hypothesis: str | None
    operation: str
    """The kernel or the call; what else tells it from others where there is none."""
    code: str
    data: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def key(self) -> Key:
        """Equal for failures of one cause; numbers and addresses differ from run to run."""
        return self.hypothesis or self.code, self.operation

    @property
    def is_race(self) -> bool:
        """Whether its evidence shows a race, as its cause or beside it."""
        return bool({*RACES} & {self.hypothesis, *self.outcome.problems})


def failures_of(outcomes: Iterable[Outcome], judgements: Sequence[Judgement]) -> list[Failure]:
    """All failed iterations, in their order."""
    verdicts = {judgement.run: judgement.verdict for judgement in judgements}
    return [_failure(one, verdicts.get(one.run) or {}) for one in outcomes if one.result == "FAIL"]


def causes_of(failures: Sequence[Failure], runs: int) -> list[dict[str, Any]]:
    """As in summary.json: the most frequent first, each with its rate among the judged runs."""
    groups: dict[Key, list[Failure]] = {}
    for failure in failures:
        groups.setdefault(failure.key, []).append(failure)
    ordered = sorted(groups.values(), key=len, reverse=True)
    return [_as_json(group, runs) for group in ordered]


def cause_key(verdict: Mapping[str, Any]) -> Key | None:
    """The same of the cause that the verdict of a run names."""
    cause = verdict.get("cause")
    return (str(cause.get("hypothesis")), _operation(cause)) if cause else None


def seen_code(ending: Mapping[str, Any]) -> str:
    """The code of the sentence for how a program ended."""
    if ending.get("early") and ending.get("how") in EARLY:
        return EARLY[ending["how"]]
    code = SEEN.get(str(ending.get("how")), "seen_end_unknown")
    return "seen_hang_in_call" if code == "seen_hang" and _is_in_call(ending) else code


def _as_json(group: Sequence[Failure], runs: int) -> dict[str, Any]:
    first, rate = group[0], failure_rate(len(group), max(runs, len(group)))
    return {
        "hypothesis": first.hypothesis,
        "operation": first.operation,
        "code": first.code,
        "data": dict(first.data),
        "runs": len(group),
        "rate": rate.estimate,
        "rate_interval_95": list(rate.interval),
        "test": first.outcome.iteration.test.id,
        "iteration": first.outcome.iteration.number,
        "run": first.outcome.run,
    }


def _failure(outcome: Outcome, verdict: Mapping[str, Any]) -> Failure:
    cause = verdict.get("cause")
    if cause and holds(outcome, cause):
        code, data = str(cause.get("code", "")), cause.get("data") or {}
        return Failure(outcome, str(cause.get("hypothesis")), _operation(cause), code, data)
    return _placed(outcome, verdict) or _unexplained(outcome, verdict)


def _placed(outcome: Outcome, verdict: Mapping[str, Any]) -> Failure | None:
    """The first finding in this iteration of a child that served many."""
    for one in verdict.get("hypotheses", []) if outcome.range else []:
        for finding in one.get("findings", []) if one["verdict"] == "CONFIRMED" else []:
            if holds(outcome, finding):
                data = finding.get("data") or {}
                return Failure(outcome, one["id"], _operation(data), finding["code"], data)
    return None


def _unexplained(outcome: Outcome, verdict: Mapping[str, Any]) -> Failure:
    """What was seen of it, where nothing explains it."""
    error, ending = outcome.error, outcome.ending
    if error and error.get("call"):
        code = error.get("code")
        name = str(error.get("error") or error.get("name") or ERROR_NAMES.get(code or 0, code))
        data = {"seq": error.get("seq"), "call": error["call"], "error": name}
        return Failure(outcome, None, f"{error['call']} {name}", *_reason(verdict, data))
    if ending and (ending["how"] != "exit_code" or ending.get("exit_code")):
        operation = str(ending.get("exit_code") or ending.get("signal") or _hung_in(ending))
        return Failure(outcome, None, operation, seen_code(ending), said(ending))
    problem = outcome.problems[0]
    return Failure(outcome, None, "", "seen_problem", {"problem": problem})


def _reason(verdict: Mapping[str, Any], data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The verdict's own reason says more than the bare error, if it is about this call."""
    known = verdict.get("reason_data") or {}
    if known.get("seq") is not None and known.get("seq") == data["seq"]:
        return str(verdict["reason_code"]), known
    return "verdict_error_unexplained", data


def said(ending: Mapping[str, Any]) -> dict[str, Any]:
    """What a sentence about an ending names; the rest is for whoever looks closer."""
    left_out = ("code", "how", "early", "stderr", "run")
    return {name: value for name, value in ending.items() if name not in left_out}


def _hung_in(ending: Mapping[str, Any]) -> str:
    return str(ending["call"]) if _is_in_call(ending) else ""


def _is_in_call(ending: Mapping[str, Any]) -> bool:
    return bool(ending.get("call")) and not ending.get("returned", True)


def _operation(of: Mapping[str, Any]) -> str:
    return str(of.get("kernel") or of.get("call") or "")


def holds(outcome: Outcome, found: Mapping[str, Any]) -> bool:
    """A run that is one iteration holds all of it."""
    span = outcome.range
    return span is None or span[0] <= (found.get("seq") or 0) <= span[1]
