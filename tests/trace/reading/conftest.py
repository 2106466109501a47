"""Small C++ programs, run under the recorder on the simulated device, and their traces."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from greta.hip import SimTree
from greta.recording import open_recording
from greta.runs.recorder import find_recorder
from greta.trace.reading import trace_of
from tests import children
from tests.simdevice.library import compile_kernels
from tests.trace.reading.shown import Shown

PROGRAMS = Path(__file__).parent / "programs"

KERNELS = """
struct Pair { float* first; long long count; };
extern "C" __global__ void scale(float* values, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}
extern "C" __global__ void add(const float* __restrict__ x, double* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}
extern "C" __global__ void fill(Pair pair, char small, double large) {
  if (threadIdx.x < pair.count) pair.first[threadIdx.x] = small + large;
}
__device__ int counter[4];
"""


@pytest.fixture(scope="session")
def code_object(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kernels above, compiled."""
    path = tmp_path_factory.mktemp("kernels") / "kernels.co"
    path.write_bytes(compile_kernels(KERNELS))
    return path


Traced = Callable[..., Shown]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, sim_tree: SimTree) -> Callable[[str], Path]:
    """Compiles one of the programs; each only once."""
    folder = tmp_path_factory.mktemp("programs")

    def build(name: str) -> Path:
        program = folder / name
        if not program.exists():
            options = ["-std=c++17", "-g", "-pthread", f"-I{sim_tree.include}", f"-I{PROGRAMS}"]
            libraries = [f"-L{sim_tree.lib}", "-lamdhip64"]
            compiler = os.environ.get("CXX", "g++")
            command = [compiler, *options, PROGRAMS / f"{name}.cpp", "-o", program, *libraries]
            children.run(command, check=True)
        return program

    return build


@pytest.fixture
def traced(
    tmp_path: Path,
    built: Callable[[str], Path],
    code_object: Path,
    sim_tree: SimTree,
    environment: dict[str, str],
) -> Traced:
    """Runs a program under the recorder; gives its trace."""

    def run(name: str, exit_code: int = 0, **variables: str) -> Shown:
        folder = tmp_path / "recording"
        variables = {
            **environment,
            "GRETA_RECORD": str(folder),
            "LD_PRELOAD": str(find_recorder()),
            "LD_LIBRARY_PATH": str(sim_tree.lib),
            "ROCM_PATH": str(sim_tree.root),
            **variables,
        }
        done = children.run([built(name), code_object], env=variables)
        assert done.returncode == exit_code, done.stderr
        (process,) = open_recording(folder).processes
        return Shown(trace_of(process))

    return run
