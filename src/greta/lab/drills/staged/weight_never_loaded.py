"""A kernel reads weights that were never loaded.

What is staged:
    rmsnorm of one layer gets a new buffer for its weights, to which nothing was written.

Why it happens:
    Memory for a tensor is allocated, and the file is found to have none of that name.

What must be found:
    uninitialized_read: the launch of rmsnorm, and the buffer that nothing wrote. What a kernel
    reads, the simulated device notes; that it matters shows when fresh memory holds other bytes.
"""

from __future__ import annotations

from greta.hip import Buffer, Launch
from greta.lab.drills.seams import Change, argument_of, change_launch, changed, keep
from greta.lab.drills.stage import Stage

SPANISH = "Un kernel lee pesos que nunca se cargaron."
HYPOTHESIS = "uninitialized_read"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "rmsnorm"}
ENVIRONMENT = {"GRETA_SIM_FOOTPRINTS": "1"}
OTHER_BYTES = True

_WEIGHT = 1  # of rmsnorm's arguments
_NORMS = 5


def stage(stage: Stage) -> None:
    def commit(launch: Launch) -> Change:
        weight: Buffer = keep(Buffer(argument_of(launch, _WEIGHT).nbytes))
        stage.report("hipModuleLaunchKernel", kernel="rmsnorm", buffer=weight)
        return changed(launch, _WEIGHT, weight)

    change_launch(stage, "rmsnorm", commit, occasions=_NORMS)
