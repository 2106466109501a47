"""Every command that has --lang has the same one, and then says all it says in that language."""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import greta
from greta.cli.main import load_command, main
from greta.hip import SimTree
from greta.lab import prepare
from greta.model import DefaultModel, find_model
from greta.reports.lang import LANGUAGES, Language
from greta.reports.lang.errors_es import ERRORS, PARTS, TOLD, in_spanish
from greta.trace.logs.prose import REASONS
from greta.trace.logs.read import KNOWN

SPEAKING = (
    *("audit", "analyze", "case", "verify", "diff", "report"),
    *("run", "pin", "drill", "doctor", "check", "runs", "kernels"),
)
ENGLISH = ("test", "errors", "left", "tokens per", "command:", "arguments", "found", "kept", "the ")


@pytest.mark.parametrize("name", SPEAKING)
def test_lang_is_one_of_the_languages_there_are(name: str) -> None:
    command = load_command(name)
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    [option] = [one for one in parser._actions if "--lang" in one.option_strings]
    assert (option.choices, option.default) == (tuple(LANGUAGES), "en")


@pytest.fixture
def place(sim_tree: SimTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to audit in, and the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # other audits have other locks
    monkeypatch.setenv("PYTHONPATH", str(Path(greta.__file__).parents[1]))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.mark.usefixtures("place")
def test_an_audit_and_its_case_in_spanish_fit_a_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_why_an_audit_cannot_go_on_is_said_in_spanish_and_kept_in_english(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--device", "sim", "--iters", "9", "--stress-iters", "0", "--lang", "es"]
    assert main(["audit", *words, "--", "true"]) == 3
    told = capsys.readouterr().err
    assert "greta: true no hace ninguna llamada HIP; en " in told
    [summary] = place.rglob("summary.json")
    assert json.loads(summary.read_text())["problem"].startswith("true makes no HIP call; ")


@pytest.mark.parametrize(
    ("lang", "notice"),
    [("en", "Using the tiny model instead"), ("es", "En su lugar se usa el modelo tiny")],
)
def test_that_the_tiny_model_stands_in_is_said_in_the_language(
    place: Path,
    lang: Language,
    notice: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = find_model("tiny")
    tiny = DefaultModel(path, "there is no network")
    monkeypatch.setattr(prepare, "default_model", lambda _: tiny)
    words = ["--iters", "1", "--stress-iters", "0", "--case", "..", "--device", "sim"]
    assert main(["audit", *words, "--lang", lang]) == 2  # the case is refused when it begins
    told = capsys.readouterr().err
    assert notice in told
    assert "there is no network" in told


@pytest.mark.parametrize(
    ("variables", "word"),
    [
        ({"LANG": "es_ES.UTF-8"}, "veredicto"),
        ({"LANG": "de_DE.UTF-8"}, "verdict"),
        ({"LANG": "es_ES.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "verdict"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "C"}, "verdict"),
    ],
)
def test_the_locale_chooses_the_language(
    variables: dict[str, str],
    word: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text('{"command": ["./app"]}')
    assert main(["runs", str(tmp_path)]) == 0
    assert f" {word} " in capsys.readouterr().out


def raised() -> Iterator[str]:
    """The errors of what run, analyze and audit need, with {} for what is filled in."""
    package = Path(greta.__file__).parent
    files = [*(package / "cli").glob("*.py"), *(package / "runs").glob("*.py")]
    files += [
        path for part in ("logs", "reading") for path in (package / "trace" / part).rglob("*.py")
    ]
    files += [*(package / "lab").glob("*.py"), *(package / "recording").glob("*.py")]
    files += [package / "model" / "find.py", package / "hip" / "_choice.py"]
    files += [package / "symbols" / "code_objects.py", package / "lab" / "drills" / "catalog.py"]
    files += [package / "forensics" / "order_library.py", *package.glob("*_library.py")]
    for path in [*files, package / "outside.py", package / "api.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id=name), args=[ast.JoinedStr() as text]):
                    parts = [getattr(part, "value", "") for part in text.values]
                    sentence = "".join(part if isinstance(part, str) else "{}" for part in parts)
                case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(sentence))]):
                    pass
                case _:
                    continue
            if name in SAID:
                yield sentence


SAID = (
    *("UsageError", "OutsideError", "NotJsonError", "ContextLimitError", "SummaryError"),
    *("ModelError", "ModelUnavailableError", "RecordingError"),
    *("SimTreeMissingError", "DeviceChoiceError"),
)


def test_every_error_of_the_core_has_its_spanish() -> None:
    assert set(raised()) - {"{} {}"} == ERRORS.keys()  # why a file is no log has its own test
    for english, spanish in (ERRORS | TOLD | PARTS).items():
        assert english.count("{}") == spanish.count("{}"), english


@pytest.mark.parametrize("reason", [*REASONS, KNOWN])
def test_why_a_file_is_no_log_is_told_in_spanish(reason: str) -> None:
    english = f"x {reason}" if reason in REASONS else reason
    spanish = in_spanish(english)
    assert spanish != english
    assert not re.search(r"\b(?:is|not|and|the|of|with)\b", spanish)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["analyze", "nowhere"], "nowhere no existe; dé la carpeta de una ejecución"),
        (["anlyze"], "no existe la orden 'anlyze'; ¿quería decir `greta analyze`?"),
        (["run"], "falta el programa; uso: greta run"),
        (["report", "/dev/zero"], "/dev/zero es un dispositivo, no un archivo normal"),
        (["verify"], "faltan argumentos: ID, --before, --after; véase `greta verify --help`"),
        (["drill", "nope"], "no existe el simulacro 'nope'; `greta drill --list` muestra los que "),
        (["kernels", "nope"], "nope no existe; indique un programa, un objeto de código o la "),
        (["run", "--strickt"], "argumentos desconocidos: --strickt; ¿quería decir `--strict`?"),
        (
            ["check", "--tools", "memchek", "--", "true"],
            "--tools: debe ser alguna de memcheck, initcheck, racecheck, leakcheck, no 'memchek'",
        ),
        (
            ["check", "--tools", "memcheck,", "racecheck", "--", "true"],
            "--tools: no debe haber espacio tras una coma: memcheck,; véase",
        ),
        (["check", "--print-limit", "0"], "--print-limit: debe ser de 1 a 1,000,000, no '0'"),
        (["drill", "--seeds", "x"], "--seeds: debe ser un número entero, no 'x'"),
        (["run", "--ring", "5"], "--ring: debe ser un número de registros de 64 a 10,000,000 (1.2"),
    ],
)
def test_errors_are_in_the_language_of_lang(
    words: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    assert main(words) == 2
    assert capsys.readouterr().err.startswith(f"greta: {told}")
