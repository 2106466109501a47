"""Two uploads on two streams write the same bytes of a buffer.

What is staged:
    The prompt's tokens are uploaded again in two halves on two streams, and the halves overlap by
    one token. What reads them waits for both.

Why it happens:
    An odd number of tokens, and a half that is rounded up on one side and down on the other.

What must be found:
    overlapping_copies: the second upload, and the buffer of tokens.
"""

from __future__ import annotations

from greta.hip import Buffer, Launch, PinnedBuffer, Stream
from greta.lab.drills.copies import to_device
from greta.lab.drills.seams import Go, argument_of, join, keep, on_launch, stream_of
from greta.lab.drills.stage import Stage

SPANISH = "Dos subidas en dos streams escriben los mismos bytes de un búfer."
HYPOTHESIS = "overlapping_copies"
TRUTH = {"call": "hipMemcpyAsync"}

_TOKENS, _TOKEN = 1, 4  # of embed's arguments; bytes


def stage(stage: Stage) -> None:
    def embed(launch: Launch, go: Go) -> None:
        if stage.is_time():
            tokens: Buffer = argument_of(launch, _TOKENS)
            half = tokens.nbytes // 2
            upload: PinnedBuffer = keep(PinnedBuffer(tokens.nbytes))
            sides: list[Stream] = [keep(Stream(non_blocking=True)) for _ in range(2)]
            for side in sides:
                join(side, stream_of(launch))
            to_device(tokens, upload, sides[0], half + _TOKEN)
            stage.report("hipMemcpyAsync", buffer=tokens)
            to_device(tokens.view(half, half), upload, sides[1], half)
            for side in sides:
                join(stream_of(launch), side)
        go()

    on_launch("embed", embed)
