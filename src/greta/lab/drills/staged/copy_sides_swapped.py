"""A copy to the host is made with its two sides swapped.

What is staged:
    One copy of the chosen token names the host's buffer as its source and the device's as its
    target, and says that it goes from device to host.

Why it happens:
    The order of target and source is that of memcpy, and not that of the sentence in one's head.

What must be found:
    bad_pointer: the copy.
"""

from __future__ import annotations

from greta.engine.d2h.flight import Flight
from greta.lab.drills.seams import Go, on_transfer
from greta.lab.drills.stage import Stage

SPANISH = "Una copia al host se hace con sus dos lados intercambiados."
HYPOTHESIS = "bad_pointer"
TRUTH = {"call": "hipMemcpyAsync"}

_STEPS = 4


def stage(stage: Stage) -> None:
    def copy(flight: Flight, go: Go) -> None:
        if stage.is_time(_STEPS):
            transfer = flight.transfer
            stage.report("hipMemcpyAsync", buffer=flight.request.source)
            flight.transfer = transfer._replace(source=transfer.target, target=transfer.source)
        go()

    on_transfer(copy)
