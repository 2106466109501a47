"""Programs that know nothing of us, audited by the command line."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

import greta
from greta.cli.main import main
from greta.hip import SimTree

HIP = """
import ctypes, os, sys, time
hip = ctypes.CDLL("libamdhip64.so")
buffer, host = ctypes.c_void_p(), ctypes.create_string_buffer(64)
hip.hipMalloc(ctypes.byref(buffer), ctypes.c_size_t(64))
copy = lambda kind: hip.hipMemcpy(host, buffer, ctypes.c_size_t(64), ctypes.c_int(kind))
copy(2)
"""


def program(folder: Path, source: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(HIP + source)
    return [sys.executable, str(path)]


@pytest.fixture
def audit(
    sim_tree: SimTree,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Any:
    """Runs `greta audit` in a folder of its own: its summary, and what it said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # other audits have other locks
    monkeypatch.setenv("PYTHONPATH", str(Path(greta.__file__).parents[1]))

    def run(*words: str, code: int) -> dict[str, Any]:
        arguments = ["audit", "--device", "sim", *words]
        monkeypatch.setattr(sys, "argv", ["greta", *arguments])
        found = main(arguments)
        said = capsys.readouterr()
        assert found == code, said.err
        paths = sorted((tmp_path / "artifacts").glob("*/*/summary.json"))
        summary: dict[str, Any] = json.loads(paths[-1].read_text()) if paths else {}
        return {**summary, "stderr": said.err, "stdout": said.out, "path": paths[-1:]}

    return run


def build(root: Path, name: str, folder: Path, environment: dict[str, str]) -> Path:
    words = [sys.executable, "-m", "greta", "sim", "--cflags", "--libs"]
    flags = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    target = folder / Path(name).stem
    compiler = ["g++", "-std=c++17", str(root / "examples" / name), "-o", str(target)]
    subprocess.run([*compiler, *shlex.split(flags.stdout)], check=True)
    return target


def test_a_use_after_free_in_a_program_that_says_ok(
    audit: Any, root: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    freed = build(root, "freed_buffer.cpp", tmp_path, environment)
    profiles = ("--profiles", "none,serialize")
    summary = audit(
        "--iters", "1", "--stress-iters", "1", *profiles, "--", f"./{freed.name}", code=1
    )
    assert (summary["verdict"], summary["partial"]) == ("REPRODUCED", None)
    cause = summary["cause"]
    assert (cause["hypothesis"], cause["call"]) == ("use_after_free", "hipMemcpy")
    assert cause["buffer"]["bytes"] == 1 << 16
    assert cause["buffer"]["freed_at"] is not None
    assert [test["id"] for test in summary["tests"]] == ["A", "B", "C", "A2", "B2", "C2"]
    assert summary["statistics"]["failures"] == 6
    assert summary["profile_evidence"] == "profile_persists"
    assert "not a race" in summary["stdout"]
    confirmed = [one["id"] for one in summary["hypotheses"] if one["verdict"] == "CONFIRMED"]
    assert confirmed == ["use_after_free"]


def test_what_a_program_does_after_a_failure_does_not_count(audit: Any, tmp_path: Path) -> None:
    words = program(tmp_path, "copy(77); print('STATUS=OK'); sys.exit(0)")
    summary = audit("--iters", "1", "--stress-iters", "0", "--", *words, code=1)
    assert summary["verdict"] == "REPRODUCED"
    error = summary["iterations"][0]["error"]
    assert (error["call"], error["error"]) == ("hipMemcpy", "hipErrorInvalidMemcpyDirection")


def test_exit_codes_signals_and_time_outs_are_failures_too(
    audit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
number = len(os.listdir(os.environ["PLACE"]))
open(os.path.join(os.environ["PLACE"], str(number)), "w").close()
if number == 1: sys.exit(3)
if number == 2: os.kill(os.getpid(), 9)
if number == 3: time.sleep(100)
"""
    (tmp_path / "place").mkdir()
    monkeypatch.setenv("PLACE", str(tmp_path / "place"))
    words = program(tmp_path, source)
    summary = audit("--iters", "0", "--stress-iters", "4", "--timeout", "4", "--", *words, code=1)
    problems = [one["problems"] for one in summary["iterations"]]
    assert problems == [[], ["exit_code"], ["signal"], ["timeout"]]
    assert "waits in" in (summary["path"][0].parent / "run" / "C.3" / "stacks.txt").read_text()


def test_strict_stops_at_the_first(audit: Any, tmp_path: Path) -> None:
    words = program(tmp_path, "sys.exit(1)")
    summary = audit("--iters", "5", "--strict", "--", *words, code=1)
    assert (summary["partial"], summary["statistics"]["runs"]) == ("strict", 1)


def test_a_program_that_is_not_there_is_bad_usage(audit: Any) -> None:
    found = audit("--", "./nothing-here", code=2)
    assert found["stderr"] == "greta: cannot run './nothing-here': there is no such program\n"
    assert found["path"] == []


def test_a_program_that_never_comes_to_hip_is_inconclusive(audit: Any, tmp_path: Path) -> None:
    summary = audit("--iters", "9", "--", "false", code=3)
    assert (summary["verdict"], summary["statistics"]["runs"]) == ("INCONCLUSIVE", 0)
    assert len(summary["iterations"]) == 3
    assert "greta: false makes no HIP call" in summary["stderr"]
    assert summary["partial"] == "no_hip"


def test_what_rerun_json_says_runs_the_same_again(audit: Any, tmp_path: Path) -> None:
    words = program(tmp_path, "")
    options = ("--iters", "1", "--stress-iters", "1", "--case", "same")
    first = audit(*options, "--", *words, code=0)
    rerun = json.loads((first["path"][0].parent / "rerun.json").read_text())
    seeded = ["greta", "audit", "--device", "sim", *options, "--seed", "0", "--", *words]
    assert rerun["command"] == seeded
    second = audit(*rerun["command"][4:], code=0)
    assert second["path"] != first["path"]
    same = ("test", "iteration", "prompt", "seed", "result")
    ran, ran_again = (
        [[one[name] for name in same] for one in each["iterations"]] for each in (first, second)
    )
    assert ran == ran_again


def test_a_command_audit_goes_on_where_it_stopped(audit: Any, tmp_path: Path) -> None:
    words = program(tmp_path, "sys.exit(1)")
    options = ("--iters", "1", "--stress-iters", "1", "--strict", "--case", "again")
    first = audit(*options, "--", *words, code=1)
    folder = first["path"][0].parent
    program(tmp_path, "")  # repaired
    second = audit("--resume", str(folder), code=1)
    assert (second["partial"], second["started"]) == (None, first["started"])
    assert [one["result"] for one in second["iterations"]] == ["FAIL", "PASS", "PASS"]
    assert second["statistics"]["runs"] == 3
    refused = audit("--resume", str(folder), code=2)
    assert "is complete" in refused["stderr"]
