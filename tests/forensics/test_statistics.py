"""What runs allow to say, against numbers worked out elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import wilcoxon

from greta.forensics.statistics import failure_rate, fix_proven, runs_needed, slowdown


def test_no_failure_in_200_runs_is_at_most_one_and_a_half_percent() -> None:
    rate = failure_rate(0, 200)
    assert rate.upper == pytest.approx(1 - 0.05 ** (1 / 200))
    assert rate.interval[0] == 0
    assert rate.interval[1] == pytest.approx(1 - 0.025 ** (1 / 200))


def test_no_run_says_nothing() -> None:
    rate = failure_rate(0, 0)
    assert (rate.estimate, rate.upper, rate.interval) == (None, 1.0, (0.0, 1.0))


def test_an_interval_holds_its_rate_as_often_as_it_says() -> None:
    draw = np.random.default_rng(7)
    held = 0
    for _ in range(400):
        failures = int(draw.binomial(100, 0.05))
        low, high = failure_rate(failures, 100).interval
        held += low <= 0.05 <= high
    assert held >= 0.95 * 400


def test_runs_needed_are_just_enough() -> None:
    needed = runs_needed(0.001)
    assert failure_rate(0, needed).upper <= 0.001 < failure_rate(0, needed - 1).upper


def test_more_failures_than_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="3 failures in 2 runs"):
        failure_rate(3, 2)


def test_nothing_is_proven_by_runs_that_never_failed() -> None:
    test = fix_proven(0, 20, 0, 20)
    assert (test.proven, test.p_value, test.runs_for_proof) == (False, 1.0, None)


def test_nine_of_twenty_against_none_is_proof() -> None:
    test = fix_proven(9, 20, 0, 20)
    assert test.proven
    assert test.p_value == pytest.approx(0.00061, rel=0.01)


def test_the_rate_before_is_not_taken_as_known() -> None:
    lowest = 0.025 ** (1 / 3)  # of 3 in 3
    few = fix_proven(3, 3, 0, 5)
    assert few.chance_unchanged == pytest.approx((1 - lowest) ** 5)
    assert few.chance_unchanged > few.p_value
    assert fix_proven(300, 300, 0, 5).chance_unchanged < 0.0001
    assert fix_proven(0, 0, 0, 5).chance_unchanged == 1


def test_runs_for_proof_are_just_enough() -> None:
    needed = fix_proven(2, 20, 0, 5).runs_for_proof
    assert needed is not None
    assert fix_proven(2, 20, 0, needed).proven
    assert not fix_proven(2, 20, 0, needed - 1).proven


def pairs_of(count: int, ratio: float, seed: int, noise: float = 0.1) -> list[tuple[float, float]]:
    """Pairs of quite different lengths, as prompts have."""
    draw = np.random.default_rng(seed)
    lengths = draw.choice([0.1, 1.0, 7.0], count)
    plain, observed = lengths * draw.lognormal(0, noise, (2, count))
    return list(zip(plain.tolist(), (ratio * observed).tolist(), strict=True))


@pytest.mark.parametrize("count", [6, 7, 10, 25, 50, 100, 101, 400])
@pytest.mark.parametrize("ratio", [1.0, 1.1])
def test_a_slowdown_is_what_scipy_says(count: int, ratio: float) -> None:
    pairs = pairs_of(count, ratio, seed=count)
    found = slowdown(pairs)
    assert found is not None
    shifts = np.log([observed / plain for plain, observed in pairs])
    exact = wilcoxon(shifts, method="exact").pvalue
    assert found.p_value == pytest.approx(exact, rel=1e-9 if count <= 100 else 0.1, abs=1e-6)
    # The interval holds exactly the shifts that the test does not reject.
    for end, outward in zip(found.interval, (-1, 1), strict=True):
        inside = wilcoxon(shifts - math.log(end) + outward * 1e-9, method="exact").pvalue
        outside = wilcoxon(shifts - math.log(end) - outward * 1e-9, method="exact").pvalue
        assert inside > 0.05 - 0.001
        assert outside <= 0.05 + 0.001
    walsh = [(one + other) / 2 for at, one in enumerate(shifts) for other in shifts[at:]]
    assert found.ratio == pytest.approx(math.exp(np.median(walsh)))


def test_a_slowdown_is_found_and_none_is_not() -> None:
    found, nothing = slowdown(pairs_of(50, 1.3, 3)), slowdown(pairs_of(50, 1.0, 4))
    assert found is not None
    assert nothing is not None
    assert 1.2 < found.interval[0] < 1.3 < found.interval[1]
    assert found.p_value < 0.001
    assert nothing.interval[0] < 1 < nothing.interval[1]
    assert nothing.p_value > 0.05


def test_equal_durations_are_no_slowdown() -> None:
    found = slowdown([(0.5, 0.5)] * 20)
    assert found is not None
    assert (found.ratio, found.interval, found.p_value) == (1.0, (1.0, 1.0), 1.0)


def test_of_very_many_pairs_some_are_enough() -> None:
    found = slowdown([(1.0, 1.02), (1.01, 1.03)] * 40_000)
    assert found is not None
    assert found.ratio == pytest.approx(1.02, abs=0.001)


@pytest.mark.parametrize("pairs", [[], [(1.0, 1.1)] * 5, [(1.0, 1.1)] * 9 + [(0.0, 1.0)]])
def test_too_few_pairs_or_impossible_ones_say_nothing(pairs: list[tuple[float, float]]) -> None:
    assert slowdown(pairs) is None
