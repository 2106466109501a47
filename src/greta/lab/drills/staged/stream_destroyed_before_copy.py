"""Logits are copied on a stream that has been destroyed.

What is staged:
    A stream for one copy is created and destroyed; after that the copy of the logits is queued on
    it.

Why it happens:
    The stream belongs to an object that is closed on the way out, and the last copy is made later.

What must be found:
    stale_handle: the copy. HIP refuses it. There is no buffer.
"""

from __future__ import annotations

from greta.engine.forward import BlockScheduler
from greta.hip import PinnedBuffer, Stream
from greta.lab.drills.copies import to_host
from greta.lab.drills.seams import after_prefill, destroy_behind, keep
from greta.lab.drills.stage import Stage

SPANISH = "Los logits se copian en un stream que ya fue destruido."
HYPOTHESIS = "stale_handle"
TRUTH = {"call": "hipMemcpyAsync"}


def stage(stage: Stage) -> None:
    def commit(scheduler: BlockScheduler) -> None:
        logits = scheduler._work.logits
        landing: PinnedBuffer = keep(PinnedBuffer(logits.nbytes))
        scheduler._stream.synchronize()
        gone = destroy_behind(Stream(), "hipStreamDestroy")
        stage.report("hipMemcpyAsync")
        to_host(landing, logits, Stream._borrowed(gone))

    after_prefill(stage, commit)
