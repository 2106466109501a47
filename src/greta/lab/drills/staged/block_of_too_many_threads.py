"""A kernel is launched with more threads in a block than the device has.

What is staged:
    rmsnorm is launched with blocks of 2048 threads.

Why it happens:
    The size of a block follows the width of the model, and this one is wider than a block.

What must be found:
    bad_launch: the launch of rmsnorm. HIP refuses it. There is no buffer.
"""

from __future__ import annotations

from greta.hip import Launch
from greta.lab.drills.seams import Change, change_launch, resized
from greta.lab.drills.stage import Stage

SPANISH = "Un kernel se lanza con más hilos por bloque de los que admite el dispositivo."
HYPOTHESIS = "bad_launch"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "rmsnorm"}

_NORMS = 5


def stage(stage: Stage) -> None:
    def commit(launch: Launch) -> Change:
        stage.report("hipModuleLaunchKernel", kernel="rmsnorm")
        return resized(launch, threads=2048)

    change_launch(stage, "rmsnorm", commit, occasions=_NORMS)
