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
