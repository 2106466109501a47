"""RoPE reads positions past the end of their buffer.

What is staged:
    In one layer of the prefill, rope_kv is launched as in decode: it reads one position for each
    token of the prompt, from a buffer that holds a single one.

Why it happens:
    Prefill and decode share the kernel; a flag tells it which of two shapes its positions have. A
    new path forgets the flag. The error surfaces at the copy of the result, which then is blamed.

What must be found:
    upstream_kernel_fault: the launch of rope_kv, and the buffer of positions that it left.
"""

from __future__ import annotations

import ctypes

from greta.hip import Launch
from greta.lab.drills.seams import Change, argument_of, change_launch, changed
from greta.lab.drills.stage import Stage

SPANISH = "RoPE lee posiciones más allá del final de su búfer."
HYPOTHESIS = "upstream_kernel_fault"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "rope_kv"}
ENVIRONMENT = {"GRETA_SIM_PLACEMENT": "strict"}

_POSITIONS, _PREFILL = 5, 13  # arguments of rope_kv
_LAYERS = 2


def stage(stage: Stage) -> None:
    def commit(launch: Launch) -> Change:
        buffer = argument_of(launch, _POSITIONS)
        stage.report("hipModuleLaunchKernel", kernel="rope_kv", buffer=buffer)
        return changed(launch, _PREFILL, ctypes.c_int32(0))

    change_launch(stage, "rope_kv", commit, occasions=_LAYERS)
