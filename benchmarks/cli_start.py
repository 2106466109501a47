"""CPU seconds of `greta --help` and `greta --version`, beside those of Python and of pip.

Each round starts every command once; printed are the medians, and the ratio to the peers.

    python benchmarks/cli_start.py [--rounds N] [--check]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from statistics import median

GOAL = 0.15
COMMANDS = {
    "greta --help": ["-m", "greta", "--help"],
    "greta --version": ["-m", "greta", "--version"],
    "python -c pass": ["-c", "pass"],
    "pip --version": ["-m", "pip", "--version"],
}
PEERS = ("python -c pass", "pip --version")


def cpu_seconds(words: list[str]) -> float:
    """User and system time of one process."""
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{words} ended with {process.returncode}"
    return usage.ru_utime + usage.ru_stime


def measure(rounds: int) -> dict[str, float]:
    """The median of each command; the first round only warms the disk's cache."""
    found: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for number in range(rounds + 1):
        for name, words in COMMANDS.items():
            seconds = cpu_seconds(words)
            if number:
                found[name].append(seconds)
    return {name: median(seconds) for name, seconds in found.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--check", action="store_true", help="exit with 1 if the goal is missed")
    options = parser.parse_args()
    found = measure(options.rounds)
    for name, seconds in found.items():
        ratios = ", ".join(f"{seconds / found[peer]:.2f} x {peer}" for peer in PEERS)
        print(f"{name:16} {seconds:.3f} s of CPU   {ratios}")
    slowest = max(seconds for name, seconds in found.items() if name not in PEERS)
    print(f"at most {GOAL} s are asked for")
    return 1 if options.check and slowest > GOAL else 0


if __name__ == "__main__":
    sys.exit(main())
