"""Several audits as one: the parts of an array of jobs, `greta audit --part I/N`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from greta.errors import UsageError
from greta.forensics.verdict import Saying
from greta.forensics.verdict_json import Say
from greta.lab.artifacts import create_case_folder, unused
from greta.lab.devices import sort_as_scheduled
from greta.lab.judge import Judgement
from greta.lab.outcomes import IterationOutcome, compare_outputs, restored_outcome
from greta.lab.plan import Iteration, MatrixTest, Prompt, matrix, schedule
from greta.lab.request import AuditRequest, requested
from greta.lab.resume import judged_again
from greta.lab.session import FILES
from greta.lab.summarizing import summarize
from greta.lab.summary import AuditOptions, RanWith, RerunFacts, Summary
from greta.lab.summary_json import read_summary


def merge(folders: Sequence[Path], out: Path, say: Say) -> tuple[Path, Summary]:
    """A new folder with the runs of all parts, and the summary that one audit would have had.

    Raises UsageError for folders that are not parts of one audit, or have an iteration twice.
    """
    parts = [_part(folder) for folder in folders]
    request = _request(folders, parts)
    tests = matrix(request.iters, request.stress_iters, list(request.profiles))
    asked = schedule(tests, [Prompt("", "")], request.seed)
    _refuse_twice(folders, parts)
    now = datetime.now().astimezone()
    target = create_case_folder(out, parts[0].case, now.date())
    outcomes: list[IterationOutcome] = []
    judgements: list[Judgement] = []
    for number, (folder, part) in enumerate(zip(folders, parts, strict=True), start=1):
        own = _outcomes(part, tests, several=len(_hosts(parts)) > 1)
        for run in dict.fromkeys(one.run for one in own if one.run):
            name = _linked(folder / run, target, f".part{number}")
            moved = [one for one in own if one.run == run]
            for one in moved:
                one.run = name
            judgements.append(judged_again(target, name, moved, say))
        outcomes += own
    sort_as_scheduled(outcomes, judgements, asked)
    compare_outputs(outcomes)
    missing = sum(one.recorded for one in asked) - len(outcomes)
    partial = next((one.partial for one in parts if one.partial), "failed") if missing else None
    trouble = Saying("trouble_parts", {"missing": missing, "asked": missing + len(outcomes)})
    unrecorded = [one for part in parts for one in part.unrecorded]
    summary = summarize(tests, outcomes, judgements, unrecorded, partial)
    return target, replace(
        summary,
        case=parts[0].case,
        problem=trouble if missing else None,
        lost=tuple(one for part in parts for one in part.lost),
        started=min(part.started for part in parts),
        ended=max(part.ended for part in parts),
        seconds=sum(part.seconds or 0.0 for part in parts),
        ran=_without_part(parts[0].ran),
        parts=tuple(str(folder.resolve()) for folder in folders),
        files=FILES,
    )


def _part(folder: Path) -> Summary:
    summary = read_summary(folder / "summary.json")
    if summary is None:
        raise UsageError(f"{folder} has no summary.json of an audit")
    if summary.partial == "running":
        raise UsageError(
            f"the audit in {folder} runs still, or was killed; wait for it, or go on with it: "
            f"greta audit --resume {folder}"
        )
    return summary


def _options(part: Summary) -> AuditOptions | None:
    known = part.ran.rerun.options if part.ran.rerun else None
    # Where it ran does not make it another audit.
    return replace(known, part=None, out=None, devices=None, ray=None) if known else None


def _request(folders: Sequence[Path], parts: Sequence[Summary]) -> AuditRequest:
    first = _options(parts[0])
    if first is None:
        raise UsageError(f"the summary in {folders[0]} does not say how it was run")
    for folder, part in zip(folders, parts, strict=True):
        if (_options(part), part.case) != (first, parts[0].case):
            raise UsageError(
                f"{folder} is no part of the audit in {folders[0]}: its options, its command or "
                "its case are others"
            )
    return requested(first)


def _refuse_twice(folders: Sequence[Path], parts: Sequence[Summary]) -> None:
    seen: dict[tuple[str, int | None], Path] = {}
    for folder, part in zip(folders, parts, strict=True):
        own = {(one.test, one.iteration): folder for one in part.iterations}
        for test, number in own.keys() & seen.keys():
            raise UsageError(
                f"iteration {test}.{number} is in {seen[test, number]} and in {folder}; it would "
                "be counted twice"
            )
        seen |= own


def _hosts(parts: Sequence[Summary]) -> set[str | None]:
    return {part.ran.environment.host for part in parts if part.ran.environment}


def _outcomes(
    part: Summary, tests: Sequence[MatrixTest], *, several: bool
) -> list[IterationOutcome]:
    by_id = {test.id: test for test in tests}
    host = part.ran.environment.host if part.ran.environment and several else None
    found = []
    for one in part.iterations:
        if one.test in by_id and one.iteration is not None:
            prompt, seed = Prompt(one.prompt or "", ""), one.seed or 0
            iteration = Iteration(by_id[one.test], one.iteration, prompt, seed)
            outcome = restored_outcome(iteration, one)
            outcome.conclusive = one.result != "INCONCLUSIVE"
            outcome.node = outcome.node or host
            found.append(outcome)
    return found


def _linked(run: Path, target: Path, mark: str) -> str:
    """The run folder, in that of the merged audit too; without a copy where that can be."""
    place = unused(target / "run", run.name, mark)
    if run.is_dir() and not run.is_symlink():
        shutil.copytree(run, place, symlinks=True, copy_function=_link_or_copy)
    return str(place.relative_to(target))


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target)


def _without_part(ran: RanWith) -> RanWith:
    rerun = ran.rerun or RerunFacts()
    words = list(rerun.command)
    if "--part" in words:
        at = words.index("--part")
        del words[at : at + 2]
    words = [one for one in words if not one.startswith("--part=")]
    options = replace(rerun.options, part=None) if rerun.options else None
    return replace(ran, rerun=replace(rerun, command=tuple(words), options=options))
