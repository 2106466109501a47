"""Real runs on the simulated device, from `greta run` to evidence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from greta.hip import SimTree
from greta.runs.gather import gather
from greta.trace.evidence import Evidence
from greta.trace.run_facts import RunFacts
from greta.trace.trace import Kind
from tests.runs.running import Runner

PROGRAM = '''
import ctypes, subprocess, sys
from rocm.bindings import hip, hiprtc

SOURCE = b"""
extern "C" __global__ void over(float* out, int n, int head_dim) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = head_dim;
}
"""

def ok(answer):
    error, *values = answer if isinstance(answer, tuple) else (answer,)
    assert int(error) == 0, error
    return values[0] if len(values) == 1 else values

if len(sys.argv) > 2:
    subprocess.run([sys.executable, sys.argv[0], "1"], check=True)
program = ok(hiprtc.hiprtcCreateProgram(SOURCE, b"k.hip", 0, [], []))
ok(hiprtc.hiprtcCompileProgram(program, 0, []))
code = bytearray(ok(hiprtc.hiprtcGetCodeSize(program)))
ok(hiprtc.hiprtcGetCode(program, code))
over = ok(hip.hipModuleGetFunction(ok(hip.hipModuleLoadData(code)), b"over"))
out = ok(hip.hipMalloc(4096))
blocks = int(sys.argv[1])
arguments = (out, ctypes.c_int(blocks * 64), ctypes.c_int(128))
grid = (blocks, 1, 1, 64, 1, 1)
ok(hip.hipModuleLaunchKernel(over, *grid, 0, None, kernelParams=None, extra=arguments))
print("ended with", int(hip.hipDeviceSynchronize()[0]))
'''


@pytest.fixture
def runner(tmp_path: Path, environment: dict[str, str], sim_tree: SimTree) -> Runner:
    return Runner(tmp_path, environment)


def recorded(runner: Runner, *words: str) -> list[Evidence]:
    script = runner.place / "program.py"
    script.write_text(PROGRAM)
    runner(sys.executable, str(script), *words)
    return gather(runner.folder)


def test_a_fault_line_comes_with_the_calls(runner: Runner) -> None:
    (evidence,) = recorded(runner, "100000")
    (fault,) = evidence.faults
    assert (fault.source, fault.kernel) == ("clr", "over")
    assert evidence.trace.operations["result"].tolist()[-1] == 700
    assert evidence.binary
    assert Path(evidence.binary.subject.path).name == "program.py"


def test_a_run_that_went_well_has_no_fault(runner: Runner) -> None:
    (evidence,) = recorded(runner, "16")
    assert evidence.faults == ()
    assert not evidence.trace.operations["failed"].any()


def test_of_two_processes_the_failing_one_has_the_fault(runner: Runner) -> None:
    found = recorded(runner, "100000", "and a child that is right")
    assert len(found) == 2
    for evidence in found:
        failed = bool(evidence.trace.operations["failed"].any())
        assert len(evidence.faults) == failed
        assert Kind.LAUNCH in evidence.trace.operations["kind"]


def test_a_recording_alone_is_enough(runner: Runner) -> None:
    recorded(runner, "16")
    (evidence,) = gather(runner.folder / "recording")
    assert evidence.run == RunFacts()
    assert len(evidence.trace.operations) > 0
