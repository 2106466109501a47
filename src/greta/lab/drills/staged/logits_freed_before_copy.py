"""Logits are copied to the host after their buffer was freed.

What is staged:
    The logits of the prompt are copied to a buffer for one request. It is freed when the request
    is done with it on the host; the copy of its contents to the host is queued after that.

Why it happens:
    The buffer belongs to an object that goes out of scope one line too early.

What must be found:
    use_after_free: the copy, and the buffer that had been freed.
"""

from __future__ import annotations

from greta.engine.forward import BlockScheduler
from greta.hip import Buffer, PinnedBuffer
from greta.lab.drills.copies import between, to_host
from greta.lab.drills.seams import after_prefill, free_behind, keep
from greta.lab.drills.stage import Stage

SPANISH = "Los logits se copian al host después de liberar su búfer."
HYPOTHESIS = "use_after_free"
TRUTH = {"call": "hipMemcpyAsync"}


def stage(stage: Stage) -> None:
    def commit(scheduler: BlockScheduler) -> None:
        logits = scheduler._work.logits
        kept: Buffer = keep(Buffer(logits.nbytes))
        landing: PinnedBuffer = keep(PinnedBuffer(logits.nbytes))
        between(kept, logits, scheduler._stream)
        free_behind(kept)
        stage.report("hipMemcpyAsync", buffer=kept)
        to_host(landing, kept, scheduler._stream)

    after_prefill(stage, commit)
