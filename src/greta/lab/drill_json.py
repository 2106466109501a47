"""drill.json, a contract with other tools: what was staged, and what was said of it."""

from __future__ import annotations

from collections.abc import Sequence

from greta.forensics.verdict_json import Say, dump_verdict
from greta.lab.drill_matrix import MatrixRun
from greta.lab.drilling import DrillRun
from greta.lab.workload_json import StagedFault
from greta.typed_json import Json, encode


def dump_drills(
    runs: Sequence[DrillRun], matrices: Sequence[MatrixRun], alarms: Sequence[str | None], say: Say
) -> Json:
    """As in drill.json."""
    return {
        "schema": 1,
        "drills": [_run(run, say) for run in runs],
        "matrices": [_matrix(run) for run in matrices],
        "clean": {
            "runs": len(alarms),
            "false_alarms": sum(alarm is not None for alarm in alarms),
        },
    }


def _run(run: DrillRun, say: Say) -> Json:
    first = run.staged[0] if run.staged else StagedFault()
    verdict = dump_verdict(run.judgement.verdict, say) if run.judgement.verdict else {}
    return {
        "name": run.drill.name,
        "seed": run.seed,
        "truth": {
            "hypothesis": run.drill.hypothesis,
            "operation": {n: v for n, v in encode(first).items() if n != "buffer"},
            "buffer": encode(first.buffer),
        },
        "verdict": {name: part for name, part in verdict.items() if name != "around"},
        "problem": run.judgement.problem,
        **encode(run.score),
    }


def _matrix(run: MatrixRun) -> Json:
    verdict, statistics = run.summary.verdict, run.summary.statistics
    return {
        "name": run.drill.name,
        "seed": run.seed,
        "rate": run.drill.rate,
        "staged": len(run.staged),
        "verdict": verdict.word.value,
        "cause": verdict.cause.hypothesis if verdict.cause else None,
        "iterations_correct": run.failed == run.staged,
        "passed": run.passed,
        "runs": statistics.runs,
        "failures": statistics.failures,
        "failure_rate_interval_95": encode(statistics.failure_rate_interval_95),
    }
