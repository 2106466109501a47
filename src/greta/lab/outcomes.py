"""What became of each iteration, before anybody concludes anything from it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from greta.lab.plan import Iteration
from greta.lab.summary import CallError, IterationSummary, ProgramEnding, Result
from greta.trace.device_errors import STICKY


@dataclass(frozen=True)
class WorkloadAnswer:
    seconds: float | None = None
    waited: float = 0.0
    """So much of it for a processor that others had."""
    tokens: tuple[tuple[int, ...], ...] = ()
    """One list a stream."""
    tokens_per_second: float | None = None
    first_token_seconds: float | None = None
    error: CallError | None = None
    pid: int = 0
    """Its own; only in its first message."""


@dataclass
class IterationOutcome:
    """One iteration. `problems` are codes; an iteration without any has passed."""

    iteration: Iteration
    run: str
    """The run folder, from the case folder."""
    seconds: float | None = None
    waited: float = 0.0
    tokens_per_second: float | None = None
    first_token_seconds: float | None = None
    output: str | None = None
    """SHA-256 of the tokens; those of several streams must be equal to count as one output."""
    stdout: str | None = None
    """SHA-256 of what a command printed."""
    error: CallError | None = None
    problems: list[str] = field(default_factory=list)
    range: tuple[int, int] | None = None
    """First and last call in the recording."""
    conclusive: bool = True
    ending: ProgramEnding | None = None
    """How the program ended, where that is all that was seen of a failure."""
    warm_up: bool = False
    """The first of its process with this prompt: its duration is not compared."""
    node: str | None = None
    device: int | None = None

    @property
    def key(self) -> tuple[str, int]:
        """Equal for the same iteration, whoever ran it."""
        return self.iteration.test.id, self.iteration.number

    @property
    def result(self) -> Result:
        """Never PASS for what was not seen."""
        if self.problems:
            return "FAIL"
        return "PASS" if self.conclusive else "INCONCLUSIVE"

    @property
    def has_lost_device(self) -> bool:
        """Its error is one that every later call of the process repeats."""
        return self.error is not None and self.error.code in STICKY

    def holds(self, seq: int | None) -> bool:
        """Whether a call was made in it; a run that is one iteration holds all of it."""
        return self.range is None or self.range[0] <= (seq or 0) <= self.range[1]

    def take(self, answer: WorkloadAnswer) -> None:
        self.seconds, self.waited = answer.seconds, answer.waited
        self.tokens_per_second = answer.tokens_per_second
        self.first_token_seconds = answer.first_token_seconds
        self.error = answer.error
        if self.error is not None:
            self.problems.append("hip_error")
            return
        texts = {json.dumps(tokens) for tokens in answer.tokens}
        if len(texts) > 1:
            self.problems.append("streams_disagree")
        self.output = hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()

    def summary(self, position: int, factors: int) -> IterationSummary:
        """`factors`: which set of them it ran with."""
        kept = {name: getattr(self, name) for name in _KEPT}
        test = self.iteration.test
        return IterationSummary(
            test=test.id,
            iteration=self.iteration.number,
            prompt=self.iteration.prompt.name,
            seed=self.iteration.seed,
            profile=test.profile,
            result=self.result,
            problems=tuple(self.problems),
            factors=factors,
            position=position,
            **kept,
        )


_KEPT: Final = (
    *("run", "range", "seconds", "waited", "warm_up", "tokens_per_second"),
    *("first_token_seconds", "error", "ending", "output", "stdout", "node", "device"),
)
"""What an outcome and its summary have alike."""


def restored_outcome(iteration: Iteration, before: IterationSummary) -> IterationOutcome:
    kept = {name: getattr(before, name) for name in _KEPT}
    return IterationOutcome(iteration, problems=list(before.problems), **kept)


def known_so_far(
    outcomes: Iterable[IterationOutcome], judged: Container[str]
) -> list[IterationOutcome]:
    """While children still run: what has answered but is not judged has not passed."""
    return [one if one.run in judged else replace(one, conclusive=False) for one in outcomes]


def compare_outputs(outcomes: Iterable[IterationOutcome]) -> None:
    """The same prompt must give the same tokens: who differs from most others has failed.

    The choice of tokens is greedy, so that neither seed nor load can change it. Where no output has
    a majority nobody knows which is right, and none of them is called wrong.
    """
    by_prompt: dict[str, list[IterationOutcome]] = {}
    for outcome in outcomes:
        if outcome.output is not None:
            by_prompt.setdefault(outcome.iteration.prompt.name, []).append(outcome)
    for same in by_prompt.values():
        (usual, count), *_ = Counter(one.output for one in same).most_common(1)
        for one in same:
            if "output_differs" in one.problems:  # from the first part of an audit
                one.problems.remove("output_differs")
            if 2 * count <= len(same):
                one.conclusive = False
            elif one.output != usual:
                one.problems.append("output_differs")
