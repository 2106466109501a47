"""What runs allow to say, against numbers worked out elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

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


def test_a_slowdown_is_found_with_its_interval() -> None:
    draw = np.random.default_rng(3)
    plain = draw.lognormal(0, 0.05, 60).tolist()
    observed = (1.1 * draw.lognormal(0, 0.05, 60)).tolist()
    found = slowdown(plain, observed)
    assert found is not None
    assert found.interval[0] < 1.1 < found.interval[1]
    assert found.interval[0] > 1.05
    assert found.p_value < 0.001


def test_no_slowdown_is_within_its_interval() -> None:
    draw = np.random.default_rng(4)
    plain, observed = draw.lognormal(0, 0.1, (2, 50)).tolist()
    found = slowdown(plain, observed)
    assert found is not None
    assert found.interval[0] < 1 < found.interval[1]


def test_many_runs_do_not_take_all_pairs() -> None:
    found = slowdown([1.0, 1.01] * 40_000, [1.02, 1.03] * 30_000)
    assert found is not None
    assert found.ratio == pytest.approx(1.02, abs=0.011)


def test_one_run_is_too_few() -> None:
    assert slowdown([1.0], [1.0, 2.0]) is None
