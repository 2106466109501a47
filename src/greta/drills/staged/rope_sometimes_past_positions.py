"""In one iteration of twenty, RoPE reads positions past the end of their buffer.

What is staged:
    As in rope_past_positions, but in about one of twenty iterations, by chance.

Why it happens:
    The path that forgets the flag is taken for prompts of a certain length only.

What must be found:
    upstream_kernel_fault: the launch of rope_kv, and the buffer of positions; and how often.
"""

from __future__ import annotations

from greta.drills.staged.rope_past_positions import stage

__all__ = ["stage"]

HYPOTHESIS = "upstream_kernel_fault"
TRUTH = {"call": "hipModuleLaunchKernel", "kernel": "rope_kv"}
ENVIRONMENT = {"GRETA_SIM_PLACEMENT": "strict"}
RATE = 0.05
