"""The launches of kernels.cpp: sizes and inputs that reach its corners."""

from __future__ import annotations

import numpy as np

from tests.isa.compiled.oracle import Extent, Run, Words

_CORNERS = np.array(
    [0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
     0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00800000, 0x007FFFFF, 0x80000001,
     0x7F7FFFFF, 0x40490FDB, 0x33800000, 0x4B000000, 0x4F000000, 0x3C003C00, 0x7BFF0001,
     0x7C00FC00],
    np.uint32,
)  # fmt: skip


def words(count: int, seed: int) -> Words:
    """Random words, a third of them corner cases, a third of moderate exponents as floats."""
    r = np.random.default_rng(seed)
    any_word = r.integers(0, 1 << 32, count, np.uint32)
    moderate = (any_word & 0x807FFFFF) | r.integers(110, 145, count, np.uint32) << 23
    kind = r.integers(0, 3, count)
    return np.where(kind == 0, r.choice(_CORNERS, count), np.where(kind == 1, any_word, moderate))


def _plain(kernel: str, n: int = 1000, block: int = 256, out: int | None = None) -> Run:
    grid: Extent = (-(-n // block), 1, 1)
    given = words(n, len(kernel) + n).astype(np.uint32)
    return Run(kernel, grid, (block, 1, 1), given, np.zeros(out or n, np.uint32), n)


def _product() -> Run:
    values = np.random.default_rng(5).normal(size=2 * 64 * 64).astype(np.float32)
    return Run("tiled_product", (4, 4, 1), (16, 16, 1), values.view(np.uint32),
               np.zeros(64 * 64, np.uint32), 64)  # fmt: skip


def _atomics() -> Run:
    run = _plain("atomics", out=104)
    run.out[8:16], run.out[40:48] = 0xFFFFFFFF, 0xFFFFFFFF
    return run


PLAIN = (
    "collatz", "divisions", "scalar_divisions", "bits_and_bytes", "switches", "private_arrays",
    "recursion", "function_pointers", "structs", "floats", "doubles", "halves", "wave_sum",
    "variables",
)  # fmt: skip
RUNS = [
    *(_plain(kernel) for kernel in PLAIN),
    *(_plain(kernel, n=333, block=100) for kernel in ("collatz", "floats", "switches")),
    _product(),
    _plain("block_sum", out=4),
    _plain("histogram", out=64),
    _atomics(),
    Run("ids", (2, 3, 2), (5, 3, 4), np.zeros(1, np.uint32), np.zeros(720, np.uint32), 720),
]
