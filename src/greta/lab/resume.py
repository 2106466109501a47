"""Takes up an audit that was not finished: what it has seen counts, the rest is run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from greta.errors import UsageError
from greta.lab.cases.history import read_summary
from greta.lab.judge import Judgement, Say, judge_run, placed_again
from greta.lab.outcomes import Outcome
from greta.lab.plan import Iteration


@dataclass(frozen=True)
class FirstPart:
    """What is known already."""

    outcomes: list[Outcome]
    judgements: list[Judgement]
    left: list[Iteration]
    """Still to be run."""
    plain_seconds: list[tuple[str, float]]


def unfinished(folder: Path) -> dict[str, Any]:
    """The summary of an audit that was cut short; raises UsageError if there is none."""
    summary = read_summary(folder / "summary.json")
    if summary is None:
        raise UsageError(f"--resume: {folder} has no summary.json of an audit")
    if not summary.get("partial"):
        raise UsageError(f"--resume: the audit in {folder} is complete; start a new one")
    return summary


def restored(
    summary: dict[str, Any], schedule: list[Iteration], folder: Path, say: Say
) -> FirstPart:
    """Judges what was not judged when the first part ended: recordings outlive everybody."""
    entries = {(one.get("test"), one.get("iteration")): one for one in summary["iterations"]}
    outcomes = [
        _outcome(iteration, entry)
        for iteration in schedule
        if (entry := entries.get((iteration.test.id, iteration.number))) is not None
        and entry.get("seed") == iteration.seed
        and _came_to_an_end(entry)
    ]
    runs = dict.fromkeys(outcome.run for outcome in outcomes)
    judgements = [_judgement(folder, run, outcomes, say) for run in runs]
    known = [outcome for outcome in outcomes if outcome.result != "INCONCLUSIVE"]
    return FirstPart(known, judgements, _left(schedule, known), _plain(summary))


def _came_to_an_end(entry: dict[str, Any]) -> bool:
    """It was judged, or has answered and waits for that."""
    return entry.get("result") in ("PASS", "FAIL") or bool(entry.get("output"))


def _left(schedule: list[Iteration], known: Iterable[Outcome]) -> list[Iteration]:
    done = {(one.iteration.test.id, one.iteration.number) for one in known}
    return [one for one in schedule if (one.test.id, one.number) not in done]


def _plain(summary: dict[str, Any]) -> list[tuple[str, float]]:
    return [(str(one["prompt"]), float(one["seconds"])) for one in summary.get("unwatched", [])]


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


def _judgement(folder: Path, run: str, outcomes: list[Outcome], say: Say) -> Judgement:
    own = [outcome for outcome in outcomes if outcome.run == run]
    try:
        return placed_again(folder / run, run, own)
    except (OSError, ValueError):
        return judge_run(folder / run, run, own, say)
