"""A marked test runs under the recorder and fails by the verdict, its twin passes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from greta.hip import SimTree
from tests import children

TESTS = """
import ctypes

import pytest


def copied(size, free=False):
    hip = ctypes.CDLL("libamdhip64.so")
    buffer, host = ctypes.c_void_p(), ctypes.create_string_buffer(64)
    hip.hipMalloc(ctypes.byref(buffer), ctypes.c_size_t(64))
    hip.hipMemset(buffer, 0, ctypes.c_size_t(64))
    if free:
        hip.hipFree(buffer)
    return hip.hipMemcpy(host, buffer, ctypes.c_size_t(size), ctypes.c_int(2))


@pytest.mark.greta(device="sim")
def test_good():
    assert copied(64) == 0


@pytest.mark.greta(device="sim")
def test_faulty():
    copied(64, free=True)  # whose error nobody looks at


@pytest.mark.greta(device="sim")
def test_wrong_by_itself():
    assert copied(64) == 1


@pytest.mark.greta(device="sim", inconclusive="fail")
@pytest.mark.parametrize("times", [0])
def test_nothing_to_see(times):
    assert times == 0


@pytest.mark.greta("sim")
def test_other_arguments():
    pass


@pytest.mark.greta(devise="sim")
def test_unknown_option():
    pass


@pytest.mark.greta(device="gpu")
def test_unknown_device():
    pass


def test_without_a_mark():
    import os

    assert "GRETA_PYTEST_INSIDE" not in os.environ
"""


@pytest.fixture(scope="module")
def said(
    tmp_path_factory: pytest.TempPathFactory, sim_tree: SimTree, root: Path
) -> subprocess.CompletedProcess[str]:
    folder = tmp_path_factory.mktemp("suite")
    (folder / "test_device.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\n")
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-rA"]
    command = [sys.executable, "-m", "pytest", "--strict-markers", *options]
    return children.run(command, cwd=folder)


@pytest.mark.parametrize(
    ("test", "outcome"),
    [
        ("test_good", "PASSED"),
        ("test_faulty", "FAILED"),
        ("test_wrong_by_itself", "FAILED"),
        ("test_nothing_to_see[0]", "FAILED"),
        ("test_other_arguments", "FAILED"),
        ("test_unknown_option", "FAILED"),
        ("test_unknown_device", "FAILED"),
        ("test_without_a_mark", "PASSED"),
    ],
)
def test_a_test_fails_by_its_verdict(
    said: subprocess.CompletedProcess[str], test: str, outcome: str
) -> None:
    assert f"{outcome} test_device.py::{test}" in said.stdout


def test_the_failure_is_the_verdict(said: subprocess.CompletedProcess[str]) -> None:
    assert "REPRODUCED" in said.stdout
    assert "after hipFree" in said.stdout or "freed" in said.stdout
    assert "assert copied(64) == 1" in said.stdout
    assert "the run is in " in said.stdout


def test_a_mark_that_cannot_be_used_is_one_sentence(
    said: subprocess.CompletedProcess[str],
) -> None:
    assert "\ngreta: the mark has no option 'devise'; did you mean device?\n" in said.stdout
    assert "\ngreta: the mark takes options of greta.run by name, and " in said.stdout
    assert "\ngreta: the device must be auto, hip or sim, not 'gpu'\n" in said.stdout
    assert "pytest_plugin.py" not in said.stdout
