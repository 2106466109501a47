"""Takes up an audit that was not finished: what it has seen counts, the rest is run."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from greta.errors import OutsideError, UsageError
from greta.forensics.verdict_json import Say
from greta.lab.judge import Judgement, judge_run, placed_again
from greta.lab.outcomes import IterationOutcome, restored_outcome
from greta.lab.plan import Iteration
from greta.lab.summary import ModelFacts, Summary, UnrecordedIteration
from greta.lab.summary_json import read_summary
from greta.runs.files import sha256_of


@dataclass(frozen=True)
class FirstPart:
    outcomes: list[IterationOutcome]
    judgements: list[Judgement]
    left: list[Iteration]
    unrecorded: list[UnrecordedIteration]


def unfinished(folder: Path) -> Summary:
    """The summary of an audit that was cut short; raises UsageError if there is none."""
    summary = read_summary(folder / "summary.json")
    if summary is None:
        raise UsageError(f"--resume: {folder} has no summary.json of an audit")
    if not summary.partial:
        raise UsageError(f"--resume: the audit in {folder} is complete; start a new one")
    return summary


def refuse_other_builds(summary: Summary, model: ModelFacts | None) -> None:
    """Raises UsageError if what was audited is not what would be audited now.

    Runs of two builds must not be counted together. `model` is what is known of it now.
    """
    known: dict[str, set[str]] = {}
    program = summary.ran.program
    for one in (*([program] if program else ()), *summary.programs):
        if one.path and one.sha256:
            known.setdefault(one.path, set()).add(one.sha256)
    for path, hashes in known.items():
        with contextlib.suppress(OSError):  # whether it is needed, starting it will show
            if (now := sha256_of(Path(path))) not in hashes:
                raise UsageError(_other(path, next(iter(hashes)), now))
    before = summary.ran.model
    if before and model:
        for old, new in ((before.sha256, model.sha256), (before.hash, model.hash)):
            if old and new and old != new:
                raise UsageError(_other(model.path or "", old, new))


def _other(path: str, before: str, now: str) -> str:
    return (
        f"--resume: {path} is another than when the audit began (SHA-256 {before[:16]} then, "
        f"{now[:16]} now); put that one back, or start a new audit"
    )


def restored(summary: Summary, schedule: list[Iteration], folder: Path, say: Say) -> FirstPart:
    """Judges what was not judged when the first part ended: recordings outlive everybody."""
    entries = {(one.test, one.iteration): one for one in summary.iterations}
    outcomes = [
        restored_outcome(iteration, entry)
        for iteration in schedule
        if iteration.recorded
        and (entry := entries.get((iteration.test.id, iteration.number))) is not None
        and entry.seed == iteration.seed
        and entry.run
        # It was judged, or has answered and waits for that.
        and (entry.result in ("PASS", "FAIL") or entry.output)
    ]
    runs = dict.fromkeys(outcome.run for outcome in outcomes)
    judgements = [judged_again(folder, run, outcomes, say) for run in runs]
    known = [outcome for outcome in outcomes if outcome.result != "INCONCLUSIVE"]
    done = {(one.iteration.test.id, one.iteration.number) for one in known}
    # Also unrecorded ones, where their twin is left: only together are they a pair.
    left = [one for one in schedule if (one.test.id, one.number) not in done]
    pairable = [
        one for one in summary.unrecorded if one.iteration is not None and one.warm_up is not None
    ]
    return FirstPart(known, judgements, left, pairable)


def judged_again(folder: Path, run: str, outcomes: list[IterationOutcome], say: Say) -> Judgement:
    """As it was judged; by its recording, if nobody came to that."""
    own = [outcome for outcome in outcomes if outcome.run == run]
    try:
        return placed_again(folder / run, run, own)
    except (OSError, OutsideError):
        return judge_run(folder / run, run, own, say)
