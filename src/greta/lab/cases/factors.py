"""Which one thing separates the runs that fail from those that pass.

Factors that divide the runs in the same way cannot be told apart by any number of such runs; they
are named together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from greta.forensics.statistics import unequal_by_luck

LEVEL: Final = 0.05

Name: TypeAlias = str
Division: TypeAlias = "tuple[bool, ...]"
"""For each run, whether it has the value."""


@dataclass(frozen=True)
class Observation:
    failed: bool
    factors: dict[Name, str]


@dataclass(frozen=True)
class Factor:
    """A value that failing goes with, or goes against."""

    name: Name
    value: str
    failures_with: int
    runs_with: int
    failures_without: int
    runs_without: int
    p_value: float
    corrected: float
    """p_value after the correction for all questions that were asked."""
    questions: int
    same_division: tuple[tuple[Name, str], ...] = ()
    """Others that divide the runs in the same way."""

    @property
    def separates(self) -> bool:
        """All failures on one side, and no pass there."""
        with_ = self.failures_with == self.runs_with and self.failures_without == 0
        without = self.failures_without == self.runs_without and self.failures_with == 0
        return with_ or without

    @property
    def significant(self) -> bool:
        """More than luck explains, all questions counted."""
        return self.corrected <= LEVEL


def separating_factors(observations: Sequence[Observation]) -> list[Factor]:
    """All that were asked about, the most telling first; empty if no run failed or none passed."""
    failures = sum(one.failed for one in observations)
    if failures in (0, len(observations)):
        return []
    # Each way in which a value divides the runs; a value and its complement ask the same.
    asked: dict[Division, list[tuple[Name, str]]] = {}
    for name in sorted({name for one in observations for name in one.factors}):
        values = [one.factors.get(name, "") for one in observations]
        for value in sorted(set(values)):
            division = tuple(one == value for one in values)
            # One run alone proves nothing, and asking about each would drown what does.
            if not 2 <= sum(division) <= len(division) - 2:
                continue
            complement = tuple(not one for one in division)
            same = complement if complement in asked else division
            asked.setdefault(same, []).append((name, value))
    tested = sorted(
        (_tested(division, names, observations, len(asked)) for division, names in asked.items()),
        key=lambda factor: (factor.p_value, not factor.failures_with, factor.name),
    )
    return list(_corrected(tested))


def _tested(
    division: Division,
    names: list[tuple[Name, str]],
    observations: Sequence[Observation],
    questions: int,
) -> Factor:
    failures_with = sum(has and one.failed for has, one in zip(division, observations, strict=True))
    failures = sum(one.failed for one in observations)
    runs_with, runs = sum(division), len(observations)
    if failures_with * runs < failures * runs_with and (
        other := _complement_name(names, division, observations)
    ):
        # Say it by the value that fails, where there is one.
        names = [other, *(name for name in names if name != other)]
        failures_with, runs_with = failures - failures_with, runs - runs_with
    (name, value), *others = names
    return Factor(
        name=name,
        value=value,
        failures_with=failures_with,
        runs_with=runs_with,
        failures_without=failures - failures_with,
        runs_without=runs - runs_with,
        p_value=unequal_by_luck(
            failures_with, runs_with, failures - failures_with, runs - runs_with
        ),
        corrected=1.0,
        questions=questions,
        same_division=tuple(one for one in others if one[0] != name),
    )


def _complement_name(
    names: list[tuple[Name, str]], division: Division, observations: Sequence[Observation]
) -> tuple[Name, str] | None:
    for name, value in names:
        has = tuple(one.factors.get(name, "") == value for one in observations)
        if has != division:
            return name, value
    return None


def _corrected(tested: list[Factor]) -> Iterator[Factor]:
    """Holm: the k-th smallest of n counts n - k times, and none less than the one before it."""
    worst = 0.0
    for place, factor in enumerate(tested):
        worst = max(worst, min(1.0, factor.p_value * (len(tested) - place)))
        yield replace(factor, corrected=worst)
