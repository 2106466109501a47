"""The matrix and its order."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from greta.errors import UsageError
from greta.lab.plan import Prompt, matrix, schedule
from greta.lab.prompts import SHIPPED, find_prompts

PROMPTS = [Prompt("p0", "a"), Prompt("p1", "b"), Prompt("p2", "c")]


def test_baseline_and_audit_take_turns_and_stress_comes_alone() -> None:
    plan = schedule(matrix(50, 2, ["none"]), PROMPTS, 0)
    turns = [plan[at : at + 2] for at in range(0, 100, 2)]
    assert [one.number for turn in turns for one in turn] == [n for n in range(50) for _ in "AB"]
    assert all({one.test.id for one in turn} == {"A", "B"} for turn in turns)
    assert 15 <= sum(turn[0].test.id == "A" for turn in turns) <= 35  # by chance, not by rule
    assert [one.test.id for one in plan[100:]] == ["C", "C"]


@pytest.mark.parametrize(("iterations", "expected"), [(50, 24), (24, 24), (5, 5), (0, 0)])
def test_unrecorded_twins_are_spread_over_the_baseline(iterations: int, expected: int) -> None:
    plan = schedule(matrix(iterations, 1, ["none", "serialize"]), PROMPTS, 3, 24)
    twins = [one for one in plan if not one.recorded]
    assert len(twins) == expected
    numbers = [0, *(one.number for one in twins), iterations]
    widest = 2 * iterations / max(1, expected) + 1
    assert all(second - first <= widest for first, second in pairwise(numbers))
    for one in twins:
        [number] = [at for at, other in enumerate(plan) if other == replace(one, recorded=True)]
        assert abs(number - plan.index(one)) <= 4  # in the same turn
    before = sum(plan.index(one) < plan.index(replace(one, recorded=True)) for one in twins)
    assert expected < 20 or 0.2 < before / expected < 0.8


def test_recorded_iterations_are_the_same_with_and_without_twins() -> None:
    tests = matrix(20, 5, ["none"])
    alone, paired = schedule(tests, PROMPTS, 3), schedule(tests, PROMPTS, 3, 10)
    known = {(one.test.id, one.number): one for one in alone}
    assert {(one.test.id, one.number): one for one in paired if one.recorded} == known


def test_baseline_and_audit_differ_in_nothing_but_the_audit() -> None:
    tests = matrix(6, 0, ["none"])
    plan = schedule(tests, PROMPTS, 7)
    a, b = ([one for one in plan if one.test.id == id_] for id_ in "AB")
    assert [(one.prompt, one.seed) for one in a] == [(one.prompt, one.seed) for one in b]
    assert not tests[0].environment
    assert dict(tests[1].environment) == {"GCORE_D2H_AUDIT": "1"}


def test_the_same_seed_gives_the_same_plan_and_another_seed_another() -> None:
    tests = matrix(5, 5, ["none"])
    assert schedule(tests, PROMPTS, 1) == schedule(tests, PROMPTS, 1)
    assert schedule(tests, PROMPTS, 1) != schedule(tests, PROMPTS, 2)


def test_profiles_are_matrices_of_their_own() -> None:
    tests = matrix(1, 1, ["none", "serialize"])
    assert [test.id for test in tests] == ["A", "B", "C", "A2", "B2", "C2"]
    assert tests[3].environment["AMD_SERIALIZE_KERNEL"] == "3"
    assert tests[3].environment["HIP_LAUNCH_BLOCKING"] == "1"
    assert tests[3].environment["HSA_ENABLE_SDMA"] == "0"


def test_prompts_of_ours_are_of_different_lengths() -> None:
    lengths = [len(prompt.text.split()) for prompt in find_prompts([])]
    assert [prompt.name for prompt in find_prompts([])] == list(SHIPPED)
    assert lengths[0] < lengths[1] / 4
    assert lengths[1] < lengths[2] / 2


def test_a_prompt_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("Hola\n")
    assert find_prompts([str(file)]) == [Prompt("mine", "Hola")]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", None])
def test_what_is_no_prompt_is_refused(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "mine.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UsageError, match="--prompts"):
        find_prompts([str(file)])
