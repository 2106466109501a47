"""A stream waits for a value that nobody writes.

What is staged:
    The stream of the engine is told to wait until a word of memory is 1; nothing is left that could
    write it. Somebody loses patience and ends the process.

Why it happens:
    The stream that was to write the value failed early, or writes to another word.

What must be found:
    hang: the call in which the host waited for the stream. There is no buffer.
"""

from __future__ import annotations

from greta.engine.forward import BlockScheduler
from greta.hip import Buffer
from greta.hip._bindings import call
from greta.lab.drills.seams import after_prefill, keep, lose_patience
from greta.lab.drills.stage import Stage

SPANISH = "Un stream espera un valor que nadie escribe."
HYPOTHESIS = "hang"
TRUTH = {"call": "hipStreamSynchronize"}

_EQUAL, _ALL_BITS = 1, 0xFFFFFFFF


def stage(stage: Stage) -> None:
    def commit(scheduler: BlockScheduler) -> None:
        scheduler._stream.synchronize()
        word: Buffer = keep(Buffer(4))
        call("hipMemset", word.native, 0, 4)
        stream = scheduler._stream
        call("hipStreamWaitValue32", stream.native, word.native, 1, _EQUAL, _ALL_BITS)
        lose_patience()
        stage.report("hipStreamSynchronize")
        stream.synchronize()

    after_prefill(stage, commit)
