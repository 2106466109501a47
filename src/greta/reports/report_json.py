"""`greta report --format json`: summary.json, or verdict.json with what ran; where it is kept."""

from __future__ import annotations

from greta.forensics.verdict_json import Say, dump_verdict
from greta.lab.summary_json import dump_ran_with, dump_summary
from greta.reports.reported import Reported
from greta.typed_json import Json


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
