"""The matrix and its order."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.errors import UsageError
from greta.lab.plan import Prompt, matrix, schedule
from greta.lab.prompts import SHIPPED, find_prompts

PROMPTS = [Prompt("p0", "a"), Prompt("p1", "b"), Prompt("p2", "c")]


def test_baseline_and_audit_take_turns_and_stress_comes_alone() -> None:
    tests = matrix(3, 2, ["none"])
    ids = [iteration.test.id for iteration in schedule(tests, PROMPTS, 0)]
    assert ids == ["A", "B", "A", "B", "A", "B", "C", "C"]


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
