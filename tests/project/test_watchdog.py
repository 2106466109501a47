"""A test that hangs ends the run with a failure, and says where it hung."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests import children

# One waits in Python; one in C, where no signal or exception reaches it.
HANGING = """
import ctypes, threading, time

def test_before():
    pass

def test_in_python():
    threading.Event().wait()

def test_in_c():
    ctypes.PyDLL(None).sleep(1000)
"""


def run_pytest(root: Path, tests: Path, *words: str) -> children.Done:
    tests.write_text(HANGING)
    options = ["-p", "tests.watchdog", "--rootdir", str(tests.parent), "-c", os.devnull]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, *words]
    return children.run([*command, tests], cwd=root, timeout=60)


@pytest.mark.parametrize("name", ["in_python", "in_c"])
def test_a_test_that_hangs_ends_the_run(name: str, root: Path, tmp_path: Path) -> None:
    done = run_pytest(root, tmp_path / "test_it.py", "--test-limit", "2", "-k", name)
    assert done.returncode == 1
    assert "Timeout" in done.stderr
    assert f"in test_{name}" in done.stderr


def test_a_test_that_ends_is_left_alone(root: Path, tmp_path: Path) -> None:
    done = run_pytest(root, tmp_path / "test_it.py", "--test-limit", "60", "-k", "before")
    assert (done.returncode, done.stderr) == (0, "")


# A worker that dies, behind many files that it has done and before few others.
DEADLY = """
import os, time, pytest

@pytest.mark.parametrize("number", range({tests}))
def test_it(number):
    time.sleep(0.01)
    if {tests} == 3 and number == 0 and not os.path.exists("dead"):
        open("dead", "w").close()
        os._exit(1)
"""


def test_a_worker_that_dies_does_not_keep_the_others_waiting(root: Path, tmp_path: Path) -> None:
    for number, tests in enumerate([4] * 40 + [3, 1]):  # the largest are dealt out first
        (tmp_path / f"test_{number}.py").write_text(DEADLY.format(tests=tests))
    options = ["-p", "tests.dealing", "-n", "2", "--dist", "loadfile", "-c", os.devnull]
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = children.run(words, cwd=tmp_path, env=environment)
    assert "crashed while running" in done.stdout
    assert "1 failed, 164 passed" in done.stdout
