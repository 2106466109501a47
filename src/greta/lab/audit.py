"""An audit: a schedule that is run to its end, or to what ends it before."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from greta.forensics.verdict import Saying
from greta.forensics.verdict_json import Say
from greta.lab.artifacts import start_log, unused
from greta.lab.children import end_group, end_the_rest
from greta.lab.endings import ending_of, keep_stacks, take_output
from greta.lab.judge import Judgement, judge_run
from greta.lab.outcomes import IterationOutcome, compare_outputs
from greta.lab.plan import AUDIT_VARIABLES, Iteration, MatrixTest
from greta.lab.summary import LostWork, ProgramEnding, UnrecordedIteration
from greta.lab.trouble import (
    NO_CALL,
    AuditStoppedError,
    came_to_no_call,
    explain,
    is_unrecorded,
    not_recorded,
    workload_did_not_start,
)
from greta.lab.worker import Setup, Worker, WorkerEndedError, under_recorder
from greta.runs.child import leash
from greta.trace.evidence import Expectations

MOST_STARTS_IN_VAIN: Final = 3

Progress = Callable[["Audit"], None]


def code_alone(code: str, _: object) -> str:
    """Where nobody has words for it."""
    return code


@dataclass(kw_only=True)
class Audit(ABC):
    folder: Path
    schedule: list[Iteration]
    seconds_per_iteration: float
    fail_fast: bool = False
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    outcomes: list[IterationOutcome] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    unrecorded: list[UnrecordedIteration] = field(default_factory=list)
    """A command has none."""
    partial: str | None = None
    problem: Saying | None = None
    lost: list[LostWork] = field(default_factory=list)
    node: str | None = None
    ordinal: int | None = None
    """The device, where it is one of several."""
    label: str = ""
    """In names of run folders, where others run iterations of the same tests."""
    progress: Progress = lambda _: None
    say: Say = code_alone
    """For the sentences of each verdict.json."""

    @property
    def failures(self) -> int:
        return sum(outcome.result == "FAIL" for outcome in self.outcomes)

    def run(self) -> None:
        try:
            self._run_all()
        except KeyboardInterrupt:
            self.partial = "interrupted"
        except (OSError, AuditStoppedError) as error:
            self.give_up(error)
        finally:
            self.end()
        compare_outputs(self.outcomes)

    def _run_all(self) -> None:
        for iteration in self.schedule:
            self.run_iteration(iteration)
            if not iteration.recorded:
                continue
            self.progress(self)
            if self.fail_fast and self.outcomes[-1].result == "FAIL":
                self.partial = "strict"  # the code in summary.json
                break

    @abstractmethod
    def run_iteration(self, iteration: Iteration) -> None:
        """If it is recorded, its outcome is the last of `outcomes` then."""

    @abstractmethod
    def end(self) -> None:
        """Ends the children that are left and judges what is not judged yet."""

    def give_up(self, error: OSError | AuditStoppedError) -> None:
        self.problem = explain(error, self.folder)
        self.partial = "no_hip" if self.problem.code == NO_CALL else "failed"

    def _name(self, folder: Path) -> str:
        return str(folder.relative_to(self.folder))

    def _outcome(
        self, iteration: Iteration, run: str, *, conclusive: bool = True, warm_up: bool = False
    ) -> IterationOutcome:
        return IterationOutcome(
            iteration,
            run,
            conclusive=conclusive,
            warm_up=warm_up,
            node=self.node,
            device=self.ordinal,
        )


_OFFERED: Final = {"GRETA_OFFERED": ",".join(AUDIT_VARIABLES)}
"""A program that does not know them is not a wrong one."""


@dataclass(kw_only=True)
class CommandAudit(Audit):
    """Repeats a command that knows nothing of us."""

    command: Sequence[str]
    device: str
    expectations: Expectations = field(default_factory=Expectations)
    expected_output: re.Pattern[str] | None = None
    watch_host: bool = False

    def __post_init__(self) -> None:
        self._in_vain = 0

    def end(self) -> None:
        """Each iteration is a process of its own, and judged at once."""

    def run_iteration(self, iteration: Iteration) -> None:
        parent = self.folder / "run"
        parent.mkdir(exist_ok=True)
        folder = unused(parent, f"{iteration.test.id}.{iteration.number}", ".again")
        # Each process warms up alike, but the first one also reads the files from the disk.
        outcome = self._outcome(iteration, self._name(folder), warm_up=not self.outcomes)
        began = time.monotonic()
        in_time = self._execute(iteration, folder)
        outcome.seconds = time.monotonic() - began
        judged = judge_run(folder, outcome.run, [outcome], self.say, self.expectations, whole=True)
        self.outcomes.append(outcome)
        self.judgements.append(judged)
        timeout = None if in_time else self.seconds_per_iteration
        ending = ending_of(folder, judged, timeout)
        if judged.came_to_hip:
            self._in_vain = 0
            start_log(folder).unlink(missing_ok=True)  # the run folder has all of it
            if not judged.is_lacking:  # else neither the end nor what it printed is the program's
                _take_ending(outcome, ending)
                take_output(outcome, folder, self.expected_output)
        else:
            self._count_in_vain(outcome, folder, ending)

    def _count_in_vain(
        self, outcome: IterationOutcome, folder: Path, ending: ProgramEnding
    ) -> None:
        """It did not start, or ended before its first HIP call: that says nothing of HIP."""
        outcome.problems.clear()
        outcome.conclusive = False
        if ending.failed:
            outcome.ending = replace(ending, early=True)
        self._in_vain += 1
        if is_unrecorded(folder):
            raise AuditStoppedError(not_recorded(folder))
        if self._in_vain >= MOST_STARTS_IN_VAIN:
            raise AuditStoppedError(came_to_no_call(self.command[0], folder, ending))

    def _execute(self, iteration: Iteration, folder: Path) -> bool:
        """Whether it came to an end in time; run.json tells how."""
        with start_log(folder).open("wb") as log:
            process = subprocess.Popen(
                under_recorder(self.command, self.device, folder, watch_host=self.watch_host),
                env={**self.environment, **iteration.test.environment, **_OFFERED},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
                preexec_fn=_prepare(iteration.test),
            )
        try:
            process.wait(self.seconds_per_iteration)
        except subprocess.TimeoutExpired:
            keep_stacks(process.pid, folder)
            end_group(process)
            return False
        except BaseException:
            end_group(process)
            raise
        end_the_rest(process)
        return True


def _take_ending(outcome: IterationOutcome, ending: ProgramEnding) -> None:
    """How the program ended; how the process did that watched it says nothing of the program."""
    how = ending.how
    if how == "timeout" and "signal" in outcome.problems:  # by which we ended it
        outcome.problems.remove("signal")
    if how == "unknown":
        outcome.conclusive = False
    elif ending.failed and (how == "timeout" or not outcome.problems):
        outcome.problems.append(how)
    if how == "unknown" or ending.failed:
        outcome.ending = ending


def _prepare(test: MatrixTest) -> Callable[[], None]:
    put_on_leash = leash(signal.SIGTERM)

    def prepare() -> None:
        put_on_leash()
        if test.mode == "stress":  # another timing: all threads take turns on one core
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])

    return prepare


UNRECORDED: Final = 24
"""So many iterations are repeated without the recorder, for what that costs."""


@dataclass(kw_only=True)
class WorkloadAudit(Audit):
    """Iterations by children that each serve many of them, one child for each test."""

    setup: Setup

    def __post_init__(self) -> None:
        self._workers: dict[str, Worker] = {}
        self._starts_in_vain: dict[str, int] = {}
        self._unrecorded_worker: Worker | None = None
        self._is_unrecorded_over = False
        self._warm: set[tuple[Worker, str]] = set()

    def run_iteration(self, iteration: Iteration) -> None:
        if iteration.recorded:
            self._run_recorded(iteration)
        elif not self._is_unrecorded_over:
            self._run_unrecorded(iteration)

    def _run_recorded(self, iteration: Iteration) -> None:
        # Not conclusive until it has come to an end.
        outcome = self._outcome(iteration, run="", conclusive=False)
        self.outcomes.append(outcome)
        try:
            worker = self._worker(iteration.test)
            outcome.run = self._name(worker.folder)
            outcome.warm_up = self._warms_up(worker, iteration)
            outcome.take(worker.run(iteration, self.seconds_per_iteration))
            outcome.conclusive = True
        except WorkerEndedError as ended:
            self._bury(iteration.test, outcome, ended.reason)
            return
        if outcome.has_lost_device:  # every further call would fail, and say nothing more
            worker = self._workers.pop(iteration.test.id)
            worker.finish()
            self._judge(worker.folder)

    def _run_unrecorded(self, iteration: Iteration) -> None:
        try:
            worker = self._without_recorder(iteration.test)
            warm_up = self._warms_up(worker, iteration)
            answer = worker.run(iteration, self.seconds_per_iteration)
        except WorkerEndedError:
            self._end_unrecorded()  # the recorded runs will show what is wrong
            return
        if answer.error is None and answer.seconds:
            prompt = iteration.prompt.name
            self.unrecorded.append(
                UnrecordedIteration(
                    iteration.number, prompt, answer.seconds, warm_up, answer.waited
                )
            )
        twins = (one for one in reversed(self.schedule) if not one.recorded)
        if iteration == next(twins, None):
            self._end_unrecorded()

    def _warms_up(self, worker: Worker, iteration: Iteration) -> bool:
        """The first time it gets a prompt, a child allocates and compiles what that needs."""
        known = (worker, iteration.prompt.name)
        is_first = known not in self._warm
        self._warm.add(known)
        return is_first

    def _without_recorder(self, test: MatrixTest) -> Worker:
        if self._unrecorded_worker is None:
            folder = self._unused("unwatched")
            worker = Worker(self.setup, test, folder, self.environment, recorded=False)
            self._unrecorded_worker = worker
            worker.hello()
        return self._unrecorded_worker

    def _end_unrecorded(self) -> None:
        if self._unrecorded_worker is not None:
            self._unrecorded_worker.kill()
        self._unrecorded_worker = None
        self._is_unrecorded_over = True

    def _worker(self, test: MatrixTest) -> Worker:
        worker = self._workers.get(test.id)
        if worker is None:
            folder = self._unused(test.id)
            worker = Worker(self.setup, test, folder, self.environment, recorded=True)
            self._workers[test.id] = worker
            worker.hello()
            if is_unrecorded(folder):  # what it would do now, nobody would see
                raise AuditStoppedError(not_recorded(folder))
        return worker

    def _bury(self, test: MatrixTest, outcome: IterationOutcome, reason: str) -> None:
        """The child died in this iteration. If it never came to one, that is no failure of it."""
        worker = self._workers.pop(test.id)
        outcome.run = self._name(worker.folder)
        if worker.pid:
            outcome.problems.append(reason)
            self._starts_in_vain[test.id] = 0
        else:
            self._starts_in_vain[test.id] = self._starts_in_vain.get(test.id, 0) + 1
        self._judge(worker.folder)
        timeout = self.seconds_per_iteration if reason == "timeout" else None
        ending = ending_of(worker.folder, self.judgements[-1], timeout)
        outcome.ending = ending if worker.pid else replace(ending, early=True)
        tries = self._starts_in_vain[test.id]
        if tries >= MOST_STARTS_IN_VAIN or (tries and reason == "timeout"):
            raise AuditStoppedError(workload_did_not_start(worker.folder))

    def _unused(self, name: str) -> Path:
        return unused(self.folder / "run", f"{name}.{self.label}" if self.label else name)

    def end(self) -> None:
        self._end_unrecorded()
        workers = list(self._workers.values())
        self._workers.clear()
        for worker in workers:
            worker.kill() if self.partial == "interrupted" else worker.finish()
        try:
            for worker in workers:
                self._judge(worker.folder)
        except OSError as error:
            self.give_up(error)

    def _judge(self, folder: Path) -> None:
        own = [outcome for outcome in self.outcomes if outcome.run == self._name(folder)]
        self.judgements.append(judge_run(folder, self._name(folder), own, self.say))
