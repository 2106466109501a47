"""A kernel is given null in the place of a layer's weights.

What is staged:
    rmsnorm of one layer gets a null pointer for its weights.

Why it happens:
    A tensor that the file does not have under that name is left null by the loader.

What must be found:
    bad_pointer: the launch of rmsnorm. There is no buffer.
"""

from __future__ import annotations

from greta.hip import Launch
from greta.lab.drills.seams import Go, changed, on_launch
from greta.lab.drills.stage import Stage

HYPOTHESIS = "bad_pointer"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "rmsnorm"}

_WEIGHT = 1  # of rmsnorm's arguments
_NORMS = 5


def stage(stage: Stage) -> None:
    def norm(launch: Launch, go: Go) -> None:
        if not stage.is_time(_NORMS):
            return go()
        stage.report("hipModuleLaunchKernel", kernel="rmsnorm")
        with changed(launch, _WEIGHT, None):
            return go()

    on_launch("rmsnorm", norm)
