"""What `greta run --guard` costs: the same program recorded with it and without.

    python benchmarks/recorder/guard.py

On the simulated device; a GPU's driver takes longer to map memory. Seconds of CPU, medians of runs
that take turns. "allocates" does nothing but hipMalloc and hipFree of 64 KiB; "works" makes eight
buffers, launches 200 kernels over them and frees them, 50 times, as programs do.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from greta.hip import find_sim_tree
from greta.runs.recorder import find_recorder, recording_environment

TURNS = 3
PROGRAM = """
import sys
from rocm.bindings import hip, hiprtc
def checked(answer):
    assert int(answer[0]) == 0, answer
    return answer[1:]
def allocates():
    for _ in range(5000):
        (memory,) = checked(hip.hipMalloc(65536))
        checked(hip.hipFree(memory))
def works():
    source = b'extern "C" __global__ void add(float* x) { x[blockIdx.x * 64 + threadIdx.x] += 1; }'
    (program,) = checked(hiprtc.hiprtcCreateProgram(source, b"add.hip", 0, [], []))
    checked(hiprtc.hiprtcCompileProgram(program, 0, []))
    (size,) = checked(hiprtc.hiprtcGetCodeSize(program))
    code = bytearray(size)
    checked(hiprtc.hiprtcGetCode(program, code))
    (module,) = checked(hip.hipModuleLoadData(code))
    (kernel,) = checked(hip.hipModuleGetFunction(module, b"add"))
    for _ in range(50):
        memory = [checked(hip.hipMalloc(65536))[0] for _ in range(8)]
        for turn in range(200):
            checked(hip.hipModuleLaunchKernel(
                kernel, 256, 1, 1, 64, 1, 1, 0, None, kernelParams=None,
                extra=(memory[turn % 8],)))
        checked(hip.hipDeviceSynchronize())
        for one in memory:
            checked(hip.hipFree(one))
globals()[sys.argv[1]]()
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        for what in ("allocates", "works"):
            pairs = [
                [_seconds(Path(name), what, guard) for guard in (True, False)] for _ in range(TURNS)
            ]
            with_it, without = (statistics.median(column) for column in zip(*pairs, strict=True))
            print(
                f"{what:9}  {with_it:.2f} s of CPU with --guard, {without:.2f} s without:", end=" "
            )
            print(f"x {with_it / without:.2f}")
    return 0


def _seconds(folder: Path, what: str, guard: bool) -> float:
    tree = find_sim_tree()
    base = {**os.environ, "LD_LIBRARY_PATH": str(tree.lib), "ROCM_PATH": str(tree.root)}
    more = {"GRETA_RECORD_GUARD": "::"} if guard else {}
    env = recording_environment(base, find_recorder(), folder / "recording", ring=1000, more=more)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", PROGRAM, what], env=env, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
