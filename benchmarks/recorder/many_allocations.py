"""What a recorded launch costs among many live allocations, beside the same launch among few.

    python benchmarks/recorder/many_allocations.py

On the simulated device. The ratio is near 1 as long as a launch looks at no allocation but its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from greta.hip import find_sim_tree
from greta.runs.recorder import find_recorder, recording_environment

PROGRAM = """
from time import perf_counter
from greta.hip import Buffer, Module, synchronize
source = 'extern "C" __global__ void add(float* x) { x[threadIdx.x] += 1; }'
add, v = Module.compile(source).kernel("add"), Buffer(256)
v.fill(0)
def launches():
    began = perf_counter()
    for _ in range(200):
        add(1, 64, v)
    synchronize()
    return perf_counter() - began
alone = min(launches() for _ in range(9))
others = [Buffer(16) for _ in range(20_000)]
among = min(launches() for _ in range(9))
print(f"a launch: {alone * 5e3:.1f} us, among 20,000 allocations {among * 5e3:.1f} us:", end=" ")
print(f"x {among / alone:.2f}")
"""


def main() -> None:
    tree = find_sim_tree()
    paths = {"ROCM_PATH": str(tree.root), "LD_LIBRARY_PATH": str(tree.lib)}
    with tempfile.TemporaryDirectory() as folder:
        base = {**os.environ, **paths}
        environment = recording_environment(base, find_recorder(), Path(folder, "recording"))
        subprocess.run([sys.executable, "-c", PROGRAM], env=environment, check=True)


if __name__ == "__main__":
    main()
