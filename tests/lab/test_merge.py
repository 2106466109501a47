"""The jobs of an array, merged: the same as one audit of the same iterations."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import greta
from greta.cli.main import main
from greta.hip import SimTree
from greta.lab.cases.history import find_audits
from tests.lab.test_command_audit import program

Audit = Callable[..., dict[str, Any]]
WHEN = (
    *("seconds", "waited", "started", "ended", "warm_up", "position", "seconds_median", "observer"),
    *("begin_ns", "took_ns"),
)
WHERE = ("rerun", "run", "parts", "files", "stacks", "environment", "unwatched", "address")
FAILS_WHEN_AUDITED = "copy(77 if os.environ.get('GCORE_D2H_AUDIT') else 2)"


@pytest.fixture
def greta_audit(
    sim_tree: SimTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> Audit:
    """Runs it in a folder of its own; the summary, its folder and what was said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(greta.__file__).parents[1]))

    def run(*words: str, code: int, out: str = "artifacts") -> dict[str, Any]:
        before = set(tmp_path.glob("*/*/*/summary.json"))
        arguments = ["audit", "--out", out, *words]
        monkeypatch.setattr(sys, "argv", ["greta", *arguments])
        found, said = main(arguments), capsys.readouterr()
        assert found == code, said.err
        fresh = sorted(set(tmp_path.glob("*/*/*/summary.json")) - before)
        summary: dict[str, Any] = json.loads(fresh[0].read_text()) if fresh else {}
        return {**summary, "folder": fresh[0].parent if fresh else None, "said": said.err}

    return run


def same(value: Any) -> Any:
    """Without times, places and addresses, which no two audits have alike."""
    if isinstance(value, dict):
        return {n: same(v) for n, v in value.items() if n not in (*WHEN, *WHERE, "folder", "said")}
    if isinstance(value, list):
        return [same(one) for one in value]
    return "0x" if isinstance(value, str) and "0x" in value else value


def test_three_parts_are_one_audit(greta_audit: Audit, tmp_path: Path) -> None:
    words = ("--device", "sim", "--iters", "3", "--stress-iters", "0", "--case", "array")
    command = ("--", *program(tmp_path, FAILS_WHEN_AUDITED))
    whole = greta_audit(*words, *command, code=1, out="one")
    parts = [greta_audit(*words, "--part", f"{n}/3", *command, code=1) for n in (1, 2, 3)]
    assert [len(one["iterations"]) for one in parts] == [2, 2, 2]
    folders = [str(one["folder"]) for one in parts]
    merged = greta_audit("merge", *folders, code=1)
    assert same(merged) == same(whole)
    assert [one["position"] for one in merged["iterations"]] == list(range(6))
    assert (merged["verdict"], merged["statistics"]["failures"]) == ("REPRODUCED", 3)
    runs = {one["run"] for one in merged["iterations"]}
    assert all((merged["folder"] / run / "verdict.json").is_file() for run in runs)
    # The case has them once.
    entries = find_audits(tmp_path / "artifacts", "array")
    assert [one.folder for one in entries] == [merged["folder"]]

    twice = greta_audit("merge", folders[0], folders[0], code=2)
    assert "counted twice" in twice["said"] or "two parts" in twice["said"]
    missing = greta_audit("merge", *folders[:2], code=1)
    assert (missing["partial"], missing["problem_data"]) == ("failed", {"missing": 2, "asked": 6})
    assert "2 of 6 iterations are in none of the folders" in missing["said"]


def test_other_audits_are_not_merged(greta_audit: Audit, tmp_path: Path) -> None:
    words = ("--device", "sim", "--iters", "1", "--stress-iters", "0", "--case", "x")
    command = ("--", *program(tmp_path, ""))
    one = greta_audit(*words, *command, code=0)
    two = greta_audit(*words, "--seed", "5", *command, code=0)
    said = greta_audit("merge", str(one["folder"]), str(two["folder"]), code=2)["said"]
    assert "is no part of the audit" in said
    running = json.loads((two["folder"] / "summary.json").read_text()) | {"partial": "running"}
    (two["folder"] / "summary.json").write_text(json.dumps(running))
    said = greta_audit("merge", str(one["folder"]), str(two["folder"]), code=2)["said"]
    assert "greta audit --resume" in said
    assert "two parts or more" in greta_audit("merge", str(one["folder"]), code=2)["said"]


@pytest.mark.parametrize("part", ["0/3", "4/3", "x", "1", "1/0", "-1/2"])
def test_what_is_no_part(greta_audit: Audit, part: str) -> None:
    assert "--part must be" in greta_audit(f"--part={part}", "--", "true", code=2)["said"]


def test_a_program_called_merge_is_audited(greta_audit: Audit) -> None:
    assert "merge" in greta_audit("--device", "sim", "--", "./merge", "x", code=2)["said"]
