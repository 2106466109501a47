"""Drills from end to end: the child, its recording, the verdict, the score."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from greta.cli.main import main
from greta.errors import UsageError
from greta.lab.drilling import DrillSetting, run_clean, run_drill, run_matrix
from greta.lab.drills.catalog import Drill, all_drills, find_drills
from greta.lab.worker import Worker
from greta.model import find_model
from greta.runs.device import choose_run_device

DRILLS = {drill.name: drill for drill in all_drills()}
# One of each hypothesis, and those that need more than the plain recorder.
CHOSEN = (
    "activation_freed",
    "attention_of_all_heads",
    "copied_start_script",
    "graph_rope_past_positions",
    "host_refills_upload",
    "program_without_audit",
    "rope_past_positions",
    "tokens_copied_past_end",
    "tokens_read_on_another_stream",
    "uploads_overlap",
    "weight_is_null",
)


@pytest.fixture
def setting(tmp_path: Path) -> DrillSetting:
    device = choose_run_device("sim", {})
    return DrillSetting(
        str(find_model("tiny")), "sim", tmp_path / "runs", environment=device.environment
    )


@pytest.mark.parametrize("name", CHOSEN)
def test_a_drill_is_found(name: str, setting: DrillSetting) -> None:
    run = run_drill(DRILLS[name], replace(setting, seed=3))
    assert run.score.passed, run


# The others have theirs in `make test-long`.
TWINS: tuple[str, ...] = (
    "graph_rope_past_positions",
    "host_refills_upload",
    "tokens_copied_past_end",
)
if os.environ.get("GRETA_TEST_DRILLS"):
    TWINS = tuple(name for name in CHOSEN if DRILLS[name].program is None)


@pytest.mark.parametrize("name", TWINS)
def test_its_twin_without_the_fault_raises_no_alarm(name: str, setting: DrillSetting) -> None:
    assert run_clean(setting, 1, DRILLS[name]) is None


def test_the_right_program_is_not_called_wrong(setting: DrillSetting) -> None:
    drill = DRILLS["copied_start_script"]
    meant = Drill(
        "tokens_copied_past_end", drill.hypothesis, "", expected="greta.lab.drills.__main__"
    )
    run = run_drill(meant, setting)
    assert not run.score.detected


def test_a_fault_that_shows_sometimes_is_found_with_its_rate(setting: DrillSetting) -> None:
    drill = DRILLS["tokens_sometimes_copied_past_end"]
    run = run_matrix(drill, replace(setting, seed=5), 40, 0)
    assert run.summary.verdict.word == "REPRODUCED"
    assert run.failed == run.staged
    assert run.passed, run.summary


def test_a_device_that_is_lost_costs_one_iteration(setting: DrillSetting) -> None:
    drill = DRILLS["activation_sometimes_freed"]
    run = run_matrix(drill, replace(setting, seed=5), 30, 0)
    assert run.failed == run.staged
    assert len(run.staged) in range(1, 30)


def test_the_command_writes_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "drill.json"
    words = ["drill", "tokens_copied_past_end", "--clean", "1", "--json", str(file)]
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    found = json.loads(file.read_text())
    assert found["clean"] == {"runs": 1, "false_alarms": 0}
    [drill] = found["drills"]
    assert drill["truth"]["hypothesis"] == drill["verdict"]["cause"]["hypothesis"]
    scores = ("detected", "class_correct", "operation_correct", "buffer_correct")
    assert all(drill[name] for name in scores)
    said = capsys.readouterr().out
    assert "1 of 1 drills found" in said
    assert "as likely" not in said
    assert (tmp_path / "out" / "tokens_copied_past_end.0" / "verdict.json").is_file()


def test_a_drill_that_is_not_found_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = replace(find_drills(["tokens_copied_past_end"])[0], hypothesis="missing_sync")
    monkeypatch.setattr("greta.cli.drill.find_drills", lambda _: [wrong])
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["drill", "tokens_copied_past_end"]) == 1
    said = capsys.readouterr().out
    assert "FAIL tokens_copied_past_end" in said
    [kept] = tmp_path.iterdir()
    assert f"the runs are in {kept}" in said
    assert (kept / "tokens_copied_past_end.0" / "verdict.json").is_file()


def test_a_program_that_does_not_start_is_said(setting: DrillSetting) -> None:
    drill = Drill("no_such_drill", "bad_pointer", "")
    with pytest.raises(UsageError, match=r"does not start; .*no_such_drill\.0\.greta\.log says"):
        run_drill(drill, setting)


def test_an_interruption_leaves_no_child(
    setting: DrillSetting, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = []

    def interrupted(worker: Worker, *_: object) -> None:
        pids.append(worker.pid)
        raise KeyboardInterrupt

    monkeypatch.setattr(Worker, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_drill(DRILLS["weight_is_null"], setting)
    assert not Path(f"/proc/{pids[0]}").exists()


@pytest.mark.parametrize("columns", [80, 200])
def test_the_list(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["drill", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == sorted(DRILLS)
    assert max(map(len, lines)) <= columns


def test_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["drill", "nothing"]) == 2
    assert main(["drill", "weight_is_null", "--out", str(tmp_path)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
