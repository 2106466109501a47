"""`greta export` as a user types it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from greta.cli.main import main
from greta.reports.export import FORMATS, trace_file, write
from tests.reports.export.made import H2D, Program, parsed


@pytest.fixture
def run(program: Program) -> Path:
    """A run folder."""
    program.call("hipMalloc", 0x7000, 64)
    program.call("hipMemcpyAsync", 0x7000, 0x8000, 64, H2D, 0)
    program.call("hipDeviceSynchronize")
    program.recorded()
    return program.folder


def test_jsonl_goes_to_stdout(run: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["export", str(run), "--format", "jsonl"]) == 0
    out, err = capfdbinary.readouterr()
    calls = [line["call"] for line in parsed(out)]
    assert calls == ["hipMalloc", "hipMemcpyAsync", "hipDeviceSynchronize"]
    assert err == b""


@pytest.mark.parametrize("folder", [".", "recording", "recording/4711.1"])
def test_any_folder_of_a_recording_will_do(run: Path, folder: str, tmp_path: Path) -> None:
    target = tmp_path / "calls.jsonl"
    assert main(["export", str(run / folder), "-o", str(target)]) == 0
    assert len(list(parsed(target.read_bytes()))) == 3


@pytest.mark.parametrize(
    ("format_", "name"), [("perfetto", "export.pftrace"), ("parquet", "export.parquet")]
)
def test_files_are_put_into_the_run(
    run: Path, format_: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(run), "--format", format_]) == 0
    assert (run / name).stat().st_size > 0
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{name}, 3 calls" in err
    assert ("ui.perfetto.dev" in err) == (format_ == "perfetto")


@pytest.mark.parametrize(
    ("folder", "name"),
    [("recording", "export.pftrace"), ("recording/4711.1", "export-4711.1.pftrace")],
)
def test_nothing_is_put_into_the_recording(
    run: Path, folder: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = sorted((run / "recording").rglob("*"))
    monkeypatch.chdir(run / folder)
    assert main(["export", ".", "--format", "perfetto"]) == 0
    assert (run / name).stat().st_size > 0
    assert sorted((run / "recording").rglob("*")) == recorded


def test_a_run_without_a_hip_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "recording").mkdir()
    (tmp_path / "run.json").write_text("{}")
    assert main(["export", str(tmp_path), "--format", "jsonl"]) == 2
    assert "is a run of which no HIP call is recorded" in capsys.readouterr().err


@pytest.mark.parametrize("format_", list(FORMATS))
def test_how_far_it_is_reaches_the_end(program: Program, format_: str) -> None:
    for _ in range(5000):
        program.call("hipDeviceSynchronize")
    heard: list[int] = []
    write(program.recorded(), format_, io.BytesIO(), heard.append)
    assert sum(heard) == 5000
    assert format_ == "parquet" or len(heard) > 1


def test_a_file_is_replaced_only_by_force(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = run / "a.jsonl"
    target.write_text("mine")
    command = ["export", str(run), "-o", str(target)]
    assert main(command) == 2
    assert "--force" in capsys.readouterr().err
    assert target.read_text() == "mine"
    assert main([*command, "--force"]) == 0
    assert target.read_text() != "mine"


def test_an_export_that_fails_leaves_nothing(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(trace_file.TraceFile, "add", full)
    before = sorted(run.iterdir())
    assert main(["export", str(run), "--format", "perfetto"]) == 2
    assert sorted(run.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--format", "parquet", "-o", "-"], "goes to a file"),
        ([], "no format given"),
        (["-o", "x"], "no format given"),
        (["-o", "x.csv"], "'.csv' of 'x.csv' does not say the format; known are .jsonl, .parquet"),
        (["-o", "x.json"], "'.json' of 'x.json' does not say the format"),
        (["--bogus"], "see `greta export --help`"),
        (["--format", "csv"], "invalid choice"),
        (["--format", "jsonl", "-o", "/nowhere/at/all.jsonl"], "cannot write"),
        (["--format", "jsonl", "-o", "/"], "is a folder"),
    ],
)
def test_bad_usage_is_one_sentence(
    run: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(run), *arguments]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


def test_what_is_no_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(tmp_path / "none"), "--format", "jsonl"]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_a_library_that_is_missing(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "greta.reports.export.parquet", raising=False)
    assert main(["export", str(run), "--format", "parquet"]) == 2
    assert "run `pip install 'gretacore[parquet]'`" in capsys.readouterr().err
    assert not (run / "export.parquet").exists()


def test_damage_is_told_and_the_rest_is_written(
    run: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with (run / "recording/4711.1/lane.0").open("ab") as lane:
        lane.write(b"half a record")
    assert main(["export", str(run), "--format", "jsonl"]) == 0
    out, err = capfdbinary.readouterr()
    assert len(list(parsed(out))) == 3
    assert b"greta: not read: 4711.1/lane.0" in err


def test_a_reader_that_has_seen_enough(program: Program, environment: dict[str, str]) -> None:
    for _ in range(20_000):
        program.call("hipDeviceSynchronize")
    program.recorded()
    command = [sys.executable, "-m", "greta", "export", str(program.folder), "--format", "jsonl"]
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **environment}
    )
    assert child.stdout is not None
    assert child.stderr is not None
    assert b'"seq":1,' in child.stdout.readline()
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait(60) == 0
