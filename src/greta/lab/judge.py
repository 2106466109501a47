"""Judges the recording of one child: what it shows of each iteration that ran in it."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from greta.errors import GretaError
from greta.folder_files import read_judged_file
from greta.forensics.analysis import analyze, to_json
from greta.forensics.failures import failures
from greta.lab.artifacts import write_json
from greta.lab.factors import run_factors, run_facts
from greta.lab.outcomes import Outcome
from greta.lab.programs import Program, programs_of
from greta.recording import Process, RecordingError, open_recording
from greta.runs.gather import gather
from greta.trace.evidence import Evidence, Expectations
from greta.trace.trace import Kind

Say: TypeAlias = "Callable[[str, dict[str, Any]], str]"
Range: TypeAlias = "tuple[int, int]"

_ITERATION: Final = re.compile(r"iteration=(\d{1,9})")
_AT_THE_END: Final = "end"
"""Of a blamed call: it is only the last one before a signal ended the process."""
_NOTHING_LOST: Final = frozenset({"unknown_kernels", "cut_short"})
"""Gaps that leave what was recorded complete: calls before a cut are all there."""


@dataclass
class Judgement:
    """What a child's recording shows."""

    run: str
    verdict: dict[str, Any]
    """verdict.json."""
    factors: dict[str, str] = field(default_factory=dict)
    programs: tuple[Program, ...] = ()
    """Those that made HIP calls."""
    outside: list[str] = field(default_factory=list)
    """Findings that belong to no iteration: while the model was loaded, or at the end."""
    problem: str | None = None
    """Why it could not be judged."""
    last_call: dict[str, Any] | None = None
    """The call that had not returned at the end, else the last one; None if there was none."""


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
        evidence = gather(folder, expectations or Expectations())
        verdict = to_json(analyze(evidence), say)
        ranges = {} if whole else _ranges(folder)
    except GretaError as error:
        for outcome in outcomes:
            outcome.conclusive = False
        return Judgement(name, {}, problem=str(error))
    judgement = _judged(folder, name, verdict)
    if whole:
        _judge_whole(outcomes, verdict)
    else:
        for outcome in outcomes:
            outcome.range = ranges.get(outcome.iteration.number)
        _place_errors(outcomes, evidence)
        _place(judgement, outcomes)
    judgement.last_call = _last_call(evidence)
    write_json(folder / "verdict.json", verdict)
    return judgement


def placed_again(folder: Path, name: str, outcomes: list[Outcome]) -> Judgement:
    """The judgement of a run that was judged before; the outcomes know where they ran.

    Raises OSError or ValueError if that did not come to its end.
    """
    verdict = read_judged_file(folder / "verdict.json")
    if missing := {"coverage", "hypotheses"} - verdict.keys():
        raise ValueError(f"verdict.json has no {min(missing)}")
    judgement = _judged(folder, name, verdict)
    if any(one.range for one in outcomes):  # the run of a command is one iteration, all of it
        _place(judgement, outcomes)
    return judgement


def _judged(folder: Path, name: str, verdict: dict[str, Any]) -> Judgement:
    path = folder / "run.json"
    return Judgement(name, verdict, run_factors(path), programs_of(run_facts(path)))


def _judge_whole(outcomes: list[Outcome], verdict: dict[str, Any]) -> None:
    blamed = verdict.get("blamed")
    for outcome in outcomes:
        outcome.problems += _confirmed(verdict)
        if blamed and blamed.get("by") == _AT_THE_END:
            outcome.problems += [] if outcome.problems else ["signal"]
        elif blamed:
            outcome.error = {key: blamed.get(key) for key in ("call", "error", "seq")}
            if not outcome.problems:
                outcome.problems.append("hip_error")
        outcome.conclusive = verdict.get("verdict") != "INCONCLUSIVE"


def _last_call(evidence: Sequence[Evidence]) -> dict[str, Any] | None:
    """Of several processes, of the last that was in one."""
    last: dict[str, Any] | None = None
    for trace in (one.trace for one in evidence):
        operations = trace.operations[trace.operations["kind"] != Kind.HOST_TOUCH]
        under_way = np.flatnonzero(~operations["finished"])
        if len(operations) == 0 or (last and not last["returned"] and not len(under_way)):
            continue
        row = operations[under_way[-1] if len(under_way) else -1]
        name = trace.describe(int(row["seq"])).name
        last = {"call": name, "seq": int(row["seq"]), "returned": not len(under_way)}
    return last


def _confirmed(verdict: dict[str, Any]) -> list[str]:
    return [one["id"] for one in verdict["hypotheses"] if one["verdict"] == "CONFIRMED"]


def _place(judgement: Judgement, outcomes: list[Outcome]) -> None:
    """Each finding to the iteration in which it happened."""
    if not judgement.verdict["coverage"]["calls"]:  # it never came so far
        for outcome in outcomes:
            outcome.conclusive = False
        return
    last = _last_counted(judgement.verdict)
    for outcome in outcomes:
        # What ran and left no call behind was not seen; nor was what would have been too much.
        seen = outcome.range is not None and outcome.range[0] <= last
        outcome.conclusive &= seen and not _lost(judgement.verdict)
    for seq, code in _seen(judgement.verdict):
        place = _at(seq, outcomes)
        if place is None:
            judgement.outside.append(code)
        elif code not in place.problems:
            place.problems.append(code)
    _place_blamed(judgement, outcomes)


def _place_blamed(judgement: Judgement, outcomes: list[Outcome]) -> None:
    """Where the failure surfaced. How the child died in an iteration is said there already."""
    blamed = judgement.verdict.get("blamed")
    if not blamed:
        return
    place = _at(blamed["seq"], outcomes)
    code = "died" if blamed.get("by") == _AT_THE_END else "hip_error"
    if place is None:
        judgement.outside.append(code)
    elif not place.problems:
        place.problems.append(code)


def _place_errors(outcomes: list[Outcome], evidence: Sequence[Evidence]) -> None:
    """The verdict names the first error; an iteration has failed by any."""
    for trace in (one.trace for one in evidence):
        for row in trace.operations[failures(trace)]:
            place = _at(int(row["seq"]), outcomes)
            if place is None or (place.error or {}).get("seq"):
                continue
            facts = {"seq": int(row["seq"]), "call": trace.calls[row["call"]]}
            place.error = {"code": int(row["result"]), **(place.error or {}), **facts}
            if "hip_error" not in place.problems:
                place.problems.append("hip_error")


def _at(seq: int, outcomes: list[Outcome]) -> Outcome | None:
    return next((one for one in outcomes if one.range and _within(seq, one.range)), None)


def _last_counted(verdict: dict[str, Any]) -> float:
    """Up to which call findings were kept; there can be more than anybody wants to read."""
    return min(
        (
            max(finding["seq"] for finding in one["findings"])
            for one in verdict["hypotheses"]
            if one["findings"] and one["data"].get("found", 0) > len(one["findings"])
        ),
        default=math.inf,
    )


def _lost(verdict: dict[str, Any]) -> bool:
    gaps = {gap["code"].lower() for gap in verdict["coverage"].get("gaps", [])}
    return bool(gaps - _NOTHING_LOST)


def _seen(verdict: dict[str, Any]) -> Iterator[tuple[int, str]]:
    for one in verdict["hypotheses"]:
        if one["verdict"] == "CONFIRMED":
            yield from ((finding["seq"], one["id"]) for finding in one["findings"])


def _within(seq: int, span: Range) -> bool:
    return span[0] <= seq <= span[1]


def _ranges(folder: Path) -> dict[int, Range]:
    """From the annotations that the workload puts around each iteration."""
    found: dict[int, Range] = {}
    with contextlib.suppress(RecordingError):  # then there are none, and the verdict says so
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
