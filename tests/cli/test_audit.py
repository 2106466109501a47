"""`greta audit` on our own engine: what it leaves behind, however it ends."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import greta
from greta.cli.main import main
from greta.forensics.verdict import HYPOTHESES
from greta.hip import SimTree
from greta.lab.children import group_of
from greta.reports import audit_files
from greta.runs import device as run_device

LONG = ["audit", "--device", "sim", "--model", "tiny", "--iters", "500", "--stress-iters", "0"]
CALM = """
import ctypes, time
hip = ctypes.CDLL("libamdhip64.so")
buffer, host = ctypes.c_void_p(), ctypes.create_string_buffer(64)
hip.hipMalloc(ctypes.byref(buffer), ctypes.c_size_t(64))
hip.hipMemset(buffer, 0, ctypes.c_size_t(64))
hip.hipMemcpy(host, buffer, ctypes.c_size_t(64), ctypes.c_int(2))
"""
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)" + CALM + "time.sleep(100)"


@pytest.fixture(autouse=True)
def _place(sim_tree: SimTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # other audits have other locks
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(greta.__file__).parents[1]))


def started(folder: Path, words: list[str], ready: str) -> subprocess.Popen[str]:
    """An audit of which a child has come so far that a file of its recording is there."""
    command = [sys.executable, "-m", "greta", *words]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder
    )
    wait_until(lambda: bool(list((folder / "artifacts").glob(f"*/*/run/{ready}"))))
    return process


def wait_until(true: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it does not come"
        time.sleep(0.05)


def summary_in(folder: Path, case: str = "*") -> dict[str, Any]:
    [path] = (folder / "artifacts").glob(f"*/{case}/summary.json")
    summary: dict[str, Any] = json.loads(path.read_text())
    assert summary["schema"] == 1
    return summary


def processes_of(folder: Path) -> list[int]:
    """Those that were started with the folder in their words or their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            facts = (path / "cmdline").read_bytes() + (path / "environ").read_bytes()
        except OSError:
            continue
        pid = int(path.name)
        if os.fsencode(f"{folder}/artifacts") in facts and pid != os.getpid() and group_of(pid):
            found.append(pid)
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_asks_it_to_end_gets_what_was_seen(tmp_path: Path, number: signal.Signals) -> None:
    program = tmp_path / "program.py"
    program.write_text(CALM + "time.sleep(100)")
    words = ["audit", "--device", "sim", "--", sys.executable, str(program)]
    audit = started(tmp_path, words, "A.0/recording/*/lane.0")
    audit.send_signal(number)
    said = audit.communicate(timeout=60)
    assert audit.returncode == 3, said
    assert "INCONCLUSIVE" in said[0]
    assert "go on with `greta audit --resume" in said[1]
    summary = summary_in(tmp_path)
    assert (summary["partial"], summary["verdict"]) == ("interrupted", "INCONCLUSIVE")
    assert processes_of(tmp_path) == []


def test_an_audit_that_is_killed_leaves_a_summary_and_no_lock(tmp_path: Path) -> None:
    program = tmp_path / "stubborn.py"
    program.write_text(STUBBORN)
    words = ["audit", "--device", "sim", "--case", "one", "--", sys.executable, str(program)]
    audit = started(tmp_path, words, "A.0/recording/*/lane.0")
    audit.kill()
    audit.communicate(timeout=60)
    summary = summary_in(tmp_path)
    assert (summary["partial"], summary["verdict"]) == ("running", "INCONCLUSIVE")
    # Its child does not want to go; the next audit sees to it.
    left = processes_of(tmp_path)
    assert left
    program.write_text(CALM)
    again = ["audit", "--device", "sim", "--case", "two", "--iters", "1", "--stress-iters", "0"]
    assert main([*again, "--", sys.executable, str(program)]) == 0
    assert [group_of(pid) for pid in left] == [None] * len(left)
    assert summary_in(tmp_path, "two")["partial"] is None


def test_our_own_children_do_not_outlive_a_killed_audit(tmp_path: Path) -> None:
    audit = started(tmp_path, LONG, "B.0/recording/*/lane.0")
    assert processes_of(tmp_path)
    audit.kill()
    audit.communicate(timeout=60)
    wait_until(lambda: processes_of(tmp_path) == [], 20.0)
    assert summary_in(tmp_path)["partial"] == "running"


SHORT = ["audit", "--device", "sim", "--model", "tiny", "--iters", "2", "--stress-iters", "1"]


def test_all_that_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["greta", *SHORT])
    assert main(SHORT) == 0
    summary = summary_in(tmp_path)
    assert_contract(summary)
    [folder] = (tmp_path / "artifacts").glob("*/audit")
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
    assert all((folder / name).is_file() for name in summary["files"].values())

    # The reports need the summary alone; a run folder has a report of its own.
    alone = tmp_path / "alone.json"
    alone.write_text(json.dumps(summary))
    capsys.readouterr()
    for lang in ("en", "es"):
        assert main(["report", str(alone), "--lang", lang]) == 0
        assert capsys.readouterr().out == (folder / f"report.{lang}.md").read_text()
    assert main(["report", str(folder / "run" / "A.0")]) == 0
    assert "No fault was seen, and every HIP call was recorded" in capsys.readouterr().out


def test_the_report_says_why_the_device_is_that_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GRETA_DEVICE", raising=False)
    monkeypatch.setattr(run_device, "_gpu_obstacle", lambda: "the GPU is on holiday")
    words = [word for word in SHORT if word not in ("--device", "sim")]
    assert main(words) == 0
    assert "The device was simulated, no GPU was used." in capsys.readouterr().out
    device = summary_in(tmp_path)["device"]
    said = tuple(device[name] for name in ("asked", "kind", "reason"))
    assert said == ("auto", "sim", "the GPU is on holiday")


def assert_contract(summary: dict[str, Any]) -> None:
    """What DESIGN says of summary.json."""
    assert (summary["case"], summary["verdict"], summary["partial"]) == (
        "audit",
        "NOT_REPRODUCED",
        None,
    )
    tests = summary["tests"]
    assert [(one["id"], one["mode"], one["iterations"]) for one in tests] == [
        ("A", "baseline", 2),
        ("B", "audit", 2),
        ("C", "stress", 1),
    ]
    assert all(one["result"] == "PASS" and one["tokens_per_second"] > 0 for one in tests)
    statistics = summary["statistics"]
    assert (statistics["runs"], statistics["failures"]) == (5, 0)
    assert 0 < statistics["failure_rate_upper_95"] < 1
    assert set(summary["observer"]) >= {"slowdown", "interval_95"}
    coverage = summary["coverage"]
    assert coverage["complete"]
    assert coverage["d2h"]["calls"] == coverage["d2h"]["audited"] > 0
    assert [one["id"] for one in summary["hypotheses"]] == list(HYPOTHESES)
    assert (summary["blamed"], summary["cause"]) == (None, None)
    assert len(summary["model"]["sha256"]) == 64
    assert summary["environment"]["hip_library"].endswith("libamdhip64.so")
    assert isinstance(summary["next_steps"], list)
    assert all(one["range"][0] < one["range"][1] for one in summary["iterations"])


@pytest.mark.parametrize("full", ["summary.json", "SHA256SUMS"])
def test_a_disk_that_is_full_at_the_end_is_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    full: str,
) -> None:
    program = tmp_path / "program.py"
    program.write_text(CALM)
    for name in ("write_whole", "write_json", "write_sums"):
        before = getattr(audit_files, name)
        monkeypatch.setattr(audit_files, name, _refusing(before, full))
    words = ["audit", "--device", "sim", "--iters", "1", "--stress-iters", "0"]
    assert main([*words, "--", sys.executable, str(program)]) == 3
    error = capsys.readouterr().err
    assert error.count("no space is left on the disk") == 1
    assert "Traceback" not in error
    expected = "running" if full == "summary.json" else None
    assert summary_in(tmp_path)["partial"] == expected


def _refusing(write: Callable[..., None], full: str) -> Callable[..., None]:
    def refuse(path: Path, *what: Any) -> None:
        name = "SHA256SUMS" if write.__name__ == "write_sums" else path.name
        if name == full:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(path, *what)

    return refuse


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_disk_without_room_for_a_recording_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "none", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("this root may not mount anything")
    try:
        assert main([*SHORT, "--out", str(disk / "artifacts")]) == 3
        error = capsys.readouterr().err
        assert error.count("no space is left on the disk of") == 1
        summary = summary_in(disk)
        assert (summary["partial"], summary["statistics"]["runs"]) == ("failed", 0)
        assert processes_of(disk) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)


FILLING = (
    CALM
    + """
import os, pathlib, time
disk = pathlib.Path(os.environ["DISK"])
runs = len(list(disk.glob("artifacts/*/*/run/*/run.json")))
if runs == 3:
    for _ in range(600):  # the first two are judged while this one runs
        if len(list(disk.glob("artifacts/*/*/run/*/verdict.json"))) == 2: break
        time.sleep(0.1)
    with (disk / "filler").open("wb", buffering=0) as filler:
        try:
            while True: filler.write(bytes(1 << 20))
        except OSError: pass
"""
)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_disk_that_fills_up_does_not_hide_what_had_been_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    disk, program = tmp_path / "disk", tmp_path / "program.py"
    program.write_text(FILLING)
    disk.mkdir()
    monkeypatch.setenv("DISK", str(disk))
    mount = ["mount", "-t", "tmpfs", "-o", "size=800m", "none", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("this root may not mount anything")
    try:
        words = ["audit", "--device", "sim", "--iters", "9", "--out", str(disk / "artifacts")]
        assert main([*words, "--", sys.executable, str(program)]) == 3
        said, summary = capsys.readouterr(), summary_in(disk)
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert "space" in said.err
    told = " ".join(said.out.split())
    assert "The audit could not go on: " in told
    assert "no space" in told
    assert "In 2 runs none failed" in told
    # What could still be written, which may be as of a run before.
    assert 1 <= summary["statistics"]["runs"] <= 2
    assert "What is below had been seen until then." in told
    assert "Nothing ran" not in told
    assert "Check that the command" not in told


def test_a_gpu_that_was_asked_for_in_vain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_device, "_gpu_obstacle", lambda: "the GPU is on holiday")
    program = tmp_path / "program.py"
    program.write_text("import ctypes; ctypes.CDLL('libnothing-of-this-name.so')")
    words = ["audit", "--device", "hip", "--iters", "2", "--stress-iters", "0"]
    assert main([*words, "--", sys.executable, str(program)]) == 3
    said = capsys.readouterr()
    told = " ".join(said.out.split())
    assert "A GPU was asked for, but it cannot be used: " in told
    assert "was a real GPU" not in told
    assert "libnothing-of-this-name.so" in told
    assert "makes no HIP call" not in told + said.err


def test_what_was_shown_outlives_a_killed_audit(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(CALM + "time.sleep(0.2)")
    words = [sys.executable, "-m", "greta", "audit", "--device", "sim"]
    audit = subprocess.Popen(
        [*words, "--", sys.executable, str(program)], stderr=subprocess.PIPE, text=True
    )
    assert audit.stderr
    shown = audit.stderr.readline()
    audit.kill()
    audit.communicate(timeout=60)
    summary = summary_in(tmp_path)
    done = int(shown.removeprefix("greta: ").partition("/")[0])
    assert summary["statistics"]["runs"] >= done > 0
    assert sum(one["completed"] for one in summary["tests"]) >= done


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--timeout", "0"], "--timeout"),
        (["--timeout", "nan"], "--timeout"),
        (["--iters", "0", "--stress-iters", "0"], "nothing would run"),
        (["--profiles", "other"], "there is no 'other'"),
        (["--case", "../x", "--model", "tiny"], "--case"),
        (["--resume", "nowhere"], "has no summary.json"),
    ],
)
def test_bad_usage(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--device", "sim", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
