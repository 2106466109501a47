"""The verdict of a matrix from those of its runs, with all that it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median, quantiles
from typing import Final, NamedTuple, TypeAlias

from greta.forensics.statistics import failure_rate, lasting_slowdown, runs_needed
from greta.forensics.verdict import (
    HYPOTHESES,
    Cause,
    Coverage,
    Outcome,
    Ruling,
    Saying,
    Value,
    Verdict,
    VerdictWord,
)
from greta.lab.cases.history import observations_of
from greta.lab.causes import (
    cause_key,
    causes_of,
    devices_of,
    failures_of,
    profile_evidence,
    profiles_of,
    seen_of,
    steps_after,
)
from greta.lab.endings import outputs_of
from greta.lab.judge import Judgement, whole
from greta.lab.outcomes import IterationOutcome
from greta.lab.plan import MatrixTest
from greta.lab.programs import counted, rivals, with_rivals
from greta.lab.summary import (
    FailureStatistics,
    IterationSummary,
    MatrixRow,
    ObserverCost,
    ObserverSlowdown,
    ProgramRuns,
    RatedCause,
    SeenEnding,
    Summary,
    UnrecordedIteration,
)

INTERRUPTED: Final = "interrupted"
"""Who interrupts an audit ends its children; how they ended then says nothing of them."""
BOUNDS: Final = (0.01, 0.001)
_DONE_HERE: Final = ("step_repeat",)
_COVERED: Final = ("calls", "d2h_calls", "d2h_bytes", "d2h_audited", "launches", "dropped")
_RANK: Final = (Outcome.CONFIRMED, Outcome.INCONCLUSIVE, Outcome.REFUTED, Outcome.NOT_EXERCISED)


def summarize(
    tests: Sequence[MatrixTest],
    outcomes: Sequence[IterationOutcome],
    judgements: Sequence[Judgement],
    unrecorded: Sequence[UnrecordedIteration] = (),
    partial: str | None = None,
) -> Summary:
    """All that follows from the iterations; who calls adds what ran and where."""
    failures = failures_of(outcomes, judgements)
    statistics = statistics_of(outcomes)
    causes = causes_of(failures, statistics.runs)
    telling = _telling(judgements, causes)
    seen = None if partial == INTERRUPTED else seen_of(outcomes, failures, telling)
    sets, iterations = _with_factors(outcomes, judgements)
    programs = counted({one.run: one.programs for one in judgements}, outcomes)
    differing = _differing(programs, judgements)
    rulings = rulings_of(judgements)
    if differing:
        observations = observations_of(iterations, sets)
        # Whether it was the same program in all runs is nothing that a run by itself can show.
        rulings = tuple(
            with_rivals(one, differing, observations) if one.hypothesis == "wrong_binary" else one
            for one in rulings
        )
    return Summary(
        verdict=_verdict(
            matrix_verdict(outcomes, judgements, partial),
            rulings=rulings,
            telling=telling,
            seen=seen,
            judgements=judgements,
            outcomes=outcomes,
            differing=differing,
            partial=partial,
        ),
        partial=partial,
        tests=tuple(_row(test, outcomes) for test in tests),
        statistics=statistics,
        observer=observer_of(outcomes, unrecorded),
        causes=causes,
        seen=seen,
        programs=tuple(programs),
        outputs=outputs_of(outcomes),
        profiles=profiles_of(outcomes),
        profile_evidence=profile_evidence(outcomes, failures),
        devices=devices_of(outcomes),
        unrecorded=tuple(unrecorded),
        factor_sets=sets,
        iterations=iterations,
    )


def _verdict(
    word: VerdictWord,
    *,
    rulings: tuple[Ruling, ...],
    telling: Judgement | None,
    seen: SeenEnding | None,
    judgements: Sequence[Judgement],
    outcomes: Sequence[IterationOutcome],
    differing: Sequence[ProgramRuns],
    partial: str | None,
) -> Verdict:
    speaking = _speaking(judgements, partial)
    steps = _next_steps(word, speaking, telling, seen)
    steps += _own_steps(steps, differing, () if telling else rulings)
    shown = telling.verdict if telling else None
    blamed = shown.blamed if shown else None
    # Of the first run that has any: the others are mostly the same.
    doubts = (one.verdict.doubts for one in judgements if one.verdict and one.verdict.doubts)
    return Verdict(
        word=word,
        reason=_reason(word, speaking, telling, seen),
        coverage=coverage_of(judgements),
        rulings=rulings,
        blamed=replace(blamed, run=telling.run) if telling and blamed else None,
        cause=_cause(telling, outcomes) if telling else None,
        next_steps=tuple(steps),
        around=shown.around if shown else None,
        doubts=next(doubts, ()),
    )


def _speaking(judgements: Sequence[Judgement], partial: str | None) -> Sequence[Judgement]:
    """Runs that say why there is no verdict.

    Those of an audit that was interrupted say nothing; of one that could not go on, not those that
    came to no HIP call: what ended the audit has ended them.
    """
    if partial == INTERRUPTED:
        return ()
    if partial != "failed":
        return judgements
    return [one for one in judgements if one.came_to_hip]


def matrix_verdict(
    outcomes: Sequence[IterationOutcome], judgements: Sequence[Judgement], partial: str | None
) -> VerdictWord:
    """REPRODUCED by one failure; NOT_REPRODUCED only if everything asked for was seen to pass."""
    if any(outcome.result == "FAIL" for outcome in outcomes):
        return VerdictWord.REPRODUCED
    if any(judgement.outside for judgement in judgements):
        return VerdictWord.REPRODUCED
    conclusive = outcomes and all(outcome.result == "PASS" for outcome in outcomes)
    if conclusive and not partial:
        return VerdictWord.NOT_REPRODUCED
    return VerdictWord.INCONCLUSIVE


def _reason(
    word: VerdictWord,
    judgements: Sequence[Judgement],
    telling: Judgement | None,
    seen: SeenEnding | None,
) -> Saying | None:
    asked = [telling] if telling else () if seen else judgements
    verdicts = [one.verdict for one in asked if one.verdict]
    for verdict in verdicts if word is not VerdictWord.NOT_REPRODUCED else ():
        if verdict.word is word and not (telling and verdict.cause):
            return verdict.reason
    return Saying(seen.code, seen.ending.words) if seen else None


def _row(test: MatrixTest, outcomes: Sequence[IterationOutcome]) -> MatrixRow:
    own = [outcome for outcome in outcomes if outcome.iteration.test.id == test.id]
    speeds = [one.tokens_per_second for one in own if one.tokens_per_second]
    durations = [one.seconds for one in own if one.seconds]
    results = Counter(one.result for one in own)
    all_passed = results["PASS"] == len(own) == test.iterations
    # Inclusive: none lies beyond what was seen.
    quartiles = quantiles(speeds, n=4, method="inclusive") if len(speeds) > 1 else None
    return MatrixRow(
        id=test.id,
        mode=test.mode,
        profile=test.profile,
        audit=test.audited,
        variables=dict(test.environment),
        iterations=test.iterations,
        completed=len(own),
        errors=results["FAIL"],
        inconclusive=results["INCONCLUSIVE"],
        result="FAIL" if results["FAIL"] else "PASS" if all_passed else "INCONCLUSIVE",
        tokens_per_second=median(speeds) if speeds else None,
        tokens_per_second_quartiles=tuple(quartiles) if quartiles else None,
        seconds_median=median(durations) if durations else None,
        runs=tuple(sorted({one.run for one in own if one.run})),
    )


def statistics_of(outcomes: Iterable[IterationOutcome]) -> FailureStatistics:
    results = Counter(outcome.result for outcome in outcomes)
    failures, runs = results["FAIL"], results["FAIL"] + results["PASS"]
    rate = failure_rate(failures, runs)
    return FailureStatistics(
        runs=runs,
        failures=failures,
        inconclusive=results["INCONCLUSIVE"],
        failure_rate=rate.estimate,
        failure_rate_interval_95=rate.interval,
        failure_rate_upper_95=rate.upper,
        runs_needed_for={str(bound): runs_needed(bound) for bound in BOUNDS},
    )


def observer_of(
    outcomes: Sequence[IterationOutcome], unrecorded: Sequence[UnrecordedIteration]
) -> ObserverCost:
    """What auditing costs against recording alone, and recording against nothing.

    Compared are iterations of one turn: same number, prompt and seed, a moment apart. A busy
    machine may favour one of two children for as long as both live, so the figure is without the
    time in which they waited for a processor. But who had it is not known: an iteration that waited
    for its own threads, or had used up its share, is slow by itself. Of each only the bounds are
    known, and the interval spans what lies between them.
    """
    recorded = _durations(outcomes, "baseline")
    audited = _durations(outcomes, "audit")
    plain = {
        ("", one.iteration): _Duration(one.seconds, one.seconds - one.waited)
        for one in unrecorded
        if one.iteration is not None and one.warm_up is False
    }
    return ObserverCost(_slowdown(recorded, audited), _slowdown(plain, recorded))


class _Duration(NamedTuple):
    """In seconds. What a machine of its own would take lies between them."""

    whole: float
    alone: float


_Durations: TypeAlias = dict[tuple[str, int], _Duration]


def _durations(outcomes: Sequence[IterationOutcome], mode: str) -> _Durations:
    """By suffix of the test and number. One that failed ended early; one that warms up is late."""
    return {
        (one.iteration.test.id[1:], one.iteration.number): _Duration(
            one.seconds, one.seconds - one.waited
        )
        for one in outcomes
        if one.seconds and one.iteration.test.mode == mode and not (one.problems or one.warm_up)
    }


def _slowdown(before: _Durations, after: _Durations) -> ObserverSlowdown | None:
    turns = [turn for turn in before if turn in after]
    alone = lasting_slowdown([(before[turn].alone, after[turn].alone) for turn in turns])
    least = lasting_slowdown([(before[turn].whole, after[turn].alone) for turn in turns])
    most = lasting_slowdown([(before[turn].alone, after[turn].whole) for turn in turns])
    if alone is None or least is None or most is None:
        return None
    agree = (least.ratio > 1) == (most.ratio > 1)
    p_value = max(least.p_value, most.p_value) if agree else 1.0
    interval = least.interval[0], most.interval[1]
    return ObserverSlowdown(alone.ratio, interval, p_value, len(turns))


def coverage_of(judgements: Sequence[Judgement]) -> Coverage:
    """The sum over all runs; complete if each is."""
    parts = [one.verdict.coverage for one in judgements if one.verdict]
    return Coverage(
        **{name: sum(getattr(part, name) for part in parts) for name in _COVERED},
        complete=bool(parts)
        and len(parts) == len(judgements)
        and all(part.complete for part in parts),
        gaps=tuple(dict.fromkeys(gap for part in parts for gap in part.gaps)),
        approximate=tuple(sorted({one for part in parts for one in part.approximate})),
    )


def rulings_of(judgements: Sequence[Judgement]) -> tuple[Ruling, ...]:
    """The most serious outcome of each hypothesis in all runs, and how much was examined in all."""
    own: dict[str, list[Ruling]] = {}
    for judgement in judgements:
        for one in judgement.verdict.rulings if judgement.verdict else ():
            own.setdefault(one.hypothesis, []).append(replace(one, run=judgement.run))
    return tuple(_most_serious(own[name]) for name in HYPOTHESES if name in own)


def _most_serious(own: Sequence[Ruling]) -> Ruling:
    """What is missing in any run is missing in all of them together."""
    worst = min(own, key=lambda one: (_RANK.index(one.outcome), one.is_limited))
    alike = [one for one in own if one.outcome is worst.outcome]
    missing = tuple(dict.fromkeys(name for one in alike for name in one.missing))
    examined = sum(one.examined for one in own)
    counts: dict[str, Value] = {"examined": examined, "missing": missing}
    if any("found" in one.data for one in own):
        counts["found"] = sum(whole(one.data.get("found")) for one in own)
    return replace(worst, examined=examined, data={**worst.data, **counts}, missing=missing)


def _differing(
    programs: Sequence[ProgramRuns], judgements: Sequence[Judgement]
) -> list[ProgramRuns]:
    found = rivals({one.run: one.programs for one in judgements})
    files = {(one.path, one.sha256, one.build_id) for one in found}
    return [one for one in programs if (one.path, one.sha256, one.build_id) in files]


def _telling(judgements: Sequence[Judgement], causes: Sequence[RatedCause]) -> Judgement | None:
    """The run that shows most: one with the most frequent cause, with any, with a failure."""
    for cause in causes:
        key = (cause.hypothesis, cause.operation)
        shown = [one for one in judgements if cause_key(one.verdict) == key]
        if shown:
            return max(shown, key=_confidence)
    verdicts = [(one, one.verdict) for one in judgements if one.verdict]
    with_cause = [one for one, verdict in verdicts if verdict.cause]
    failed = [one for one, verdict in verdicts if verdict.blamed]
    return max(with_cause or failed, key=_confidence, default=None)


def _confidence(judgement: Judgement) -> float:
    cause = judgement.verdict.cause if judgement.verdict else None
    return (cause.confidence if cause else None) or 0.0


def _cause(telling: Judgement, outcomes: Sequence[IterationOutcome]) -> Cause | None:
    cause = telling.verdict.cause if telling.verdict else None
    if cause is None:
        return None
    own = (one for one in outcomes if one.run == telling.run and one.holds(cause.seq))
    where = next(own, None)
    return replace(cause, run=telling.run, iteration=where.iteration.number if where else None)


def _next_steps(
    word: VerdictWord,
    judgements: Sequence[Judgement],
    telling: Judgement | None,
    seen: SeenEnding | None,
) -> list[Saying]:
    if seen and not telling:
        return list(steps_after(seen))
    verdicts = [one.verdict for one in ([telling] if telling else judgements) if one.verdict]
    asked = [one for one in verdicts if telling or one.word is word]
    steps = [step for one in asked for step in one.next_steps if step.code not in _DONE_HERE]
    return [step for place, step in enumerate(steps) if step not in steps[:place]]


def _own_steps(
    steps: Sequence[Saying], differing: Sequence[ProgramRuns], unexplained: Sequence[Ruling]
) -> list[Saying]:
    """What only the runs together give reason for; and to look where nothing explains a failure."""
    known = {step.code for step in steps}
    own = []
    if differing and "fix_other_build" not in known:
        paths = tuple(dict.fromkeys(one.path for one in differing))
        own.append(Saying("step_one_binary", {"paths": paths}))
    is_unwatched = any("host_accesses" in one.missing for one in unexplained)
    if is_unwatched and "step_watch_host" not in known:
        own.append(Saying("step_watch_host"))
    return own


def _with_factors(
    outcomes: Sequence[IterationOutcome], judgements: Sequence[Judgement]
) -> tuple[tuple[Mapping[str, str], ...], tuple[IterationSummary, ...]]:
    by_run = {judgement.run: judgement.factors for judgement in judgements}
    sets: list[dict[str, str]] = []
    iterations = []
    for position, outcome in enumerate(outcomes):
        factors = by_run.get(outcome.run, {})
        if factors not in sets:
            sets.append(factors)
        iterations.append(outcome.summary(position, sets.index(factors)))
    return tuple(sets), tuple(iterations)
