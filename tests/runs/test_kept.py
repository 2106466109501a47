"""Which run folders are kept, and which of them go."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from greta.cli.main import main
from greta.runs.kept import KeptRun, chosen_to_go, find_runs

NOW = datetime(2026, 11, 20, tzinfo=timezone.utc)


def kept(parent: Path, name: str, days: float, finished: bool = True) -> Path:
    folder = parent / name
    (folder / "recording").mkdir(parents=True)
    started = (NOW - timedelta(days=days)).isoformat()
    facts = {"schema": 1, "command": ["./app", name], "started": started, "finished": finished}
    (folder / "run.json").write_text(json.dumps(facts))
    (folder / "stdout.log").write_bytes(b"x" * 10_000)
    return folder


@pytest.fixture
def runs(tmp_path: Path) -> list[KeptRun]:
    for name, days in (("old", 30.0), ("week", 8.0), ("new", 0.5)):
        kept(tmp_path, name, days)
    kept(tmp_path, "going_on", 40, finished=False)
    (tmp_path / "no_run").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "old")
    return find_runs(tmp_path)


def names(runs: list[KeptRun]) -> list[str]:
    return [run.path.name for run in runs]


def test_the_oldest_is_first_and_its_size_is_the_disk_s(runs: list[KeptRun]) -> None:
    assert names(runs) == ["going_on", "old", "week", "new"]
    assert runs[1].bytes >= 10_000


@pytest.mark.parametrize(
    ("days", "keep", "gone"),
    [
        (7, None, ["old", "week"]),
        (10, None, ["old"]),
        (None, 1, ["old", "week"]),
        (None, 0, ["old", "week", "new"]),
        (None, 9, []),
        (7, 2, ["old"]),
    ],
)
def test_old_ones_go_but_never_one_that_has_not_ended(
    runs: list[KeptRun], days: int | None, keep: int | None, gone: list[str]
) -> None:
    older = timedelta(days=days) if days is not None else None
    assert names(chosen_to_go(runs, NOW, older, keep)) == gone


def test_nothing_is_removed_without_a_yes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = kept(tmp_path / "greta-runs", "old", 30)
    monkeypatch.chdir(tmp_path)
    assert main(["runs", "prune", "--keep", "0"]) == 2
    assert folder.is_dir()
    assert main(["runs", "prune"]) == 2
    assert "--older" in capsys.readouterr().err
    assert main(["runs", "prune", "--keep", "0", "--yes"]) == 0
    assert not folder.exists()
    assert main(["runs"]) == 0


def test_a_folder_that_cannot_be_read_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = kept(tmp_path, "odd", 1)
    (folder / "run.json").write_text('{"command": 5}')
    assert main(["runs", str(tmp_path), "--lang", "es"]) == 0
    assert "odd" in capsys.readouterr().out
    assert main(["runs", str(tmp_path / "nowhere")]) == 2
