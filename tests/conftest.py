"""Tests run on the simulated device: the choice is made here, before the first HIP call.

A device fault is permanent for the process it happens in, so tests that stage one do it in a
process of its own (see `run_script`).
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

import greta
from greta.errors import SimTreeMissingError
from greta.hip import SimTree, choose_device, find_sim_tree
from tests import children

pytest_plugins = ["tests.watchdog"]
if importlib.util.find_spec("xdist"):
    pytest_plugins.append("tests.dealing")

# How long an example takes says nothing on a machine that others use, too.
hypothesis.settings.register_profile(
    "suite", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("suite")

Run = Callable[..., "subprocess.CompletedProcess[str]"]

ROOT = Path(__file__).parents[1]

# What the developer's shell may have set for other purposes.
for _name in (
    "AMD_LOG_LEVEL",
    "AMD_SERIALIZE_COPY",
    "AMD_SERIALIZE_KERNEL",
    "CUDA_VISIBLE_DEVICES",
    "GRETA_DEVICE",
    "GRETA_KERNELS_ISA",
    "GRETA_SIM_CXX",
    "GRETA_SIM_CACHE",
    "GRETA_SIM_DEVICES",
    "GRETA_SIM_ISA",
    "GRETA_SIM_NATIVE_KERNELS",
    "GRETA_SIM_PLACEMENT",
    "GRETA_SIM_STACK_KIB",
    "GRETA_SIM_THREADS",
    "GRETA_SIM_VRAM",
    "HIP_LAUNCH_BLOCKING",
    "HIP_SKIP_ABORT_ON_GPU_ERROR",
    "HIP_VISIBLE_DEVICES",
    "LC_ALL",
    "LC_MESSAGES",
):
    os.environ.pop(_name, None)
os.environ["LANG"] = "C.UTF-8"  # commands speak English

# Who started the tests may ignore these signals, as nohup and background jobs of shells do; the
# programs under test must not inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Where several processes share the tests, each has a temporary folder of its own: audits keep the
# lock of their device there.
if _worker := os.environ.get("PYTEST_XDIST_WORKER"):
    os.environ["TMPDIR"] = tempfile.mkdtemp(prefix=f"greta-tests-{_worker}-")
    tempfile.tempdir = None
    atexit.register(shutil.rmtree, os.environ["TMPDIR"], ignore_errors=True)

with contextlib.suppress(SimTreeMissingError):  # the tests that need it say so
    choose_device("sim")


@pytest.fixture(scope="session")
def sim_tree() -> SimTree:
    """The simulated device's files."""
    try:
        return find_sim_tree()
    except SimTreeMissingError as error:
        pytest.fail(f"{error} (in a checkout: make setup, or make native)", pytrace=False)


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of a child process that is to find this very `greta`."""
    paths = [str(Path(greta.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    child = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    for name in ("ROCM_PATH", "HIP_PATH"):
        child.pop(name, None)
    return child


@pytest.fixture
def run_greta(environment: dict[str, str]) -> Run:
    """Runs the command `greta` with the given words."""

    def run(
        *words: str, timeout: float = 120, cwd: Path | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "greta", *words]
        return children.run(command, env={**environment, **variables}, cwd=cwd, timeout=timeout)

    return run


@pytest.fixture
def run_script(environment: dict[str, str], sim_tree: SimTree) -> Run:
    """Runs Python source on the simulated device, in a process of its own."""

    def run(
        source: str, timeout: float = 120, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        child = {**environment, "GRETA_DEVICE": "sim", **variables}
        return children.run([sys.executable, "-c", source], env=child, timeout=timeout)

    return run
