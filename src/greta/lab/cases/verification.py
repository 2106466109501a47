"""Is a fix proven, or would the same numbers appear by luck?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from greta.forensics.statistics import FixTest, fix_proven


@dataclass(frozen=True)
class JudgedRuns:
    """Runs that were judged, and those that could not be."""

    runs: int
    failures: int
    inconclusive: int = 0


@dataclass(frozen=True)
class Verification:
    """What the runs before and after a fix show. `code` names a sentence of the language files."""

    before: JudgedRuns
    after: JudgedRuns
    test: FixTest | None
    code: str

    @property
    def proven(self) -> bool:
        """Whether luck is ruled out at the usual level."""
        return self.test is not None and self.test.proven


def verify(before: Sequence[JudgedRuns], after: Sequence[JudgedRuns]) -> Verification:
    """All runs before against all runs after; those that could not be judged do not count."""
    one, two = _sum(before), _sum(after)
    if one.runs == 0 or two.runs == 0:
        return Verification(one, two, None, "verify_no_runs")
    test = fix_proven(one.failures, one.runs, two.failures, two.runs)
    return Verification(one, two, test, _code(one, two, test))


def _sum(tallies: Sequence[JudgedRuns]) -> JudgedRuns:
    return JudgedRuns(
        runs=sum(one.runs for one in tallies),
        failures=sum(one.failures for one in tallies),
        inconclusive=sum(one.inconclusive for one in tallies),
    )


def _code(before: JudgedRuns, after: JudgedRuns, test: FixTest) -> str:
    if before.failures == 0:
        return "verify_now_fails" if after.failures else "verify_never_failed"
    if test.proven:
        return "verify_proven" if after.failures == 0 else "verify_fewer"
    if after.failures * before.runs >= before.failures * after.runs:
        return "verify_not_better"
    return "verify_luck" if test.runs_for_proof is not None else "verify_too_few_before"
