"""Which programs made HIP calls in the runs of an audit, and whether several stood for one.

A script that sometimes starts a stale build leaves no trace in any single run: each ran a program
that nothing speaks against. Only side by side do they show that it was not the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from greta.lab.cases.factors import Factor, Observation, separating_factors
from greta.runs.gather.subject import subject_of
from greta.trace.run_facts import FileFacts, RunFacts

Run: TypeAlias = str
"""Its folder, from that of the case."""
Json: TypeAlias = "dict[str, Any]"
Say: TypeAlias = "Callable[[str, Json], str]"

_FACTORS: Final = ("binary", "script", "program")
"""Those of greta.lab.factors that say which file ran."""
_SHORT: Final = 16
_MOST_NAMED: Final = 8
"""A program that is built anew for each run has a new hash each time."""


@dataclass(frozen=True, order=True)
class Program:
    """A file that ran. Two are one build if their build ids are the same, as of a stripped copy."""

    path: str
    sha256: str
    build_id: str

    @property
    def build(self) -> str:
        """By what builds are told apart."""
        return self.build_id or self.sha256

    @property
    def short_hash(self) -> str:
        """For people."""
        return (self.sha256 or self.build_id)[:_SHORT]


@dataclass(frozen=True)
class Ran:
    """A program, in how many iterations it ran, and how many of these failed."""

    program: Program
    runs: int
    failures: int

    def as_json(self) -> Json:
        """As in summary.json."""
        one = self.program
        files = {"path": one.path, "sha256": one.sha256 or None, "build_id": one.build_id or None}
        return {**files, "runs": self.runs, "failures": self.failures}

    def as_saying(self) -> Json:
        """For a sentence that names several."""
        counts = {"runs": self.runs, "failures": self.failures}
        words = {"path": self.program.path, "hash": self.program.short_hash, **counts}
        return {"code": "binary_in_runs", "data": words}


def programs_of(facts: RunFacts) -> tuple[Program, ...]:
    """Of one run.json: what each process ran that made HIP calls; of a script, the script."""
    pids = [one.pid for one in facts.processes if one.calls and one.pid is not None]
    subjects = (subject_of(facts, pid) for pid in pids)
    found = {_program(subject.facts) for subject in subjects if subject}
    return tuple(sorted(one for one in found if one.build))


def _program(facts: FileFacts) -> Program:
    return Program(facts.path, facts.sha256 or "", facts.build_id or "")


def counted(
    programs: Mapping[Run, tuple[Program, ...]], iterations: Sequence[Mapping[str, Any]]
) -> list[Ran]:
    """Every program of the audit, by path."""
    counts: dict[Program, list[int]] = {}
    for one in iterations:
        for program in programs.get(str(one.get("run")), ()):
            count = counts.setdefault(program, [0, 0])
            count[0] += 1
            count[1] += one.get("result") == "FAIL"
    return [Ran(program, *count) for program, count in sorted(counts.items())]


def rivals(programs: Mapping[Run, tuple[Program, ...]]) -> set[Program]:
    """Files of different builds that took one another's place; none if it was always the same.

    They have the same name, or each run has one program only. What runs beside another in the same
    run is no rival of it.
    """
    known = [own for own in programs.values() if own]
    one_each = all(len(own) == 1 for own in known)
    places = {_place(program, one_each) for own in known for program in own}
    found: set[Program] = set()
    for place in places:
        runs = [{one for one in own if _place(one, one_each) == place} for own in known]
        found |= _differing([own for own in runs if own])
    return found


def _place(program: Program, one_each: bool) -> str:
    return "" if one_each else Path(program.path).name


def _differing(runs: Sequence[set[Program]]) -> set[Program]:
    builds = [{one.build for one in own} for own in runs]
    telling = set[str]().union(*builds) - set[str].intersection(*builds)
    if len(telling) < 2:
        return set()
    return {one for own in runs for one in own if one.build in telling}


def ruling(own: Json, ran: Sequence[Ran], observations: Sequence[Observation], say: Say) -> Json:
    """What the hypothesis wrong_binary comes to if the programs in `ran` stood for one.

    CONFIRMED if failing goes with which of them it was, by the test of the case file; else it stays
    open which was meant. What a run by itself has confirmed stays as it is.
    """
    if own.get("verdict") == "CONFIRMED":
        return own
    named = [one.as_saying() for one in ran[:_MOST_NAMED]]
    more = ["..."] if len(ran) > _MOST_NAMED else []
    data: Json = {"binaries": [*named, *more], "count": len(ran)}
    verdict, code, factor = "INCONCLUSIVE", "binaries_differ", _separating(observations)
    if factor:
        verdict, code = "CONFIRMED", "binaries_separate"
        data |= {"p": factor.corrected, "questions": factor.questions}
    reason = {"reason": say(code, data), "code": code, "data": data}
    return {**own, "verdict": verdict, **reason}


def _separating(observations: Sequence[Observation]) -> Factor | None:
    for factor in separating_factors(observations):
        names = {factor.name, *(name for name, _ in factor.same_division)}
        if factor.significant and names & set(_FACTORS):
            return factor
    return None
