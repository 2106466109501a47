"""A bar for what takes long, where somebody is watching."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int], None]


@contextmanager
def progress_bar(what: str) -> Iterator[Progress]:
    """A call to be made with the bytes that are done and the bytes there will be."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    bar = _Bar(what)
    try:
        yield bar.show
    finally:
        bar.close()


class _Bar:
    """Appears with the first byte, so that what is already there draws nothing."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._close: Callable[[], None] = lambda: None
        self._update: Progress | None = None

    def show(self, done: int, total: int) -> None:
        self._update = self._update or self._opened(total)
        self._update(done, total)

    def close(self) -> None:
        self._close()

    def _opened(self, total: int) -> Progress:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TimeRemainingColumn(),
        )
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task(self._what, total=total)
        bar.start()
        self._close = bar.stop
        return lambda done, total: bar.update(task, completed=done, total=total)
