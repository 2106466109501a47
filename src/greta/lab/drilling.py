"""Runs drills under the recorder, judges the recordings as any other, and scores the verdicts."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np

from greta.errors import UsageError
from greta.forensics.verdict import Cause, FaultBuffer, VerdictWord
from greta.forensics.verdict_json import Say, dump_verdict
from greta.lab.artifacts import start_log
from greta.lab.audit import WorkloadAudit, code_alone
from greta.lab.drills.catalog import Drill, StagedBuffer, StagedFault, is_due
from greta.lab.judge import Judgement, judge_run
from greta.lab.outcomes import IterationOutcome
from greta.lab.plan import MatrixTest, Prompt, matrix, schedule
from greta.lab.summarizing import summarize
from greta.lab.summary import Summary
from greta.lab.worker import Setup, Worker, WorkerEndedError
from greta.recording import open_recording
from greta.runs.folder import write_pin
from greta.runs.fresh_memory import BYTES, FRESH, Trial, pin_of
from greta.runs.pinned_operation import Fault
from greta.trace.evidence import Expectations
from greta.typed_json import Json, encode


@dataclass(frozen=True)
class Score:
    detected: bool
    """The hypothesis is confirmed."""
    class_correct: bool
    """It is the cause, and no other hypothesis is confirmed."""
    operation_correct: bool
    """The cause is that call and kernel; of launches that the verdict says are as likely, one."""
    buffer_correct: bool
    """The cause's buffer is the one; none where there is none."""
    operation_exact: bool
    """It is that call and no other; not needed to pass where nothing tells launches apart."""

    @property
    def passed(self) -> bool:
        needed = (self.detected, self.class_correct, self.operation_correct, self.buffer_correct)
        return all(needed)


def score(
    hypothesis: str,
    staged: Sequence[StagedFault],
    judgement: Judgement,
    seq_of: Callable[[StagedFault], int | None],
) -> Score:
    """A fault that was not committed, or a run that cannot be judged, scores nothing.

    `seq_of` gives the number that a staged call has in the recording; None where it is no call.
    """
    verdict = judgement.verdict
    if not staged or not verdict:
        return Score(False, False, False, False, False)
    cause = verdict.cause
    if cause is None:
        return Score(hypothesis in verdict.confirmed, False, False, False, False)
    right = [one for one in staged if _is_operation(one, cause, seq_of(one))]
    return Score(
        detected=hypothesis in verdict.confirmed,
        class_correct=cause.hypothesis == hypothesis and verdict.confirmed == (hypothesis,),
        operation_correct=bool(right),
        buffer_correct=any(_is_buffer(one.buffer, cause.buffer) for one in right),
        operation_exact=any(seq_of(one) in (None, cause.seq) for one in right),
    )


def seq_of_staged(
    folder: Path, outcomes: Sequence[IterationOutcome], truth: StagedFault
) -> int | None:
    """Of the nth call of a name; of what is not counted, the first of its name in the iteration."""
    if truth.call is None:
        return None
    found: list[int] = []
    for process in open_recording(folder / "recording").processes:
        ids = [id_ for id_ in process.tables.calls if process.tables.call_name(id_) == truth.call]
        found += process.columns.seq[np.isin(process.columns.call, ids)].tolist()
    seqs = found
    if truth.nth is not None:
        seqs = seqs[truth.nth - 1 :]
    else:
        spans = [one.range for one in outcomes if one.iteration.number == truth.iteration]
        seqs = [seq for seq in seqs if spans[0] and spans[0][0] <= seq <= spans[0][1]]
    return seqs[0] if seqs else 0


def _is_operation(truth: StagedFault, cause: Cause, seq: int | None) -> bool:
    kernel = cause.kernel and cause.kernel.partition("(")[0]  # a demangled one has arguments
    if (cause.call, kernel) != (truth.call, truth.kernel):
        return False
    # Launches that the verdict itself says are as likely: alike, or of the same kernel.
    like = (cause.kernel, cause.confidence)
    equals = [one.seq for one in cause.alternatives if (one.kernel, one.confidence) == like]
    alike = cause.turn.seqs if cause.turn else ()
    return seq is None or seq in (cause.seq, *equals, *alike)


def _is_buffer(truth: StagedBuffer | None, found: FaultBuffer | None) -> bool:
    if truth is None or found is None:
        return truth is None and found is None
    return (found.address, found.bytes) == (truth.address, truth.bytes)


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
    model: str
    device: str
    folder: Path
    seed: int = 0
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    say: Say = code_alone

    def setup(self, *workload: str, watch_host: bool = False) -> Setup:
        return Setup(self.model, self.device, _MAX_TOKENS, _CONTEXT, workload, watch_host)


@dataclass(frozen=True)
class DrillRun:
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
    if drill.other_bytes:
        _compare_with_other_bytes(folder, setting, setup, test)
    staged = (
        worker.staged
        if drill.program is None
        else [StagedFault(drill.truth.get("call"), kernel=drill.truth.get("kernel"))]
    )
    expected = find_spec(drill.expected) if drill.expected else None
    expectations = Expectations(build=expected.origin if expected else None)
    judgement = judge_run(folder, folder.name, outcomes, setting.say, expectations)
    seq_of = partial(seq_of_staged, folder, outcomes)
    found = score(drill.hypothesis, staged, judgement, seq_of)
    return DrillRun(drill, setting.seed, staged, judgement, found)


def _compare_with_other_bytes(
    folder: Path, setting: DrillSetting, setup: Setup, test: MatrixTest
) -> None:
    """As `greta pin` does where kernels load what nobody wrote."""
    trials: list[Trial] = []
    for number, byte in enumerate(BYTES):
        again = replace(test, environment={**test.environment, FRESH: str(byte)})
        place = folder.with_name(f"{folder.name}.fresh.{number}")
        outcomes = _serve(
            Worker(setup, again, place, setting.environment, recorded=True), again, setting.seed
        )
        failed = next((one.error for one in outcomes if one.error is not None), None)
        fault = Fault("exit", str(failed)) if failed is not None else None
        trials.append(Trial(open_recording(place / "recording"), place, fault))
    original = open_recording(folder / "recording")
    write_pin(pin_of(trials, original, lambda code: setting.say(code, {})), folder)


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
        try:
            worker.hello()
        except WorkerEndedError:
            log = start_log(worker.folder)
            raise UsageError(f"{test.id}: the workload does not start; {log} says why") from None
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


@dataclass(frozen=True)
class MatrixRun:
    """What the matrix found, and what was staged in it."""

    drill: Drill
    seed: int
    summary: Summary
    staged: frozenset[tuple[str, int]]
    """Test and number of the iterations with the fault, by their seeds."""

    @property
    def failed(self) -> frozenset[tuple[str, int]]:
        """Test and number of the iterations that were judged to have failed."""
        return frozenset(
            (one.test, one.iteration or 0)
            for one in self.summary.iterations
            if one.result == "FAIL"
        )

    @property
    def passed(self) -> bool:
        """Reproduced for the right reason, in just these iterations; the interval has the rate."""
        verdict, interval = self.summary.verdict, self.summary.statistics.failure_rate_interval_95
        low, high = interval or (0.0, 1.0)
        return (
            verdict.word is VerdictWord.REPRODUCED
            and verdict.cause is not None
            and verdict.cause.hypothesis == self.drill.hypothesis
            and self.failed == self.staged
            and low <= self.drill.rate <= high
        )


def run_matrix(
    drill: Drill, setting: DrillSetting, iterations: int, stress_iterations: int
) -> MatrixRun:
    """The matrix of an audit, with the fault in some of its iterations."""
    tests = [
        replace(test, environment={**test.environment, **drill.environment})
        for test in matrix(iterations, stress_iterations, ["none"])
    ]
    plan = schedule(tests, PROMPTS, setting.seed)
    setup = setting.setup("greta.lab.drills", drill.name, watch_host=drill.watch_host)
    folder = setting.folder / f"{drill.name}.matrix.{setting.seed}"
    audit = WorkloadAudit(
        folder=folder,
        setup=setup,
        schedule=plan,
        seconds_per_iteration=_SECONDS,
        environment=setting.environment,
    )
    audit.run()
    staged = frozenset((one.test.id, one.number) for one in plan if is_due(drill.rate, one.seed))
    summary = summarize(tests, audit.outcomes, audit.judgements, (), audit.partial)
    return MatrixRun(drill, setting.seed, summary, staged)


def dump_drills(
    runs: Sequence[DrillRun], matrices: Sequence[MatrixRun], alarms: Sequence[str | None], say: Say
) -> Json:
    return {
        "schema": 1,
        "drills": [_run(run, say) for run in runs],
        "matrices": [_matrix(run) for run in matrices],
        "clean": {"runs": len(alarms), "false_alarms": sum(alarm is not None for alarm in alarms)},
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
