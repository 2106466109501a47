"""Holds a verdict against the truth: every difference, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from greta.recording import open_recording
from tests.cases.truth import LIMITS, Case, Doubt, Step

Json = dict[str, Any]
CONFIDENT = 0.85


@dataclass(frozen=True)
class Made:
    """A call, as far as the truth speaks of it."""

    seq: int
    names: tuple[str, ...]
    """Of the call, and of its kernel."""
    failed: bool


def recorded_calls(run: Path) -> list[Made]:
    """The calls of a run's only process; none of several, or of a log."""
    if run.is_file():
        return []
    processes = open_recording(run).processes
    if len(processes) != 1:
        return []
    return [
        Made(e.seq, (e.call, e.kernel.name) if e.kernel else (e.call,), bool(e.failed))
        for e in processes[0].events()
    ]


def seq_of(step: Step | None, calls: list[Made]) -> int | None:
    """The number that a step has in a recording."""
    if step is None or not calls:
        return step.nth if step else None
    found = [call.seq for call in calls if step.name in call.names]
    assert len(found) >= step.nth, f"the program made no {step}"
    return found[step.nth - 1]


def disagreements(case: Case, verdict: Json, calls: list[Made]) -> list[str]:
    """Empty if the verdict is right."""
    if case.expected_verdict == "REFUSED":
        return [] if not verdict else [f"the verdict is {verdict['verdict']}, and should be none"]
    if not verdict:
        return ["there is no verdict"]
    return [
        *_of_run(case, verdict),
        *_of_hypotheses(case, verdict),
        *_of_limits(case, verdict),
        *(f"{name} is REFUTED where nobody looked" for name in refuted_over_a_limit(case, verdict)),
        *_of_doubts(case, verdict, calls),
        *([] if case.anyone else _of_blame(case, verdict, calls)),
        *(_of_cause(case, verdict, calls) if case.fires else _of_silence(verdict)),
    ]


def accused(case: Case, verdict: Json) -> bool:
    """Whether a correct program is called faulty."""
    if case.is_faulty or not verdict:
        return False
    confirmed = any(ruling["verdict"] == "CONFIRMED" for ruling in verdict["hypotheses"])
    return bool(confirmed or verdict["cause"] or verdict["verdict"] == "REPRODUCED")


def confidently_wrong(case: Case, verdict: Json, calls: list[Made]) -> bool:
    """Whether a cause is named that is not the cause, as good as certain."""
    cause = verdict.get("cause")
    if not cause or (cause["confidence"] or 0) < CONFIDENT:
        return False
    if not case.is_faulty or cause["hypothesis"] not in (case.hypothesis, *case.may):
        return True
    expected = seq_of(case.cause, calls)
    return expected is not None and cause["seq"] != expected


def clean_over_a_doubt(case: Case, verdict: Json) -> bool:
    """Whether the run is called clean where something that was noticed speaks against it."""
    expected = case.expected_verdict in ("INCONCLUSIVE", "REPRODUCED")
    return expected and verdict.get("verdict") == "NOT_REPRODUCED"


def refuted_over_a_limit(case: Case, verdict: Json) -> list[str]:
    """The hypotheses that were refuted although nobody had looked."""
    rulings = {r["id"]: r["verdict"] for r in verdict.get("hypotheses", [])}
    blind = {hypothesis for hypothesis, _ in case.limits}
    blind |= {name for name, outcome in case.outcomes.items() if outcome == "INCONCLUSIVE"}
    if case.outcome == "INCONCLUSIVE":
        blind.add(case.hypothesis)
    by_another_name = any(rulings.get(name) == "CONFIRMED" for name in case.may)
    if case.is_faulty and not by_another_name:
        blind.add(case.hypothesis)
    return [name for name, outcome in rulings.items() if name in blind and outcome == "REFUTED"]


def _of_run(case: Case, verdict: Json) -> Iterator[str]:
    for gap in set(case.gaps) - {one["code"] for one in verdict["coverage"]["gaps"]}:
        yield f"the gap {gap} is not named"
    if verdict["verdict"] != case.expected_verdict:
        yield f"the verdict is {verdict['verdict']}, not {case.expected_verdict}"


def _of_hypotheses(case: Case, verdict: Json) -> Iterator[str]:
    rulings = {ruling["id"]: ruling for ruling in verdict["hypotheses"]}
    expected = {case.hypothesis: "CONFIRMED" if case.fires else case.outcome, **case.outcomes}
    if any(rulings[name]["verdict"] == "CONFIRMED" for name in case.may if name in rulings):
        del expected[case.hypothesis]  # the same fault, by the other name
    for name, outcome in expected.items():
        if not name:
            continue
        if name not in rulings:
            yield f"{name} is not judged"
        elif not _is(outcome, rulings[name], case.exact):
            yield f"{name} is {rulings[name]['verdict']}, not {outcome}: {rulings[name]['reason']}"
    allowed = {case.hypothesis, *case.may, *case.also, *expected}
    for name, ruling in rulings.items():
        if ruling["verdict"] == "CONFIRMED" and name not in allowed:
            yield f"{name} is CONFIRMED too: {ruling['reason']}"


def _is(outcome: str, ruling: Json, exact: bool) -> bool:
    if ruling["verdict"] == outcome:
        return True
    limited = ruling["verdict"] == "INCONCLUSIVE" and set(ruling["missing"]) <= LIMITS
    return outcome == "REFUTED" and limited and not exact


def _of_limits(case: Case, verdict: Json) -> Iterator[str]:
    rulings = {ruling["id"]: ruling for ruling in verdict["hypotheses"]}
    for name, limit in case.limits:
        ruling = rulings.get(name)
        if ruling is None or ruling["verdict"] != "INCONCLUSIVE":
            yield f"{name} is {ruling['verdict'] if ruling else 'not judged'} over {limit}"
        elif limit not in ruling["missing"]:
            yield f"{name} does not name the limit {limit}, but {ruling['missing']}"


def _of_doubts(case: Case, verdict: Json, calls: list[Made]) -> Iterator[str]:
    named = verdict.get("doubts", [])
    for doubt in case.doubts:
        if not any(_is_doubt(doubt, one, calls) for one in named):
            yield f"the doubt {doubt.code} of {', '.join(map(str, doubt.operations))} is not named"
    if named and case.expected_verdict == "NOT_REPRODUCED":
        yield f"a clean run has doubts: {[one['code'] for one in named]}"


def _is_doubt(doubt: Doubt, named: Json, calls: list[Made]) -> bool:
    operations = {seq_of(step, calls) for step in doubt.operations}
    return named["code"] == doubt.code and operations <= set(named["operations"])


def _of_blame(case: Case, verdict: Json, calls: list[Made]) -> Iterator[str]:
    blamed = verdict["blamed"]
    first = next((call.seq for call in calls if call.failed), None)
    if calls:
        assert (first is not None) == case.fails, "the program did not behave as it was written to"
    failed = case.expected_verdict == "REPRODUCED"
    expected = (seq_of(case.blamed, calls) or first) if failed else None
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
    if cause["hypothesis"] not in (case.hypothesis, *case.may):
        yield f"the cause is a {cause['hypothesis']}"
    expected = seq_of(case.cause, calls)
    if expected is not None and cause["seq"] != expected:
        yield f"the cause is {cause['seq']}, not {expected}, {case.cause}"
    yield from _of_certainty(case, cause, calls)
    yield from _of_other(case, verdict, calls)
    buffer = cause["buffer"]
    made = seq_of(case.buffer, calls)
    if made is not None and (buffer is None or buffer["allocated_at"] != made):
        yield f"the buffer is {buffer}, not that of {made}, {case.buffer}"
    elif case.buffer_name and (buffer or {}).get("name") != case.buffer_name:
        yield f"the buffer is called {buffer['name']}, not {case.buffer_name}"


def _of_certainty(case: Case, cause: Json, calls: list[Made]) -> Iterator[str]:
    least, most = case.confidence
    if not least <= (cause["confidence"] or 0) <= most:
        yield f"the confidence is {cause['confidence']}, not between {least} and {most}"
    if not case.one_of_equal or case.cause is None:
        return
    # How many there are is up to timing: a launch after the fault showed is refused.
    equal = sum(case.cause.name in call.names and not call.failed for call in calls)
    found = cause.get("launch_confidence")
    if found is None or not 0.5 <= found * equal <= 2:
        yield f"the confidence in the launch is {found}, one of {equal}"


def _of_other(case: Case, verdict: Json, calls: list[Made]) -> Iterator[str]:
    expected = seq_of(case.other, calls)
    wanted = verdict["cause"]["hypothesis"]
    rulings = (h for h in verdict["hypotheses"] if h["id"] == wanted)
    found = next((ruling["findings"] for ruling in rulings), ())
    other = found[0]["other"] if found else None
    if expected is not None and other != expected:
        yield f"the other operation is {other}, not {expected}, {case.other}"
