"""The host's copy of the chosen token runs on another stream and does not wait for the choice.

What is staged:
    One copy of the chosen token is queued on a stream of its own, without an event behind argmax.
    What comes after the copy is in order: the next step waits for it.

Why it happens:
    Copies are moved to a stream of their own to make them overlap with work, and one of the two
    events that this takes is forgotten.

What must be found:
    missing_sync: the copy reads the tokens that a kernel may not have written yet.
"""

from __future__ import annotations

from greta.engine.d2h.flight import Flight
from greta.hip import Stream
from greta.lab.drills.seams import Go, join, keep, on_transfer
from greta.lab.drills.stage import Stage

SPANISH = "La copia al host del token elegido se ejecuta en otro stream y no espera a la elección."
HYPOTHESIS = "missing_sync"
TRUTH = {"call": "hipMemcpyAsync"}

_STEPS = 4


def stage(stage: Stage) -> None:
    def copy(flight: Flight, go: Go) -> None:
        if not stage.is_time(_STEPS):
            return go()
        side: Stream = keep(Stream(non_blocking=True))
        engine = flight.request.stream
        stage.report("hipMemcpyAsync", buffer=flight.request.source)
        flight.request = flight.request._replace(stream=side)
        go()
        return join(engine, side)

    on_transfer(copy)
