"""What runs with and without serialization show together."""

from __future__ import annotations

import pytest

from greta.lab.causes import failures_of, profile_evidence, profiles_of
from greta.lab.judge import Judgement
from greta.lab.outcomes import IterationOutcome
from greta.lab.plan import PROFILES, Iteration, MatrixTest, Prompt
from tests.lab.typed import verdict_from

FREE, SERIAL = "none", "serialize"
Cause = tuple[str, str]
OVERRUN: Cause = ("upstream_kernel_fault", "fill")


class Matrix:
    """Runs of two profiles, each a run folder of its own, as those of a command."""

    def __init__(self) -> None:
        self.outcomes: list[IterationOutcome] = []
        self.judgements: list[Judgement] = []

    def ran(self, profile: str, runs: int, failing: int = 0, cause: Cause | None = None) -> Matrix:
        test = MatrixTest("A", "baseline", runs, profile, PROFILES[profile])
        for number in range(runs):
            run = f"run/{profile}.{len(self.outcomes)}"
            one = IterationOutcome(Iteration(test, number, Prompt("p", ""), number), run)
            failed = number < failing
            one.problems = [cause[0] if cause else "exit_code"] if failed else []
            self.outcomes.append(one)
            found = {"hypothesis": cause[0], "kernel": cause[1]} if cause and failed else None
            self.judgements.append(Judgement(run, verdict_from({"cause": found})))
        return self

    def also(self, problem: str) -> Matrix:
        """Another finding in the failed runs."""
        for one in self.outcomes:
            one.problems += [problem] if one.problems else []
        return self

    @property
    def evidence(self) -> str | None:
        return profile_evidence(self.outcomes, failures_of(self.outcomes, self.judgements))


def both(free: int, serialized: int, cause: Cause | None = OVERRUN) -> Matrix:
    return Matrix().ran(FREE, 20, free, cause).ran(SERIAL, 20, serialized, cause)


@pytest.mark.parametrize(
    ("free", "serialized", "code"),
    [
        (9, 9, "profile_persists"),
        (9, 1, "profile_persists"),
        (9, 0, "profile_vanishes"),
        (1, 0, "profile_undecided"),
        (0, 9, "profile_only_serialized"),
        (0, 1, "profile_undecided"),
        (0, 0, None),
    ],
)
def test_how_often_it_fails(free: int, serialized: int, code: str | None) -> None:
    assert both(free, serialized).evidence == code


@pytest.mark.parametrize("race", ["missing_sync", "staging_reuse", "overlapping_copies"])
def test_a_race_that_is_found_serialized_too_is_never_called_none(race: str) -> None:
    assert both(9, 9, (race, "copy")).evidence == "profile_no_conclusion"
    assert both(9, 9).also(race).evidence == "profile_no_conclusion"


@pytest.mark.parametrize("other", [("upstream_kernel_fault", "add"), ("use_after_free", "fill")])
def test_another_cause_is_not_the_one_that_persists(other: Cause) -> None:
    matrix = Matrix().ran(FREE, 20, 9, OVERRUN).ran(SERIAL, 20, 9, other)
    assert matrix.evidence == "profile_no_conclusion"
    assert matrix.ran(SERIAL, 5, 1, OVERRUN).evidence == "profile_persists"


def test_failures_that_nothing_explains_show_nothing() -> None:
    assert both(9, 9, None).evidence == "profile_no_conclusion"


def test_each_profile_has_its_rate() -> None:
    found = profiles_of(both(0, 5).outcomes)
    assert [(one.name, one.failures, one.runs) for one in found] == [
        (FREE, 0, 20),
        (SERIAL, 5, 20),
    ]
    assert found[1].failure_rate == 0.25
    low, high = found[1].failure_rate_interval_95
    assert 0 < low < 0.25 < high < 1


def test_everything_is_serialized() -> None:
    """Kernels alone would leave the races of copies."""
    assert PROFILES[SERIAL] == {
        "AMD_SERIALIZE_KERNEL": "3",
        "AMD_SERIALIZE_COPY": "3",
        "HIP_LAUNCH_BLOCKING": "1",
        "HSA_ENABLE_SDMA": "0",
    }
