"""The observer's figure on simulated machines that warm up, drift and are busy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from greta.lab.audit import UNRECORDED
from greta.lab.outcomes import IterationOutcome
from greta.lab.plan import Iteration, Prompt, matrix, schedule
from greta.lab.summarizing import observer_of
from greta.lab.summary import UnrecordedIteration

AUDITS = 200
PROMPTS = [Prompt("p0", "a"), Prompt("p1", "b"), Prompt("p2", "c")]
LENGTHS = {"p0": 0.05, "p1": 0.2, "p2": 0.7}

Machine = Callable[[np.random.Generator], Iterator[float]]


def getting_faster(draw: np.random.Generator) -> Iterator[float]:
    """Half as long at the end, most of it soon: caches and clocks that warm up."""
    at = 0
    while True:
        yield math.log(0.5) * (1 - math.exp(-at / 40)) + draw.normal(0, 0.05)
        at += 1


def getting_slower(draw: np.random.Generator) -> Iterator[float]:
    """Twice as long at the end: a machine that throttles."""
    at = 0
    while True:
        yield math.log(2) * at / 150 + draw.normal(0, 0.05)
        at += 1


def busy(draw: np.random.Generator) -> Iterator[float]:
    """Neighbours come and go: a wandering load, and now and then thrice the time."""
    level = 0.0
    while True:
        level = 0.97 * level + draw.normal(0, 0.08)
        yield level + draw.normal(0, 0.05) + (math.log(3) if draw.random() < 0.05 else 0.0)


def simulated_audit(
    machine: Machine, seed: int, recording: float, auditing: float
) -> tuple[list[IterationOutcome], list[UnrecordedIteration]]:
    """Every child is five times as slow with a prompt that it has not seen."""
    draw = np.random.default_rng(seed)
    load = machine(draw)
    outcomes, unrecorded, warm = [], [], set()
    for one in schedule(matrix(50, 0, ["none"]), PROMPTS, seed, UNRECORDED):
        child = (one.test.id, one.recorded, one.prompt.name)
        cost = _cost(one, recording, auditing) * (1 if child in warm else 5)
        seconds = LENGTHS[one.prompt.name] * cost * math.exp(next(load))
        if one.recorded:
            outcomes.append(IterationOutcome(one, "run", seconds, warm_up=child not in warm))
        else:
            prompt = one.prompt.name
            unrecorded.append(UnrecordedIteration(one.number, prompt, seconds, child not in warm))
        warm.add(child)
    return outcomes, unrecorded


def _cost(one: Iteration, recording: float, auditing: float) -> float:
    if not one.recorded:
        return 1.0
    return recording * (auditing if one.test.audited else 1.0)


@pytest.mark.parametrize("machine", [getting_faster, getting_slower, busy])
@pytest.mark.parametrize(("recording", "auditing"), [(1.0, 1.0), (1.02, 1.05), (1.3, 1.3)])
def test_the_interval_holds_the_truth(machine: Machine, recording: float, auditing: float) -> None:
    held, noise = np.zeros(2), np.zeros(2)
    for seed in range(AUDITS):
        observer = observer_of(*simulated_audit(machine, seed, recording, auditing))
        assert observer.recorder is not None
        assert observer.audit is not None
        found = [observer.recorder.interval_95, observer.audit.interval_95]
        truths = zip(found, (recording, auditing), strict=True)
        held += [low <= truth <= high for (low, high), truth in truths]
        noise += [low <= 1 <= high for low, high in found]
    assert all(held >= 0.93 * AUDITS), held / AUDITS
    if recording == 1.0:  # nothing is claimed where nothing is
        assert all(noise >= 0.93 * AUDITS), noise / AUDITS
    if recording == 1.3 and machine is not busy:  # and what is there is found
        assert all(noise <= 0.02 * AUDITS), noise / AUDITS


def test_a_child_that_others_keep_waiting_is_not_slow() -> None:
    """A busy machine favours one of two children for the whole audit, and says so."""
    outcomes, unrecorded = simulated_audit(getting_slower, 7, 1.02, 1.05)
    _wait(outcomes, 0.8, audited=True)
    crowded, alone = (observer_of(kind, unrecorded) for kind in (outcomes, _alone(outcomes)))
    assert crowded.audit is not None
    assert alone.audit is not None
    assert crowded.audit.slowdown == alone.audit.slowdown
    assert crowded.audit.interval_95[0] == alone.audit.interval_95[0]
    assert crowded.recorder == alone.recorder


@pytest.mark.parametrize("others", [0.0, 0.8])
def test_a_child_that_waits_for_its_own_threads_may_be_slow(others: float) -> None:
    """Who had the processor is not known: on a machine of its own it would wait as long."""
    outcomes, unrecorded = simulated_audit(getting_slower, 7, 1.0, 1.0)
    _wait(outcomes, 0.8, audited=True)
    _wait(outcomes, others, audited=False)
    found = observer_of(outcomes, unrecorded).audit
    assert found is not None
    low, high = found.interval_95
    assert low <= 1.0 / (1 + others)
    assert high >= 1.8
    assert found.p_value is not None
    assert found.p_value > 0.05


def test_a_little_waiting_hides_no_cost() -> None:
    outcomes, unrecorded = simulated_audit(getting_slower, 7, 1.0, 1.3)
    for audited in (True, False):
        _wait(outcomes, 0.03, audited=audited)
    found = observer_of(outcomes, unrecorded).audit
    assert found is not None
    assert 1.1 < found.interval_95[0] < found.slowdown
    assert found.p_value is not None
    assert found.p_value < 0.05


def _wait(outcomes: list[IterationOutcome], share: float, *, audited: bool) -> None:
    for one in outcomes:
        if one.iteration.test.audited == audited and one.seconds:
            one.waited = share * one.seconds
            one.seconds += one.waited


def _alone(outcomes: list[IterationOutcome]) -> list[IterationOutcome]:
    return [replace(one, seconds=(one.seconds or 0) - one.waited, waited=0.0) for one in outcomes]
