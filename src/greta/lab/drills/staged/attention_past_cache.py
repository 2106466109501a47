"""Attention strides over a cache that is smaller than it thinks.

What is staged:
    In the last layer of a prefill, attention is given twice the number of positions that the cache
    was allocated for, so its last heads lie behind the end of the keys.

Why it happens:
    The cache is allocated for the context that was asked for, the kernel is given the model's.

What must be found:
    upstream_kernel_fault: the launch of attention, and the buffer of keys.
"""

from __future__ import annotations

import ctypes

from greta.hip import Launch, inspection
from greta.lab.drills.seams import Go, argument_of, changed, on_launch
from greta.lab.drills.stage import Stage

SPANISH = "La atención recorre una caché que es más pequeña de lo que cree."
HYPOTHESIS = "upstream_kernel_fault"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "attention"}
ENVIRONMENT = {"GRETA_SIM_PLACEMENT": "strict"}

_KEYS, _POSITIONS = 1, 11  # arguments of attention


def stage(stage: Stage) -> None:
    def attention(launch: Launch, go: Go) -> None:
        keys = argument_of(launch, _KEYS)
        whole = inspection.root_of(keys)
        is_last = keys.address + keys.nbytes == whole.address + whole.nbytes
        if not is_last or not stage.is_time():
            return go()
        stage.report("hipModuleLaunchKernel", kernel="attention", buffer=keys)
        positions = argument_of(launch, _POSITIONS).value
        with changed(launch, _POSITIONS, ctypes.c_int32(2 * positions)):
            return go()

    on_launch("attention", attention)
