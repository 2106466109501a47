"""The case file says what changed, not what stayed the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from greta.lab.cases.factors import Factor
from greta.lab.cases.history import KeptAudit, history
from greta.reports.case_file import CaseStory, case_lines
from greta.reports.lang import Say
from greta.reports.layout import TitledLine
from tests.reports.documents import reported

COMMAND = ["greta", "audit", "--case", "rope", "--iters", "1", "--", "python", "examples/rope.py"]
LONG = ["--model", "a-model-whose-name-is-so-long-that-it-would-fill-the-line-alone.gguf"]


def _change(before: list[str], after: list[str]) -> str:
    audits = [
        KeptAudit(
            Path(f"artifacts/2026-01-0{day}/rope"),
            reported({"rerun": {"command": command}}).summary,
        )
        for day, command in enumerate((before, after), start=1)
    ]
    lines = case_lines(CaseStory("rope", tuple(history(audits))), Say("en"))
    return next(line.text for line in lines if line.text.startswith("command"))


def test_of_a_long_command_the_words_that_differ_are_shown() -> None:
    longer = ["3" if word == "1" else word for word in COMMAND] + ["--fixed"]
    shown = _change(COMMAND + LONG, longer + LONG)
    assert shown == (
        "command: --iters 1 … examples/rope.py -> --iters 3 … examples/rope.py --fixed"
    )


def test_a_short_command_is_shown_whole() -> None:
    shown = _change(["greta", "audit"], ["greta", "audit", "--strict"])
    assert shown == "command: greta audit -> greta audit --strict"


def _audits(*summaries: dict[str, Any]) -> list[TitledLine]:
    audits = [
        KeptAudit(Path(f"artifacts/2026-01-0{day}/logits"), reported(summary).summary)
        for day, summary in enumerate(summaries, start=1)
    ]
    return case_lines(CaseStory("rope", tuple(history(audits))), Say("en"))


FIRST = {"verdict": "REPRODUCED", "blamed": {"seq": 9, "call": "hipMemcpy"}}
ROPE = {**FIRST, "cause": {"seq": 3, "kernel": "rope"}}


def _follow_up(**more: Any) -> list[tuple[str, ...]]:
    lines = _audits(FIRST, {**ROPE, **more})
    assert any("case of its own" in line.text and "rope" in line.text for line in lines)
    return [line.words for line in lines if line.words]


def test_a_cause_upstream_is_followed_up_in_a_case_of_its_own() -> None:
    audit = ["greta", "audit", "--case", "logits-rope", "--", "./a.out"]
    [words] = _follow_up(rerun={"command": ["greta", "audit", "--", "./a.out"]})
    assert list(words)[-len(audit) :] == audit


def test_where_the_command_is_not_known_none_is_suggested() -> None:
    assert _follow_up() == []


@pytest.mark.parametrize("summaries", [(ROPE,), (ROPE, ROPE), ({"verdict": "INCONCLUSIVE"}, ROPE)])
def test_a_case_that_was_always_about_that_cause_needs_no_other(
    summaries: tuple[dict[str, Any], ...],
) -> None:
    assert not any("case of its own" in line.text for line in _audits(*summaries))


def test_a_cause_that_is_no_call_is_not_followed_up() -> None:
    lines = _audits(FIRST, {**FIRST, "cause": {"seq": 0, "hypothesis": "wrong_binary"}})
    assert not any("case of its own" in line.text for line in lines)


def test_the_file_is_named_beside_its_hash() -> None:
    factor = Factor("binary", "eng 0330a6dd5dabc34a", 9, 9, 0, 21, 1e-6, 1e-5, 8)
    programs = [
        {"path": "/old/eng", "sha256": "0330a6dd5dabc34a2911"},
        {"path": "/build/eng", "sha256": "fc69506c73fc215c0000"},
    ]
    audit = KeptAudit(Path("artifacts/2026-01-01/stale"), reported({"programs": programs}).summary)
    lines = [
        line.text
        for line in case_lines(CaseStory("stale", tuple(history([audit])), (factor,)), Say("en"))
    ]
    assert "That is /old/eng 0330a6dd5dabc34a." in lines
    assert not any("/build/eng" in line for line in lines)


def _separates(failures_before: int) -> str:
    """Runs that failed, then six that did not; of two differences none is significant."""
    sides = (["FAIL"] * failures_before, "REPRODUCED"), (["PASS"] * 6, "NOT_REPRODUCED")
    audits = [
        KeptAudit(
            Path(f"artifacts/2026-01-0{day}/rope"),
            reported(
                {
                    "verdict": verdict,
                    "iterations": [
                        {"test": "A", "iteration": number, "result": result}
                        for number, result in enumerate(results)
                    ],
                }
            ).summary,
        )
        for day, (results, verdict) in enumerate(sides, start=1)
    ]
    factors = [Factor(name, "x", 2, 2, 0, 6, 0.036, 0.07, 2) for name in ("binary", "model")]
    lines = case_lines(CaseStory("rope", tuple(history(audits)), tuple(factors)), Say("en"))
    return next(line.text for line in lines if line.title == "what separates")


def test_a_proven_fix_beside_differences_that_are_not_is_explained() -> None:
    assert _separates(2).startswith("It is not proven which of the 2 differences")
    assert _separates(1).startswith("None of the 2 differences between the runs goes with")
