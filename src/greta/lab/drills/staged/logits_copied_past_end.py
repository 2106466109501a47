"""The logits are copied with the padded size of the vocabulary.

What is staged:
    A copy of the logits asks for the vocabulary rounded up to a multiple of 1024 and one more 1024;
    the buffer has what the vocabulary needs.

Why it happens:
    The projection pads its rows for speed, and the copy takes its size from there.

What must be found:
    byte_size_mismatch: the copy, and the buffer of logits.
"""

from __future__ import annotations

from greta.engine.forward import BlockScheduler
from greta.hip import PinnedBuffer
from greta.lab.drills.copies import to_host
from greta.lab.drills.seams import after_prefill, keep
from greta.lab.drills.stage import Stage

SPANISH = "Los logits se copian con el tamaño del vocabulario con relleno."
HYPOTHESIS = "byte_size_mismatch"
TRUTH = {"call": "hipMemcpyAsync"}

_PADDING, _FLOAT = 1024, 4


def stage(stage: Stage) -> None:
    def commit(scheduler: BlockScheduler) -> None:
        logits = scheduler._work.logits
        rows = (logits.nbytes // _FLOAT // _PADDING + 1) * _PADDING
        landing: PinnedBuffer = keep(PinnedBuffer(rows * _FLOAT))
        stage.report("hipMemcpyAsync", buffer=logits)
        to_host(landing, logits, scheduler._stream)

    after_prefill(stage, commit)
