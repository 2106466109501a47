"""Any program under the same matrix: every iteration is a recorded process of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from greta.forensics.evidence import Expectations
from greta.lab.artifacts import start_log, unused
from greta.lab.audit import MOST_STARTS_IN_VAIN, Audit
from greta.lab.children import end_group, end_the_rest, leash
from greta.lab.judge import Judgement, judge_run
from greta.lab.outcomes import Outcome
from greta.lab.plan import AUDIT_VARIABLES, Iteration, MatrixTest
from greta.lab.trouble import (
    AuditStoppedError,
    command_did_not_start,
    is_unrecorded,
    makes_no_call,
    not_recorded,
)

_OFFERED: Final = {"GRETA_OFFERED": ",".join(AUDIT_VARIABLES)}
"""A program that does not know them is not a wrong one."""


@dataclass(kw_only=True)
class CommandAudit(Audit):
    """Repeats a command that knows nothing of us."""

    command: Sequence[str]
    device: str
    expectations: Expectations = field(default_factory=Expectations)

    def __post_init__(self) -> None:
        self._in_vain = 0

    def _run(self, iteration: Iteration) -> None:
        parent = self.folder / "run"
        parent.mkdir(exist_ok=True)
        folder = unused(parent, f"{iteration.test.id}.{iteration.number}", ".again")
        outcome = Outcome(iteration, self._name(folder))
        began = time.monotonic()
        code = self._execute(iteration, folder)
        outcome.seconds = time.monotonic() - began
        judged = judge_run(folder, outcome.run, [outcome], self.say, self.expectations, whole=True)
        self.outcomes.append(outcome)
        self.judgements.append(judged)
        if _came_to_hip(judged):
            self._in_vain = 0
            start_log(folder).unlink(missing_ok=True)  # the run folder has all of it
            _take_exit(outcome, code)
        else:
            self._count_in_vain(outcome, folder)

    def _count_in_vain(self, outcome: Outcome, folder: Path) -> None:
        """It did not start, or ended before its first HIP call: that says nothing of HIP."""
        outcome.problems.clear()
        outcome.conclusive = False
        self._in_vain += 1
        if is_unrecorded(folder):
            raise AuditStoppedError(not_recorded(folder))
        if self._in_vain < MOST_STARTS_IN_VAIN:
            return
        if (folder / "run.json").is_file():
            raise AuditStoppedError(makes_no_call(self.command[0], folder))
        raise AuditStoppedError(command_did_not_start(self.command[0], folder))

    def _execute(self, iteration: Iteration, folder: Path) -> int | None:
        """The exit code; None if it took too long."""
        greta = [sys.executable, "-m", "greta", "run", "--quiet", "--device", self.device]
        with start_log(folder).open("wb") as log:
            process = subprocess.Popen(
                [*greta, "--out", str(folder), "--", *self.command],
                env={**self.environment, **iteration.test.environment, **_OFFERED},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
                preexec_fn=_prepare(iteration.test),
            )
        try:
            code = process.wait(self.seconds_per_iteration)
        except subprocess.TimeoutExpired:
            _keep_stacks(process.pid, folder)
            end_group(process)
            return None
        except BaseException:
            end_group(process)
            raise
        end_the_rest(process)
        return code


def _came_to_hip(judged: Judgement) -> bool:
    return bool(judged.verdict and judged.verdict["coverage"]["calls"])


def _take_exit(outcome: Outcome, code: int | None) -> None:
    if code is None:
        outcome.problems.append("timeout")
    elif code and not outcome.problems:
        outcome.problems.append("signal" if code > 128 else "exit_code")


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


def _keep_stacks(leader: int, folder: Path) -> None:
    """What the kernel says of each thread of a hung process and its children."""
    lines = []
    for status in Path("/proc").glob("[0-9]*/task/[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            head, _, rest = status.read_text(errors="replace").rpartition(")")
            if int(rest.split()[3]) == leader:  # the session
                waiting = (status.parent / "wchan").read_text(errors="replace")
                lines.append(f"{head}) {rest.split()[0]} waits in {waiting or '-'}")
    with contextlib.suppress(OSError):
        (folder / "stacks.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
