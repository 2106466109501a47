"""What so many runs allow to say. Nothing here knows what a run is.

failure_rate(0, 200).upper             0.0149: at most that, with 95 % confidence
runs_needed(0.001)                     2995 runs without a failure for "at most 0.1 %"
fix_proven(9, 20, 0, 20).p_value       0.0006: luck would rarely look like this fix
slowdown(pairs).ratio                  1.02, with the interval that the pairs allow
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

CONFIDENCE: Final = 0.95
MOST_PAIRS: Final = 1000
"""Of more pairs, evenly chosen ones: all means of two would be too many."""
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
    from scipy.stats import binomtest  # takes a second to import

    two_sided = binomtest(failures, runs).proportion_ci(confidence, "exact")
    one_sided = binomtest(failures, runs, alternative="less").proportion_ci(confidence, "exact")
    interval = (float(two_sided.low), float(two_sided.high))
    return Rate(failures, runs, failures / runs, float(one_sided.high), interval)


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
    from scipy.stats import binom

    before = failure_rate(failures_before, runs_before, confidence)
    after = failure_rate(failures_after, runs_after, confidence)
    p_value = _fisher(failures_before, runs_before, failures_after, runs_after)
    unchanged = float(binom.cdf(failures_after, runs_after, before.interval[0]))
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


def _fisher(failures_before: int, runs_before: int, failures_after: int, runs_after: int) -> float:
    from scipy.stats import fisher_exact

    table = np.array(
        [
            [failures_before, runs_before - failures_before],
            [failures_after, runs_after - failures_after],
        ]
    )
    return float(fisher_exact(table, alternative="greater").pvalue)


def _runs_for_proof(failures: int, runs: int, level: float) -> int | None:
    """With ever more clean runs the p-value falls to a limit; look for where it passes `level`."""
    if failures == 0:
        return None
    low, high = 0, 1
    while not _is_below(_fisher(failures, runs, 0, high), level):
        low, high = high, high * 2
        if high > 1 << 20:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if _is_below(_fisher(failures, runs, 0, middle), level):
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
