"""An audit of our own workload: it outlives its children, and judges what they leave."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from greta.lab.artifacts import unused
from greta.lab.audit import MOST_STARTS_IN_VAIN, Audit
from greta.lab.endings import ending_of
from greta.lab.judge import judge_run
from greta.lab.outcomes import IterationOutcome, compare_outputs
from greta.lab.plan import Iteration, MatrixTest
from greta.lab.summary import UnrecordedIteration
from greta.lab.trouble import (
    AuditStoppedError,
    is_unrecorded,
    not_recorded,
    workload_did_not_start,
)
from greta.lab.worker import Setup, Worker, WorkerEndedError

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

    def run(self) -> None:
        """As any audit; then all outputs are there to be compared."""
        try:
            super().run()
        finally:
            self._end_children()
        compare_outputs(self.outcomes)

    def _run(self, iteration: Iteration) -> None:
        if iteration.recorded:
            self._run_recorded(iteration)
        elif not self._is_unrecorded_over:
            self._run_unrecorded(iteration)

    def _run_recorded(self, iteration: Iteration) -> None:
        outcome = IterationOutcome(
            iteration, run="", conclusive=False
        )  # until it has come to an end
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
        if outcome.has_lost_device:
            self._retire(iteration.test)

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
                UnrecordedIteration(iteration.number, prompt, answer.seconds, warm_up)
            )
        if iteration == self._last_unrecorded():
            self._end_unrecorded()

    def _last_unrecorded(self) -> Iteration:
        return next(one for one in reversed(self.schedule) if not one.recorded)

    def _warms_up(self, worker: Worker, iteration: Iteration) -> bool:
        """The first time it gets a prompt, a child allocates and compiles what that needs."""
        known = (worker, iteration.prompt.name)
        is_first = known not in self._warm
        self._warm.add(known)
        return is_first

    def _without_recorder(self, test: MatrixTest) -> Worker:
        if self._unrecorded_worker is None:
            folder = unused(self.folder / "run", "unwatched")
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
            folder = unused(self.folder / "run", test.id)
            worker = Worker(self.setup, test, folder, self.environment, recorded=True)
            self._workers[test.id] = worker
            worker.hello()
            if is_unrecorded(folder):  # what it would do now, nobody would see
                raise AuditStoppedError(not_recorded(folder))
        return worker

    def _retire(self, test: MatrixTest) -> None:
        """From now on every call of this child would fail; that would say nothing more."""
        worker = self._workers.pop(test.id)
        worker.finish()
        self._judge(worker.folder)

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

    def _end_children(self) -> None:
        self._end_unrecorded()
        workers = list(self._workers.values())
        self._workers.clear()
        for worker in workers:
            worker.kill() if self.partial == "interrupted" else worker.finish()
        try:
            for worker in workers:
                self._judge(worker.folder)
        except OSError as error:
            self._give_up(error)

    def _judge(self, folder: Path) -> None:
        own = [outcome for outcome in self.outcomes if outcome.run == self._name(folder)]
        self.judgements.append(judge_run(folder, self._name(folder), own, self.say))
