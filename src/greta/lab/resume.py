"""Takes up an audit that was not finished: what it has seen counts, the rest is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from greta.errors import UsageError
from greta.lab.cases.history import read_summary
from greta.lab.factors import run_factors
from greta.lab.judge import Judgement
from greta.lab.outcomes import Outcome
from greta.lab.plan import Iteration


def unfinished(folder: Path) -> dict[str, Any]:
    """The summary of an audit that was cut short; raises UsageError if there is none."""
    summary = read_summary(folder / "summary.json")
    if summary is None:
        raise UsageError(f"--resume: {folder} has no summary.json of an audit")
    if not summary.get("partial"):
        raise UsageError(f"--resume: the audit in {folder} is complete; start a new one")
    return summary


def restored(
    summary: dict[str, Any], schedule: list[Iteration], folder: Path
) -> tuple[list[Outcome], list[Judgement], list[Iteration]]:
    """What is known of iterations that were judged, and which are still to be run."""
    known = {
        (one.get("test"), one.get("iteration")): one
        for one in summary.get("iterations", [])
        if one.get("result") in ("PASS", "FAIL")
    }
    outcomes, left = [], []
    for iteration in schedule:
        entry = known.get((iteration.test.id, iteration.number))
        if entry is None or entry.get("seed") != iteration.seed:
            left.append(iteration)
        else:
            outcomes.append(_outcome(iteration, entry))
    runs = sorted({outcome.run for outcome in outcomes if outcome.run})
    return outcomes, [_judgement(folder, run) for run in runs], left


def _outcome(iteration: Iteration, entry: dict[str, Any]) -> Outcome:
    span = entry.get("range")
    return Outcome(
        iteration=iteration,
        run=str(entry.get("run", "")),
        seconds=entry.get("seconds"),
        tokens_per_second=entry.get("tokens_per_second"),
        first_token_seconds=entry.get("first_token_seconds"),
        output=entry.get("output"),
        error=entry.get("error"),
        problems=[str(one) for one in entry.get("problems", [])],
        range=(int(span[0]), int(span[1])) if span else None,
    )


def _judgement(folder: Path, run: str) -> Judgement:
    try:
        verdict = json.loads((folder / run / "verdict.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return Judgement(run, {}, problem=str(error))
    return Judgement(run, verdict, run_factors(folder / run / "run.json"))
