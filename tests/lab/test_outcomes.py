"""What becomes of iterations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from greta.lab.outcomes import IterationOutcome, WorkloadAnswer, compare_outputs
from greta.lab.plan import Iteration, MatrixTest, Prompt
from greta.typed_json import JsonField, decode

TEST = MatrixTest("A", "baseline", 10)


def outcome(number: int = 0, prompt: str = "p0", **answer: Any) -> IterationOutcome:
    made = IterationOutcome(Iteration(TEST, number, Prompt(prompt, "x"), 1), "run/A.0")
    if answer:
        made.take(decode(WorkloadAnswer, answer, JsonField(Path("answer"))))
    return made


def test_an_iteration_without_problems_has_passed() -> None:
    assert outcome(tokens=[[1, 2]], seconds=0.5).result == "PASS"


def test_an_error_of_the_device_is_a_failure_whatever_else_was_said() -> None:
    assert outcome(tokens=[[1]], error={"code": 700}).result == "FAIL"


def test_streams_must_agree() -> None:
    assert outcome(tokens=[[1, 2], [1, 2]]).result == "PASS"
    assert outcome(tokens=[[1, 2], [1, 3]]).problems == ["streams_disagree"]


def test_who_differs_from_most_has_failed() -> None:
    many = [outcome(number, tokens=[[1, 2]]) for number in range(5)]
    odd = outcome(5, tokens=[[1, 9]])
    other_prompt = outcome(6, "p1", tokens=[[7]])
    compare_outputs([*many, odd, other_prompt])
    assert [one.result for one in many] == ["PASS"] * 5
    assert odd.problems == ["output_differs"]
    assert other_prompt.result == "PASS"


def test_one_stream_and_two_streams_of_the_same_tokens_are_the_same_output() -> None:
    assert outcome(tokens=[[1, 2]]).output == outcome(tokens=[[1, 2], [1, 2]]).output


def test_without_a_majority_nobody_is_called_wrong() -> None:
    two = [outcome(0, tokens=[[1]]), outcome(1, tokens=[[2]])]
    compare_outputs(two)
    assert [one.result for one in two] == ["INCONCLUSIVE", "INCONCLUSIVE"]


def test_what_was_not_seen_has_not_passed() -> None:
    unseen = outcome(tokens=[[1]])
    unseen.conclusive = False
    assert unseen.result == "INCONCLUSIVE"
