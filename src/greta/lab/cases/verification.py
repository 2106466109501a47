"""Is a fix proven, or would the same numbers appear by luck, or by what else has changed?

A fix is a changed program. Where the variables, the arguments or the device changed as well, they
may be what made the failures go away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from greta.forensics.statistics import FixTest, fix_proven
from greta.lab.cases.history import Change, JudgedRuns, compared_facts
from greta.lab.summary import ProgramRuns, RanWith, RerunFacts, Summary


@dataclass(frozen=True)
class Verification:
    """What the runs before and after a fix show. `code` names a sentence of the language files."""

    before: JudgedRuns
    after: JudgedRuns
    test: FixTest | None
    code: str

    @property
    def proven(self) -> bool:
        """Whether luck is ruled out at the usual level."""
        return self.test is not None and self.test.proven


def verify(before: Sequence[JudgedRuns], after: Sequence[JudgedRuns]) -> Verification:
    """All runs before against all runs after; those that could not be judged do not count."""
    one, two = summed(before), summed(after)
    if one.runs == 0 or two.runs == 0:
        return Verification(one, two, None, "verify_no_runs")
    test = fix_proven(one.failures, one.runs, two.failures, two.runs)
    return Verification(one, two, test, _code(one, two, test))


def summed(tallies: Sequence[JudgedRuns]) -> JudgedRuns:
    return JudgedRuns(
        runs=sum(one.runs for one in tallies),
        failures=sum(one.failures for one in tallies),
        inconclusive=sum(one.inconclusive for one in tallies),
    )


def _code(before: JudgedRuns, after: JudgedRuns, test: FixTest) -> str:
    if before.failures == 0:
        return "verify_now_fails" if after.failures else "verify_never_failed"
    if test.proven:
        return "verify_proven" if after.failures == 0 else "verify_fewer"
    if after.failures * before.runs >= before.failures * after.runs:
        return "verify_not_better"
    return "verify_luck" if test.runs_for_proof is not None else "verify_too_few_before"


Values: TypeAlias = "tuple[str, ...]"

_VARIABLES: Final = "environment.variables."
_ARGUMENTS: Final = "arguments"
_FILES: Final = ("program.sha256", "programs.sha256")
_PATHS: Final = ("program.path", "programs.path")
_SHORT: Final = 16
_SAID_OTHERWISE: Final = ("program.build_id", f"{_VARIABLES}GRETA_DEVICE")
"""By a hash, and by the kind of the device."""


@dataclass(frozen=True)
class ComparedRuns:
    ran: RanWith
    programs: tuple[ProgramRuns, ...] = ()
    profiles: tuple[str, ...] = ()

    @classmethod
    def of(cls, summary: Summary) -> ComparedRuns:
        return cls(summary.ran, summary.programs, tuple(one.name for one in summary.profiles))


@dataclass(frozen=True)
class SideChanges:
    """`fix`: files (their name is the path) that changed where they are. `others`: all else."""

    fix: tuple[Change, ...]
    others: tuple[Change, ...]


def compare_sides(before: Sequence[ComparedRuns], after: Sequence[ComparedRuns]) -> SideChanges:
    """Of all audits and runs of both sides; nothing is known of what was only counted."""
    if not before or not after:
        return SideChanges((), ())
    old, new = ([_facts(one) for one in side] for side in (before, after))
    names = sorted({name for one in (*old, *new) for name in one})
    values = {name: (_values(name, old), _values(name, new)) for name in names}
    changes = [
        Change(name, _joined(one), _joined(two))
        for name, (one, two) in values.items()
        if one != two and one and two
    ]
    moved = any(change.name in _PATHS for change in changes)
    others = [change for change in changes if change.name not in _FILES]
    # Told once: the program that was started is often the one that made the calls.
    found: dict[tuple[str, str, str], Change] = {}
    for change in others:
        kind = change.name.removeprefix("programs.").removeprefix("program.")
        found.setdefault((kind, change.before, change.after), change)
    return SideChanges(() if moved else tuple(_files(values)), tuple(found.values()))


def _files(values: Mapping[str, tuple[Values, Values]]) -> list[Change]:
    """Files that are others now at the same path; scripts seldom are what makes the calls."""
    changes = []
    for name, path in zip(_FILES, _PATHS, strict=True):
        old, new = values.get(name, ((), ()))
        if old and new and old != new:
            files = _joined(values[path][0]) if path in values else ""
            hashes = (_joined(one[:_SHORT] for one in side) for side in (old, new))
            changes.append(Change(files, *hashes))
    return list(dict.fromkeys(changes))


def _joined(values: Iterable[str]) -> str:
    return ", ".join(value or "-" for value in values)


def _values(name: str, side: Sequence[dict[str, str]]) -> Values:
    """All that a fact was on one side. That a variable is not set is a value, too."""
    is_known_if_absent = name.startswith(_VARIABLES) or name == _ARGUMENTS
    found = {one.get(name, "" if is_known_if_absent else None) for one in side}
    return tuple(sorted(value for value in found if value is not None))


def _facts(side: ComparedRuns) -> dict[str, str]:
    facts = {n: v for n, v in compared_facts(side.ran) if n not in _SAID_OTHERWISE}
    more = {
        "device": side.ran.device.kind if side.ran.device else None,
        "profiles": ", ".join(sorted(side.profiles)),
        "programs.path": ", ".join(sorted({one.path for one in side.programs})),
        "programs.sha256": ", ".join(sorted({one.sha256 for one in side.programs if one.sha256})),
    }
    arguments = _arguments(side.ran.rerun)
    known = {name: value for name, value in more.items() if value}
    return {**facts, **known, **({} if arguments is None else {_ARGUMENTS: arguments})}


def _arguments(rerun: RerunFacts | None) -> str | None:
    """Of a command; of our own engine nothing, of a command without any an empty text."""
    if rerun is None:
        return None
    command = rerun.options.program if rerun.options else rerun.command
    return " ".join(command[1:]) if command else None
