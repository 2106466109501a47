"""Every command that has --lang has the same one, and then says all it says in that language."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import pytest

import greta
from greta.cli.main import COMMANDS, main
from greta.hip import SimTree
from greta.reports.lang import LANGUAGES

SPEAKING = ("audit", "analyze", "case", "verify", "diff", "report")
ENGLISH = ("test", "errors", "left", "tokens per", "command:", "arguments", "found", "kept", "the ")


@pytest.mark.parametrize("name", SPEAKING)
def test_lang_is_one_of_the_languages_there_are(name: str) -> None:
    [command] = [entry.load() for entry in COMMANDS if entry.name == name]
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    [option] = [one for one in parser._actions if "--lang" in one.option_strings]
    assert (option.choices, option.default) == (tuple(LANGUAGES), "en")


def test_an_audit_and_its_case_in_spanish_fit_a_screen(
    sim_tree: SimTree,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # other audits have other locks
    monkeypatch.setenv("PYTHONPATH", str(Path(greta.__file__).parents[1]))
    monkeypatch.delenv("COLUMNS", raising=False)
    words = ["--device", "sim", "--model", "tiny", "--stress-iters", "0", "--case", "un-caso"]
    for iterations in ("1", "2"):
        audit = ["audit", *words, "--iters", iterations, "--lang", "es"]
        monkeypatch.setattr(sys, "argv", ["greta", *audit])  # kept, to run it again
        assert main(audit) == 0
    assert main(["case", "show", "un-caso", "--lang", "es"]) == 0
    printed, told = capsys.readouterr()
    assert "prueba" in told
    assert "orden:" in printed
    assert [word for word in ENGLISH if word in printed + told] == []
    assert max(map(len, printed.splitlines())) <= 80
