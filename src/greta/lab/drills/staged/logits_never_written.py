"""Logits are copied to the host from a buffer that nothing was written to.

What is staged:
    A buffer for the logits of one request is allocated and copied to the host. The copy that was to
    fill it is never made.

Why it happens:
    The step that fills the buffer is skipped when there is nothing new to compute, and the old
    contents that it relied on belonged to another buffer.

What must be found:
    uninitialized_read: the copy, and the buffer that nothing wrote.
"""

from __future__ import annotations

from greta.engine.forward import BlockScheduler
from greta.hip import Buffer, PinnedBuffer
from greta.lab.drills.copies import to_host
from greta.lab.drills.seams import after_prefill, keep
from greta.lab.drills.stage import Stage

SPANISH = "Los logits se copian al host desde un búfer en el que nada escribió."
HYPOTHESIS = "uninitialized_read"
TRUTH = {"call": "hipMemcpyAsync"}


def stage(stage: Stage) -> None:
    def commit(scheduler: BlockScheduler) -> None:
        nbytes = scheduler._work.logits.nbytes
        logits: Buffer = keep(Buffer(nbytes))
        landing: PinnedBuffer = keep(PinnedBuffer(nbytes))
        stage.report("hipMemcpyAsync", buffer=logits)
        to_host(landing, logits, scheduler._stream)

    after_prefill(stage, commit)
