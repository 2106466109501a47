"""What runs allow to say, against numbers worked out elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import beta, binom, fisher_exact, wilcoxon

from greta.forensics.statistics import (
    failure_rate,
    fewer_by_luck,
    fix_proven,
    lasting_slowdown,
    runs_needed,
    slowdown,
    unequal_by_luck,
)


@pytest.mark.parametrize("runs", [1, 2, 7, 200, 3000, 20_000])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_bounds_of_a_rate_are_what_scipy_says(runs: int, confidence: float) -> None:
    for failures in sorted({0, 1, runs // 3, runs - 1, runs}):
        rate = failure_rate(failures, runs, confidence)
        passes, tail = runs - failures, (1 - confidence) / 2
        low = beta.ppf(tail, failures, passes + 1) if failures else 0.0
        high = beta.ppf(1 - tail, failures + 1, passes) if passes else 1.0
        assert rate.interval == pytest.approx((low, high), rel=1e-9)
        upper = beta.ppf(confidence, failures + 1, passes) if passes else 1.0
        assert rate.upper == pytest.approx(upper, rel=1e-9)


def test_exact_tests_of_random_tables_are_what_scipy_says() -> None:
    draw = np.random.default_rng(3)
    for _ in range(200):
        runs_a, runs_b = (int(n) for n in draw.integers(1, 150, 2))
        a, b = int(draw.integers(0, runs_a + 1)), int(draw.integers(0, runs_b + 1))
        table = np.array([[a, runs_a - a], [b, runs_b - b]])
        greater = fisher_exact(table, alternative="greater").pvalue
        assert fewer_by_luck(a, runs_a, b, runs_b) == pytest.approx(greater, rel=1e-12)
        assert unequal_by_luck(a, runs_a, b, runs_b) == pytest.approx(
            fisher_exact(table).pvalue, rel=1e-12
        )


def test_the_chance_that_nothing_changed_is_what_scipy_says() -> None:
    for failures, runs in [(0, 50), (2, 50), (40, 400)]:
        test = fix_proven(15, 50, failures, runs)
        lowest = test.before.interval[0]
        assert test.chance_unchanged == pytest.approx(binom.cdf(failures, runs, lowest), rel=1e-9)


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


def test_luck_that_lasts_is_no_slowdown() -> None:
    """A busy machine gives one of two processes more of itself for a while, then the other."""
    draw, missed = np.random.default_rng(5), {"as pairs": 0, "in turn": 0}
    for _ in range(200):
        luck = np.repeat(draw.normal(0, 0.5, 8), 6) + draw.normal(0, 0.2, 48)
        pairs = [(1.0, one) for one in np.exp(luck).tolist()]
        for name, found in (("as pairs", slowdown(pairs)), ("in turn", lasting_slowdown(pairs))):
            assert found is not None
            missed[name] += not found.interval[0] <= 1 <= found.interval[1]
    assert missed["in turn"] <= 20 < 60 < missed["as pairs"]
    steady = lasting_slowdown(pairs_of(50, 1.3, 3))
    assert steady is not None
    assert 1.1 < steady.interval[0] < 1.3 < steady.interval[1] < 1.5
    assert steady.p_value == 2 / 2**6


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
