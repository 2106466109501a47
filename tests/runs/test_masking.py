"""Secrets are not written down, and ordinary words are."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest

from greta.errors import UsageError
from greta.runs.again import masked_then, unmasked
from greta.runs.masking import is_secret_variable, masked_text, masked_words
from tests.conftest import Run

SECRET = "xyzzy123"  # noqa: S105


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["--token", SECRET], ["--token", "***"]),
        ([f"--password={SECRET}"], ["--password=***"]),
        (["--hf-token", SECRET], ["--hf-token", "***"]),
        (["--apiKey", SECRET], ["--apiKey", "***"]),
        ([f"HF_TOKEN={SECRET}"], ["HF_TOKEN=***"]),
        ([f"https://me:{SECRET}@host/x"], ["https://me:***@host/x"]),
        ([f"https://{SECRET}@host/x"], ["https://***@host/x"]),
        ([f"https://host/x?a=1&access_token={SECRET}"], ["https://host/x?a=1&access_token=***"]),
        ([f"Authorization: Bearer {SECRET}"], ["Authorization: Bearer ***"]),
        (["hf_" + "a" * 30], ["***"]),
    ],
)
def test_a_secret_is_masked(words: list[str], shown: list[str]) -> None:
    masked, names = masked_words(["./a", *words])
    assert masked == ["./a", *shown]
    assert len(names) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["--max-tokens", "10"],
        ["--token-file", "secrets.txt"],
        ["--sort-key", "name"],
        ["--kv-cache", "8"],
        ["https://host/x@y?page=2"],
        ["--token", "--verbose"],
        ["a=b", "x:y", "token", "monkey=1"],
    ],
)
def test_an_ordinary_word_is_not(words: list[str]) -> None:
    assert masked_words(["./a", *words]) == (["./a", *words], [])


def test_variables_by_name_and_by_looks() -> None:
    assert is_secret_variable("GRETA_SECRET_NUMBER")
    assert is_secret_variable("AMD_API_KEY")
    assert not is_secret_variable("HIP_VISIBLE_DEVICES")
    assert masked_text("http://u:p@proxy") == "http://u:***@proxy"


def test_a_run_writes_no_secret_anywhere(run_greta: Run, tmp_path: Path) -> None:
    program = tmp_path / "p.py"
    program.write_text("from rocm.bindings import hip\nhip.hipGetDeviceCount()\n")
    secrets = ["--token", SECRET, f"--password={SECRET}", f"https://u:{SECRET}@host", "--n", "37"]
    words = ["run", "--device", "sim", "--out", "r", "--", sys.executable, program, *secrets]
    done = run_greta(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "r"
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert any(path.name == "tables.jsonl" for path in files)
    assert [path.name for path in files if SECRET.encode() in path.read_bytes()] == []
    facts = json.loads((folder / "run.json").read_text())
    assert facts["command"][2:] == [
        *("--token", "***", "--password=***", "https://u:***@host", "--n", "37")
    ]
    assert facts["masked"] == ["--token", "--password", "argument 5"]
    assert "--token, --password" in done.stderr
    assert SECRET not in done.stderr
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_nor_does_an_audit_or_its_report(run_greta: Run, tmp_path: Path) -> None:
    program = tmp_path / "p.py"
    program.write_text("from rocm.bindings import hip\nhip.hipGetDeviceCount()\n")
    words = ["audit", "--device", "sim", "--iters", "2", "--stress-iters", "0", "--case", "c"]
    given = [sys.executable, program, "--token", SECRET, f"https://u:{SECRET}@host"]
    done = run_greta(*words, "--out", "a", "--", *given, cwd=tmp_path)
    assert done.returncode in (0, 3), done.stderr
    files = {path: path.read_bytes() for path in (tmp_path / "a").rglob("*") if path.is_file()}
    names = {path.name for path in files}
    assert {"summary.json", "rerun.json", "run.json", "tables.jsonl"} <= names
    assert [str(path) for path, content in files.items() if SECRET.encode() in content] == []
    assert any(b"--token" in content and b"***" in content for content in files.values())
    assert SECRET not in done.stdout + done.stderr


def test_what_was_masked_is_given_again() -> None:
    recorded = ["./a", "--token", "***"]
    assert unmasked(recorded, ["./a", "--token", "x"], ["--token"]) == ["./a", "--token", "x"]
    assert unmasked(["./a", "b"], [], []) == ["./a", "b"]
    with pytest.raises(UsageError, match="not the one"):
        unmasked(recorded, ["./b", "--token", "x"], ["--token"])


def test_a_masked_variable_is_that_of_now() -> None:
    kept = {"GRETA_TOKEN": "***", "HIP_X": "1"}
    assert masked_then(kept, {"GRETA_TOKEN": "new"}) == {"GRETA_TOKEN": "new"}
    with pytest.raises(UsageError, match="GRETA_TOKEN was set then"):
        masked_then(kept, {})
