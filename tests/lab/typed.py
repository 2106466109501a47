"""Verdicts and summaries of tests: written as in the files, read as objects, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from greta.forensics.verdict import Verdict
from greta.forensics.verdict_json import dump_ruling, load_verdict
from greta.lab import summarizing
from greta.lab.judge import Judgement
from greta.lab.summary import Summary
from greta.lab.summary_json import dump_summary, load_summary
from greta.reports.lang import Say
from greta.typed_json import JsonField


def verdict_from(data: dict[str, Any]) -> Verdict:
    """As verdict.json has it."""
    complete = {"verdict": "REPRODUCED", "coverage": {}, "hypotheses": [], **data}
    return load_verdict(complete, JsonField(Path("verdict.json")))


def summary_from(data: dict[str, Any]) -> Summary:
    """As summary.json has it."""
    return load_summary({"verdict": "INCONCLUSIVE", **data}, JsonField(Path("summary.json")))


def summarize(*arguments: Any, **named: Any) -> dict[str, Any]:
    """What summary.json says of them."""
    return dump_summary(summarizing.summarize(*arguments, **named), Say("en").of)


def hypotheses_of(judgements: list[Judgement]) -> list[dict[str, Any]]:
    """The same of the hypotheses alone."""
    return [dump_ruling(one, Say("en").of) for one in summarizing.rulings_of(judgements)]
