"""The workload with one fault in it."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import greta.engine.workload.__main__ as workload
from greta.lab.drills.catalog import Drill, StagedFault, find_drills
from greta.lab.drills.seams import replace
from greta.lab.drills.stage import Stage
from greta.typed_json import encode


def main(words: list[str]) -> int:
    """Serves as the workload does; says on the same descriptor what it has staged."""
    parser = argparse.ArgumentParser("python -m greta.lab.drills")
    parser.add_argument("name")
    parser.add_argument("--answers", type=int, required=True)
    parser.add_argument("--rate", type=float, help="share of iterations; 0: the fault never comes")
    options, others = parser.parse_known_args(words)
    drill = find_drills([options.name])[0]
    rate = drill.rate if options.rate is None else options.rate

    def tell(fault: StagedFault) -> None:
        # The workload flushes whole lines, so this one cannot fall into another.
        os.write(options.answers, json.dumps({"staged": encode(fault)}).encode() + b"\n")

    stage = Stage(rate, tell)
    return workload.main(
        [*others, "--answers", str(options.answers)], prepare=lambda: _prepare(drill, stage)
    )


def _prepare(drill: Drill, stage: Stage) -> None:
    def make(run_iteration: Callable[..., Any]) -> Callable[..., Any]:
        def begun(request: Any, *others: Any) -> Any:
            stage.begin(request.iteration, request.seed)
            return run_iteration(request, *others)

        return begun

    replace(workload, "run_iteration", make)
    stage.count_calls()
    import_module(f"greta.lab.drills.staged.{drill.like or drill.name}").stage(stage)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
