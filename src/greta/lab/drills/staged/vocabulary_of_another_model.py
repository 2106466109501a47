"""The choice of the token looks at the vocabulary of another model.

What is staged:
    argmax is given five eighths of the vocabulary. Nothing faults; tokens beyond are never chosen.

Why it happens:
    A constant from the model that the code was written for.

What must be found:
    model_mismatch: the launch of argmax, by its argument. No buffer is at fault.
"""

from __future__ import annotations

import ctypes

from greta.hip import Launch
from greta.lab.drills.seams import Change, argument_of, change_launch, changed
from greta.lab.drills.stage import Stage

SPANISH = "La elección del token mira el vocabulario de otro modelo."
HYPOTHESIS = "model_mismatch"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "argmax"}

_VOCABULARY = 2  # of argmax' arguments


def stage(stage: Stage) -> None:
    def commit(launch: Launch) -> Change:
        vocabulary = argument_of(launch, _VOCABULARY).value
        stage.report("hipModuleLaunchKernel", kernel="argmax")
        return changed(launch, _VOCABULARY, ctypes.c_int32(vocabulary * 5 // 8))

    change_launch(stage, "argmax", commit)
