"""No child outlives its test: what tests/children.py promises to the other tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import children

FOREVER = "1000"  # seconds: longer than any test


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def wait_until_gone(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_alive(pid)


def pid_in(file: Path) -> int:
    deadline = time.monotonic() + 30
    while not (file.exists() and file.read_text().endswith("\n")):
        assert time.monotonic() < deadline, "the child never started"
        time.sleep(0.01)
    return int(file.read_text())


def test_a_child_runs_as_if_nothing_held_it(tmp_path: Path) -> None:
    script = "pwd; echo $WORD; echo seen >&2; exit 3"
    done = children.run(["sh", "-c", script], env={**os.environ, "WORD": "hi"}, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (3, f"{tmp_path}\nhi\n", "seen\n")
    with pytest.raises(subprocess.CalledProcessError):
        children.run(["false"], check=True)


def test_a_child_that_takes_too_long_is_killed_with_its_own_children(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    script = f"sleep {FOREVER} & echo $! > {note}; wait"
    with pytest.raises(subprocess.TimeoutExpired):
        children.run(["sh", "-c", script], timeout=1)
    assert wait_until_gone(pid_in(note))


def test_a_child_dies_with_a_test_run_that_is_killed(root: Path, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    command = ["sh", "-c", f"echo $$ > {note}; exec sleep {FOREVER}"]
    program = f"from tests import children; children.run({command})"
    parent = subprocess.Popen([sys.executable, "-c", program], cwd=root)
    child = pid_in(note)
    assert is_alive(child)
    parent.send_signal(signal.SIGKILL)
    parent.wait(10)
    assert wait_until_gone(child)
