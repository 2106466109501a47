"""How an audit is getting on: live in a terminal, plain lines in a pipe."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from greta.lab.session import AuditStep
from greta.reports.lang import Say

_LINE_SECONDS = 5.0


class AuditProgressBar:
    """Iterations, errors, tokens per second, time left; on stderr."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._before: int | None = None
        self._began = self._last = time.monotonic()
        self._bar: Progress | None = None
        if sys.stderr.isatty():
            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[facts]}"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task(say("progress_title"), total=None, facts="")

    def __enter__(self) -> AuditProgressBar:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, step: AuditStep) -> None:
        """After each iteration. A line is printed only of what is kept."""
        if self._before is None:  # this one, and what a first part of the audit has done
            self._before = step.done - 1
        facts = self._say("progress_facts", test=step.test, errors=step.failures)
        if step.tokens_per_second:
            speed = f"{step.tokens_per_second:.0f}"
            facts += f", {self._say('progress_speed', speed=speed)}"
        if self._bar is not None:
            self._bar.update(self._task, completed=step.done, total=step.total, facts=facts)
        elif step.kept and self._is_due(step):
            self._last = time.monotonic()
            left = self._left(step.done - self._before, step.total - step.done)
            print(f"greta: {step.done}/{step.total}, {facts}, {left}", file=sys.stderr)

    def _is_due(self, step: AuditStep) -> bool:
        return time.monotonic() - self._last >= _LINE_SECONDS or step.done == step.total

    def _left(self, here: int, left: int) -> str:
        seconds = (time.monotonic() - self._began) / max(1, here) * left
        return self._say("progress_left", seconds=f"{seconds:.0f}")
