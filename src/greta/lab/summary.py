"""summary.json: the verdict of a matrix from those of its runs, with all that it rests on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median, quantiles
from typing import Any, Final

from greta.forensics.statistics import failure_rate, runs_needed, slowdown
from greta.forensics.verdict import HYPOTHESES
from greta.lab.cases.factors import Observation
from greta.lab.cases.history import observations_of
from greta.lab.causes import cause_key, causes_of, failures_of, holds
from greta.lab.judge import Judgement, Say
from greta.lab.outcomes import Outcome, Unrecorded
from greta.lab.outputs import outputs_of
from greta.lab.plan import MatrixTest
from greta.lab.profiles import profile_evidence, profiles_of
from greta.lab.programs import Ran, counted, rivals, ruling
from greta.lab.seen import reason_in, seen_of, steps_after

SCHEMA: Final = 1
INTERRUPTED: Final = "interrupted"
"""Who interrupts an audit ends its children; how they ended then says nothing of them."""
BOUNDS: Final = (0.01, 0.001)
_DONE_HERE: Final = ("step_repeat",)
_COUNTS: Final = ("found", "unwatched", "mapped")
_RANK: Final = ("CONFIRMED", "INCONCLUSIVE", "REFUTED", "NOT_EXERCISED")


def summarize(
    tests: Sequence[MatrixTest],
    outcomes: Sequence[Outcome],
    judgements: Sequence[Judgement],
    unrecorded: Sequence[Unrecorded] = (),
    partial: str | None = None,
    say: Say = lambda code, _: code,
) -> dict[str, Any]:
    """All that follows from the iterations; who calls adds what ran and where."""
    failures = failures_of(outcomes, judgements)
    statistics = statistics_of(outcomes)
    causes = causes_of(failures, statistics["runs"])
    telling = _telling(judgements, causes)
    seen = None if partial == INTERRUPTED else seen_of(outcomes, failures, telling)
    verdict = matrix_verdict(outcomes, judgements, partial)
    sets, iterations = _with_factors(outcomes, judgements)
    programs = counted({one.run: one.programs for one in judgements}, iterations)
    differing = _differing(programs, judgements)
    hypotheses = _with_programs(
        hypotheses_of(judgements), differing, observations_of(iterations, sets), say
    )
    speaking = _speaking(judgements, partial)
    steps = _next_steps(verdict, speaking, telling, seen, say)
    steps += _own_steps(steps, differing, () if telling else hypotheses, say)
    return {
        "schema": SCHEMA,
        "verdict": verdict,
        "partial": partial,
        "tests": [_test(test, outcomes) for test in tests],
        "statistics": statistics,
        "observer": observer_of(outcomes, unrecorded),
        "coverage": coverage_of(judgements),
        "hypotheses": hypotheses,
        **_reason(verdict, speaking, telling, seen, say),
        "blamed": _blamed(telling) if telling else None,
        "cause": _cause(telling, outcomes) if telling else None,
        "causes": causes,
        "seen": seen,
        "around": telling.verdict.get("around") if telling else None,
        "programs": [one.as_json() for one in programs],
        "outputs": outputs_of(outcomes),
        "profiles": profiles_of(outcomes),
        "profile_evidence": profile_evidence(outcomes, failures),
        "next_steps": [words for words, _ in steps],
        "next_step_codes": [code for _, code in steps],
        "unwatched": [one.as_json() for one in unrecorded],
        "factor_sets": sets,
        "iterations": iterations,
    }


def _speaking(judgements: Sequence[Judgement], partial: str | None) -> Sequence[Judgement]:
    """Runs that say why there is no verdict.

    Those of an audit that was interrupted say nothing; of one that could not go on, not those that
    came to no HIP call: what ended the audit has ended them.
    """
    if partial == INTERRUPTED:
        return ()
    if partial != "failed":
        return judgements
    return [one for one in judgements if one.verdict and one.verdict["coverage"]["calls"]]


def matrix_verdict(
    outcomes: Sequence[Outcome], judgements: Sequence[Judgement], partial: str | None
) -> str:
    """REPRODUCED by one failure; NOT_REPRODUCED only if everything asked for was seen to pass."""
    if any(outcome.result == "FAIL" for outcome in outcomes):
        return "REPRODUCED"
    if any(judgement.outside for judgement in judgements):
        return "REPRODUCED"
    conclusive = outcomes and all(outcome.result == "PASS" for outcome in outcomes)
    return "NOT_REPRODUCED" if conclusive and not partial else "INCONCLUSIVE"


def _reason(
    verdict: str,
    judgements: Sequence[Judgement],
    telling: Judgement | None,
    seen: Mapping[str, Any] | None,
    say: Say,
) -> dict[str, Any]:
    """Why there is no verdict or no cause, where a run or its end says it."""
    names = ("reason", "reason_code", "reason_data")
    asked = [telling] if telling else () if seen else judgements
    for one in asked if not (telling and telling.verdict.get("cause")) else ():
        if verdict != "NOT_REPRODUCED" and one.verdict.get("verdict") == verdict:
            return {name: one.verdict.get(name) for name in names}
    if seen is None:
        return {}
    code, data = reason_in(seen)
    return {"reason": say(code, data), "reason_code": code, "reason_data": data}


def _test(test: MatrixTest, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    own = [outcome for outcome in outcomes if outcome.iteration.test.id == test.id]
    speeds = [one.tokens_per_second for one in own if one.tokens_per_second]
    durations = [one.seconds for one in own if one.seconds]
    results: Counter[str] = Counter(one.result for one in own)
    return {
        "id": test.id,
        "mode": test.mode,
        "profile": test.profile,
        "audit": test.audited,
        "iterations": test.iterations,
        "completed": len(own),
        "errors": results["FAIL"],
        "inconclusive": results["INCONCLUSIVE"],
        "result": _result(results, len(own), test.iterations),
        "tokens_per_second": median(speeds) if speeds else None,
        "tokens_per_second_quartiles": _quartiles(speeds),
        "seconds_median": median(durations) if durations else None,
        "runs": sorted({one.run for one in own if one.run}),
    }


def _quartiles(numbers: list[float]) -> list[float] | None:
    # Inclusive: none lies beyond what was seen.
    return quantiles(numbers, n=4, method="inclusive") if len(numbers) > 1 else None


def _result(results: Counter[str], done: int, asked: int) -> str:
    if results["FAIL"]:
        return "FAIL"
    return "PASS" if results["PASS"] == done == asked else "INCONCLUSIVE"


def statistics_of(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """Of the iterations that could be judged."""
    results = Counter(outcome.result for outcome in outcomes)
    failures, runs = results["FAIL"], results["FAIL"] + results["PASS"]
    rate = failure_rate(failures, runs)
    return {
        "runs": runs,
        "failures": failures,
        "inconclusive": results["INCONCLUSIVE"],
        "failure_rate": rate.estimate,
        "failure_rate_interval_95": list(rate.interval),
        "failure_rate_upper_95": rate.upper,
        "runs_needed_for": {str(bound): runs_needed(bound) for bound in BOUNDS},
    }


def observer_of(outcomes: Sequence[Outcome], unrecorded: Sequence[Unrecorded]) -> dict[str, Any]:
    """What auditing costs against recording alone, and recording against nothing.

    Compared are iterations of one turn: same number, prompt and seed, a moment apart.
    """
    recorded = _durations(outcomes, "baseline")
    audited = _durations(outcomes, "audit")
    plain = {("", one.number): one.seconds for one in unrecorded if not one.warm_up}
    audit = _slowdown(recorded, audited)
    recorder = _slowdown(plain, recorded)
    return {**(audit or {"slowdown": None, "interval_95": None}), "recorder": recorder}


def _durations(outcomes: Sequence[Outcome], mode: str) -> dict[tuple[str, int], float]:
    """By suffix of the test and number. One that failed ended early; one that warms up is late."""
    return {
        (one.iteration.test.id[1:], one.iteration.number): one.seconds
        for one in outcomes
        if one.seconds and one.iteration.test.mode == mode and not (one.problems or one.warm_up)
    }


def _slowdown(
    before: Mapping[tuple[str, int], float], after: Mapping[tuple[str, int], float]
) -> dict[str, Any] | None:
    pairs = [(before[turn], after[turn]) for turn in before if turn in after]
    found = slowdown(pairs)
    if found is None:
        return None
    interval = list(found.interval)
    return {
        "slowdown": found.ratio,
        "interval_95": interval,
        "p_value": found.p_value,
        "pairs": len(pairs),
    }


def coverage_of(judgements: Sequence[Judgement]) -> dict[str, Any]:
    """The sum over all runs; complete if each is."""
    parts = [one.verdict["coverage"] for one in judgements if one.verdict]
    gaps = {(gap["code"], gap["detail"]): gap for part in parts for gap in part.get("gaps", [])}
    transfers = ("calls", "bytes", "audited")
    return {
        **{name: sum(part[name] for part in parts) for name in ("calls", "launches", "dropped")},
        "d2h": {name: sum(part["d2h"][name] for part in parts) for name in transfers},
        "complete": bool(parts)
        and len(parts) == len(judgements)
        and all(part["complete"] for part in parts),
        "gaps": list(gaps.values()),
    }


def hypotheses_of(judgements: Sequence[Judgement]) -> list[dict[str, Any]]:
    """Of each hypothesis the most serious verdict of all runs, and how much was examined in all."""
    found = []
    for id_ in HYPOTHESES:
        own = [
            {**one, "run": judgement.run}
            for judgement in judgements
            for one in judgement.verdict.get("hypotheses", [])
            if one["id"] == id_
        ]
        if not own:
            continue
        worst = min(own, key=_seriousness)
        data = {**worst.get("data", {}), **_counted(own)}
        found.append({**worst, "examined": data["examined"], "data": data})
    return found


def _differing(programs: Sequence[Ran], judgements: Sequence[Judgement]) -> list[Ran]:
    """Programs of which one stood for another; none if it was always the same."""
    found = rivals({one.run: one.programs for one in judgements})
    return [one for one in programs if one.program in found]


def _with_programs(
    hypotheses: list[dict[str, Any]],
    differing: Sequence[Ran],
    observations: Sequence[Observation],
    say: Say,
) -> list[dict[str, Any]]:
    """Whether it was the same program in all runs is nothing that a run by itself can show."""
    if not differing:
        return hypotheses
    return [
        ruling(one, differing, observations, say) if one["id"] == "wrong_binary" else one
        for one in hypotheses
    ]


def _seriousness(one: Mapping[str, Any]) -> tuple[int, int]:
    """Less is more serious. A refutation with a reservation has more data than one without."""
    return _RANK.index(one["verdict"]), -len(one.get("data", {}))


def _counted(own: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """What the runs counted, all together."""
    counts = {"examined": sum(one["examined"] for one in own)}
    for name in _COUNTS:
        values = [one["data"][name] for one in own if name in one.get("data", {})]
        counts |= {name: sum(values)} if values else {}
    return counts


def _telling(
    judgements: Sequence[Judgement], causes: Sequence[Mapping[str, Any]]
) -> Judgement | None:
    """The run that shows most: one with the most frequent cause, with any, with a failure."""
    for cause in causes:
        key = (cause["hypothesis"], cause["operation"])
        shown = [one for one in judgements if cause_key(one.verdict) == key]
        if shown:
            return max(shown, key=_confidence)
    for name in ("cause", "blamed"):
        shown = [one for one in judgements if one.verdict.get(name)]
        if shown:
            return max(shown, key=_confidence)
    return None


def _confidence(judgement: Judgement) -> float:
    return (judgement.verdict.get("cause") or {}).get("confidence") or 0


def _blamed(telling: Judgement) -> dict[str, Any] | None:
    blamed = telling.verdict.get("blamed")
    return {**blamed, "run": telling.run} if blamed else None


def _cause(telling: Judgement, outcomes: Sequence[Outcome]) -> dict[str, Any] | None:
    cause = telling.verdict.get("cause")
    if cause is None:
        return None
    where = next((one for one in outcomes if one.run == telling.run and holds(one, cause)), None)
    return {**cause, "run": telling.run, "iteration": where.iteration.number if where else None}


def _next_steps(
    verdict: str,
    judgements: Sequence[Judgement],
    telling: Judgement | None,
    seen: Mapping[str, Any] | None,
    say: Say,
) -> list[tuple[Any, Any]]:
    """Words and code of each: of the run that tells most, else of all that led to the verdict."""
    if seen and not telling:
        return [(say(step["code"], step["data"]), step) for step in steps_after(seen)]
    asked = [telling] if telling else [j for j in judgements if j.verdict.get("verdict") == verdict]
    steps = [
        step
        for one in asked
        for step in zip(
            one.verdict.get("next_steps", []), one.verdict.get("next_step_codes", []), strict=False
        )
        if step[1].get("code") not in _DONE_HERE
    ]
    return list({json.dumps(step, sort_keys=True): step for step in steps}.values())


def _own_steps(
    steps: Sequence[tuple[Any, Any]],
    differing: Sequence[Ran],
    unexplained: Sequence[Mapping[str, Any]],
    say: Say,
) -> list[tuple[Any, Any]]:
    """What only the runs together give reason for; and to look where nothing explains a failure."""
    known = {step.get("code") for _, step in steps}
    own: list[tuple[str, dict[str, Any]]] = []
    if differing and "fix_other_build" not in known:
        paths = list(dict.fromkeys(one.program.path for one in differing))
        own.append(("step_one_binary", {"paths": paths}))
    is_unwatched = any(one["data"].get("unwatched") for one in unexplained)
    if is_unwatched and "step_watch_host" not in known:
        own.append(("step_watch_host", {}))
    return [(say(code, data), {"code": code, "data": data}) for code, data in own]


def _with_factors(
    outcomes: Sequence[Outcome], judgements: Sequence[Judgement]
) -> tuple[list[dict[str, str]], list[dict[str, Any]]]:
    """Iterations as JSON, each with the number of its set of factors."""
    by_run = {judgement.run: judgement.factors for judgement in judgements}
    sets: list[dict[str, str]] = []
    iterations = []
    for position, outcome in enumerate(outcomes):
        factors = by_run.get(outcome.run, {})
        if factors not in sets:
            sets.append(factors)
        place = {"factors": sets.index(factors), "position": position}
        iterations.append({**outcome.as_json(), **place})
    return sets, iterations
