"""What a report is about: an audit, or one run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from greta.forensics.verdict import Verdict
from greta.forensics.verdict_json import Say, dump_verdict
from greta.lab.summary import RanWith, RerunFacts, Summary
from greta.lab.summary_json import dump_ran_with, dump_summary, read_summary_or_verdict
from greta.typed_json import Json


@dataclass(frozen=True)
class Reported:
    """A summary, and what only its reader knows."""

    summary: Summary
    kept: str = ""
    """The folder of the audit or the run, for commands that name it."""
    from_log: bool = False
    """It was told by another tool's log; nobody recorded it."""

    @property
    def verdict(self) -> Verdict:
        """Of the run, or of all runs of the audit together."""
        return self.summary.verdict

    @property
    def ran(self) -> RanWith:
        """What ran, and on what."""
        return self.summary.ran

    @property
    def rerun(self) -> RerunFacts:
        """What it takes to run it again, as far as it is known."""
        return self.summary.ran.rerun or RerunFacts()


def reported_verdict(verdict: Verdict, ran: RanWith | None = None, kept: str = "") -> Reported:
    """One run."""
    return Reported(Summary(verdict, ran=ran or RanWith()), kept)


def read_reported(path: Path, kept: str = "") -> Reported:
    """summary.json or verdict.json; raises UsageError for anything else."""
    found = read_summary_or_verdict(path)
    return Reported(found if isinstance(found, Summary) else Summary(found), kept)


def dump_reported(reported: Reported, say: Say) -> Json:
    """All that a report shows."""
    summary = reported.summary
    kept = {"kept": reported.kept} if reported.kept else {}
    if summary.tests:
        return {**dump_summary(summary, say), **kept}
    told = {"source": "log"} if reported.from_log else {}
    started = {"started": summary.started} if summary.started else {}
    named = {"case": summary.case} if summary.case else {}
    ran = {name: part for name, part in dump_ran_with(summary.ran).items() if part}
    return {**dump_verdict(summary.verdict, say), **named, **told, **started, **ran, **kept}
