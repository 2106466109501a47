"""A kernel is given the address of ordinary host memory.

What is staged:
    embed gets the address of a NumPy array with the tokens, in the place of their device buffer.

Why it happens:
    Both are pointers to int, and on machines where the GPU may reach host memory it even works.

What must be found:
    bad_pointer: the launch of embed. There is no allocation.
"""

from __future__ import annotations

import ctypes

import numpy as np

from greta.hip import Launch
from greta.lab.drills.seams import Change, change_launch, changed, keep, name_of
from greta.lab.drills.stage import Stage

SPANISH = "Un kernel recibe la dirección de memoria ordinaria del host."
HYPOTHESIS = "bad_pointer"
TRUTH = {"call": "hipModuleLaunchKernel"}

_TOKENS = 1  # of embed's arguments
_MOST = 1 << 16


def stage(stage: Stage) -> None:
    def commit(launch: Launch) -> Change:
        tokens = keep(np.zeros(_MOST, np.int32))
        stage.report("hipModuleLaunchKernel", kernel=name_of(launch))
        return changed(launch, _TOKENS, ctypes.c_uint64(tokens.ctypes.data))

    change_launch(stage, "embed", commit)
