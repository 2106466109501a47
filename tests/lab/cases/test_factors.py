"""The factor that separates failing runs from passing ones."""

from __future__ import annotations

import numpy as np

from greta.lab.cases.factors import Observation, separating_factors


def runs(failed: list[bool], **factors: list[str]) -> list[Observation]:
    return [
        Observation(one, {name: values[place] for name, values in factors.items()})
        for place, one in enumerate(failed)
    ]


def test_the_binary_of_all_failures_and_of_no_pass_is_named() -> None:
    failed = [place in (3, 9, 17, 25) for place in range(30)]
    binaries = ["3f9c" if one else "77aa" for one in failed]
    prompts = [f"p{place % 3}" for place in range(30)]
    first, *others = separating_factors(runs(failed, binary=binaries, prompt=prompts))
    assert (first.name, first.value) == ("binary", "3f9c")
    assert (first.failures_with, first.runs_with) == (4, 4)
    assert (first.failures_without, first.runs_without) == (0, 26)
    assert first.separates
    assert first.significant
    assert not any(other.significant for other in others)


def test_what_changes_together_is_named_together() -> None:
    failed = [True] * 6 + [False] * 6
    same = ["a"] * 6 + ["b"] * 6
    (factor,) = separating_factors(runs(failed, binary=same, commit=[f"c{one}" for one in same]))
    assert factor.name == "binary"
    assert ("commit", "ca") in factor.same_division


def test_a_few_runs_separate_but_prove_nothing() -> None:
    (factor,) = separating_factors(runs([True, True, False, False], binary=["a", "a", "b", "b"]))
    assert factor.separates
    assert not factor.significant


def test_what_only_one_run_had_is_not_asked_about() -> None:
    seeds = [str(place) for place in range(10)]
    assert separating_factors(runs([True] + [False] * 9, seed=seeds)) == []


def test_without_a_failure_or_without_a_pass_there_is_nothing_to_separate() -> None:
    assert separating_factors(runs([False] * 5, binary=list("abcde"))) == []
    assert separating_factors(runs([True] * 5, binary=list("abcde"))) == []


def test_many_factors_of_pure_chance_rarely_look_significant() -> None:
    draw = np.random.default_rng(5)
    alarms = 0
    for _ in range(100):
        failed = (draw.random(40) < 0.3).tolist()
        chance = {f"f{n}": draw.integers(0, 3, 40).astype(str).tolist() for n in range(8)}
        alarms += any(factor.significant for factor in separating_factors(runs(failed, **chance)))
    assert alarms <= 10


def test_the_correction_counts_every_question() -> None:
    failed = [True] * 5 + [False] * 15
    binaries = ["a"] * 5 + ["b"] * 15
    alone = separating_factors(runs(failed, binary=binaries))[0]
    noise = {f"f{n}": [str((place * (n + 3)) % 7) for place in range(20)] for n in range(5)}
    among = separating_factors(runs(failed, binary=binaries, **noise))[0]
    assert among.name == "binary"
    assert among.p_value == alone.p_value
    assert among.corrected > alone.corrected


def test_runs_without_a_factor_are_told_from_those_with_it() -> None:
    observations = [Observation(True, {"variable X": "1"})] * 6 + [Observation(False, {})] * 6
    (factor,) = separating_factors(observations)
    assert (factor.name, factor.value) == ("variable X", "1")
