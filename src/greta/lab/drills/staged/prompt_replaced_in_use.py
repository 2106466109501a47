"""The next prompt is uploaded over one that is still being read.

What is staged:
    While embed reads the tokens of a prompt, other tokens are uploaded to the same buffer on
    another stream, which does not wait.

Why it happens:
    The next request is prefetched, and there is one buffer where it takes two.

What must be found:
    staging_reuse: the upload, and the buffer of tokens.
"""

from __future__ import annotations

from greta.hip import Buffer, Launch, PinnedBuffer, Stream
from greta.lab.drills.copies import to_device
from greta.lab.drills.seams import Go, argument_of, join, keep, on_launch, stream_of
from greta.lab.drills.stage import Stage

SPANISH = "El prompt siguiente se sube encima de uno que todavía se está leyendo."
HYPOTHESIS = "staging_reuse"
TRUTH = {"call": "hipMemcpyAsync"}

_TOKENS = 1  # of embed's arguments


def stage(stage: Stage) -> None:
    def embed(launch: Launch, go: Go) -> None:
        is_time = stage.is_time()
        tokens: Buffer = argument_of(launch, _TOKENS)
        side: Stream = keep(Stream(non_blocking=True)) if is_time else stream_of(launch)
        if is_time:
            upload: PinnedBuffer = keep(PinnedBuffer(tokens.nbytes))
            join(side, stream_of(launch))  # behind the upload of this prompt, before embed
        go()
        if is_time:
            stage.report("hipMemcpyAsync", buffer=tokens)
            to_device(tokens, upload, side)

    on_launch("embed", embed)
