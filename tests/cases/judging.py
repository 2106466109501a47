"""Holds a verdict against the truth: every difference, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from greta.recording import open_recording
from tests.cases.truth import Case, Step

Json = dict[str, Any]


@dataclass(frozen=True)
class Made:
    """A call, as far as the truth speaks of it."""

    seq: int
    names: tuple[str, ...]
    """Of the call, and of its kernel."""
    failed: bool


def recorded_calls(run: Path) -> list[Made]:
    """The calls of a run's only process."""
    (process,) = open_recording(run).processes
    return [
        Made(e.seq, (e.call, e.kernel.name) if e.kernel else (e.call,), bool(e.failed))
        for e in process.events()
    ]


def seq_of(step: Step | None, calls: list[Made]) -> int | None:
    """The number that a step has in a recording."""
    if step is None:
        return None
    found = [call.seq for call in calls if step.name in call.names]
    assert len(found) >= step.nth, f"the program made no {step}"
    return found[step.nth - 1]


def disagreements(case: Case, verdict: Json, calls: list[Made]) -> list[str]:
    """Empty if the verdict is right."""
    return [
        *_of_hypotheses(case, verdict),
        *_of_blame(case, verdict, calls),
        *(_of_cause(case, verdict, calls) if case.fires else _of_silence(verdict)),
    ]


def _of_hypotheses(case: Case, verdict: Json) -> Iterator[str]:
    for hypothesis in verdict["hypotheses"]:
        name, outcome = hypothesis["id"], hypothesis["verdict"]
        if name == case.hypothesis:
            expected = "CONFIRMED" if case.fires else case.outcome
            if outcome != expected:
                yield f"{name} is {outcome}, not {expected}: {hypothesis['reason']}"
        elif outcome == "CONFIRMED":
            yield f"{name} is CONFIRMED too: {hypothesis['reason']}"
    expected = "REPRODUCED" if case.fires else "NOT_REPRODUCED"
    if verdict["verdict"] != expected:
        yield f"the verdict is {verdict['verdict']}, not {expected}"


def _of_blame(case: Case, verdict: Json, calls: list[Made]) -> Iterator[str]:
    blamed = verdict["blamed"]
    first = next((call.seq for call in calls if call.failed), None)
    assert (first is not None) == case.fails, "the program did not behave as it was written to"
    expected = (seq_of(case.blamed, calls) or first) if case.fires else None
    found = blamed["seq"] if blamed else None
    if case.aborts:
        if blamed is None:
            yield "nothing is blamed for an abort"
    elif found != expected:
        yield f"blamed is {found}, not {expected}"


def _of_silence(verdict: Json) -> Iterator[str]:
    if verdict["cause"]:
        yield f"there is a cause: {verdict['cause']['hypothesis']} {verdict['cause']['seq']}"


def _of_cause(case: Case, verdict: Json, calls: list[Made]) -> Iterator[str]:
    cause = verdict["cause"]
    if cause is None:
        yield "there is no cause"
        return
    if cause["hypothesis"] != case.hypothesis:
        yield f"the cause is a {cause['hypothesis']}"
    expected = seq_of(case.cause, calls)
    if expected is not None and cause["seq"] != expected:
        yield f"the cause is {cause['seq']}, not {expected}, {case.cause}"
    yield from _of_other(case, verdict, calls)
    buffer = cause["buffer"]
    made = seq_of(case.buffer, calls)
    if made is not None and (buffer is None or buffer["allocated_at"] != made):
        yield f"the buffer is {buffer}, not that of {made}, {case.buffer}"


def _of_other(case: Case, verdict: Json, calls: list[Made]) -> Iterator[str]:
    expected = seq_of(case.other, calls)
    found = next(h for h in verdict["hypotheses"] if h["id"] == case.hypothesis)["findings"]
    other = found[0]["other"] if found else None
    if expected is not None and other != expected:
        yield f"the other operation is {other}, not {expected}, {case.other}"
