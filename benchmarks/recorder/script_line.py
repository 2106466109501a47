"""What the line of a Python script costs a recorded call, by how deep the script is in calls.

    python benchmarks/recorder/script_line.py

The same loop of ctypes calls with GRETA_RECORD_PYTHON=1 and 0. Medians of runs that take turns.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from greta.hip import find_sim_tree
from greta.runs.recorder import find_recorder, recording_environment

TURNS = 7
DEPTHS = (0, 5, 20)
LOOP = """
import ctypes, sys, time
peek = ctypes.CDLL("libamdhip64.so").hipPeekAtLastError
def loop(depth):
    if depth:
        return loop(depth - 1)
    for _ in range(1000):
        peek()
    began = time.perf_counter_ns()
    for _ in range(200_000):
        peek()
    return (time.perf_counter_ns() - began) / 200_000
print(loop(int(sys.argv[1])))
"""


def main() -> int:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as name:
        for depth in DEPTHS:
            pairs = [[_run(Path(name), depth, line) for line in "10"] for _ in range(TURNS)]
            with_line, without = (statistics.median(column) for column in zip(*pairs, strict=True))
            print(
                f"depth {depth:2}: {with_line:6.1f} ns a call with its line, {without:6.1f} ns "
                f"without: {with_line - without:5.1f} ns"
            )
    return 0


def _run(folder: Path, depth: int, line: str) -> float:
    base = {**os.environ, "LD_LIBRARY_PATH": str(find_sim_tree().lib), "GRETA_RECORD_PYTHON": line}
    env = recording_environment(base, find_recorder(), folder / "recording", ring=1000)
    command = [sys.executable, "-c", LOOP, str(depth)]
    return float(subprocess.run(command, env=env, check=True, capture_output=True).stdout)


if __name__ == "__main__":
    sys.exit(main())
