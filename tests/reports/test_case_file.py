"""The case file says what changed, not what stayed the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from greta.lab.cases import KeptAudit
from greta.lab.cases.history import history
from greta.reports.case_file import case_lines
from greta.reports.lang import Say

COMMAND = ["greta", "audit", "--case", "rope", "--iters", "1", "--", "python", "examples/rope.py"]
LONG = ["--model", "a-model-whose-name-is-so-long-that-it-would-fill-the-line-alone.gguf"]


def _change(before: list[str], after: list[str]) -> str:
    audits = [
        KeptAudit(Path(f"artifacts/2026-01-0{day}/rope"), {"rerun": {"command": command}})
        for day, command in enumerate((before, after), start=1)
    ]
    lines = case_lines(history(audits), [], Say("en"))
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


def _follow_up(**more: Any) -> list[tuple[str, ...]]:
    summary = {"cause": {"seq": 3, "kernel": "rope"}, "blamed": {"seq": 9}, **more}
    audit = KeptAudit(Path("artifacts/2026-01-01/logits"), summary)
    lines = case_lines(history([audit]), [], Say("en"))
    assert any("rope" in line.text for line in lines)
    return [line.words for line in lines if line.words]


def test_a_cause_upstream_is_followed_up_in_a_case_of_its_own() -> None:
    audit = ["greta", "audit", "--case", "logits-rope", "--", "./a.out"]
    [words] = _follow_up(rerun={"command": ["greta", "audit", "--", "./a.out"]})
    assert list(words)[-len(audit) :] == audit


def test_where_the_command_is_not_known_none_is_suggested() -> None:
    assert _follow_up() == []


def test_a_cause_that_is_no_call_is_not_followed_up() -> None:
    summary = {"cause": {"seq": 0, "hypothesis": "wrong_binary"}, "blamed": {"seq": 9}}
    audit = KeptAudit(Path("artifacts/2026-01-01/logits"), summary)
    lines = case_lines(history([audit]), [], Say("en"))
    assert not any("case of its own" in line.text for line in lines)
