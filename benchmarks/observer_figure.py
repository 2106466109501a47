"""Is what an audit says of its own cost true on a busy machine?

The truth is what many audits show together, on a machine that does nothing else; then a few audits
run while other processes take every core. Each says an interval for what recording and what
auditing multiply a duration by, and each interval should hold the truth.

    python benchmarks/observer_figure.py                            both, one after the other
    python benchmarks/observer_figure.py truth FILE [--audits 20]   on a quiet machine
    python benchmarks/observer_figure.py busy FILE [--audits 5] [--beside 4]
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ITERATIONS = 30
FIGURES = {"recording": "recorder", "auditing": "audit"}
BURN = "while True: sum(range(1000))"
_QUIET_LOAD = 0.5


class Figure(NamedTuple):
    """A factor of a duration, and its 95 % interval."""

    ratio: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.ratio:.3f} ({self.low:.3f} to {self.high:.3f})"


def audit(number: int, folder: Path) -> dict[str, Figure]:
    """What one audit says, each with a seed of its own."""
    result = folder / f"{number}.json"
    words = [*("audit", "--model", "tiny", "--device", "sim", "--stress-iters", "0", "--case")]
    words += [f"figure-{number}", "--iters", str(ITERATIONS), "--seed", str(number)]
    command = [sys.executable, "-m", "greta", *words, "--out", str(folder), "--json", str(result)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not result.exists():
        sys.exit(f"the audit ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    observer: dict[str, Any] = json.loads(result.read_text())["observer"]
    parts = {"audit": observer, "recorder": observer["recorder"]}
    return {
        name: Figure(part["slowdown"], *part["interval_95"])
        for name, key in FIGURES.items()
        if (part := parts[key]) and part["slowdown"] is not None
    }


def audits(count: int, first: int = 0) -> Iterator[dict[str, Figure]]:
    with tempfile.TemporaryDirectory(prefix="greta-benchmark-") as folder:
        for number in range(first, first + count):
            yield audit(number, Path(folder))


def together(figures: list[Figure]) -> Figure:
    """The median of audits, each with processes of its own, and where it lies with 95 %."""
    logs = np.sort(np.log([one.ratio for one in figures]))
    # Order statistics hold the median with a known chance, whatever the distribution is.
    chances = np.cumsum([math.comb(len(logs), k) / 2 ** len(logs) for k in range(len(logs))])
    rank = max(int(np.searchsorted(chances, 0.025)) - 1, 0)
    return Figure(*np.exp([np.median(logs), logs[rank], logs[-1 - rank]]).tolist())


def measure_truth(path: Path, count: int) -> None:
    if (load := os.getloadavg()[0]) > _QUIET_LOAD:
        print(f"this machine is busy (load {load:.1f}): this is no truth")
    said = list(audits(count))
    truth = {name: together([one[name] for one in said if name in one]) for name in FIGURES}
    path.write_text(json.dumps({name: list(figure) for name, figure in truth.items()}))
    for name, figure in truth.items():
        print(f"truth, {name}: {figure}, by {count} audits")


@contextmanager
def busy(beside: int) -> Iterator[None]:
    burners = [subprocess.Popen([sys.executable, "-c", BURN]) for _ in range(beside)]
    try:
        yield
    finally:
        for one in burners:
            one.kill()
            one.wait()


def compare(path: Path, count: int, beside: int) -> bool:
    """Whether no interval excludes the truth. What is not said excludes nothing."""
    truth = {name: Figure(*row) for name, row in json.loads(path.read_text()).items()}
    for name, figure in truth.items():
        print(f"truth, {name}: {figure}")
    held = True
    with busy(beside):
        for number, said in enumerate(audits(count, first=1000), start=1):
            for name, true in truth.items():
                if name not in said:
                    print(f"audit {number}, {name}: not said")
                    continue
                holds = said[name].low <= true.ratio <= said[name].high
                held &= holds
                word = "holds the truth" if holds else "EXCLUDES the truth"
                print(f"audit {number}, {name}: {said[name]}: {word}", flush=True)
    return held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("part", nargs="?", choices=("truth", "busy", "both"), default="both")
    parser.add_argument("file", nargs="?", type=Path, help="keeps the truth")
    parser.add_argument("--audits", type=int)
    parser.add_argument("--beside", type=int, default=2 * (os.cpu_count() or 1))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="greta-benchmark-") as folder:
        path = options.file or Path(folder) / "truth.json"
        if options.part != "busy":
            measure_truth(path, options.audits or 20)
        if options.part != "truth" and not compare(path, options.audits or 5, options.beside):
            sys.exit(1)


if __name__ == "__main__":
    main()
