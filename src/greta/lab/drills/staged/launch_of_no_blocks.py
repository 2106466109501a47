"""A kernel is launched with a grid of no blocks.

What is staged:
    rmsnorm is launched for no rows at all: its grid has no blocks.

Why it happens:
    The grid is computed from the number of rows, and a batch came out empty.

What must be found:
    bad_launch: the launch of rmsnorm. HIP refuses it. There is no buffer.
"""

from __future__ import annotations

from greta.hip import Launch
from greta.lab.drills.seams import Change, change_launch, resized
from greta.lab.drills.stage import Stage

SPANISH = "Un kernel se lanza con una rejilla sin bloques."
HYPOTHESIS = "bad_launch"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "rmsnorm"}

_NORMS = 5


def stage(stage: Stage) -> None:
    def commit(launch: Launch) -> Change:
        stage.report("hipModuleLaunchKernel", kernel="rmsnorm")
        return resized(launch, 0)

    change_launch(stage, "rmsnorm", commit, occasions=_NORMS)
