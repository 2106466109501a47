"""Which programs made HIP calls in the runs of an audit, and whether several stood for one.

A script that sometimes starts a stale build leaves no trace in any single run: each ran a program
that nothing speaks against. Only side by side do they show that it was not the same one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

from greta.forensics.verdict import Outcome, Ruling, Saying, Value
from greta.lab.cases.factors import Factor, Observation, separating_factors
from greta.lab.outcomes import IterationOutcome
from greta.lab.summary import ProgramFacts, ProgramRuns
from greta.runs.binary import subject_of
from greta.trace.run_facts import RunFacts

Run: TypeAlias = str
"""Its folder, from that of the case."""

_FACTORS: Final = ("binary", "script", "program")
"""The factors of greta.lab.environment that say which file ran."""
_SHORT: Final = 16
_MOST_NAMED: Final = 8
"""A program that is built anew for each run has a new hash each time."""


def programs_of(facts: RunFacts) -> tuple[ProgramFacts, ...]:
    """Of one run.json: what each process ran that made HIP calls; of a script, the script."""
    pids = [one.pid for one in facts.processes if one.calls and one.pid is not None]
    subjects = (subject_of(facts, pid) for pid in pids)
    files = (subject.facts for subject in subjects if subject)
    found = {ProgramFacts(one.path, one.sha256 or None, one.build_id or None) for one in files}
    return tuple(sorted((one for one in found if one.build), key=_by_path))


def _by_path(one: ProgramFacts) -> tuple[str, ...]:
    return one.path or "", one.sha256 or "", one.build_id or ""


def counted(
    programs: Mapping[Run, tuple[ProgramFacts, ...]], outcomes: Sequence[IterationOutcome]
) -> list[ProgramRuns]:
    """Every program of the audit, by path."""
    counts: dict[ProgramFacts, list[int]] = {}
    for one in outcomes:
        for program in programs.get(one.run, ()):
            count = counts.setdefault(program, [0, 0])
            count[0] += 1
            count[1] += one.result == "FAIL"
    return [
        ProgramRuns(one.path or "", one.sha256, one.build_id, *counts[one])
        for one in sorted(counts, key=_by_path)
    ]


def rivals(programs: Mapping[Run, tuple[ProgramFacts, ...]]) -> set[ProgramFacts]:
    """Files of different builds that took one another's place; none if it was always the same.

    They have the same name, or each run has one program only. What runs beside another in the same
    run is no rival of it.
    """
    known = [own for own in programs.values() if own]
    one_each = all(len(own) == 1 for own in known)
    places = {_place(program, one_each) for own in known for program in own}
    found: set[ProgramFacts] = set()
    for place in places:
        runs = [{one for one in own if _place(one, one_each) == place} for own in known]
        found |= _differing([own for own in runs if own])
    return found


def _place(program: ProgramFacts, one_each: bool) -> str:
    return "" if one_each else Path(program.path or "").name


def _differing(runs: Sequence[set[ProgramFacts]]) -> set[ProgramFacts]:
    builds = [{one.build for one in own} for own in runs]
    telling = set[str]().union(*builds) - set[str].intersection(*builds)
    if len(telling) < 2:
        return set()
    return {one for own in runs for one in own if one.build in telling}


def with_rivals(
    own: Ruling, rivals: Sequence[ProgramRuns], observations: Sequence[Observation]
) -> Ruling:
    """What the hypothesis wrong_binary comes to if these programs stood for one.

    CONFIRMED if failing goes with which of them it was, by the test of the case file; else it stays
    open which was meant. What a run by itself has confirmed stays as it is.
    """
    if own.confirmed:
        return own
    named = [_saying(one) for one in rivals[:_MOST_NAMED]]
    more = ["..."] if len(rivals) > _MOST_NAMED else []
    data: dict[str, Value] = {"binaries": (*named, *more), "count": len(rivals)}
    if factor := _separating(observations):
        data |= {"p": factor.corrected, "questions": factor.questions}
        return replace(own, outcome=Outcome.CONFIRMED, code="binaries_separate", data=data)
    return replace(own, outcome=Outcome.INCONCLUSIVE, code="binaries_differ", data=data)


def _saying(one: ProgramRuns) -> Saying:
    hash_ = (one.sha256 or one.build_id or "")[:_SHORT]
    counts = {"runs": one.runs, "failures": one.failures}
    return Saying("binary_in_runs", {"path": one.path, "hash": hash_, **counts})


def _separating(observations: Sequence[Observation]) -> Factor | None:
    for factor in separating_factors(observations):
        names = {factor.name, *(name for name, _ in factor.same_division)}
        if factor.significant and names & set(_FACTORS):
            return factor
    return None
