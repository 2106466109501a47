"""Time to first token from a warm cache, start-up included, and the peak of memory.

A run is a process of its own, from the moment it is started to the first byte of its text. greta
and llama.cpp (through llama-cpp-python, if it is installed) take turns; the median counts. Memory
is the most that the process had in RAM, VmHWM; on the simulated device that includes the device's.
Warm are the files, the compiled kernels and Python's compiled modules, as in an installed greta.

    python benchmarks/infer_start.py [--model smollm2 | FILE] [--rounds N]
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from greta.model import find_model

PROMPT = "The capital of France is"
GOAL_SECONDS = 1.0
GOAL_MEMORY = 1.5  # times the file
_PEER = """
import sys
from llama_cpp import Llama
llama = Llama(sys.argv[1], n_ctx=512, verbose=False)
for piece in llama(sys.argv[2], max_tokens=1, temperature=0, stream=True):
    print(piece["choices"][0]["text"], flush=True)
"""


@dataclass(frozen=True)
class Start:
    """Seconds to the first byte of text, and the peak of memory in bytes."""

    seconds: float
    peak: int


def commands(path: Path) -> dict[str, list[str]]:
    infer = ["infer", "--device", "sim", "--model", str(path), "--prompt", PROMPT]
    found = {"greta": [sys.executable, "-m", "greta", *infer, "--greedy", "--max-tokens", "1"]}
    if importlib.util.find_spec("llama_cpp"):
        found["llama.cpp"] = [sys.executable, "-c", _PEER, str(path), PROMPT]
    return found


def environment(modules: str) -> dict[str, str]:
    """What lets Python keep compiled modules, in a folder of their own."""
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": modules}


def start(command: list[str], variables: dict[str, str]) -> Start:
    started = perf_counter()
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        env=variables,
    ) as child:
        assert child.stdout is not None
        first = child.stdout.read(1)
        seconds = perf_counter() - started
        child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if not first or child.returncode:
        raise SystemExit(f"{command[:4]} ended with {child.returncode}")
    return Start(seconds, usage.ru_maxrss * 1024)


def measure(path: Path, rounds: int) -> dict[str, list[Start]]:
    found: dict[str, list[Start]] = {name: [] for name in commands(path)}
    with tempfile.TemporaryDirectory() as modules:
        variables = environment(modules)
        for number in range(rounds + 1):
            for name, command in commands(path).items():
                measured = start(command, variables)
                if number:  # the first warms the caches
                    found[name].append(measured)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--rounds", type=int, default=11)
    options = parser.parse_args()
    path = find_model(options.model)
    size = path.stat().st_size
    found = measure(path, options.rounds)
    print(f"{path.name}, {size / 1e6:.1f} MB, {options.rounds} rounds")
    for name, starts in found.items():
        seconds = median(s.seconds for s in starts)
        slowest = max(s.seconds for s in starts)
        peak = median(s.peak for s in starts)
        print(
            f"{name}: first token after {seconds:.3f} s (slowest {slowest:.3f} s), "
            f"peak memory {peak / 1e6:.1f} MB, {peak / size:.2f} times the file"
        )
    print(f"goals: {GOAL_SECONDS:.1f} s, {GOAL_MEMORY} times the file")


if __name__ == "__main__":
    main()
