"""Programs that are compiled for the tests, and a way to run them under the recorder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from greta.hip import SimTree
from greta.recording import Process, open_recording
from greta.runs.recorder import find_recorder
from tests import children
from tests.simdevice.library import compile_kernels

PROGRAMS = Path(__file__).parent / "programs"

KERNELS = """
extern "C" __global__ void scale(float* values, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}
struct Pair { float* first; long long count; };
extern "C" __global__ void fill(Pair pair, char small, double large) {
  if (threadIdx.x < pair.count) pair.first[threadIdx.x] = small + large;
}
"""


@pytest.fixture(scope="session")
def recorder() -> Path:
    """libgreta_recorder.so."""
    return find_recorder()


@pytest.fixture(scope="session")
def code_object(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kernels above, compiled."""
    path = tmp_path_factory.mktemp("kernels") / "kernels.co"
    path.write_bytes(compile_kernels(KERNELS))
    return path


Build = Callable[..., Path]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory, sim_tree: SimTree) -> Build:
    """Compiles one of the programs; each only once."""
    folder = tmp_path_factory.mktemp("programs")

    def compiled(name: str) -> Path:
        program = folder / name
        if not program.exists():
            source = PROGRAMS / f"{name}.cpp"
            options = ["-std=c++17", "-g", "-O1", "-pthread", f"-I{sim_tree.include}"]
            libraries = [f"-L{sim_tree.lib}", "-lamdhip64", "-lroctx64"]
            compiler = os.environ.get("CXX", "g++")
            children.run([compiler, *options, source, "-o", program, *libraries], check=True)
        return program

    return compiled


@pytest.fixture
def recorded_environment(
    tmp_path: Path, recorder: Path, sim_tree: SimTree, environment: dict[str, str]
) -> dict[str, str]:
    """What makes a program run on the simulated device, under the recorder."""
    return {
        **environment,
        "GRETA_RECORD": str(tmp_path / "recording"),
        "LD_PRELOAD": str(recorder),
        "LD_LIBRARY_PATH": str(sim_tree.lib),
        "ROCM_PATH": str(sim_tree.root),
    }


Record = Callable[..., list[Process]]


@pytest.fixture
def record(tmp_path: Path, recorded_environment: dict[str, str]) -> Record:
    """Runs a command under the recorder; gives the processes that were recorded."""

    def run(command: list[object], exit_code: int = 0, **variables: str) -> list[Process]:
        folder = tmp_path / "recording"
        shutil.rmtree(folder, ignore_errors=True)
        done = children.run(command, env={**recorded_environment, **variables})
        assert done.returncode == exit_code, done.stderr
        assert folder.exists(), "nothing was recorded"
        return sorted(open_recording(folder).processes, key=lambda p: p.header.start_realtime_ns)

    return run


def check_guest(build: Build, recorded_environment: dict[str, str], what: str) -> None:
    """A program of guest.cpp ends well, recorded or not."""
    plain = {name: value for name, value in recorded_environment.items() if name != "LD_PRELOAD"}
    for env in (plain, recorded_environment):
        done = children.run([build("guest"), what], env=env, timeout=30)
        assert done.returncode == 0, (done.returncode, done.stderr)
