"""RoPE runs on another stream and does not wait for the projections that it turns.

What is staged:
    rope_kv of one layer is launched on a second stream. It waits for an event, but for one that was
    recorded before the projections were queued. Attention waits for it.

Why it happens:
    Two streams to keep the device busy, and an event that is recorded some launches too early.

What must be found:
    missing_sync: the launch of rope_kv, which works on queries that may not be there yet. Which
    bytes it works on only a footprint shows: its arguments leave it open.
"""

from __future__ import annotations

from greta.hip import Launch, Stream
from greta.lab.drills.seams import Go, argument_of, join, keep, moved, on_launch, stream_of
from greta.lab.drills.stage import Stage

SPANISH = "RoPE se ejecuta en otro stream y no espera a las proyecciones que rota."
HYPOTHESIS = "missing_sync"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "rope_kv"}
ENVIRONMENT = {"GRETA_SIM_FOOTPRINTS": "1"}

_QUERIES = 0  # of rope_kv's arguments
_NORMS = 3  # all with a rope_kv after them, in two layers


def stage(stage: Stage) -> None:
    sides: list[Stream] = []

    def norm(launch: Launch, go: Go) -> None:
        if stage.is_time(_NORMS):
            sides.append(keep(Stream(non_blocking=True)))
            join(sides[-1], stream_of(launch))
        go()

    def rope(launch: Launch, go: Go) -> None:
        if not sides:
            return go()
        side, queries = sides.pop(), argument_of(launch, _QUERIES)
        stage.report("hipModuleLaunchKernel", kernel="rope_kv", buffer=queries)
        with moved(launch, side):
            go()
        return join(stream_of(launch), side)

    on_launch("rmsnorm", norm)
    on_launch("rope_kv", rope)
