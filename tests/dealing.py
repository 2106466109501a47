"""Deals the files of the tests out to the workers of pytest-xdist, also after one of them has died.

Its own scheduler then deals out again what the dead one had, files that were done among them. A
worker that is given one of those has nothing to run, reports nothing, and is given no more: the run
never ends.
"""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

_RUNNABLE = 2  # a worker starts a test when it knows the next one, or that there is none


class FileDealer(LoadFileScheduling):  # type: ignore[misc]  # has no types
    def _reschedule(self, node: WorkerController) -> None:
        super()._reschedule(node)
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) < _RUNNABLE:
            super()._reschedule(node)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FileDealer | None:
    return FileDealer(config, log) if config.getoption("dist") == "loadfile" else None
