"""Judges the recording of one child: what it shows of each iteration that ran in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from greta.errors import GretaError
from greta.forensics.analysis import analyze, to_json
from greta.forensics.evidence import Expectations
from greta.gather import gather
from greta.lab.factors import run_factors
from greta.lab.outcomes import Outcome
from greta.recording import Process, open_recording

Say: TypeAlias = "Callable[[str, dict[str, Any]], str]"
Range: TypeAlias = "tuple[int, int]"

_ITERATION: Final = re.compile(r"iteration=(\d{1,9})")
_NOTHING_LOST: Final = frozenset({"unknown_kernels", "cut_short"})
"""Gaps that leave what was recorded complete: calls before a cut are all there."""


@dataclass
class Judgement:
    """What a child's recording shows."""

    run: str
    verdict: dict[str, Any]
    """verdict.json."""
    factors: dict[str, str] = field(default_factory=dict)
    outside: list[str] = field(default_factory=list)
    """Findings that belong to no iteration: while the model was loaded, or at the end."""
    problem: str | None = None
    """Why it could not be judged."""


def judge_run(
    folder: Path,
    name: str,
    outcomes: list[Outcome],
    say: Say,
    expectations: Expectations | None = None,
    *,
    whole: bool = False,
) -> Judgement:
    """Adds what it finds to the outcomes. `whole`: the run is one iteration, all of it."""
    try:
        verdict = to_json(analyze(gather(folder, expectations or Expectations())), say)
    except GretaError as error:
        for outcome in outcomes:
            outcome.conclusive = False
        return Judgement(name, {}, problem=str(error))
    (folder / "verdict.json").write_text(json.dumps(verdict, indent=1) + "\n", encoding="utf-8")
    judgement = Judgement(name, verdict, run_factors(folder / "run.json"))
    if whole:
        _judge_whole(outcomes, verdict)
    else:
        _place(judgement, outcomes, folder)
    return judgement


def _judge_whole(outcomes: list[Outcome], verdict: dict[str, Any]) -> None:
    for outcome in outcomes:
        outcome.problems += _confirmed(verdict)
        if verdict.get("blamed") and not outcome.problems:
            outcome.problems.append("hip_error")
        outcome.conclusive = verdict.get("verdict") != "INCONCLUSIVE"


def _confirmed(verdict: dict[str, Any]) -> list[str]:
    return [one["id"] for one in verdict["hypotheses"] if one["verdict"] == "CONFIRMED"]


def _place(judgement: Judgement, outcomes: list[Outcome], folder: Path) -> None:
    """Each finding to the iteration in which it happened."""
    ranges = _ranges(folder)
    for outcome in outcomes:
        outcome.range = ranges.get(outcome.iteration.number)
        # What ran and left no call behind was not seen.
        outcome.conclusive &= outcome.range is not None and not _lost(judgement.verdict)
    for seq, code in _seen(judgement.verdict):
        place = next((one for one in outcomes if one.range and _within(seq, one.range)), None)
        if place is None:
            judgement.outside.append(code)
        elif code not in place.problems:
            place.problems.append(code)


def _lost(verdict: dict[str, Any]) -> bool:
    gaps = {gap["code"].lower() for gap in verdict["coverage"].get("gaps", [])}
    return bool(gaps - _NOTHING_LOST)


def _seen(verdict: dict[str, Any]) -> Iterator[tuple[int, str]]:
    for one in verdict["hypotheses"]:
        if one["verdict"] == "CONFIRMED":
            yield from ((finding["seq"], one["id"]) for finding in one["findings"])
    blamed = verdict.get("blamed")
    if blamed:
        yield blamed["seq"], "hip_error"


def _within(seq: int, span: Range) -> bool:
    return span[0] <= seq <= span[1]


def _ranges(folder: Path) -> dict[int, Range]:
    """From the annotations that the workload puts around each iteration."""
    found: dict[int, Range] = {}
    for process in open_recording(folder / "recording").processes:
        found |= _ranges_of(process)
    return found


def _ranges_of(process: Process) -> dict[int, Range]:
    numbers = _iteration_of_annotations(process)
    if not numbers:
        return {}
    table = np.full(max(numbers) + 1, -1, np.int64)
    table[list(numbers)] = list(numbers.values())
    annotation = process.columns.annotation
    known = np.where(annotation < len(table), annotation, 0)
    iteration = np.where(annotation < len(table), table[known], -1)
    ranges = {}
    for number in np.unique(iteration[iteration >= 0]):
        rows = np.flatnonzero(iteration == number)
        ranges[int(number)] = (int(rows[0]) + 1, int(rows[-1]) + 1)
    return ranges


def _iteration_of_annotations(process: Process) -> dict[int, int]:
    numbers = {}
    for id_ in process.tables.annotations:
        chain = process.tables.annotation_chain(id_)
        matches = (_ITERATION.fullmatch(entry.text) for entry in chain)
        number = next((int(match[1]) for match in matches if match), None)
        if number is not None:
            numbers[id_] = number
    return numbers
