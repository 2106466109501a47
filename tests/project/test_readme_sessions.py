"""The sessions in README.md are what a user sees who types them, from top to bottom."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from greta.hip import SimTree
from tests import children
from tests.project.sessions import Step, agrees, comparable, steps


@pytest.fixture
def reader(tmp_path: Path, environment: dict[str, str], root: Path) -> tuple[Path, dict[str, str]]:
    """A folder with the examples, and a shell's environment in which `greta` and `python` are ours."""
    folder, bin_, temporary = tmp_path / "reader", tmp_path / "bin", tmp_path / "tmp"
    for path in (folder, bin_, temporary):
        path.mkdir()
    shutil.copytree(root / "examples", folder / "examples")
    greta = bin_ / "greta"
    greta.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m greta "$@"\n')
    greta.chmod(0o755)
    places = [str(bin_), str(Path(sys.executable).parent), environment["PATH"]]
    own = {
        "PATH": ":".join(places),
        "GRETA_DEVICE": "sim",
        "TMPDIR": str(temporary),  # the lock of an audit is there
        "COLUMNS": "200",
    }
    return folder, {**environment, **own}


@pytest.mark.slow
def test_every_session_prints_what_the_readme_shows(
    reader: tuple[Path, dict[str, str]], root: Path, sim_tree: SimTree
) -> None:
    folder, environment = reader
    code, wrong = 0, []
    for step in steps((root / "README.md").read_text(encoding="utf-8")):
        shell = ["bash", "-c", f"exec 2>&1; (exit {code}); {step.command}"]
        done = children.run(shell, cwd=folder, env=environment)
        code = done.returncode
        if not agrees(step.printed, done.stdout):
            wrong.append(_difference(step, done.stdout))
    assert not wrong, "\n\n".join(wrong)


def _difference(step: Step, printed: str) -> str:
    shown = "\n  ".join(comparable(step.printed))
    seen = "\n  ".join(comparable(printed.splitlines()))
    return f"README.md:{step.line}: $ {step.command}\nshows\n  {shown}\nbut it prints\n  {seen}"


def test_the_spanish_readme_types_the_same_commands(root: Path) -> None:
    english, spanish = (
        [step.command for step in steps((root / name).read_text(encoding="utf-8"))]
        for name in ("README.md", "README.es.md")
    )
    said = {command.replace("--lang es", "").replace("  ", " ").strip() for command in spanish}
    assert [command for command in english if command not in said] == []
    assert len(english) == len(spanish)


def test_sessions_are_read_command_by_command() -> None:
    text = "words\n\n    $ one\n    printed\n    $ two\n\n    also\nmore\n    not a session\n"
    assert [(step.command, step.printed) for step in steps(text)] == [
        ("one", ["printed"]),
        ("two", ["also"]),
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (["a 0x10 b"], "a   0x7f20 b\n\n", True),
        (["took 0.5 s"], "took 12.25 s", True),
        (["errors 6"], "errors 7", False),
        (["first", "...", "last"], "first\nlast", True),
        (["first", "...", "last"], "first\nmore\nmore\nlast", True),
        (["first", "...", "last"], "first\nmore", False),
        (["wrote ... calls"], "wrote x, 14 calls", True),
        (["one"], "one\ntwo", False),
        (["rope (#11)"], "rope (#12)", False),
    ],
)
def test_only_what_differs_from_run_to_run_may_differ(
    shown: list[str], printed: str, same: bool
) -> None:
    assert agrees(shown, printed) is same
