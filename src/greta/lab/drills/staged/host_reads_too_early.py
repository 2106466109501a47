"""The host reads the chosen token without waiting for its copy.

What is staged:
    The wait for the event behind one copy is left out; the host looks at once.

Why it happens:
    An asynchronous copy into pinned memory returns at once, and the code that was written for
    hipMemcpy still reads the next line.

What must be found:
    missing_sync: the host's own touch of the landing buffer. Only --watch-host can see it.
"""

from __future__ import annotations

from collections.abc import Callable

from greta.engine.d2h.flight import Flight
from greta.lab.drills.seams import replace
from greta.lab.drills.stage import Stage

SPANISH = "El host lee el token elegido sin esperar a su copia."
HYPOTHESIS = "missing_sync"
TRUTH = {"call": "greta_host_touch"}
WATCH_HOST = True

_STEPS = 4


def stage(stage: Stage) -> None:
    def make(original: Callable[[Flight], None]) -> Callable[[Flight], None]:
        def settle(flight: Flight) -> None:
            if not flight._landed and stage.is_time(_STEPS):
                stage.report("greta_host_touch", buffer=flight.block.pinned)
                flight.block.bytes[: flight.request.nbytes].tobytes()
            original(flight)

        return settle

    replace(Flight, "settle", make)
