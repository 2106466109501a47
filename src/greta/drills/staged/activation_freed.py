"""A kernel is given an activation that has been freed.

What is staged:
    The buffer for quantized activations is freed before a prefill and another one is allocated, as
    if it had to grow. The launches still point to the old one.

Why it happens:
    Scratch memory grows with the longest prompt; launches, graphs and views keep the old address.

What must be found:
    use_after_free: the first launch that was given the old address, rmsnorm, and that buffer.
"""

from __future__ import annotations

from greta.drills.seams import Go, free_behind, keep, on_prefill
from greta.drills.stage import Stage
from greta.engine.forward import BlockScheduler
from greta.hip import Buffer, inspection

HYPOTHESIS = "use_after_free"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "rmsnorm"}


def stage(stage: Stage) -> None:
    """Frees what the launches will still use."""

    def prefill(scheduler: BlockScheduler, go: Go) -> None:
        old = inspection.root_of(scheduler._work.normed_q8.q)
        if stage.is_time():
            stage.report("hipModuleLaunchKernel", kernel="rmsnorm", buffer=old)
            free_behind(old)
            keep(Buffer(2 * old.nbytes))
        go()

    on_prefill(prefill)
