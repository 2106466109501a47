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
from greta.lab.drills.seams import Go, destroy_behind, keep, on_prefill
from greta.lab.drills.stage import Stage

HYPOTHESIS = "stale_handle"
TRUTH = {"call": "hipMemcpyAsync"}


def stage(stage: Stage) -> None:
    def prefill(scheduler: BlockScheduler, go: Go) -> None:
        go()
        if not stage.is_time():
            return
        logits = scheduler._work.logits
        landing: PinnedBuffer = keep(PinnedBuffer(logits.nbytes))
        scheduler._stream.synchronize()
        gone = destroy_behind(Stream(), "hipStreamDestroy")
        stage.report("hipMemcpyAsync")
        to_host(landing, logits, Stream._borrowed(gone))

    on_prefill(prefill)
