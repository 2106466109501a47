"""Any program under the same matrix: every iteration is a recorded process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from greta.lab.artifacts import start_log, unused
from greta.lab.audit import MOST_STARTS_IN_VAIN, Audit
from greta.lab.children import end_group, end_the_rest, leash
from greta.lab.endings import ending_of, keep_stacks, take_output
from greta.lab.judge import judge_run
from greta.lab.outcomes import IterationOutcome
from greta.lab.plan import AUDIT_VARIABLES, Iteration, MatrixTest
from greta.lab.summary import ProgramEnding
from greta.lab.trouble import (
    AuditStoppedError,
    command_did_not_start,
    ended_early,
    is_unrecorded,
    makes_no_call,
    not_recorded,
)
from greta.trace.evidence import Expectations

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

    def _run(self, iteration: Iteration) -> None:
        parent = self.folder / "run"
        parent.mkdir(exist_ok=True)
        folder = unused(parent, f"{iteration.test.id}.{iteration.number}", ".again")
        # Each process warms up alike, but the first one also reads the files from the disk.
        outcome = IterationOutcome(iteration, self._name(folder), warm_up=not self.outcomes)
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
        if self._in_vain < MOST_STARTS_IN_VAIN:
            return
        if ending.failed:
            raise AuditStoppedError(ended_early(self.command[0], folder, ending))
        if (folder / "run.json").is_file():
            raise AuditStoppedError(makes_no_call(self.command[0], folder))
        raise AuditStoppedError(command_did_not_start(self.command[0], folder))

    def _execute(self, iteration: Iteration, folder: Path) -> bool:
        """Whether it came to an end in time; run.json tells how."""
        greta = [sys.executable, "-m", "greta", "run", "--quiet", "--drop-late-output"]
        greta += ["--watch-host"] if self.watch_host else []
        with start_log(folder).open("wb") as log:
            process = subprocess.Popen(
                [*greta, "--device", self.device, "--out", str(folder), "--", *self.command],
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
        if test.mode == "stress":
            _on_one_core()

    return prepare


def _on_one_core() -> None:
    """Another timing than the calm tests have: all threads take turns on one core."""
    usable = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, usable[:1])
