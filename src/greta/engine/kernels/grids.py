"""How many blocks each kernel is launched with; the kernels' common.h has the same sizes."""

from __future__ import annotations

THREADS = 256  # of a block, for every kernel
ROWS_PER_BLOCK = 32
TOKENS_PER_BLOCK = 64
PREFILL_TILE = 8  # tokens of a block of `attention`, in prefill


def matmul_grid(rows: int, m: int) -> tuple[int, int]:
    """For matmul_T and gate_up_T: `rows` of weights, m tokens."""
    return _blocks(rows, ROWS_PER_BLOCK), _blocks(m, TOKENS_PER_BLOCK)


def qkv_grid(rows_q: int, rows_kv: int, m: int) -> tuple[int, int]:
    """For qkv_T."""
    blocks = _blocks(rows_q, ROWS_PER_BLOCK) + 2 * _blocks(rows_kv, ROWS_PER_BLOCK)
    return blocks, _blocks(m, TOKENS_PER_BLOCK)


def attention_grid(m: int, heads: int, prefill: bool) -> tuple[int, int]:
    """For attention: tokens of a prefill share blocks."""
    return (_blocks(m, PREFILL_TILE) if prefill else m), heads


def add_grid(n: int) -> int:
    """For add."""
    return _blocks(n, THREADS)


def _blocks(count: int, each: int) -> int:
    return -(-count // each)
