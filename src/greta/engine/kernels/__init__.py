"""The engine's kernels: HIP sources that hipRTC compiles when they are first needed.

README.md beside this file says what each kernel does and what its arguments are.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from greta import hip

# As in GGUF, in lower case: the names that kernels for one type end in.
WEIGHT_TYPES = frozenset(
    {"f32", "f16", "bf16", "q8_0", "q4_0", "q4_1", "q5_0", "q5_1", "q4_k", "q5_k", "q6_k"}
)

_FOLDER = Path(__file__).parent
_HEADERS = ("common.h", "blocks.h", "products.h")
# Which source has which kernels. Those of weights.hip are compiled for one weight type at a time.
_PLAIN = {
    "activations.hip": ("rmsnorm", "quantize", "quantize_k", "silu_mul", "add"),
    "attention.hip": ("rope_kv", "attention"),
    "sampling.hip": ("argmax", "advance"),
}
_TYPED = ("embed", "matmul", "qkv", "gate_up")


class Kernels:
    """The loaded kernels of one device, for some weight types."""

    def __init__(self, kernels: dict[str, hip.Kernel]) -> None:
        self._kernels = kernels

    def kernel(self, name: str, weight_type: str | None = None) -> hip.Kernel:
        """A kernel; those that read weights exist once for each of the types loaded."""
        return self._kernels[name if weight_type is None else f"{name}_{weight_type}"]


def load(weight_types: Iterable[str]) -> Kernels:
    """Compiles (or takes from hipRTC's cache) and loads the kernels on the current device."""
    kernels: dict[str, hip.Kernel] = {}
    for source, names in _PLAIN.items():
        module = _compiled(source)
        kernels.update({name: module.kernel(name) for name in names})
    for weight_type in sorted(set(weight_types)):
        if weight_type not in WEIGHT_TYPES:
            raise ValueError(f"there are no kernels for weights of the type {weight_type!r}")
        module = _compiled("weights.hip", f"-DGRETA_WEIGHT={weight_type}")
        typed = [f"{name}_{weight_type}" for name in _TYPED]
        kernels.update({name: module.kernel(name) for name in typed})
    return Kernels(kernels)


def _compiled(source: str, *options: str) -> hip.Module:
    headers = {name: _text(name) for name in _HEADERS}
    return hip.Module.compile(_text(source), source, options=["-O3", *options], headers=headers)


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


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
