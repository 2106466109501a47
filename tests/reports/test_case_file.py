"""The case file says what changed, not what stayed the same."""

from __future__ import annotations

from pathlib import Path

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
