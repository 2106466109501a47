"""What auditing and recording cost an inference, in parts of its decode speed.

Three processes with the same model take turns, a greedy decode of 128 tokens each: one plain, one
with GCORE_D2H_AUDIT=1 and a log file, one that is also under the recorder. Each round gives a ratio
between neighbours in time; printed are their median and the interval that has it with 95 %.

    python benchmarks/infer_observer_cost.py [--model smollm2 | FILE] [--rounds N] [--check]
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from infer_against_llama_cpp import Worker, prompt_tokens
from scipy.stats import binom

from greta.hip import find_sim_tree
from greta.model import find_model
from greta.runs.recorder import find_recorder

AUDIT_GOAL = 0.02
RECORDING_GOAL = 0.02  # on top of the audit
_PLAIN, _AUDITED, _RECORDED = "plain", "audited", "audited and recorded"


@dataclass(frozen=True)
class Cost:
    """The part of the speed that is lost: the median of the rounds, and its interval."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:+.2%} (95 %: {self.low:+.2%} to {self.high:+.2%})"


def cost(before: list[float], after: list[float]) -> Cost:
    """What `after` is slower than `before`, round by round."""
    lost = np.sort(1 - np.asarray(after) / np.asarray(before))
    # Order statistics hold the median with a known chance, whatever the distribution is.
    rank = int(binom.ppf(0.025, len(lost), 0.5))
    return Cost(float(np.median(lost)), float(lost[rank]), float(lost[-1 - rank]))


def environments(folder: Path) -> dict[str, dict[str, str]]:
    """The variables of each process."""
    names = ("GCORE_D2H_AUDIT", "GCORE_D2H_AUDIT_LOG", "GRETA_RECORD", "LD_PRELOAD")
    plain = {name: text for name, text in os.environ.items() if name not in names}
    audit = {**plain, "GCORE_D2H_AUDIT": "1", "GCORE_D2H_AUDIT_LOG": str(folder / "audit.log")}
    second = {**audit, "GCORE_D2H_AUDIT_LOG": str(folder / "second.log")}
    tree = find_sim_tree()
    linked = {**second, "ROCM_PATH": str(tree.root), "LD_LIBRARY_PATH": str(tree.lib)}
    recorder = {"LD_PRELOAD": str(find_recorder()), "GRETA_RECORD": str(folder / "recording")}
    return {_PLAIN: plain, _AUDITED: audit, _RECORDED: {**linked, **recorder}}


@contextmanager
def workers(path: Path, threads: int, folder: Path) -> Iterator[Mapping[str, Worker]]:
    started = {
        name: Worker("greta", path, threads, variables)
        for name, variables in environments(folder).items()
    }
    try:
        yield started
    finally:
        for worker in started.values():
            worker.close()


def measure(path: Path, rounds: int, threads: int) -> dict[str, list[float]]:
    """Decoded tokens per second of each process, round by round."""
    prompt = prompt_tokens(path)[:8]  # decode is what is looked at
    order = random.Random(0)  # noqa: S311
    found: dict[str, list[float]] = {_PLAIN: [], _AUDITED: [], _RECORDED: []}
    with (
        tempfile.TemporaryDirectory() as folder,
        workers(path, threads, Path(folder)) as started,
    ):
        for number in range(rounds + 1):
            # By chance: in turns and back, the middle one alone would never follow itself.
            for name in order.sample(list(found), len(found)):
                speed = started[name].run(prompt).decode
                if number:  # the first round warms up
                    found[name].append(speed)
        _require_evidence(Path(folder))
    return found


def _require_evidence(folder: Path) -> None:
    """A cost of nothing because nothing was written would be no result."""
    for name in ("audit.log", "second.log"):
        assert (folder / name).stat().st_size > 0, f"{name} is empty"
    assert any((folder / "recording").iterdir()), "nothing was recorded"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--check", action="store_true", help="exit with 1 if a goal is missed")
    options = parser.parse_args()
    path = find_model(options.model)
    print(f"{path.name}, {options.threads} threads, {options.rounds} rounds", flush=True)
    found = measure(path, options.rounds, options.threads)
    for name, speeds in found.items():
        print(f"{name}: {np.median(speeds):.1f} tokens/s")
    audit = cost(found[_PLAIN], found[_AUDITED])
    recording = cost(found[_AUDITED], found[_RECORDED])
    print(f"auditing costs {audit} of the decode speed; at most {AUDIT_GOAL:.0%} is asked for")
    print(f"recording costs {recording} more; at most {RECORDING_GOAL:.0%} is asked for")
    missed = audit.low > AUDIT_GOAL or recording.low > RECORDING_GOAL
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
