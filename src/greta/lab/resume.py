"""Takes up an audit that was not finished: what it has seen counts, the rest is run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from greta.errors import UsageError
from greta.lab.cases.history import read_summary
from greta.lab.judge import Judgement, Say, judge_run, placed_again
from greta.lab.outcomes import Outcome, Unrecorded
from greta.lab.plan import Iteration
from greta.runs.files import sha256_of


@dataclass(frozen=True)
class FirstPart:
    """What is known already."""

    outcomes: list[Outcome]
    judgements: list[Judgement]
    left: list[Iteration]
    """Still to be run."""
    unrecorded: list[Unrecorded]


def unfinished(folder: Path) -> dict[str, Any]:
    """The summary of an audit that was cut short; raises UsageError if there is none."""
    summary = read_summary(folder / "summary.json")
    if summary is None:
        raise UsageError(f"--resume: {folder} has no summary.json of an audit")
    if not summary.get("partial"):
        raise UsageError(f"--resume: the audit in {folder} is complete; start a new one")
    return summary


def refuse_other_builds(summary: dict[str, Any], model: dict[str, Any]) -> None:
    """Raises UsageError if what was audited is not what would be audited now.

    Runs of two builds must not be counted together. `model` is what is known of it now.
    """
    for path, known in _known_builds(summary).items():
        now = _sha256(path)
        if now is not None and now not in known:
            raise UsageError(_other(path, next(iter(known)), now))
    before = _part(summary, "model")
    for name in ("sha256", "hash"):
        if before.get(name) and model.get(name) and before[name] != model[name]:
            raise UsageError(_other(model.get("path", ""), before[name], model[name]))


def _known_builds(summary: dict[str, Any]) -> dict[str, set[str]]:
    """By path the hashes of the program, and of every file that made HIP calls."""
    known: dict[str, set[str]] = {}
    listed = summary.get("programs")
    for one in (_part(summary, "program"), *(listed if isinstance(listed, list) else ())):
        path, sha256 = (one.get("path"), one.get("sha256")) if isinstance(one, dict) else (0, 0)
        if isinstance(path, str) and isinstance(sha256, str):
            known.setdefault(path, set()).add(sha256)
    return known


def _sha256(path: str) -> str | None:
    try:
        return sha256_of(Path(path))
    except OSError:  # whether it is needed, starting it will show
        return None


def _other(path: object, before: object, now: object) -> str:
    return (
        f"--resume: {path} is another than when the audit began (SHA-256 {str(before)[:16]} then, "
        f"{str(now)[:16]} now); put that one back, or start a new audit"
    )


def _part(summary: dict[str, Any], name: str) -> dict[str, Any]:
    part = summary.get(name)
    return part if isinstance(part, dict) else {}


def restored(
    summary: dict[str, Any], schedule: list[Iteration], folder: Path, say: Say
) -> FirstPart:
    """Judges what was not judged when the first part ended: recordings outlive everybody."""
    listed = [one for one in summary.get("iterations") or [] if one]
    entries = {(one.get("test"), one.get("iteration")): one for one in listed}
    outcomes = [
        _outcome(iteration, entry)
        for iteration in schedule
        if iteration.recorded
        and (entry := entries.get((iteration.test.id, iteration.number))) is not None
        and entry.get("seed") == iteration.seed
        and _came_to_an_end(entry)
    ]
    outcomes = [outcome for outcome in outcomes if outcome.run]
    runs = dict.fromkeys(outcome.run for outcome in outcomes)
    judgements = [_judgement(folder, run, outcomes, say) for run in runs]
    known = [outcome for outcome in outcomes if outcome.result != "INCONCLUSIVE"]
    return FirstPart(known, judgements, _left(schedule, known), _unrecorded(summary))


def _came_to_an_end(entry: dict[str, Any]) -> bool:
    """It was judged, or has answered and waits for that."""
    return entry.get("result") in ("PASS", "FAIL") or bool(entry.get("output"))


def _left(schedule: list[Iteration], known: Iterable[Outcome]) -> list[Iteration]:
    """Also unrecorded ones, where their twin is left: only together are they a pair."""
    done = {(one.iteration.test.id, one.iteration.number) for one in known}
    return [one for one in schedule if (one.test.id, one.number) not in done]


def _unrecorded(summary: dict[str, Any]) -> list[Unrecorded]:
    """Those that say which iteration they were; others have no pair."""
    return [
        Unrecorded(one["iteration"], str(one.get("prompt")), float(one["seconds"]), one["warm_up"])
        for one in summary.get("unwatched") or []
        if one
        and isinstance(one.get("iteration"), int)
        and isinstance(one.get("warm_up"), bool)
        and isinstance(one.get("seconds"), (int, float))
    ]


def _outcome(iteration: Iteration, entry: dict[str, Any]) -> Outcome:
    span = entry.get("range")
    return Outcome(
        iteration=iteration,
        run=entry.get("run") or "",
        seconds=entry.get("seconds"),
        tokens_per_second=entry.get("tokens_per_second"),
        first_token_seconds=entry.get("first_token_seconds"),
        output=entry.get("output"),
        stdout=entry.get("stdout"),
        error=entry.get("error"),
        ending=_ending(entry.get("ending")),
        warm_up=entry.get("warm_up") is True,
        problems=[str(one) for one in entry.get("problems") or [] if one],
        range=(span[0], span[1]) if span and len(span) == 2 and None not in span else None,
    )


def _ending(entry: Any) -> dict[str, Any] | None:
    return entry if isinstance(entry, dict) and "how" in entry else None


def _judgement(folder: Path, run: str, outcomes: list[Outcome], say: Say) -> Judgement:
    own = [outcome for outcome in outcomes if outcome.run == run]
    try:
        return placed_again(folder / run, run, own)
    except (OSError, ValueError):
        return judge_run(folder / run, run, own, say)
