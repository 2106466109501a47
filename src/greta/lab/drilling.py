"""Runs drills under the recorder, judges the recordings as any other, and scores the verdicts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from greta.errors import UsageError
from greta.forensics.verdict import VerdictWord
from greta.forensics.verdict_json import Say
from greta.lab.artifacts import start_log
from greta.lab.drills.catalog import Drill
from greta.lab.judge import Judgement, judge_run
from greta.lab.outcomes import IterationOutcome
from greta.lab.plan import MatrixTest, Prompt, schedule
from greta.lab.scoring import Score, score, seq_of_staged
from greta.lab.worker import Setup, Worker, WorkerEndedError
from greta.lab.workload_json import StagedFault, staged_fault
from greta.trace.evidence import Expectations

PROMPTS: Final = (
    Prompt("fox", "The quick brown fox jumps over"),
    Prompt("sea", "A ship at sea, by night, in a storm"),
)
ITERATIONS: Final = 3
_MOST_ITERATIONS: Final = 400
"""For a fault that shows sometimes: until it has shown."""
_MAX_TOKENS, _CONTEXT = 8, 128
_SECONDS: Final = 120.0


@dataclass(frozen=True)
class DrillSetting:
    """What all drills of a command have in common."""

    model: str
    """A file."""
    device: str
    folder: Path
    seed: int = 0
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    say: Say = lambda code, _: code

    def setup(self, *workload: str, watch_host: bool = False) -> Setup:
        """Of a child."""
        return Setup(self.model, self.device, _MAX_TOKENS, _CONTEXT, workload, watch_host)


@dataclass(frozen=True)
class DrillRun:
    """A drill that was run, and what came of it."""

    drill: Drill
    seed: int
    staged: Sequence[StagedFault]
    """What the drill says that it has done; the detectors never see it."""
    judgement: Judgement
    score: Score


def run_drill(drill: Drill, setting: DrillSetting) -> DrillRun:
    """One drill; raises UsageError if its program does not even start."""
    folder = setting.folder / f"{drill.name}.{setting.seed}"
    iterations = ITERATIONS if drill.rate >= 1 else _MOST_ITERATIONS
    test = MatrixTest(drill.name, "repeat", iterations, environment=drill.environment)
    setup = setting.setup("greta.lab.drills", drill.name, watch_host=drill.watch_host)
    if drill.program is not None:
        test, setup = _with_program(drill, setting, test)
    worker = Worker(setup, test, folder, setting.environment, recorded=True)
    outcomes = _serve(worker, test, setting.seed, until_staged=drill.rate < 1)
    staged = worker.staged if drill.program is None else [staged_fault(dict(drill.truth))]
    judgement = judge_run(folder, folder.name, outcomes, setting.say, _expectations(drill))
    seq_of = partial(seq_of_staged, folder, outcomes)
    found = score(drill.hypothesis, staged, judgement, seq_of)
    return DrillRun(drill, setting.seed, staged, judgement, found)


def run_clean(setting: DrillSetting, number: int, drill: Drill | None = None) -> str | None:
    """The workload without a fault; the false alarm, if there is one.

    With a drill: its environment and its hooks, but the fault never comes. Every other run is under
    stress, with two streams, delays and memory pressure.
    """
    stress = number % 2 == 1
    folder = setting.folder / f"clean.{number}"
    test = MatrixTest(
        f"clean.{number}",
        "stress" if stress else "repeat",
        ITERATIONS,
        environment=drill.environment if drill else {},
        streams=2 if stress else 1,
        delays=stress,
        pressure=stress,
    )
    words = ("greta.lab.drills", drill.name, "--rate", "0") if drill else ("greta.engine.workload",)
    setup = setting.setup(*words, watch_host=bool(drill and drill.watch_host))
    worker = Worker(setup, test, folder, setting.environment, recorded=True)
    outcomes = _serve(worker, test, setting.seed + number)
    judgement = judge_run(folder, folder.name, outcomes, setting.say)
    return _alarm(judgement, outcomes)


def _alarm(judgement: Judgement, outcomes: Sequence[IterationOutcome]) -> str | None:
    problems = [problem for outcome in outcomes for problem in outcome.problems]
    if problems or judgement.outside:
        return ", ".join([*problems, *judgement.outside])
    word = judgement.verdict.word if judgement.verdict else None
    if word is VerdictWord.NOT_REPRODUCED:
        return None
    return judgement.problem or (word.value if word else "None")


def _serve(
    worker: Worker, test: MatrixTest, seed: int, *, until_staged: bool = False
) -> list[IterationOutcome]:
    """Iterations until there are enough, or an error ends it as it would end any program."""
    outcomes: list[IterationOutcome] = []
    try:
        _greet(worker, test)
        for iteration in schedule([test], PROMPTS, seed):
            outcomes.append(IterationOutcome(iteration, worker.folder.name))
            outcomes[-1].take(worker.run(iteration, _SECONDS))
            if outcomes[-1].error is not None or (until_staged and worker.staged):
                break
    except WorkerEndedError as ended:
        outcomes[-1].problems.append(ended.reason)
        return outcomes
    except BaseException:  # Ctrl-C does not reach it: it has a session of its own
        worker.kill()
        raise
    worker.finish()
    return outcomes


def _greet(worker: Worker, test: MatrixTest) -> None:
    try:
        worker.hello()
    except WorkerEndedError:
        log = start_log(worker.folder)
        raise UsageError(f"{test.id}: the workload does not start; {log} says why") from None


def _with_program(
    drill: Drill, setting: DrillSetting, test: MatrixTest
) -> tuple[MatrixTest, Setup]:
    """A drill that is a program of its own: written to a file, and found as a module."""
    place = (setting.folder / "program").absolute()
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{drill.name}.py").write_text(drill.program or "", encoding="utf-8")
    before = setting.environment.get("PYTHONPATH")
    path = os.pathsep.join([str(place), *([before] if before else [])])
    return (
        replace(test, environment={**test.environment, "PYTHONPATH": path}),
        setting.setup(drill.name),
    )


def _expectations(drill: Drill) -> Expectations:
    if drill.expected is None:
        return Expectations()
    spec = find_spec(drill.expected)
    return Expectations(build=spec.origin if spec else None)
