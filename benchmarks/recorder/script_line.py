"""What the line of a Python script costs a recorded call, by how deep the script is in calls.

    python benchmarks/recorder/script_line.py

The same loop of ctypes calls with GRETA_RECORD_PYTHON=1 and 0, and not recorded. A run is its
quiet rounds: cores that share their units with a neighbour take half as long again, for seconds.
Medians of runs that take turns.
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
WAYS = ("1", "0", None)  # with its line, without, not recorded
LOOP = """
import ctypes, sys, time
peek = ctypes.CDLL("libamdhip64.so").hipPeekAtLastError
def loop(depth):
    if depth:
        return loop(depth - 1)
    for _ in range(1000):
        peek()
    rounds = []
    for _ in range(40):
        began = time.perf_counter_ns()
        for _ in range(5000):
            peek()
        rounds.append((time.perf_counter_ns() - began) / 5000)
    return sorted(rounds)[4]
print(loop(int(sys.argv[1])))
"""


def main() -> int:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as name:
        for depth in DEPTHS:
            ways = [[_run(Path(name), depth, line) for line in WAYS] for _ in range(TURNS)]
            with_line, without, plain = map(statistics.median, zip(*ways, strict=True))
            print(
                f"depth {depth:2}: {plain:5.1f} ns a call, recorded {without - plain:5.1f} more, "
                f"its line {with_line - without:5.1f} more"
            )
    return 0


def _run(folder: Path, depth: int, line: str | None) -> float:
    env = {**os.environ, "LD_LIBRARY_PATH": str(find_sim_tree().lib)}
    if line is not None:
        env |= {"GRETA_RECORD_PYTHON": line}
        env = recording_environment(env, find_recorder(), folder / "recording", ring=1000)
    command = [sys.executable, "-c", LOOP, str(depth)]
    return float(subprocess.run(command, env=env, check=True, capture_output=True).stdout)


if __name__ == "__main__":
    sys.exit(main())
