"""A kernel reads weights that were never loaded.

What is staged:
    rmsnorm of one layer gets a new buffer for its weights, to which nothing was written.

Why it happens:
    Memory for a tensor is allocated, and the file is found to have none of that name.

What must be found:
    uninitialized_read: the launch of rmsnorm, and the buffer that nothing wrote. What a kernel
    reads, the simulated device notes.
"""

from __future__ import annotations

from greta.hip import Buffer, Launch
from greta.lab.drills.seams import Go, argument_of, changed, keep, on_launch
from greta.lab.drills.stage import Stage

HYPOTHESIS = "uninitialized_read"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "rmsnorm"}
ENVIRONMENT = {"GRETA_SIM_FOOTPRINTS": "1"}

_WEIGHT = 1  # of rmsnorm's arguments
_NORMS = 5


def stage(stage: Stage) -> None:
    def norm(launch: Launch, go: Go) -> None:
        if not stage.is_time(_NORMS):
            return go()
        weight: Buffer = keep(Buffer(argument_of(launch, _WEIGHT).nbytes))
        stage.report("hipModuleLaunchKernel", kernel="rmsnorm", buffer=weight)
        with changed(launch, _WEIGHT, weight):
            return go()

    on_launch("rmsnorm", norm)
