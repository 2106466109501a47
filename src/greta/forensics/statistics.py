"""What so many runs allow to say. Nothing here knows what a run is.

failure_rate(0, 200).upper             0.0149: at most that, with 95 % confidence
runs_needed(0.001)                     2995 runs without a failure for "at most 0.1 %"
fix_proven(9, 20, 0, 20).p_value       0.0006: luck would rarely look like this fix
slowdown(pairs).ratio                  1.02, with the interval that the pairs allow
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

CONFIDENCE: Final = 0.95
MOST_PAIRS: Final = 1000
"""More pairs than this are thinned out evenly: all means of two would be too many."""
MOST_EXACT: Final = 100
"""Beyond so many pairs the normal distribution is exact enough."""


@dataclass(frozen=True)
class Rate:
    """A failure rate. `upper` is a one-sided bound, `interval` two-sided; both Clopper-Pearson."""

    failures: int
    runs: int
    estimate: float | None
    upper: float
    interval: tuple[float, float]


def failure_rate(failures: int, runs: int, confidence: float = CONFIDENCE) -> Rate:
    """The rate of failures, with what chance alone may hide. No run says nothing: 0 to 1."""
    if not 0 <= failures <= runs:
        raise ValueError(f"{failures} failures in {runs} runs")
    if runs == 0:
        return Rate(0, 0, None, 1.0, (0.0, 1.0))
    tail = (1 - confidence) / 2
    interval = (_lowest_rate(failures, runs, tail), _highest_rate(failures, runs, tail))
    upper = _highest_rate(failures, runs, 1 - confidence)
    return Rate(failures, runs, failures / runs, upper, interval)


def _highest_rate(failures: int, runs: int, tail: float) -> float:
    """The rate at which so few failures have the chance `tail` (Clopper-Pearson)."""
    if failures == runs:
        return 1.0
    return _bisected(failures / runs, 1.0, lambda rate: _at_most(failures, runs, rate) > tail)


def _lowest_rate(failures: int, runs: int, tail: float) -> float:
    """The rate at which so many failures have the chance `tail`."""
    if failures == 0:
        return 0.0
    fewer = failures - 1
    return _bisected(0.0, failures / runs, lambda rate: 1 - _at_most(fewer, runs, rate) < tail)


def _bisected(low: float, high: float, is_low: Callable[[float], bool]) -> float:
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if is_low(middle) else (low, middle)
    return high


def _at_most(failures: int, runs: int, rate: float) -> float:
    """The chance of at most so many failures (binomial)."""
    if not 0 < rate < 1:
        return float(rate <= 0 or failures >= runs)
    counts = np.arange(1, failures + 1)
    choices = np.cumsum(np.log((runs - counts + 1) / counts))  # log of runs over 1, 2, ...
    logs = np.concatenate(([0.0], choices)) + runs * math.log1p(-rate)
    logs[1:] += counts * (math.log(rate) - math.log1p(-rate))
    return min(1.0, float(np.exp(logs).sum()))


def runs_needed(bound: float, confidence: float = CONFIDENCE) -> int:
    """How many runs without any failure say "at most `bound`"."""
    if not 0 < bound < 1:
        raise ValueError(f"a bound of {bound}")
    return math.ceil(math.log1p(-confidence) / math.log1p(-bound))


@dataclass(frozen=True)
class FixTest:
    """Before against after. `p_value`: how likely luck alone gives a drop as large (Fisher)."""

    before: Rate
    after: Rate
    p_value: float
    proven: bool
    chance_unchanged: float
    """How likely so few failures after are if the rate is still the one before. That one is not
    known: the lowest that the runs before allow is taken, so that few runs prove little."""
    runs_for_proof: int | None
    """So many runs after, all without a failure, would prove it; None if no number would."""


def fix_proven(
    failures_before: int,
    runs_before: int,
    failures_after: int,
    runs_after: int,
    confidence: float = CONFIDENCE,
) -> FixTest:
    """Whether the failures have become fewer by more than luck."""
    before = failure_rate(failures_before, runs_before, confidence)
    after = failure_rate(failures_after, runs_after, confidence)
    p_value = fewer_by_luck(failures_before, runs_before, failures_after, runs_after)
    unchanged = _at_most(failures_after, runs_after, before.interval[0])
    return FixTest(
        before=before,
        after=after,
        p_value=p_value,
        proven=_is_below(p_value, 1 - confidence),
        chance_unchanged=unchanged,
        runs_for_proof=_runs_for_proof(failures_before, runs_before, 1 - confidence),
    )


def _is_below(p_value: float, level: float) -> bool:
    """1 - 0.95 is a little above 0.05 as a float: a p-value of exactly 0.05 is not below it."""
    return p_value < level and not math.isclose(p_value, level, rel_tol=1e-9)


def fewer_by_luck(failures_a: int, runs_a: int, failures_b: int, runs_b: int) -> float:
    """Fisher's exact test, one-sided: chances of so few failures in b or fewer still."""
    ways = _ways(failures_a + failures_b, runs_a, runs_b)
    return _share(sum(number for in_a, number in ways.items() if in_a >= failures_a), ways)


def unequal_by_luck(failures_a: int, runs_a: int, failures_b: int, runs_b: int) -> float:
    """Fisher's exact test, two-sided: chances of all that are no likelier than what was seen."""
    ways = _ways(failures_a + failures_b, runs_a, runs_b)
    return _share(sum(number for number in ways.values() if number <= ways[failures_a]), ways)


def _ways(failures: int, runs_a: int, runs_b: int) -> dict[int, int]:
    """In how many ways so many of the failures fall to a. Integers: no sum is rounded."""
    fewest, most = max(0, failures - runs_b), min(failures, runs_a)
    ways = math.comb(runs_a, fewest) * math.comb(runs_b, failures - fewest)
    counted = {fewest: ways}
    for in_a in range(fewest, most):
        in_b = failures - in_a
        ways = ways * (runs_a - in_a) * in_b // ((in_a + 1) * (runs_b - in_b + 1))
        counted[in_a + 1] = ways
    return counted


def _share(ways: int, of: dict[int, int]) -> float:
    return float(Fraction(ways, sum(of.values())))


def _runs_for_proof(failures: int, runs: int, level: float) -> int | None:
    """With ever more clean runs the p-value falls to a limit; look for where it passes `level`."""
    if failures == 0:
        return None
    low, high = 0, 1
    while not _is_below(fewer_by_luck(failures, runs, 0, high), level):
        low, high = high, high * 2
        if high > 1 << 20:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if _is_below(fewer_by_luck(failures, runs, 0, middle), level):
            high = middle
        else:
            low = middle
    return high


@dataclass(frozen=True)
class Slowdown:
    """How much longer observed runs take: a ratio, its interval, a signed-rank test's p-value."""

    ratio: float
    interval: tuple[float, float]
    p_value: float


def slowdown(
    pairs: Sequence[tuple[float, float]], confidence: float = CONFIDENCE
) -> Slowdown | None:
    """Durations without and with the observer, side by side (Wilcoxon, Hodges-Lehmann).

    Valid where chance decides which of a pair runs first; pairs may differ in length and noise.
    None if there are too few pairs for an interval.
    """
    if any(min(pair) <= 0 for pair in pairs):
        return None
    chosen = np.log(np.asarray(pairs[:: -(-len(pairs) // MOST_PAIRS) or 1], np.float64))
    count = len(chosen)
    cut = _signed_rank_quantile(count, (1 - confidence) / 2)
    if cut is None:
        return None
    differences = chosen[:, 1] - chosen[:, 0]
    rows, columns = np.triu_indices(count)
    means = np.sort((differences[rows] + differences[columns]) / 2)  # Walsh averages
    interval = (math.exp(means[cut]), math.exp(means[len(means) - 1 - cut]))
    above, below = int((means > 0).sum()), int((means < 0).sum())
    p_value = min(1.0, 2 * _signed_rank_cdf(count)[len(means) - max(above, below)])
    return Slowdown(math.exp(float(np.median(means))), interval, float(p_value))


PARTS: Final = 6
"""All of six parts on one side of the truth: a chance of one in 32."""


def lasting_slowdown(pairs: Sequence[tuple[float, float]]) -> Slowdown | None:
    """The same of pairs in the order they ran, where the luck of one may be that of the next.

    Both sides of all pairs are the same two processes, and a busy machine favours one for seconds.
    So the interval also spans what each sixth of the time shows, as if that were one pair.
    """
    found = slowdown(pairs)
    if found is None:
        return None
    shifts = np.array([math.log(observed / plain) for plain, observed in pairs])
    parts = [float(part.mean()) for part in np.array_split(shifts, PARTS)]
    low, high = min(parts), max(parts)
    fewer = min(sum(part > 0 for part in parts), sum(part < 0 for part in parts))
    chance = 2 * sum(math.comb(PARTS, count) for count in range(fewer + 1)) / 2**PARTS
    interval = min(found.interval[0], math.exp(low)), max(found.interval[1], math.exp(high))
    return replace(found, interval=interval, p_value=max(found.p_value, min(1.0, chance)))


def _signed_rank_quantile(count: int, level: float) -> int | None:
    """So many Walsh averages may be left out at either end; None if not even 0 may."""
    allowed = int(np.searchsorted(_signed_rank_cdf(count), level, side="right")) - 1
    return None if allowed < 0 else allowed


@lru_cache(maxsize=8)
def _signed_rank_cdf(count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Chances that the ranks of positive differences sum up to at most 0, 1, 2 ..."""
    sums = count * (count + 1) // 2
    if count > MOST_EXACT:
        spread = math.sqrt(count * (count + 1) * (2 * count + 1) / 24)
        deviations = (np.arange(sums + 1) + 0.5 - sums / 2) / spread
        return np.array([0.5 * math.erfc(-one / math.sqrt(2)) for one in deviations])
    chances = np.zeros(sums + 1)
    chances[0] = 1.0
    for rank in range(1, count + 1):  # each rank is positive or negative, by a coin
        chances[rank:] += chances[:-rank].copy()
        chances /= 2
    return np.cumsum(chances)
