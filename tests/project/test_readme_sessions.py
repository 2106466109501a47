"""The sessions in README and tour are what a user sees who types them, from top to bottom."""

from __future__ import annotations

import contextlib
import io
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from greta.cli.main import COMMANDS, main
from greta.hip import SimTree
from greta.reports import read_reported
from greta.reports.lang import Language, Say
from greta.reports.terminal import audit_lines, print_lines
from tests import children
from tests.golden.saying import summary_of
from tests.project.sessions import Step, agrees, comparable, steps

ENGLISH = ("README.md", "docs/tour.md")
SPANISH = ("README.es.md", "docs/tour.es.md")


@pytest.fixture
def pages(root: Path) -> tuple[list[Step], list[Step]]:
    """The sessions of both languages; the tour goes on where the README ends."""
    english, spanish = (
        [step for name in names for step in steps((root / name).read_text(encoding="utf-8"), name)]
        for names in (ENGLISH, SPANISH)
    )
    return english, spanish


@pytest.fixture
def reader(tmp_path: Path, environment: dict[str, str], root: Path) -> tuple[Path, dict[str, str]]:
    """A folder with the examples, and an environment in which `greta` and `python` are ours."""
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
        "COLUMNS": "300",  # a README shows long lines whole
    }
    return folder, {**environment, **own}


@pytest.mark.slow
def test_every_session_prints_what_both_readmes_show(
    reader: tuple[Path, dict[str, str]], pages: tuple[list[Step], list[Step]], sim_tree: SimTree
) -> None:
    code, wrong = 0, []
    for english, spanish in zip(*pages, strict=True):
        printed, code = _type(english.command, code, reader)
        wrong += _difference(english, printed)
        if spanish.command != english.command:
            printed = _ask_in_spanish(spanish.command, reader)
        wrong += _difference(spanish, printed)
    assert not wrong, "\n\n".join(wrong)


def _type(command: str, code_before: int, reader: tuple[Path, dict[str, str]]) -> tuple[str, int]:
    folder, environment = reader
    shell = ["bash", "-c", f"exec 2>&1; (exit {code_before}); {command}"]
    done = children.run(shell, cwd=folder, env=environment)
    return done.stdout, done.returncode


def _ask_in_spanish(command: str, reader: tuple[Path, dict[str, str]]) -> str:
    """The same question about the same files: no shell and no new process, to be quick."""
    folder, environment = reader
    name, *words = shlex.split(command)
    assert name == "greta"
    printed = io.StringIO()
    both = (contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed))
    with pytest.MonkeyPatch.context() as patch, both[0], both[1]:
        patch.chdir(folder)
        patch.setenv("COLUMNS", environment["COLUMNS"])
        if words[0] == "audit":
            _print_last_audit("es")
        elif words[0] == "run":
            run = Path(words[words.index("--out") + 1])
            print((run / "stdout.log").read_text() + (run / "stderr.log").read_text())
            summary_of(run.resolve(), "es")
        else:
            main([path for word in words for path in _expanded(word, folder)])
    return printed.getvalue()


def _print_last_audit(lang: Language) -> None:
    """What was just audited, in another language: a second audit would make another case of it."""
    summaries = Path("artifacts").glob("*/*/summary.json")
    last = max(summaries, key=lambda path: path.stat().st_mtime_ns)
    print_lines(audit_lines(read_reported(last).summary, Say(lang), last.parent))


def _expanded(word: str, folder: Path) -> list[str]:
    """As the shell does."""
    if "*" not in word:
        return [word]
    return sorted(str(path.relative_to(folder)) for path in folder.glob(word))


def _difference(step: Step, printed: str) -> list[str]:
    if agrees(step.printed, printed):
        return []
    shown = "\n  ".join(comparable(step.printed))
    seen = "\n  ".join(comparable(printed.splitlines()))
    return [f"{step.page}:{step.line}: $ {step.command}\nshows\n  {shown}\nbut it prints\n  {seen}"]


def test_both_readmes_type_the_same_commands(pages: tuple[list[Step], list[Step]]) -> None:
    english, spanish = ([_without_language(step.command) for step in page] for page in pages)
    assert spanish == english


def _without_language(command: str) -> str:
    return command.replace(" --lang es", "")


def test_every_command_is_shown_in_use(pages: tuple[list[Step], list[Step]]) -> None:
    typed = " ".join(step.command for step in pages[0])
    assert [name for name in COMMANDS if f"greta {name} " not in f"{typed} "] == []


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
