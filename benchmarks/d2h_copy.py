"""What the guarded copy of a token costs, plain and audited, and which part of a decoded token.

The decode speed of a busy machine says little about microseconds. So this measures the copy alone:
CPU time of the calling thread, plain and audited in turns, and the Python calls of each, which are
the same on every machine. The shares are of the fastest decode of a token in the same run.

    python benchmarks/d2h_copy.py [--model smollm2 | FILE] [--rounds N] [--check]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from infer_observer_cost import AUDIT_GOAL

from greta.engine import Capacity, Engine, Request
from greta.engine.d2h import Settings, Transfers
from greta.forensics.statistics import slowdown
from greta.hip import Buffer, Stream
from greta.model import find_model, open_model

COPIES = 200
TOKENS = 48


def copier(settings: Settings) -> Callable[[], None]:
    """Copies a token of four bytes, as the engine does after each step."""
    transfers, source, stream = Transfers(settings=settings), Buffer(4), Stream()

    def copy() -> None:
        transfers.to_host(
            source, dtype=np.int32, shape=(1,), stream=stream, tensor="token", step=7
        ).wait()

    return copy


def cpu_seconds(copy: Callable[[], None]) -> float:
    """Of this thread, for one copy."""
    began = time.thread_time()
    for _ in range(COPIES):
        copy()
    return (time.thread_time() - began) / COPIES


def python_calls(copy: Callable[[], None]) -> int:
    """Python functions that one copy enters."""
    entered = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal entered
        entered += event == "call"

    sys.setprofile(count)
    copy()
    sys.setprofile(None)
    return entered - 1  # `copy` itself


def token_seconds(path: Path) -> float:
    """The fastest decode of a token: what a cost is the largest share of."""
    engine = Engine(open_model(path), Capacity(1, 256))
    speeds = []
    for _ in range(3):
        generation = engine.generate(Request([[1, 2, 3]], TOKENS))
        list(generation)
        speeds.append(generation.statistics.decode_tokens_per_second or 0.0)
    return 1 / max(speeds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--check", action="store_true", help="exit with 1 if the goal is missed")
    options = parser.parse_args()
    token = token_seconds(find_model(options.model))
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "audit.log"
        plain, audited = copier(Settings()), copier(Settings(audit=True, audit_log=log))
        for copy in (plain, audited):
            copy()  # the first one allocates its staging
        calls = [python_calls(copy) for copy in (plain, audited)]
        pairs = []
        for number in range(options.rounds):
            order = (plain, audited) if number % 2 else (audited, plain)
            found = {copy: cpu_seconds(copy) for copy in order}
            pairs.append((found[plain], found[audited]))
        assert log.stat().st_size > 0, "nothing was audited"
    ratio = slowdown(pairs)
    assert ratio is not None
    usual = float(np.median([before for before, _ in pairs]))
    added = [usual * (bound - 1) for bound in (ratio.ratio, *ratio.interval)]
    share, low, high = (seconds / token for seconds in added)
    print(f"a token: {token * 1e3:.2f} ms; {options.rounds} rounds of {COPIES} copies each")
    print(f"plain copy: {usual * 1e6:.1f} us of CPU ({usual / token:.2%}), {calls[0]} Python calls")
    print(f"the audit adds {added[0] * 1e6:.1f} us, {calls[1] - calls[0]} Python calls")
    print(
        f"auditing costs {share:.2%} of a token (95 %: {low:.2%} to {high:.2%}), at most ", end=""
    )
    print(f"{AUDIT_GOAL:.0%} is asked for")
    return 1 if options.check and low > AUDIT_GOAL else 0


if __name__ == "__main__":
    sys.exit(main())
