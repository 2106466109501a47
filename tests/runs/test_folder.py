"""The run folder: new for each run, and never over another."""

from __future__ import annotations

import json
import os
from datetime import datetime, timezone
from pathlib import Path

import pytest

from greta.errors import UsageError
from greta.runs.folder import create_run_folder
from greta.trace.run_facts import RunFacts

NOON = datetime(2030, 1, 2, 12, 0, 0, tzinfo=timezone.utc)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_runs_of_one_second_have_folders_of_their_own(tmp_path: Path) -> None:
    names = [create_run_folder(None, "a.out", NOON).path for _ in range(3)]
    base = tmp_path / "greta-runs"
    suffixes = ("", "-2", "-3")
    assert names == [base / f"20300102-120000-a.out{suffix}" for suffix in suffixes]
    assert all((name / "recording").is_dir() for name in names)


@pytest.mark.parametrize(
    ("program", "name"),
    [
        ("/usr/bin/x", "x"),
        ("my prog\n(1)", "my_prog_1"),
        ("../..", "program"),
        ("\udcff\udcfe", "program"),
        ("ñandú", "and"),
        ("x" * 300, "x" * 40),
    ],
)
def test_odd_names_make_plain_folders(program: str, name: str) -> None:
    folder = create_run_folder(None, program, NOON)
    assert folder.path.name == f"20300102-120000-{name}"


def test_out_may_be_new_deep_or_empty(tmp_path: Path) -> None:
    assert create_run_folder("a/b/c", "x", NOON).path == tmp_path / "a" / "b" / "c"
    (tmp_path / "empty").mkdir()
    assert create_run_folder("empty", "x", NOON).recording.is_dir()


def test_out_that_holds_something_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "precious").write_text("x")
    with pytest.raises(UsageError, match=r"--out: 'full' is not empty"):
        create_run_folder("full", "x", NOON)
    assert names_in(tmp_path / "full") == ["precious"]
    with pytest.raises(UsageError, match="is not a folder"):
        create_run_folder("full/precious", "x", NOON)


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "greta-runs").write_text("a file is in the way")
    with pytest.raises(UsageError, match=r"cannot make the run folder .*--out DIR"):
        create_run_folder(None, "x", NOON)
    with pytest.raises(UsageError, match="cannot make the run folder"):
        create_run_folder("/proc/none/such", "x", NOON)


def test_a_run_that_never_began_leaves_nothing(tmp_path: Path) -> None:
    for out in (None, "a/b"):
        folder = create_run_folder(out, "x", NOON)
        folder.write_facts(RunFacts())
        folder.log("stdout").touch()
        folder.discard()
    assert names_in(tmp_path) == []


def test_discarding_leaves_other_runs_and_a_folder_that_was_there(tmp_path: Path) -> None:
    first = create_run_folder(None, "x", NOON)
    create_run_folder(None, "x", NOON).discard()
    assert names_in(tmp_path / "greta-runs") == [first.path.name]
    (tmp_path / "empty").mkdir()
    create_run_folder("empty", "x", NOON).discard()
    assert names_in(tmp_path / "empty") == []


def test_facts_keep_bytes_that_are_no_utf_8(tmp_path: Path) -> None:
    folder = create_run_folder(None, "x", NOON)
    folder.write_facts(RunFacts(command=(os.fsdecode(b"a\xff\xc3"), "ñ")))
    command = json.loads(folder.facts.read_bytes())["command"]
    assert os.fsencode(command[0]) == b"a\xff\xc3"
    assert command[1] == "ñ"
    assert not list(folder.path.glob("*.new"))
