"""Scratch memory of a pool is freed on another stream while a copy may still use it.

What is staged:
    Scratch memory comes from the pool in the engine's stream and is written there; it is freed in
    another stream, which does not wait.

Why it happens:
    Buffers are freed by whoever drops them last, on whatever stream that one works with.

What must be found:
    use_after_free: the free, and the scratch memory that is still in flight.
"""

from __future__ import annotations

from greta.engine.forward import BlockScheduler
from greta.hip import Buffer, Stream
from greta.lab.drills.copies import between
from greta.lab.drills.seams import after_prefill, free_behind, keep
from greta.lab.drills.stage import Stage

SPANISH = "Memoria de un pool se libera en otro stream cuando una copia quizá aún la usa."
HYPOTHESIS = "use_after_free"
TRUTH = {"call": "hipFreeAsync"}


def stage(stage: Stage) -> None:
    def commit(scheduler: BlockScheduler) -> None:
        logits = scheduler._work.logits
        other: Stream = keep(Stream(non_blocking=True))
        scratch: Buffer = keep(Buffer(logits.nbytes, stream=scheduler._stream))
        between(scratch, logits, scheduler._stream)
        stage.report("hipFreeAsync", buffer=scratch)
        free_behind(scratch, stream=other)

    after_prefill(stage, commit)
