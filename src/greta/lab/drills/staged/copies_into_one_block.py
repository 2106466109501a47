"""Two copies to the host land in the same staging block.

What is staged:
    A copy of the logits is queued on another stream into the block that the copy of the chosen
    token goes to, without order between the two.

Why it happens:
    A block is given back to its pool when its copy is queued and not when it has landed.

What must be found:
    overlapping_copies: the second copy, and the block.
"""

from __future__ import annotations

from greta.engine.d2h.flight import Flight
from greta.hip import Buffer, Stream
from greta.lab.drills.copies import to_host
from greta.lab.drills.seams import Go, join, keep, on_transfer
from greta.lab.drills.stage import Stage

SPANISH = "Dos copias al host caen en el mismo bloque intermedio."
HYPOTHESIS = "overlapping_copies"
TRUTH = {"call": "hipMemcpyAsync"}

_STEPS = 4
_BYTES = 64


def stage(stage: Stage) -> None:
    def copy(flight: Flight, go: Go) -> None:
        go()
        if not stage.is_time(_STEPS):
            return
        other: Buffer = keep(Buffer(_BYTES))
        other.fill(0)
        side: Stream = keep(Stream(non_blocking=True))
        stage.report("hipMemcpyAsync", buffer=flight.block.pinned)
        to_host(flight.block.pinned, other, side, _BYTES)
        join(flight.request.stream, side)
        flight.block.event.record(flight.request.stream)  # the host waits for both

    on_transfer(copy)
