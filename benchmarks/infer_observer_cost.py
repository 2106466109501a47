"""What auditing and recording cost an inference, in parts of its decode speed.

Auditing is compared inside one process: one engine, one copy of the weights, and for each decode
either transfers that write the audit's lines or transfers that write none. Recording needs a
process of its own, so it is compared with a process that is audited too and not recorded; processes
differ by a few per cent all by themselves, so that new ones are started several times. Each
comparison has its control, a twin of the plain side: what the control "costs" is what this machine
cannot tell apart.

A round is one short decode of each side, in an order drawn anew. Each round gives a ratio between
neighbours in time; printed are their median and the interval that holds it with 95 %.

    python benchmarks/infer_observer_cost.py [--model smollm2 | FILE] [--seconds N] [--check]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from infer_against_llama_cpp import prompt_tokens
from scipy.stats import binom

from greta import hip
from greta.engine import Capacity, Engine, Request
from greta.engine.d2h import Settings, Transfers
from greta.model import find_model, open_model
from greta.runs.recorder import find_recorder

AUDIT_GOAL = 0.02
RECORDING_GOAL = 0.02  # on top of the audit
TOKENS = 48
STARTS = 4
LEAST_ROUNDS = 2  # of each start, however slow the machine is

# Which process decodes, and with which transfers.
SIDES = {
    "plain": ("first", "plain"),
    "plain again": ("first", "again"),
    "audited": ("first", "audited"),
    "audited, another process": ("second", "audited"),
    "audited and recorded": ("recorded", "audited"),
}
Speeds = dict[str, list[float]]


@dataclass(frozen=True)
class Cost:
    """The part of the speed that is lost: the median of the rounds, and its interval."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:+.2%} (95 %: {self.low:+.2%} to {self.high:+.2%})"


def cost(speeds: Speeds, before: str, after: str) -> Cost:
    """What `after` is slower than `before`, round by round."""
    lost = np.sort(1 - np.asarray(speeds[after]) / np.asarray(speeds[before]))
    # Order statistics hold the median with a known chance, whatever the distribution is.
    rank = int(binom.ppf(0.025, len(lost), 0.5))
    return Cost(float(np.median(lost)), float(lost[rank]), float(lost[-1 - rank]))


def serve(path: Path, log: Path) -> None:
    """A process under measurement: the name of its transfers on each line, then a speed."""
    hip.choose_device("sim")
    engine = Engine(open_model(path), Capacity(batch=1, context=256))
    request = Request([prompt_tokens(path)[:8]], 1 + TOKENS)  # decode is what is looked at
    settings = {"plain": Settings(), "again": Settings(), "audited": Settings(True, log)}
    transfers = {name: Transfers(settings=one) for name, one in settings.items()}

    def decoded(name: str) -> float:
        engine.scheduler._transfers = transfers[name]
        return engine.generate(request).run().statistics.decode_tokens_per_second

    for name in transfers:
        decoded(name)  # to warm up, and to allocate its staging
    for line in sys.stdin:
        print(json.dumps(decoded(json.loads(line))), flush=True)


@contextmanager
def worker(
    path: Path, threads: int, log: Path, recording: Path | None = None
) -> Iterator[Callable[[str], float]]:
    """Starts a process, recorded if there is a folder for it."""
    ours = ("GCORE_D2H_AUDIT", "GCORE_D2H_AUDIT_LOG", "GRETA_RECORD", "LD_PRELOAD")
    variables = {name: text for name, text in os.environ.items() if name not in ours}
    tree = hip.find_sim_tree()
    variables |= {"ROCM_PATH": str(tree.root), "LD_LIBRARY_PATH": str(tree.lib)}
    variables["GRETA_SIM_THREADS"] = str(threads)
    if recording is not None:
        variables |= {"LD_PRELOAD": str(find_recorder()), "GRETA_RECORD": str(recording)}
    command = [sys.executable, __file__, "--model", str(path), "--worker", str(log)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=variables, **pipes) as child:  # type: ignore[call-overload]

        def decoded(name: str) -> float:
            child.stdin.write(json.dumps(name) + "\n")
            child.stdin.flush()
            return float(json.loads(child.stdout.readline()))

        yield decoded
        child.stdin.close()


def measure(path: Path, threads: int, seconds: float) -> Speeds:
    """Decoded tokens per second of each side, round by round."""
    found: Speeds = {side: [] for side in SIDES}
    order = random.Random(0)  # noqa: S311
    for _ in range(STARTS):
        end = time.monotonic() + seconds / STARTS
        with tempfile.TemporaryDirectory() as name, ExitStack() as started:
            folder = Path(name)
            recordings = {"first": None, "second": None, "recorded": folder / "recording"}
            processes = {
                which: started.enter_context(
                    worker(path, threads, folder / f"{which}.log", recording)
                )
                for which, recording in recordings.items()
            }
            rounds = 0
            while rounds < LEAST_ROUNDS or time.monotonic() < end:
                for side in order.sample(list(SIDES), len(SIDES)):
                    process, transfers = SIDES[side]
                    found[side].append(processes[process](transfers))
                rounds += 1
            # A cost of nothing because nothing was written would be no result.
            for which in processes:
                assert (folder / f"{which}.log").stat().st_size > 0, f"{which}: nothing was audited"
            assert any((folder / "recording").iterdir()), "nothing was recorded"
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--seconds", type=float, default=120, help="how long to measure (120)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--check", action="store_true", help="exit with 1 if a goal is missed")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    path = find_model(options.model)
    if options.worker:
        serve(path, options.worker)
        return 0
    found = measure(path, options.threads, options.seconds)
    print(f"{path.name}, {options.threads} threads, {len(found['plain'])} rounds")
    for side, speeds in found.items():
        print(f"{side}: {np.median(speeds):.1f} tokens/s")
    audit = cost(found, "plain", "audited")
    recording = cost(found, "audited", "audited and recorded")
    print(f"auditing costs {audit} of the decode speed; at most {AUDIT_GOAL:.0%} is asked for")
    print(f"  its control: {cost(found, 'plain', 'plain again')}")
    print(f"recording costs {recording} more; at most {RECORDING_GOAL:.0%} is asked for")
    print(f"  its control: {cost(found, 'audited', 'audited, another process')}")
    missed = audit.low > AUDIT_GOAL or recording.low > RECORDING_GOAL
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
