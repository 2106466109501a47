"""What --watch-host costs, against the recorder without it, on the simulated device.

    python benchmarks/recorder/host_watch.py

Each line is a copy from the device to pinned memory, waited for and then read: once as it should
be, once with one byte read too early. Medians of five runs that take turns.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from greta.hip import find_sim_tree
from greta.runs.recorder import Recording, find_recorder, recording_environment

SOURCE = Path(__file__).with_suffix(".cpp")
TURNS = 5
SIZES = {"64 B": (64, 3000), "64 KiB": (1 << 16, 1500), "16 MiB": (1 << 24, 30)}


def main() -> int:
    """Builds, measures, prints."""
    tree = find_sim_tree()
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / "host_watch"
        command = ["g++", "-O2", "-std=c++17", f"-I{tree.include}", SOURCE, "-o", program]
        subprocess.run([*command, f"-L{tree.lib}", "-lamdhip64"], check=True)
        for size, (count, copies) in SIZES.items():
            words = [str(program), str(count), str(copies)]
            plain, watched, early = _medians(Path(name), words)
            print(
                f"{size:>7}: recorded {plain / 1e3:8.1f} us, watched {watched / 1e3:8.1f} us "
                f"({watched / plain:.2f} times), touched too early {early / 1e3:8.1f} us"
            )
    return 0


def _medians(folder: Path, words: list[str]) -> list[float]:
    ways = ((False, "0"), (True, "0"), (True, "1"))
    rounds = [[_run(folder, [*words, early], watch) for watch, early in ways] for _ in range(TURNS)]
    return [statistics.median(column) for column in zip(*rounds, strict=True)]


def _run(folder: Path, words: list[str], watch: bool) -> float:
    base = {**os.environ, "LD_LIBRARY_PATH": str(find_sim_tree().lib)}
    recording = Recording(folder / "recording", ring=1000, watch_host=watch)
    env = recording_environment(base, find_recorder(), recording)
    done = subprocess.run(words, env=env, check=True, capture_output=True, text=True)
    return float(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
