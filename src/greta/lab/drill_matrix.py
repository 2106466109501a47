"""A drill whose fault shows sometimes, through the whole matrix: is its rate found?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from greta.forensics.verdict import VerdictWord
from greta.lab.audit import Progress
from greta.lab.drilling import PROMPTS, DrillSetting
from greta.lab.drills.catalog import Drill, is_due
from greta.lab.plan import matrix, schedule
from greta.lab.summarizing import summarize
from greta.lab.summary import Summary
from greta.lab.workload_audit import WorkloadAudit

_SECONDS: Final = 120.0


@dataclass(frozen=True)
class MatrixRun:
    """What the matrix found, and what was staged in it."""

    drill: Drill
    seed: int
    summary: Summary
    staged: frozenset[tuple[str, int]]
    """Test and number of the iterations with the fault, by their seeds."""

    @property
    def failed(self) -> frozenset[tuple[str, int]]:
        """Test and number of the iterations that were judged to have failed."""
        return frozenset(
            (one.test, one.iteration or 0)
            for one in self.summary.iterations
            if one.result == "FAIL"
        )

    @property
    def passed(self) -> bool:
        """Reproduced for the right reason, in just these iterations; the interval has the rate."""
        verdict, interval = self.summary.verdict, self.summary.statistics.failure_rate_interval_95
        low, high = interval or (0.0, 1.0)
        return (
            verdict.word is VerdictWord.REPRODUCED
            and verdict.cause is not None
            and verdict.cause.hypothesis == self.drill.hypothesis
            and self.failed == self.staged
            and low <= self.drill.rate <= high
        )


def run_matrix(
    drill: Drill,
    setting: DrillSetting,
    iterations: int,
    stress_iterations: int,
    progress: Progress = lambda _: None,
) -> MatrixRun:
    """The matrix of an audit, with the fault in some of its iterations."""
    tests = [
        replace(test, environment={**test.environment, **drill.environment})
        for test in matrix(iterations, stress_iterations, ["none"])
    ]
    plan = schedule(tests, PROMPTS, setting.seed)
    setup = setting.setup("greta.lab.drills", drill.name, watch_host=drill.watch_host)
    folder = setting.folder / f"{drill.name}.matrix.{setting.seed}"
    audit = WorkloadAudit(
        folder=folder,
        setup=setup,
        schedule=plan,
        seconds_per_iteration=_SECONDS,
        environment=setting.environment,
        progress=progress,
    )
    audit.run()
    staged = frozenset((one.test.id, one.number) for one in plan if is_due(drill.rate, one.seed))
    summary = summarize(tests, audit.outcomes, audit.judgements, (), audit.partial)
    return MatrixRun(drill, setting.seed, summary, staged)
