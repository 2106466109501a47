"""Any program under the same matrix: every iteration is a recorded process of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from greta.forensics.evidence import Expectations
from greta.lab.judge import Judgement, Say, judge_run
from greta.lab.outcomes import Outcome
from greta.lab.plan import AUDIT_VARIABLES, Iteration

_NOT_STARTED: Final = (126, 127)
_OFFERED: Final = {"GRETA_OFFERED": ",".join(AUDIT_VARIABLES)}
"""A program that does not know them is not a wrong one."""


@dataclass
class CommandAudit:
    """Repeats a command; the counterpart of Audit for programs that know nothing of us."""

    folder: Path
    command: Sequence[str]
    device: str
    schedule: list[Iteration]
    seconds_per_iteration: float
    strict: bool = False
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    expectations: Expectations = field(default_factory=Expectations)
    outcomes: list[Outcome] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    partial: str | None = None
    problem: str | None = None
    progress: Callable[[CommandAudit], None] = lambda _: None
    say: Say = lambda code, _: code

    @property
    def failures(self) -> int:
        """Iterations that have failed so far."""
        return sum(outcome.result == "FAIL" for outcome in self.outcomes)

    def run(self) -> None:
        """The whole schedule, or as much of it as there is until something ends it."""
        try:
            for iteration in self.schedule:
                self._run(iteration)
                self.progress(self)
                if self.strict and self.outcomes[-1].result == "FAIL":
                    self.partial = "strict"
                    return
        except KeyboardInterrupt:
            self.partial = "interrupted"
        except OSError as error:
            self.partial, self.problem = "failed", error.strerror or str(error)

    def _run(self, iteration: Iteration) -> None:
        name = f"run/{iteration.test.id}.{iteration.number}"
        outcome = Outcome(iteration, name)
        folder = self.folder / name
        folder.parent.mkdir(exist_ok=True)
        began = time.monotonic()
        code = self._execute(iteration, folder)
        outcome.seconds = time.monotonic() - began
        judged = judge_run(folder, name, [outcome], self.say, self.expectations, whole=True)
        _take_exit(outcome, code)
        self.outcomes.append(outcome)
        self.judgements.append(judged)

    def _execute(self, iteration: Iteration, folder: Path) -> int | None:
        """The exit code; None if it took too long."""
        greta = [sys.executable, "-m", "greta", "run", "--quiet", "--device", self.device]
        process = subprocess.Popen(
            [*greta, "--out", str(folder), "--", *self.command],
            env={**self.environment, **iteration.test.environment, **_OFFERED},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_on_one_core if iteration.test.mode == "stress" else None,
        )
        try:
            return process.wait(self.seconds_per_iteration)
        except subprocess.TimeoutExpired:
            _keep_stacks(process.pid, folder)
            return None
        finally:
            _end(process)


def _take_exit(outcome: Outcome, code: int | None) -> None:
    if code is None:
        outcome.problems.append("timeout")
    elif code in _NOT_STARTED:
        outcome.problems.clear()
        outcome.conclusive = False
    elif code and not outcome.problems:
        outcome.problems.append("signal" if code > 128 else "exit_code")


def _on_one_core() -> None:
    """Another timing than the calm tests have: all threads take turns on one core."""
    usable = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, usable[:1])


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    for number, patience in ((signal.SIGTERM, 5.0), (signal.SIGKILL, None)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
            return


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
