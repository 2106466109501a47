"""The engine's kernels: HIP sources that hipRTC compiles when they are first needed.

README.md beside this file says what each kernel does and what its arguments are.
"""

from greta.engine.kernels.grids import (
    THREADS,
    add_grid,
    attention_grid,
    matmul_grid,
    qkv_grid,
)
from greta.engine.kernels.loading import WEIGHT_TYPES, Kernels, load

__all__ = [
    "THREADS",
    "WEIGHT_TYPES",
    "Kernels",
    "add_grid",
    "attention_grid",
    "load",
    "matmul_grid",
    "qkv_grid",
]
