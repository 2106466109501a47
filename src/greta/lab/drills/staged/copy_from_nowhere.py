"""A copy to the host starts far behind the buffer that it means.

What is staged:
    The row of one copy is counted in bytes where it should be counted in tokens of a batch: the
    source lies in no allocation at all.

Why it happens:
    An index that is multiplied by the size of an element twice.

What must be found:
    bad_pointer: the copy. Its source is in no allocation.
"""

from __future__ import annotations

from greta.engine.d2h.flight import Flight
from greta.lab.drills.seams import Go, on_transfer
from greta.lab.drills.stage import Stage

SPANISH = "Una copia al host empieza muy por detrás del búfer al que se refiere."
HYPOTHESIS = "bad_pointer"
TRUTH = {"call": "hipMemcpyAsync"}

_STEPS = 4
_FAR = 1 << 44


def stage(stage: Stage) -> None:
    def copy(flight: Flight, go: Go) -> None:
        if stage.is_time(_STEPS):
            stage.report("hipMemcpyAsync")
            flight.transfer = flight.transfer._replace(source=flight.transfer.source ^ _FAR)
        go()

    on_transfer(copy)
