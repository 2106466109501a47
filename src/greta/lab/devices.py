"""An audit on several devices: a worker process for each, turns dealt out as workers become free.

A turn counts when its worker has reported it, and never before: a worker that is killed costs the
turn under way, which another one runs again. What it had reported and nobody has judged yet, its
recordings show.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Final

from greta.forensics.verdict import Saying
from greta.forensics.verdict_json import Say
from greta.lab.audit import Audit
from greta.lab.children import end_leftovers
from greta.lab.judge import Judgement, judge_run
from greta.lab.outcomes import IterationOutcome
from greta.lab.plan import Iteration, turns
from greta.lab.summary import LostWork, UnrecordedIteration
from greta.lab.trouble import AuditStoppedError
from greta.runs.child import leash

Turn = list[Iteration]
Key = tuple[str, int]
Make = Callable[[int], Audit]
"""The audit of one device, by its ordinal; sent to a process."""

MOST_TRIES: Final = 5
"""A turn that so many workers have died of is not tried again."""
_DEATHS_IN_VAIN: Final = 3
"""A device whose workers die so often in a row, before they have reported anything, is left out."""


@dataclass(frozen=True)
class AuditShare:
    """What a worker has to report."""

    outcomes: list[IterationOutcome]
    judgements: list[Judgement]
    unrecorded: list[UnrecordedIteration] = field(default_factory=list)
    problem: Saying | None = None


class ShareCollector(Audit):
    """An audit whose iterations others run: takes in what they report, each iteration once."""

    def run_iteration(self, iteration: Iteration) -> None:
        raise NotImplementedError("it has no device of its own")

    def take(self, share: AuditShare) -> None:
        known = {one.key: one for one in (*self.outcomes, *share.outcomes)}
        is_news = len(known) > len(self.outcomes)  # or what was known is judged now
        self.outcomes = list(known.values())
        self.judgements += share.judgements
        self.unrecorded += share.unrecorded
        if is_news:
            self.progress(self)
        if self.fail_fast and any(one.result == "FAIL" for one in share.outcomes):
            self.partial = "strict"

    def left(self, turn: Turn) -> Turn:
        """What is not known of a turn; nothing if all that was recorded is."""
        known = {one.key for one in self.outcomes}
        missing = [one for one in turn if one.recorded and (one.test.id, one.number) not in known]
        return [one for one in turn if not one.recorded or one in missing] if missing else []


def sort_as_scheduled(
    outcomes: list[IterationOutcome], judgements: list[Judgement], schedule: Sequence[Iteration]
) -> None:
    """As one device alone would have run them: who was faster must not matter."""
    places = {(one.test.id, one.number): at for at, one in enumerate(schedule)}
    outcomes.sort(key=lambda one: places.get(one.key, -1))
    runs = {one.run: at for at, one in reversed(list(enumerate(outcomes)))}
    judgements.sort(key=lambda one: runs.get(one.run, len(runs)))


@dataclass(kw_only=True)
class DevicesAudit(ShareCollector):
    make: Make
    ordinals: Sequence[int]

    def __post_init__(self) -> None:
        self._waiting: deque[Turn] = deque()
        self._workers: list[DeviceWorker] = []
        self._tries: Counter[Key] = Counter()

    def _run_all(self) -> None:
        self._waiting.extend(turns(self.schedule))
        self._workers = [DeviceWorker(self.make, one, self.say) for one in self.ordinals]
        while self.partial is None and (self._waiting or any(one.turn for one in self._workers)):
            for worker in self._workers:
                if self._waiting and not worker.turn:
                    worker.give(self._waiting.popleft())
            if not self._workers:
                raise AuditStoppedError(self.problem or Saying("trouble_workers"))
            self._hear(self._workers)

    def end(self) -> None:
        """Lets workers finish, their children too; after Ctrl-C it ends them."""
        try:
            if self.partial != "interrupted":
                self._finish()
        except KeyboardInterrupt:
            self.partial = "interrupted"
        except OSError as error:
            self.give_up(error)
        for worker in list(self._workers):
            self._bury(worker, again=False)
        if self._waiting and self.partial is None:
            self.partial = "failed"
        sort_as_scheduled(self.outcomes, self.judgements, self.schedule)

    def _finish(self) -> None:
        for worker in self._workers:
            worker.give([])
        while self._workers:
            self._hear(self._workers, last=True)

    def _hear(self, workers: Sequence[DeviceWorker], *, last: bool = False) -> None:
        for pipe in wait([one.pipe for one in workers]):
            worker = next(one for one in self._workers if one.pipe is pipe)
            try:
                share = worker.hear()
            except (EOFError, OSError):
                self._bury(worker, again=True, replace=not last)
                continue
            turn, worker.turn = worker.turn, []
            self.take(share)
            if share.problem or last:  # it has ended
                self.problem = self.problem or share.problem
                self._give_back(self.left(turn))
                self._retire(worker)
                self._judge_cut(worker.outcomes)

    def _bury(self, worker: DeviceWorker, *, again: bool, replace: bool = False) -> None:
        """It was killed; what it had reported and not judged is judged here."""
        self._retire(worker)
        if worker.turn and again:
            names = tuple(f"{one.test.id}.{one.number}" for one in worker.turn if one.recorded)
            seconds = time.monotonic() - worker.began
            node = self.node or ""
            self.lost.append(LostWork(names, node, worker.ordinal, seconds))
        self._judge_cut(worker.outcomes)
        if again:
            self._give_back(self.left(worker.turn))
        if replace and worker.deaths_in_vain + worker.is_vain < _DEATHS_IN_VAIN:
            self._workers.append(DeviceWorker(self.make, worker.ordinal, self.say, worker))

    def _retire(self, worker: DeviceWorker) -> None:
        self._workers.remove(worker)
        worker.end()

    def _give_back(self, turn: Turn) -> None:
        if not turn:
            return
        key = turn[0].test.id, turn[0].number
        self._tries[key] += 1
        if self._tries[key] < MOST_TRIES:
            self._waiting.appendleft(turn)
        else:
            lost = Saying("trouble_turn", {"iteration": f"{key[0]}.{key[1]}", "tries": MOST_TRIES})
            self.problem = self.problem or lost
            given_up = [self._outcome(one, "", conclusive=False) for one in turn if one.recorded]
            self.take(AuditShare(given_up, []))

    def _judge_cut(self, outcomes: Iterable[IterationOutcome]) -> None:
        """Recordings of children that were ended with their worker."""
        judged = {one.run for one in self.judgements}
        runs: dict[str, list[IterationOutcome]] = {}
        for one in outcomes:
            if one.run and one.run not in judged:
                runs.setdefault(one.run, []).append(one)
        for run, own in runs.items():
            end_leftovers(self.folder / run)
            judgement = judge_run(self.folder / run, run, own, self.say)
            if "hang" in judgement.outside:  # a wait that we have cut short is none
                self.outcomes = [one for one in self.outcomes if one not in own]
                self._give_back([one.iteration for one in own])
            else:
                self.judgements.append(judgement)


# Not by multiprocessing, whose children would run the caller's script once more.
_SERVE: Final = "from greta.lab.devices import serve; serve({})"


class DeviceWorker:
    """The parent's side of the process that has a device."""

    def __init__(
        self, make: Make, ordinal: int, say: Say, before: DeviceWorker | None = None
    ) -> None:
        self.ordinal, self.began = ordinal, time.monotonic()
        self.turn: Turn = []
        self._known: dict[Key, IterationOutcome] = {}
        self.deaths_in_vain: int = before.deaths_in_vain + 1 if before and before.is_vain else 0
        ours, theirs = socket.socketpair()
        with theirs:  # so that the end of the process is the end of the pipe
            self.process = subprocess.Popen(
                [sys.executable, "-c", _SERVE.format(theirs.fileno())],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C is for the audit, which then ends its workers
                preexec_fn=leash(signal.SIGKILL),
            )
        self.pipe = Connection(ours.detach())
        with contextlib.suppress(OSError):
            self.pipe.send((make, ordinal, say))

    @property
    def is_vain(self) -> bool:
        return not self._known

    @property
    def outcomes(self) -> list[IterationOutcome]:
        return list(self._known.values())

    def give(self, turn: Turn) -> None:
        """Nothing: it is to finish. That it is gone shows when it is heard."""
        self.turn, self.began = turn, time.monotonic()
        with contextlib.suppress(OSError):
            self.pipe.send(turn)

    def hear(self) -> AuditShare:
        share: AuditShare = self.pipe.recv()
        self._known |= {one.key: one for one in share.outcomes}
        return share

    def end(self) -> None:
        """Its children are on a leash."""
        self.process.kill()
        self.process.wait()
        self.pipe.close()


def serve(descriptor: int) -> None:
    """The worker's side: runs turns until it is given none."""
    pipe = Connection(descriptor)
    make, ordinal, say = pipe.recv()
    audit = make(ordinal)
    audit.say = say
    judged: set[str] = set()
    reported = 0
    try:
        while turn := pipe.recv():
            for iteration in turn:
                audit.run_iteration(iteration)
            pipe.send(share_of(audit, judged, reported))
            judged, reported = {one.run for one in audit.judgements}, len(audit.unrecorded)
    except (OSError, AuditStoppedError) as error:
        audit.give_up(error)
    audit.end()
    pipe.send(share_of(audit, judged, reported))


def share_of(audit: Audit, judged: set[str], reported: int) -> AuditShare:
    """What is new since the runs in `judged` were, and so many unrecorded ones were there."""
    outcomes = [one for one in audit.outcomes if one.run not in judged]
    judgements = [one for one in audit.judgements if one.run not in judged]
    return AuditShare(outcomes, judgements, audit.unrecorded[reported:], audit.problem)
