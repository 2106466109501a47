"""Bars for what takes long, where somebody is watching; plain lines in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # slow to import, and most commands draw no bar
    from rich.progress import Progress, ProgressColumn

    from greta.lab.session import AuditStep
    from greta.reports.lang import Say

Show = Callable[[int, int], None]
_LINE_SECONDS = 5.0


def _bar(*columns: ProgressColumn, shown: bool = True) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not (shown and console.is_terminal),
    )


@contextmanager
def download_bar(what: str) -> Iterator[Show]:
    """A call to be made with the bytes that are done and the bytes there will be.

    The bar appears with the first byte, so that what is already there draws nothing.
    """
    opened: list[Progress] = []

    def show(done: int, total: int) -> None:
        from rich.progress import DownloadColumn

        if not opened:
            opened.append(_bar(DownloadColumn()))
            opened[0].add_task(what, total=total)
            opened[0].start()
        opened[0].update(opened[0].task_ids[0], completed=done, total=total)

    try:
        yield show if sys.stderr.isatty() else lambda _done, _total: None
    finally:
        for bar in opened:
            bar.stop()


@contextmanager
def count_bar(what: str, total: int, *, shown: bool) -> Iterator[Callable[[int], None]]:
    """A call to be made with how many more are done."""
    from rich.progress import MofNCompleteColumn

    with _bar(MofNCompleteColumn(), shown=shown) as bar:
        task = bar.add_task(what, total=total)
        yield lambda number: bar.advance(task, number)


@contextmanager
def audit_progress(say: Say) -> Iterator[Callable[[AuditStep], None]]:
    """To be called after each iteration: errors, tokens per second, time left."""
    if not sys.stderr.isatty():
        yield _AuditLines(say).update
        return
    from rich.progress import MofNCompleteColumn, TextColumn

    with _bar(MofNCompleteColumn(), TextColumn("{task.fields[facts]}")) as bar:
        task = bar.add_task(say("progress_title"), total=None, facts="")

        def update(step: AuditStep) -> None:
            title = say("progress_judging" if step.done == step.total else "progress_title")
            facts = _facts(step, say)
            bar.update(task, description=title, completed=step.done, total=step.total, facts=facts)

        yield update


class _AuditLines:
    """A line now and then, only of what is kept."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._before: int | None = None
        self._began = self._last = time.monotonic()

    def update(self, step: AuditStep) -> None:
        now = time.monotonic()
        if self._before is None:  # this one, and what a first part of the audit has done
            self._before = step.done - 1
        is_due = now - self._last >= _LINE_SECONDS or step.done == step.total
        if not (step.kept and is_due):
            return
        self._last = now
        each = (now - self._began) / max(1, step.done - self._before)
        left = self._say("progress_left", seconds=f"{each * (step.total - step.done):.0f}")
        facts = _facts(step, self._say)
        if step.done == step.total:
            left = self._say("progress_judging")
        print(f"greta: {step.done}/{step.total}, {facts}, {left}", file=sys.stderr)


def _facts(step: AuditStep, say: Say) -> str:
    facts = say("progress_facts", test=step.test, errors=step.failures)
    if not step.tokens_per_second:
        return facts
    return f"{facts}, {say('progress_speed', speed=f'{step.tokens_per_second:.0f}')}"
