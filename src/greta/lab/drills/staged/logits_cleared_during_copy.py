"""A buffer is cleared on one stream while a copy fills it on another.

What is staged:
    A buffer for the logits of a request is cleared on a stream of its own, and filled by a copy on
    the engine's stream. Nothing says which comes last.

Why it happens:
    Clearing was moved out of the way, to a stream for housekeeping.

What must be found:
    overlapping_copies: the copy, and the buffer.
"""

from __future__ import annotations

from greta.engine.forward import BlockScheduler
from greta.hip import Buffer, Stream
from greta.lab.drills.copies import between
from greta.lab.drills.seams import after_prefill, join, keep
from greta.lab.drills.stage import Stage

SPANISH = "Un búfer se borra en un stream mientras una copia lo llena en otro."
HYPOTHESIS = "overlapping_copies"
TRUTH = {"call": "hipMemcpyAsync"}


def stage(stage: Stage) -> None:
    def commit(scheduler: BlockScheduler) -> None:
        logits = scheduler._work.logits
        kept: Buffer = keep(Buffer(logits.nbytes))
        side: Stream = keep(Stream(non_blocking=True))
        kept.fill(0, stream=side)
        stage.report("hipMemcpyAsync", buffer=kept)
        between(kept, logits, scheduler._stream)
        join(scheduler._stream, side)

    after_prefill(stage, commit)
