"""Judges the recording of one child: what it shows of each iteration that ran in it."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from greta.errors import GretaError
from greta.forensics.analysis import analyze
from greta.forensics.failures import failures
from greta.forensics.verdict import Value, Verdict, VerdictWord
from greta.forensics.verdict_json import Say, dump_verdict, read_verdict
from greta.lab.artifacts import write_json
from greta.lab.environment import run_factors
from greta.lab.outcomes import IterationOutcome
from greta.lab.programs import programs_of
from greta.lab.summary import CallError, ProgramFacts
from greta.recording import Process, RecordingError, open_recording
from greta.runs.folder import read_run_if_whole
from greta.runs.gather import gather
from greta.runs.readable_names import with_readable_names
from greta.trace.evidence import Evidence, Expectations
from greta.trace.trace import Kind

Range: TypeAlias = "tuple[int, int]"

VERDICT_FILE: Final = "verdict.json"
_ITERATION: Final = re.compile(r"iteration=(\d{1,9})")
_AT_THE_END: Final = "end"
"""How a blamed call is marked that is only the last one before a signal ended the process."""
_NOTHING_LOST: Final = frozenset({"unknown_kernels", "cut_short"})
"""Gaps that leave what was recorded complete: calls before a cut are all there."""


@dataclass(frozen=True)
class LastCall:
    call: str
    seq: int
    returned: bool


@dataclass
class Judgement:
    run: str
    verdict: Verdict | None
    """None if it could not be judged."""
    factors: dict[str, str] = field(default_factory=dict)
    programs: tuple[ProgramFacts, ...] = ()
    """Programs that made HIP calls."""
    outside: list[str] = field(default_factory=list)
    """Findings that belong to no iteration: while the model was loaded, or at the end."""
    problem: str | None = None
    last_call: LastCall | None = None
    """None if there was none."""

    @property
    def is_lacking(self) -> bool:
        """Whether the simulated device could not run it."""
        return self.verdict is not None and self.verdict.is_lacking

    @property
    def came_to_hip(self) -> bool:
        return self.verdict is not None and self.verdict.coverage.calls > 0


def judge_run(
    folder: Path,
    name: str,
    outcomes: list[IterationOutcome],
    say: Say,
    expectations: Expectations | None = None,
    *,
    whole: bool = False,
) -> Judgement:
    """Adds what it finds to the outcomes. `whole`: the run is one iteration, all of it.

    `say` is for the sentences in verdict.json, which is kept in the folder.
    """
    try:
        evidence = gather(folder, expectations or Expectations())
        verdict = with_readable_names(analyze(evidence))
        ranges = {} if whole else _ranges(folder)
    except GretaError as error:
        for outcome in outcomes:
            outcome.conclusive = False
        return Judgement(name, None, problem=str(error))
    judgement = _judged(folder, name, verdict)
    if whole:
        _judge_whole(outcomes, verdict)
    else:
        for outcome in outcomes:
            outcome.range = ranges.get(outcome.iteration.number)
        _place_errors(outcomes, evidence)
        _place(judgement, verdict, outcomes)
    judgement.last_call = _last_call(evidence)
    write_json(folder / VERDICT_FILE, dump_verdict(verdict, say))
    return judgement


def placed_again(folder: Path, name: str, outcomes: list[IterationOutcome]) -> Judgement:
    """The judgement of a run that was judged before; the outcomes know where they ran.

    Raises OSError or OutsideError if that did not come to its end.
    """
    verdict = read_verdict(folder / VERDICT_FILE)
    judgement = _judged(folder, name, verdict)
    if any(one.range for one in outcomes):  # the run of a command is one iteration, all of it
        _place(judgement, verdict, outcomes)
    return judgement


def _judged(folder: Path, name: str, verdict: Verdict) -> Judgement:
    facts = read_run_if_whole(folder)
    return Judgement(name, verdict, run_factors(facts), programs_of(facts))


def _judge_whole(outcomes: list[IterationOutcome], verdict: Verdict) -> None:
    blamed = verdict.blamed
    if verdict.is_lacking:  # the call that failed is no failure of the program
        for outcome in outcomes:
            outcome.conclusive = False
        return
    for outcome in outcomes:
        outcome.problems += verdict.confirmed
        if blamed and blamed.by == _AT_THE_END:
            outcome.problems += [] if outcome.problems else ["signal"]
        elif blamed:
            outcome.error = CallError(call=blamed.call, seq=blamed.seq, error=blamed.error)
            if not outcome.problems:
                outcome.problems.append("hip_error")
        outcome.conclusive = verdict.word is not VerdictWord.INCONCLUSIVE


def _last_call(evidence: Sequence[Evidence]) -> LastCall | None:
    last: LastCall | None = None
    for trace in (one.trace for one in evidence):
        operations = trace.operations[trace.operations["kind"] != Kind.HOST_TOUCH]
        under_way = np.flatnonzero(~operations["finished"])
        if len(operations) == 0 or (last and not last.returned and not len(under_way)):
            continue
        row = operations[under_way[-1] if len(under_way) else -1]
        name = trace.describe(int(row["seq"])).name
        last = LastCall(name, int(row["seq"]), returned=not len(under_way))
    return last


def _place(judgement: Judgement, verdict: Verdict, outcomes: list[IterationOutcome]) -> None:
    if not verdict.coverage.calls:  # it never came so far
        for outcome in outcomes:
            outcome.conclusive = False
        return
    last = _last_counted(verdict)
    lost = {name.lower() for name, _ in verdict.coverage.gaps} - _NOTHING_LOST
    for outcome in outcomes:
        # What ran and left no call behind was not seen; nor was what would have been too much.
        seen = outcome.range is not None and outcome.range[0] <= last
        outcome.conclusive = outcome.conclusive and seen and not lost
    for one in verdict.rulings:
        for finding in one.findings if one.confirmed else ():
            place = _at(finding.seq, outcomes)
            if place is None:
                judgement.outside.append(one.hypothesis)
            elif one.hypothesis not in place.problems:
                place.problems.append(one.hypothesis)
    for doubt in verdict.doubts:
        place = _at(doubt.operations[0], outcomes)
        for outcome in [place] if place else outcomes:
            outcome.conclusive = False
    if verdict.blamed:
        # Where the failure surfaced. How the child died in an iteration is said there already.
        place = _at(verdict.blamed.seq or 0, outcomes)
        code = "died" if verdict.blamed.by == _AT_THE_END else "hip_error"
        if place is None:
            judgement.outside.append(code)
        elif not place.problems:
            place.problems.append(code)


def _place_errors(outcomes: list[IterationOutcome], evidence: Sequence[Evidence]) -> None:
    """The verdict names the first error; an iteration has failed by any."""
    for trace in (one.trace for one in evidence):
        for row in trace.operations[failures(trace)]:
            place = _at(int(row["seq"]), outcomes)
            if place is None or (place.error and place.error.seq):
                continue
            known = place.error or CallError(code=int(row["result"]))
            code = known.code if known.code is not None else int(row["result"])
            call = trace.calls[row["call"]]
            place.error = replace(known, seq=int(row["seq"]), call=call, code=code)
            if "hip_error" not in place.problems:
                place.problems.append("hip_error")


def _at(seq: int, outcomes: list[IterationOutcome]) -> IterationOutcome | None:
    return next((one for one in outcomes if one.range and one.holds(seq)), None)


def _last_counted(verdict: Verdict) -> float:
    """Up to which call findings were kept; there can be more than anybody wants to read."""
    return min(
        (
            max(finding.seq for finding in one.findings)
            for one in verdict.rulings
            if one.findings and whole(one.data.get("found")) > len(one.findings)
        ),
        default=math.inf,
    )


def whole(value: Value) -> int:
    """A count among the data of a sentence; 0 if there is none."""
    return value if isinstance(value, int) else 0


def _ranges(folder: Path) -> dict[int, Range]:
    found: dict[int, Range] = {}
    with contextlib.suppress(RecordingError):  # then there are none, and the verdict says so
        for process in open_recording(folder / "recording").processes:
            annotation = process.columns.annotation
            numbers = _iteration_of_annotations(process)
            known, place = np.unique(annotation, return_inverse=True)
            iteration = np.array([numbers.get(int(one), -1) for one in known], np.int64)[place]
            for number in np.unique(iteration[iteration >= 0]):
                rows = np.flatnonzero(iteration == number)
                found[int(number)] = (int(rows[0]) + 1, int(rows[-1]) + 1)
    return found


def _iteration_of_annotations(process: Process) -> dict[int, int]:
    numbers = {}
    for id_ in process.tables.annotations:
        chain = process.tables.annotation_chain(id_)
        matches = (_ITERATION.fullmatch(entry.text) for entry in chain)
        number = next((int(match[1]) for match in matches if match), None)
        if number is not None:
            numbers[id_] = number
    return numbers
