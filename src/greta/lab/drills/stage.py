"""What a drill is given: when its fault is due, chance, and a way to say what it has done."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from greta import hip
from greta.hip import Buffer, PinnedBuffer, inspection
from greta.lab.drills.catalog import StagedBuffer, StagedFault, is_due

Tell = Callable[[StagedFault], None]

_COUNTED: Final = (
    *("hipModuleLaunchKernel", "hipGraphLaunch", "hipMemcpyAsync", "hipFreeAsync"),
    *("hipStreamSynchronize", "hipEventRecord"),
)


class Stage:
    """The stage of one process. All chance comes from the seed of the iteration."""

    def __init__(self, rate: float, tell: Tell) -> None:
        self._rate = rate
        self._tell = tell
        self._lock = threading.Lock()
        self._iteration = -1
        self._left = -1
        self._draw = random.Random(0)  # noqa: S311  not a secret
        self._due = False
        self._counts = dict.fromkeys(_COUNTED, 0)

    def count_calls(self) -> None:
        """So that a report can say which call it is; must come before the engine is made."""
        for name in _COUNTED:
            hip.replace_call(name, partial(self._counting, name))

    def begin(self, iteration: int, seed: int) -> None:
        """An iteration begins; whether the fault is due in it, the seed decides."""
        self._iteration = iteration
        self._due = is_due(self._rate, seed)
        self._draw = random.Random(f"place/{seed}")  # noqa: S311  not a secret
        self._left = -1

    def is_time(self, occasions: int = 1) -> bool:
        """Asked at every occasion for the fault: True once, at one of the first so many."""
        with self._lock:
            if not self._due:
                return False
            if self._left < 0:
                self._left = self._draw.randrange(occasions)
            self._left -= 1
            self._due = self._left >= 0
            return not self._due

    def report(
        self, call: str, *, kernel: str | None = None, buffer: Buffer | PinnedBuffer | None = None
    ) -> None:
        """The truth: the fault is committed by the next call of this name, on this allocation."""
        counted = self._counts.get(call)
        nth = counted + 1 if counted is not None else None
        allocation = None
        if buffer is not None:
            owner = inspection.root_of(buffer) if isinstance(buffer, Buffer) else buffer
            allocation = StagedBuffer(hex(inspection.number_of(owner)), owner.nbytes)
        self._tell(StagedFault(call, nth, kernel, self._iteration, allocation))

    def _counting(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*arguments: Any, **named: Any) -> Any:
            self._counts[name] += 1
            return call(*arguments, **named)

        return counting
