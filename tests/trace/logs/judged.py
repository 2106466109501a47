"""What `greta analyze` says of a log that a test has written."""

from __future__ import annotations

from typing import Any

from greta.forensics.analysis import analyze
from greta.forensics.verdict_json import dump_verdict
from greta.reports.lang import Say
from greta.trace.evidence import Evidence
from tests.trace.logs.reading import Logs


def judged(logs: Logs, text: str | bytes) -> dict[str, Any]:
    """verdict.json, in English."""
    return verdict_on(logs.read(text))


def verdict_on(evidence: list[Evidence]) -> dict[str, Any]:
    return dump_verdict(analyze(evidence), Say("en").of)


def outcome(verdict: dict[str, Any], hypothesis: str) -> str:
    """Of one hypothesis."""
    return next(str(one["verdict"]) for one in verdict["hypotheses"] if one["id"] == hypothesis)


def blamed(verdict: dict[str, Any]) -> tuple[str | None, int] | None:
    """The call and its number."""
    found = verdict["blamed"]
    return (found["call"], found["seq"]) if found else None
