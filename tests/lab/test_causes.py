"""Causes of a matrix, each with its own rate, and what was seen where there is none."""

from __future__ import annotations

from typing import Any

import pytest

from greta.lab.judge import Judgement
from greta.lab.outcomes import IterationOutcome
from greta.lab.plan import Iteration, Prompt, matrix
from greta.lab.summary import ProgramEnding
from tests.lab.test_summary import verdict
from tests.lab.typed import summarize, summary_from

OVERRUN = {"hypothesis": "upstream_kernel_fault", "kernel": "fill", "code": "kernel_past_end"}
FREED_TWICE = {"hypothesis": "use_after_free", "call": "hipFree", "code": "freed_twice"}
EXIT = {"how": "exit_code", "exit_code": 3, "stderr": ["the check failed"], "call": "hipFree"}


def ending(data: dict[str, Any]) -> ProgramEnding | None:
    [one] = summary_from({"iterations": [{"ending": data}]}).iterations
    return one.ending


def summary_of(*runs: dict[str, Any]) -> dict[str, Any]:
    """Of runs that each are a cause, an ending, or nothing (which has passed)."""
    [test] = matrix(0, len(runs), ["none"])
    outcomes, judgements = [], []
    for number, one in enumerate(runs):
        outcome = IterationOutcome(
            Iteration(test, number, Prompt("p", ""), number), f"run/C.{number}"
        )
        cause = one if "hypothesis" in one else None
        outcome.problems = [cause["hypothesis"]] if cause else ["exit_code"] if one else []
        outcome.ending = ending(one) if "how" in one else None
        found = {"seq": number, "confidence": 0.9, "data": {"seq": number}, **(cause or {})}
        outcomes.append(outcome)
        judged = verdict(cause["hypothesis"], cause=found) if cause else verdict()
        judgements.append(Judgement(outcome.run, judged))
    return summarize([test], outcomes, judgements)


def test_two_faults_have_a_rate_each_and_the_frequent_one_is_told_first() -> None:
    sure = {**OVERRUN, "confidence": 0.99}
    summary = summary_of(sure, FREED_TWICE, FREED_TWICE, FREED_TWICE, {}, {})
    told = [(one["hypothesis"], one["operation"], one["runs"]) for one in summary["causes"]]
    assert told == [("use_after_free", "hipFree", 3), ("upstream_kernel_fault", "fill", 1)]
    assert [one["rate"] for one in summary["causes"]] == [3 / 6, 1 / 6]
    low, high = summary["causes"][1]["rate_interval_95"]
    assert 0 < low < 1 / 6 < high < 1
    assert summary["cause"]["hypothesis"] == "use_after_free"


def test_one_fault_whose_numbers_differ_is_one_cause() -> None:
    less_exact = {**OVERRUN, "code": "kernel_faulted"}
    assert [cause["runs"] for cause in summary_of(OVERRUN, less_exact)["causes"]] == [2]


def test_what_is_explained_comes_before_what_is_not() -> None:
    summary = summary_of(EXIT, EXIT, OVERRUN)
    assert [one["code"] for one in summary["causes"]] == ["seen_exit_code", "kernel_past_end"]
    assert summary["cause"]["kernel"] == "fill"
    assert summary["seen"] is None


@pytest.mark.parametrize(
    ("ended", "code", "steps"),
    [
        (EXIT, "seen_exit_code", ["step_see_output"]),
        ({"how": "signal", "signal": "SIGTERM"}, "seen_signal", ["step_who_sent"]),
        ({"how": "signal", "signal": "SIGKILL"}, "seen_signal", ["step_who_killed"]),
        ({"how": "timeout", "seconds": 4.0}, "seen_hang", ["step_see_stacks"]),
        (
            {"how": "timeout", "seconds": 4.0, "call": "hipMemcpy", "seq": 7, "returned": False},
            "seen_hang_in_call",
            ["step_hang_in_call", "step_see_stacks"],
        ),
    ],
)
def test_what_was_seen_is_said_and_has_a_next_step(
    ended: dict[str, Any], code: str, steps: list[str]
) -> None:
    summary = summary_of({}, ended)
    assert (summary["verdict"], summary["reason_code"]) == ("REPRODUCED", code)
    assert summary["seen"]["run"] == "run/C.1"
    assert [step["code"] for step in summary["next_step_codes"]] == steps


def test_the_most_frequent_ending_is_told() -> None:
    killed = {"how": "signal", "signal": "SIGKILL"}
    assert summary_of(EXIT, killed, killed)["reason_data"] == {"signal": "SIGKILL"}
