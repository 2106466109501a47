"""The entries of a case in order, and what changed from one to the next.

An entry is an audit, or a run or a log that somebody has added (greta.lab.cases.case_file): a
folder artifacts/DATE/CASE with a summary.json. What the entries show has no file of its own that
could disagree with them.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from greta.errors import NotJsonError, OutsideError, UsageError
from greta.forensics.verdict import VerdictWord
from greta.lab.cases.factors import Observation
from greta.lab.summary import IterationSummary, RanWith, Summary, facts_in
from greta.lab.summary_json import read_summary
from greta.outside import read_object
from greta.typed_json import JsonField, decode

ENTRY: Final = "entry.json"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

Diagnosis: TypeAlias = Literal[
    "first",
    "unchanged",
    "cause_found",
    "cause_changed",
    "no_longer_seen",
    "seen_again",
    "nothing_judged",
]
"""How the diagnosis of an audit stands to the one before."""


@dataclass(frozen=True)
class JudgedRuns:
    """Runs that were judged, and those that could not be."""

    runs: int
    failures: int
    inconclusive: int = 0


@dataclass(frozen=True)
class AddedEntry:
    """What entry.json says of something that was added to a case by hand."""

    source: str = ""
    """audit, run or log."""
    path: str = ""
    """Where it was found."""
    added: str = ""
    note: str = ""
    author: str = ""


@dataclass(frozen=True)
class KeptAudit:
    """One audit, run or log of a case, as its summary says."""

    folder: Path
    summary: Summary
    entry: AddedEntry = field(default_factory=AddedEntry)

    @property
    def case(self) -> str:
        return self.summary.case or self.folder.name

    @property
    def date(self) -> str:
        return self.folder.parent.name

    @property
    def word(self) -> VerdictWord:
        return self.summary.verdict.word

    @property
    def source(self) -> str:
        return self.entry.source or "audit"

    @property
    def written(self) -> str:
        return self.entry.added or self.summary.started

    @property
    def hour(self) -> str:
        """When it ran; nothing where only the day that it was filed under is known."""
        started = self.summary.started
        return started if started.startswith(self.date) else ""

    @property
    def diagnosed(self) -> str:
        """What it held to be at fault: the cause, or the call that reported it; or nothing."""
        verdict = self.summary.verdict
        blamed = verdict.blamed
        told = (blamed.kernel or blamed.call or "") if blamed else ""
        return (verdict.cause.operation if verdict.cause else "") or told

    @property
    def judged(self) -> JudgedRuns:
        """Its iterations; a run or a log is one."""
        if not self.summary.iterations and self.entry.source in ("run", "log"):
            failed, open_ = VerdictWord.REPRODUCED, VerdictWord.INCONCLUSIVE
            return JudgedRuns(
                int(self.word is not open_), int(self.word is failed), int(self.word is open_)
            )
        results = [one.result for one in self.summary.iterations]
        judged = sum(result in ("PASS", "FAIL") for result in results)
        return JudgedRuns(judged, results.count("FAIL"), len(results) - judged)

    @property
    def trials(self) -> JudgedRuns:
        """What counts in a test. A log is no trial: people keep those of crashes."""
        return JudgedRuns(0, 0) if self.source == "log" else self.judged

    @property
    def evidence(self) -> Summary:
        """Equal for the same evidence, whatever the case it was added to."""
        return replace(self.summary, case="", files={})

    @property
    def observations(self) -> list[Observation]:
        return observations_of(self.summary.iterations, self.summary.factor_sets)


def observations_of(
    iterations: Sequence[IterationSummary], sets: Sequence[Mapping[str, str]]
) -> list[Observation]:
    return [
        # A machine that warms up, or memory that fills up, shows in the later runs.
        Observation(
            one.result == "FAIL",
            {
                **_factors(one, sets),
                "half of the audit": "first" if 2 * place < len(iterations) else "second",
            },
        )
        for place, one in enumerate(iterations)
        if one.result in ("PASS", "FAIL")
    ]


def _factors(one: IterationSummary, sets: Sequence[Mapping[str, str]]) -> dict[str, str]:
    place = one.factors if one.factors is not None else -1
    common = sets[place] if 0 <= place < len(sets) else {}
    own = {"prompt": one.prompt, "seed": one.seed, "profile": one.profile, "node": one.node}
    if one.device is not None:
        own["device ordinal"] = f"{one.node} {one.device}" if one.node else str(one.device)
    return {**common, **{name: str(value) for name, value in own.items() if value is not None}}


@dataclass(frozen=True)
class Change:
    """What is different from the audit before: a fact of the environment, model or program."""

    name: str
    before: str
    after: str


@dataclass(frozen=True)
class CaseAudit:
    audit: KeptAudit
    changes: tuple[Change, ...]
    diagnosis: Diagnosis


def find_audits(
    artifacts: Path, case: str | None = None, refused: list[str] | None = None
) -> list[KeptAudit]:
    """All audits, or those of a case, oldest first. Folders without a summary are none.

    One that cannot be trusted is left out, and told in `refused`; of the case's own it is an error.
    """
    audits = []
    for path in artifacts.glob("*/*/summary.json"):
        folder = path.parent
        if not _DATE.fullmatch(folder.parent.name):
            continue
        try:
            summary = read_summary(path)
            audit = KeptAudit(folder, summary, read_entry(folder)) if summary else None
        except OutsideError as error:
            if case and folder.name.startswith(case):
                raise
            if refused is not None:
                refused.append(str(error))
            continue
        if audit and case in (None, audit.case):
            audits.append(audit)
    merged = {part for one in audits for part in one.summary.parts}  # they count there
    return sorted((one for one in audits if str(one.folder.resolve()) not in merged), key=_place)


def _place(one: KeptAudit) -> tuple[str, bool, str, str]:
    """A log is filed under its day and knows no hour: its fault may be the last of the day."""
    unknown = not one.hour and one.word is VerdictWord.REPRODUCED
    return one.date, unknown, one.hour, str(one.folder)


def read_entry(folder: Path) -> AddedEntry:
    """Nothing of an audit that `greta audit` wrote there."""
    path = folder / ENTRY
    try:
        return decode(AddedEntry, read_object(path), JsonField(path))
    except (NotJsonError, OSError):
        return AddedEntry()


def require_case(artifacts: Path, case: str) -> list[KeptAudit]:
    """The audits of a case that the user has named."""
    audits = find_audits(artifacts, case)
    if not audits:
        known = sorted({audit.case for audit in find_audits(artifacts)})
        hint = f"there are: {', '.join(known)}" if known else "there are none yet"
        raise UsageError(f"no entry of the case {case!r} is in {artifacts}; {hint}")
    return audits


def history(audits: list[KeptAudit]) -> list[CaseAudit]:
    entries = []
    known: KeptAudit | None = None
    judged: KeptAudit | None = None
    for audit in audits:
        # Of a log nobody knows what it ran with.
        changes = tuple(_changes(known, audit)) if known and audit.source != "log" else ()
        entries.append(CaseAudit(audit, changes, _diagnosis(judged, audit)))
        known = known if audit.source == "log" else audit
        # An entry that could not be judged says nothing that the next could contradict.
        says_something = audit.word is not VerdictWord.INCONCLUSIVE or audit.judged.runs > 0
        judged = audit if says_something or judged is None else judged
    return entries


def _changes(before: KeptAudit, after: KeptAudit) -> Iterator[Change]:
    old, new = (dict(compared_facts(audit.summary.ran)) for audit in (before, after))
    for audit, facts in ((before, old), (after, new)):
        rerun = audit.summary.ran.rerun
        if rerun and rerun.command:
            facts["command"] = shlex.join(rerun.command)
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield Change(name, old.get(name, ""), new.get(name, ""))


def compared_facts(ran: RanWith) -> Iterator[tuple[str, str]]:
    """What one audit may have been run with and another not, such as environment.python."""
    model = {"name": ran.model.name, "hash": ran.model.hash} if ran.model else None
    parts = {"environment": ran.environment, "model": model, "program": ran.program}
    for name, value in facts_in(parts):
        yield name, value if isinstance(value, str) else json.dumps(value)


def _cause(audit: KeptAudit) -> tuple[str, str | None, str | None] | None:
    cause = audit.summary.verdict.cause
    return (cause.hypothesis, cause.call, cause.kernel) if cause else None


def _diagnosis(before: KeptAudit | None, after: KeptAudit) -> Diagnosis:
    if before is None:
        return "first"
    old, new = _cause(before), _cause(after)
    seen, sees = (audit.word is VerdictWord.REPRODUCED for audit in (before, after))
    if after.word is VerdictWord.INCONCLUSIVE and after.judged.runs == 0:
        return "nothing_judged"
    if seen and not sees:
        return "no_longer_seen"
    if sees and not seen:
        return "seen_again"
    if old == new:
        return "unchanged"
    return "cause_found" if old is None else "cause_changed"


@dataclass(frozen=True)
class Blame:
    """What was held to be at fault from a day on."""

    date: str
    name: str
    is_kernel: bool


def blames(audits: Sequence[KeptAudit]) -> list[Blame]:
    """As it moved; an entry that blames nothing, or the same again, is none."""
    found: list[Blame] = []
    for audit in audits:
        cause = audit.summary.verdict.cause
        if audit.diagnosed and (not found or found[-1].name != audit.diagnosed):
            found.append(Blame(audit.date, audit.diagnosed, bool(cause and cause.kernel)))
    return found
