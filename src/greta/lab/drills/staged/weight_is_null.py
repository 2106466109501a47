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
from greta.lab.drills.seams import Change, change_launch, changed
from greta.lab.drills.stage import Stage

SPANISH = "Un kernel recibe null en lugar de los pesos de una capa."
HYPOTHESIS = "bad_pointer"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "rmsnorm"}

_WEIGHT = 1  # of rmsnorm's arguments
_NORMS = 5


def stage(stage: Stage) -> None:
    def commit(launch: Launch) -> Change:
        stage.report("hipModuleLaunchKernel", kernel="rmsnorm")
        return changed(launch, _WEIGHT, None)

    change_launch(stage, "rmsnorm", commit, occasions=_NORMS)
