"""A host function in a stream waits for something that does not come.

What is staged:
    A host function is queued behind the prefill and never returns; the host waits for the stream.
    Somebody loses patience and ends the process.

Why it happens:
    The function waits for a lock that is held by the thread which waits for the stream.

What must be found:
    hang: the call in which the host waited for the stream. There is no buffer.
"""

from __future__ import annotations

import threading

from greta.engine.forward import BlockScheduler
from greta.lab.drills.seams import after_prefill, lose_patience
from greta.lab.drills.stage import Stage

SPANISH = "Una función del host en un stream espera algo que no llega."
HYPOTHESIS = "hang"
TRUTH = {"call": "hipStreamSynchronize"}


def _wait() -> None:
    threading.Event().wait()


def stage(stage: Stage) -> None:
    def commit(scheduler: BlockScheduler) -> None:
        stream = scheduler._stream
        stream.synchronize()
        stream.call_on_host(_wait)
        lose_patience()
        stage.report("hipStreamSynchronize")
        stream.synchronize()

    after_prefill(stage, commit)
