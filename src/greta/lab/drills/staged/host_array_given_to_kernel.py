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
from greta.lab.drills.seams import Go, changed, keep, name_of, on_launch
from greta.lab.drills.stage import Stage

HYPOTHESIS = "bad_pointer"
TRUTH = {"call": "hipModuleLaunchKernel"}

_TOKENS = 1  # of embed's arguments
_MOST = 1 << 16


def stage(stage: Stage) -> None:
    def embed(launch: Launch, go: Go) -> None:
        if not stage.is_time():
            return go()
        tokens = keep(np.zeros(_MOST, np.int32))
        stage.report("hipModuleLaunchKernel", kernel=name_of(launch))
        with changed(launch, _TOKENS, ctypes.c_uint64(tokens.ctypes.data)):
            return go()

    on_launch("embed", embed)
