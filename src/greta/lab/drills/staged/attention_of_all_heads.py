"""Attention takes a model with grouped heads for one without.

What is staged:
    In the first layer, attention is given as many heads of keys as there are of queries. What it
    reads beyond its own layer is memory of the same cache, so nothing faults.

Why it happens:
    Llama 2 7B has no groups, Llama 3 8B has; the code was written for the first.

What must be found:
    model_mismatch: the launch of attention, by its argument. No buffer is at fault.
"""

from __future__ import annotations

from greta.hip import Launch, inspection
from greta.lab.drills.seams import Go, argument_of, changed, on_launch
from greta.lab.drills.stage import Stage

SPANISH = "La atención toma un modelo con cabezas agrupadas por uno sin ellas."
HYPOTHESIS = "model_mismatch"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "attention"}

_KEYS, _HEADS, _KV_HEADS = 1, 8, 9  # arguments of attention


def stage(stage: Stage) -> None:
    def attention(launch: Launch, go: Go) -> None:
        keys = argument_of(launch, _KEYS)
        is_first = keys.address == inspection.root_of(keys).address
        if not is_first or not stage.is_time():
            return go()
        stage.report("hipModuleLaunchKernel", kernel="attention")
        with changed(launch, _KV_HEADS, argument_of(launch, _HEADS)):
            return go()

    on_launch("attention", attention)
