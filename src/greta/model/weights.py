"""Weights as numbers: out of the file's encodings, and into them for tests and the tiny model.

Both directions are gguf's, which is right and fast for all of these types (tests compare it with a
second reading of each layout). It cannot write the K types; `k_blocks` does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from gguf import quants
from gguf.constants import GGML_QUANT_SIZES

from greta.model.errors import ModelError
from greta.model.k_blocks import K_QUANTIZERS
from greta.model.tensors import Bytes, Tensor, TensorType

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Blocks:
    """How a type packs elements: so many of them in so many bytes."""

    elements: int
    bytes: int


_NAMES = ["F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q4_K", "Q5_K", "Q6_K"]

# The types that weights may have.
WEIGHT_TYPES: dict[TensorType, Blocks] = {
    kind: Blocks(*GGML_QUANT_SIZES[kind]) for kind in TensorType if kind.name in _NAMES
}


def dequantize(tensor: Tensor, rows: slice = slice(None)) -> Floats:
    """The numbers of a tensor or of some of its rows: float32 [rows, cols], or [cols]."""
    if tensor.type not in WEIGHT_TYPES:
        raise ModelError(f"{tensor.name}: weights of the type {tensor.type.name} cannot be read")
    raw = np.ascontiguousarray(tensor.raw[rows])  # [rows, row_bytes]
    with np.errstate(all="ignore"):  # a damaged scale may be NaN, which is a number as well
        numbers = quants.dequantize(raw, tensor.type).astype(np.float32, copy=False)
    return numbers.reshape(tensor.shape if len(tensor.shape) == 1 else (-1, tensor.cols))


def quantize(numbers: Floats, kind: TensorType) -> Bytes:
    """The bytes of numbers [..., cols] in a type: uint8 [..., row_bytes]."""
    if kind not in WEIGHT_TYPES:
        raise ValueError(f"weights of the type {kind.name} cannot be written")
    numbers = np.ascontiguousarray(numbers, np.float32)
    if kind in K_QUANTIZERS:
        return K_QUANTIZERS[kind](numbers)
    return np.ascontiguousarray(quants.quantize(numbers, kind)).view(np.uint8)
