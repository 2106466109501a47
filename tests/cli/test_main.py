"""The command line as a whole: help, versions, mistakes."""

from __future__ import annotations

import inspect
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import greta
from greta.cli.main import COMMANDS, load_command, main
from tests.conftest import Run


def test_version(run_greta: Run) -> None:
    done = run_greta("--version")
    assert (done.returncode, done.stdout) == (0, f"greta {greta.__version__}\n")


@pytest.mark.parametrize("words", [[], ["--help"], ["help"]])
def test_help_lists_every_command_and_shows_examples(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    if words:
        with pytest.raises(SystemExit) as caught:
            main(words)
        assert caught.value.code == 0
    else:
        assert main(words) == 0
    text = capsys.readouterr().out
    assert "examples:" in text
    assert all(re.search(rf"\n    {name}\s", text) for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([name, "--help"])
    assert caught.value.code == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: greta {name}")
    assert "examples:" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_is_what_the_command_says(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = []
    for words in (["help", name], [name, "--help"]):
        with pytest.raises(SystemExit) as caught:
            main(words)
        assert caught.value.code == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


def test_help_of_an_unknown_command_suggests_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "docter"]) == 2
    assert "did you mean `greta doctor`?" in capsys.readouterr().err
    assert main(["hlep"]) == 2
    assert "did you mean `greta help`?" in capsys.readouterr().err


def test_a_program_called_help_is_still_a_program(run_greta: Run, tmp_path: Path) -> None:
    program = tmp_path / "help"
    program.write_text("#!/bin/sh\necho ran\n")
    program.chmod(0o755)
    assert run_greta("sim", "--", "./help", cwd=tmp_path).stdout == "ran\n"


@pytest.mark.parametrize(
    ("name", "option", "meaning", "has_strict"),
    [
        ("run", "--strict", "an overrun of one byte faults", True),
        ("sim", "--strict", "an overrun of one byte faults", True),
        ("audit", "--fail-fast", "stop at the first iteration that fails", False),
    ],
)
def test_strict_means_one_thing(
    name: str, option: str, meaning: str, has_strict: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([name, "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert option in text
    assert meaning in text
    assert ("--strict" in text) == has_strict


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name: str) -> None:
    command = load_command(name)
    assert command.name == name
    assert (inspect.getdoc(type(command)) or "").partition("\n")[0] == COMMANDS[name]


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["help"], []])
def test_a_list_of_commands_imports_none_of_them(words: list[str]) -> None:
    program = (
        "import sys; from greta.cli.main import COMMANDS, main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "modules = {f'greta.cli.{name}' for name in COMMANDS} | {'numpy', 'rich'}\n"
        "print('imported:', sorted(modules & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("imported: []\n")


def test_an_unknown_command_is_one_sentence_with_a_suggestion(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["docter"]) == 2
    assert capsys.readouterr().err == (
        "greta: there is no command 'docter'; did you mean `greta doctor`?\n"
    )
    assert main(["xyzzy"]) == 2
    assert "there are: infer, " in capsys.readouterr().err


def test_an_unknown_option_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--colour"]) == 2
    error = capsys.readouterr().err
    assert error == "greta: unrecognized arguments: --colour; see `greta doctor --help`\n"
    assert main(["--colour"]) == 2
    assert "see `greta --help`" in capsys.readouterr().err


def test_an_interrupt_while_it_is_loaded_is_quiet(run_greta: Run, tmp_path: Path) -> None:
    (tmp_path / "rich.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"
    )
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    done = run_greta("run", "--", "true", PYTHONPATH=paths)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_an_interrupt_before_anything_is_loaded_ends_it_as_any_program() -> None:
    # As the installed command begins, with a moment in between.
    script = "from greta.__main__ import main; import os, signal; os.kill(os.getpid(), 2); main()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


def test_debug_shows_where_an_error_happened(run_greta: Run) -> None:
    quiet, loud = run_greta("sim"), run_greta("--debug", "sim")
    assert "Traceback" not in quiet.stderr
    assert "Traceback" in loud.stderr


def test_a_command_that_runs_no_program_refuses_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--", "ls"]) == 2
    assert "runs no program" in capsys.readouterr().err


def test_a_misspelt_option_is_answered_with_the_one_that_was_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["run", "--strickt", "--", "true"]) == 2

    error = capsys.readouterr().err
    assert error == "greta: unrecognized arguments: --strickt; did you mean `--strict`?\n"
