"""What the profiles of a matrix show against each other: failures by profile, and a conclusion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from greta.forensics.statistics import failure_rate, fix_proven
from greta.lab.causes import Failure
from greta.lab.outcomes import Outcome


def profiles_of(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """Runs and failures by profile, with the rate of each."""
    counts: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        counts.setdefault(outcome.iteration.test.profile, Counter())[outcome.result] += 1
    return [_profile(name, own["FAIL"], own["PASS"] + own["FAIL"]) for name, own in counts.items()]


def profile_evidence(outcomes: Sequence[Outcome], failures: Sequence[Failure]) -> str | None:
    """What serialization changes: a code, None if there is nothing to compare."""
    by_name = {one["name"]: one for one in profiles_of(outcomes)}
    free, serialized = by_name.get("none"), by_name.get("serialize")
    if free is None or serialized is None or not free["failures"] + serialized["failures"]:
        return None
    if free["failures"] and serialized["failures"]:
        return "profile_persists" if _persists(failures) else "profile_no_conclusion"
    often, never = (free, serialized) if free["failures"] else (serialized, free)
    if not fix_proven(often["failures"], often["runs"], 0, never["runs"]).proven:
        return "profile_undecided"
    return "profile_vanishes" if often is free else "profile_only_serialized"


def _profile(name: str, failures: int, runs: int) -> dict[str, Any]:
    rate = failure_rate(failures, runs)
    return {
        "name": name,
        "runs": runs,
        "failures": failures,
        "failure_rate": rate.estimate,
        "failure_rate_interval_95": list(rate.interval),
    }


def _persists(failures: Sequence[Failure]) -> bool:
    """Whether one cause, known and no race, made runs fail with and without serialization.

    That runs fail in both is not enough: serializing may hide a race and uncover, or make, another
    failure; and a race is one however its runs end.
    """
    races = {one.key for one in failures if one.is_race}
    seen: dict[str, set[tuple[str, str]]] = {"none": set(), "serialize": set()}
    for one in failures:
        profile = one.outcome.iteration.test.profile
        if one.hypothesis and one.key not in races and profile in seen:
            seen[profile].add(one.key)
    return not seen["none"].isdisjoint(seen["serialize"])
