"""A prompt is uploaded whole into a buffer for a part of it.

What is staged:
    The upload of a prompt's tokens is twice as long as the buffer that it goes to, which holds the
    tokens of one tile.

Why it happens:
    Long prompts are taken in tiles since last month; one of the uploads was forgotten.

What must be found:
    byte_size_mismatch: the upload, and the buffer of tokens on the device.
"""

from __future__ import annotations

from greta.engine.forward import BlockScheduler
from greta.hip import PinnedBuffer
from greta.lab.drills.copies import to_device
from greta.lab.drills.seams import Go, keep, on_prefill
from greta.lab.drills.stage import Stage

SPANISH = "Un prompt se sube entero a un búfer para una parte de él."
HYPOTHESIS = "byte_size_mismatch"
TRUTH = {"call": "hipMemcpyAsync"}


def stage(stage: Stage) -> None:
    def prefill(scheduler: BlockScheduler, go: Go) -> None:
        if stage.is_time():
            prompt = scheduler._work.prompt
            upload: PinnedBuffer = keep(PinnedBuffer(2 * prompt.nbytes))
            stage.report("hipMemcpyAsync", buffer=prompt)
            to_device(prompt, upload, scheduler._stream)
        go()

    on_prefill(prefill)
