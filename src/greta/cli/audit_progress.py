"""How an audit is getting on: live in a terminal, plain lines in a pipe."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from greta.lab.audit import Audit
from greta.reports.lang import Say

_LINE_SECONDS = 5.0


class AuditProgress:
    """Iterations, errors, tokens per second, time left; on stderr."""

    def __init__(self, iterations: int, done: int, say: Say) -> None:
        self._say = say
        self._total, self._before = iterations + done, done
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
            title = say("progress_title")
            self._task = self._bar.add_task(title, total=self._total, facts="", completed=done)

    def __enter__(self) -> AuditProgress:
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

    def is_due(self, audit: Audit) -> bool:
        """Whether the next update prints a line; a bar is always there."""
        due = time.monotonic() - self._last >= _LINE_SECONDS
        return self._bar is None and (due or len(audit.outcomes) == self._total)

    def update(self, audit: Audit) -> None:
        """After each iteration."""
        done, last = len(audit.outcomes), audit.outcomes[-1]
        test = last.iteration.test.id
        facts = self._say("progress_facts", test=test, errors=audit.failures)
        if last.tokens_per_second:
            speed = f"{last.tokens_per_second:.0f}"
            facts += f", {self._say('progress_speed', speed=speed)}"
        if self._bar is not None:
            self._bar.update(self._task, completed=done, facts=facts)
        elif self.is_due(audit):
            self._last = time.monotonic()
            print(f"greta: {done}/{self._total}, {facts}, {self._left(done)}", file=sys.stderr)

    def _left(self, done: int) -> str:
        here = done - self._before
        seconds = (time.monotonic() - self._began) / max(1, here) * (self._total - done)
        return self._say("progress_left", seconds=f"{seconds:.0f}")
