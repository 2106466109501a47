"""A kernel is given an activation that has been freed.

What is staged:
    The buffer for quantized activations is freed in the middle of a prefill and another one is
    allocated, as if it had to grow. The launches still point to the old one.

Why it happens:
    Scratch memory grows with the longest prompt; launches, graphs and views keep the old address.

What must be found:
    use_after_free: the first launch that was given the old address, rmsnorm, and that buffer.
"""

from __future__ import annotations

from greta.hip import Buffer, Launch, inspection
from greta.lab.drills.seams import Go, argument_of, free_behind, keep, on_launch
from greta.lab.drills.stage import Stage

SPANISH = "Un kernel recibe una activación que ya fue liberada."
HYPOTHESIS = "use_after_free"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "rmsnorm"}

_QUANTIZED = 3  # of rmsnorm's arguments
_NORMS = 5


def stage(stage: Stage) -> None:
    def norm(launch: Launch, go: Go) -> None:
        if stage.is_time(_NORMS):
            old = inspection.root_of(argument_of(launch, _QUANTIZED))
            free_behind(old)
            keep(Buffer(2 * old.nbytes))
            stage.report("hipModuleLaunchKernel", kernel="rmsnorm", buffer=old)
        go()

    on_launch("rmsnorm", norm)
