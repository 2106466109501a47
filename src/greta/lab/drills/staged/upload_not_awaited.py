"""The prompt is looked up while it may still be on its way to the device.

What is staged:
    The tokens of the prompt are uploaded on a stream of their own, and nothing makes the engine's
    stream wait for them.

Why it happens:
    Uploads are moved to a copy stream, and the event behind them is waited for in the second tile
    of a prompt but not in the first.

What must be found:
    missing_sync: the launch of embed, and the buffer of tokens.
"""

from __future__ import annotations

from greta.hip import Buffer, Launch, PinnedBuffer, Stream
from greta.lab.drills.copies import to_device
from greta.lab.drills.seams import Go, argument_of, keep, name_of, on_launch, stream_of
from greta.lab.drills.stage import Stage

SPANISH = "El prompt se busca cuando quizá todavía está en camino al dispositivo."
HYPOTHESIS = "missing_sync"
TRUTH = {"call": "hipModuleLaunchKernel"}

_TOKENS = 1  # of embed's arguments


def stage(stage: Stage) -> None:
    def embed(launch: Launch, go: Go) -> None:
        if stage.is_time():
            tokens: Buffer = argument_of(launch, _TOKENS)
            stream_of(launch).synchronize()  # so that only what follows is out of order
            upload: PinnedBuffer = keep(PinnedBuffer(tokens.nbytes))
            upload.array[:] = 0
            stage.report("hipModuleLaunchKernel", kernel=name_of(launch), buffer=tokens)
            to_device(tokens, upload, keep(Stream(non_blocking=True)))
        go()

    on_launch("embed", embed)
