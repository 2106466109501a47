"""The copy of the chosen tokens asks for more than their buffer has.

What is staged:
    One copy of the chosen token to the host asks for the bytes of 16 tokens. The buffer has one.

Why it happens:
    The host's side is sized for the largest batch, and its size is what the copy is given.

What must be found:
    byte_size_mismatch: the copy, and the buffer of tokens.
"""

from __future__ import annotations

from greta.engine.d2h.flight import Flight
from greta.lab.drills.seams import Go, on_transfer
from greta.lab.drills.stage import Stage

SPANISH = "La copia de los tokens elegidos pide más de lo que tiene su búfer."
HYPOTHESIS = "byte_size_mismatch"
TRUTH = {"call": "hipMemcpyAsync"}

_BATCH = 16
_STEPS = 4


def stage(stage: Stage) -> None:
    def copy(flight: Flight, go: Go) -> None:
        if stage.is_time(_STEPS):
            stage.report("hipMemcpyAsync", buffer=flight.request.source)
            flight.transfer = flight.transfer._replace(nbytes=flight.transfer.nbytes * _BATCH)
        go()

    on_transfer(copy)
