"""What a report is about: an audit, or one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from greta.errors import OutsideError
from greta.forensics.verdict import Verdict
from greta.forensics.verdict_json import Say, dump_verdict
from greta.lab.summary import RanWith, RerunFacts, Summary
from greta.lab.summary_json import dump_ran_with, dump_summary, read_summary_or_verdict
from greta.outside import read_outside
from greta.runs.masking import masked_text
from greta.typed_json import Json

Place = tuple[str, int]
"""A file and the number of a line."""


@dataclass(frozen=True)
class SourceLines:
    first: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Reported:
    """A summary, and what only its reader knows."""

    summary: Summary
    kept: str = ""
    """The folder of the audit or the run, for commands that name it."""
    from_log: bool = False
    """It was told by another tool's log; nobody recorded it."""
    sources: Mapping[Place, SourceLines] = field(default_factory=dict)
    """What stands around the lines that the verdict names, as far as it is here to be read."""

    @property
    def verdict(self) -> Verdict:
        return self.summary.verdict

    @property
    def ran(self) -> RanWith:
        return self.summary.ran

    @property
    def rerun(self) -> RerunFacts:
        """What it takes to run it again, as far as it is known."""
        return self.summary.ran.rerun or RerunFacts()


def reported_verdict(verdict: Verdict, ran: RanWith | None = None, kept: str = "") -> Reported:
    return Reported(Summary(verdict, ran=ran or RanWith()), kept)


def read_reported(path: Path, kept: str = "") -> Reported:
    """summary.json or verdict.json; raises UsageError for anything else."""
    found = read_summary_or_verdict(path)
    return Reported(found if isinstance(found, Summary) else Summary(found), kept)


_SUFFIXES: Final = frozenset(
    (".py", ".c", ".cc", ".cpp", ".cxx", ".cu", ".hip", ".h", ".hh", ".hpp", ".hxx", ".cl", ".rs")
)
"""Of what may be shown: a folder from elsewhere could name any file of this machine."""
_LARGEST_SOURCE: Final = 4 << 20
_AROUND: Final = 3
_LONGEST_LINE: Final = 200


def with_sources(reported: Reported) -> Reported:
    """With the lines around the calls that it names; of files as they were when it ran."""
    started = _time_of(reported.summary.started)
    if started is None or reported.from_log:
        return reported
    folder = reported.rerun.folder or ""
    places = _named_places(reported.verdict)
    found = {place: _lines_around(Path(folder, place[0]), place[1], started) for place in places}
    return replace(reported, sources={place: two for place, two in found.items() if two})


def _named_places(verdict: Verdict) -> Iterator[Place]:
    for call in (verdict.cause, verdict.blamed):
        if call and call.where.file and call.where.line:
            yield call.where.file, call.where.line
    access = verdict.cause.access if verdict.cause else None
    if access and access.line:
        yield place_of_line(access.line)


def place_of_line(text: str) -> Place:
    name, _, number = text.rpartition(":")
    return name, int(number) if number.isdecimal() and len(number) < 9 else 0


def _time_of(text: str) -> float | None:
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _lines_around(path: Path, line: int, started: float) -> SourceLines | None:
    if not path.is_absolute() or path.suffix not in _SUFFIXES:
        return None
    try:
        if path.stat().st_mtime > started:
            return None  # other lines than those that ran
        text = read_outside(path, _LARGEST_SOURCE).decode("utf-8", "replace")
    except (OSError, OutsideError, ValueError):
        return None
    lines = text.splitlines()
    if not 1 <= line <= len(lines):
        return None
    first = max(1, line - _AROUND)
    shown = lines[first - 1 : line + _AROUND]
    return SourceLines(first, tuple(masked_text(one[:_LONGEST_LINE]) for one in shown))


def dump_reported(reported: Reported, say: Say) -> Json:
    summary = reported.summary
    kept = {"kept": reported.kept} if reported.kept else {}
    if summary.tests:
        return {**dump_summary(summary, say), **kept}
    told = {"source": "log"} if reported.from_log else {}
    started = {"started": summary.started} if summary.started else {}
    named = {"case": summary.case} if summary.case else {}
    ran = {name: part for name, part in dump_ran_with(summary.ran).items() if part}
    return {**dump_verdict(summary.verdict, say), **named, **told, **started, **ran, **kept}
