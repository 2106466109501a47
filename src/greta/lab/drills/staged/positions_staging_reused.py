"""The staging buffer of an upload is used for a download while the upload may still read it.

What is staged:
    After the positions were queued for upload from a pinned buffer, a download into the same pinned
    buffer is queued on another stream, without waiting.

Why it happens:
    Pinned memory is scarce, so one buffer serves both directions, guarded by an event that somebody
    moved.

What must be found:
    staging_reuse: the download, which overwrites what the upload is still reading.
"""

from __future__ import annotations

from greta.engine.forward import BlockScheduler
from greta.hip import Buffer, Stream, inspection
from greta.lab.drills.seams import after_prefill, join, keep
from greta.lab.drills.stage import Stage

SPANISH = "El búfer de una subida se usa para una descarga cuando la subida quizá aún lo lee."
HYPOTHESIS = "staging_reuse"
TRUTH = {"call": "hipMemcpyAsync"}


def stage(stage: Stage) -> None:
    def commit(scheduler: BlockScheduler) -> None:
        pinned = scheduler._uploads[-1]
        side: Stream = keep(Stream(non_blocking=True))
        other: Buffer = keep(Buffer(pinned.nbytes))
        other.fill(0)
        stage.report("hipMemcpyAsync", buffer=pinned)
        inspection.queue_copy(pinned.address, other.address, pinned.nbytes, side)
        join(scheduler._stream, side)

    after_prefill(stage, commit)
