"""Compiles the kernels and finds them by name."""

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
        kernels.update(_typed(weight_type))
    return Kernels(kernels)


def _typed(weight_type: str) -> dict[str, hip.Kernel]:
    if weight_type not in WEIGHT_TYPES:
        raise ValueError(f"there are no kernels for weights of the type {weight_type!r}")
    module = _compiled("weights.hip", f"-DGRETA_WEIGHT={weight_type}")
    names = [f"{name}_{weight_type}" for name in _TYPED]
    return {name: module.kernel(name) for name in names}


def _compiled(source: str, *options: str) -> hip.Module:
    headers = {name: _text(name) for name in _HEADERS}
    return hip.Module.compile(_text(source), source, options=["-O3", *options], headers=headers)


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
