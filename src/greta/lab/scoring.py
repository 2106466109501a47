"""Scores a verdict against the truth that was staged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from greta.lab.judge import Judgement
from greta.lab.outcomes import Outcome


@dataclass(frozen=True)
class Score:
    """What the verdict got right."""

    detected: bool
    """The hypothesis is confirmed."""
    class_correct: bool
    """It is the cause, and no other hypothesis is confirmed."""
    operation_correct: bool
    """The cause is the call and the kernel, in the iteration in which it was staged."""
    buffer_correct: bool
    """The cause's buffer is the one; none where there is none."""

    @property
    def passed(self) -> bool:
        """All of it."""
        return all(asdict(self).values())

    def as_json(self) -> dict[str, bool]:
        """As in drill.json."""
        return asdict(self)


def score(
    hypothesis: str,
    staged: Sequence[Mapping[str, Any]],
    judgement: Judgement,
    outcomes: Sequence[Outcome],
) -> Score:
    """A fault that was not committed, or a run that cannot be judged, scores nothing."""
    verdict = judgement.verdict
    if not staged or not verdict:
        return Score(False, False, False, False)
    confirmed = [one["id"] for one in verdict["hypotheses"] if one["verdict"] == "CONFIRMED"]
    cause = verdict.get("cause") or {}
    right = [one for one in staged if _is_operation(one, cause, outcomes)]
    return Score(
        detected=hypothesis in confirmed,
        class_correct=cause.get("hypothesis") == hypothesis and confirmed == [hypothesis],
        operation_correct=bool(right),
        buffer_correct=any(_is_buffer(one.get("buffer"), cause) for one in right),
    )


def _is_operation(
    truth: Mapping[str, Any], cause: Mapping[str, Any], outcomes: Sequence[Outcome]
) -> bool:
    if (cause.get("call"), _plain(cause.get("kernel"))) != (truth.get("call"), truth.get("kernel")):
        return False
    number = truth.get("iteration")
    if number is None:
        return True
    span = next((one.range for one in outcomes if one.iteration.number == number), None)
    return span is not None and span[0] <= cause["seq"] <= span[1]


def _plain(kernel: str | None) -> str | None:
    """The name without the arguments that a demangled one has."""
    return kernel.partition("(")[0] if kernel else None


def _is_buffer(truth: Mapping[str, Any] | None, cause: Mapping[str, Any]) -> bool:
    found = cause.get("buffer")
    if truth is None or found is None:
        return truth is None and found is None
    return (found["address"], found["bytes"]) == (truth["address"], truth["bytes"])
