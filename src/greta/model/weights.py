"""Weights as numbers: out of the file's encodings, and into them for tests and the tiny model.

Both directions are gguf's, which is right and fast for all of these types (tests compare it with a
second reading of each layout). It cannot write the K types; `k_blocks` does.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from greta.model.errors import ModelError
from greta.model.file import Model
from greta.model.k_blocks import K_QUANTIZERS
from greta.model.tensor_types import WEIGHT_TYPES, TensorType
from greta.model.tensors import Bytes, Tensor

Floats = npt.NDArray[np.float32]


def dequantize(tensor: Tensor, rows: slice = slice(None)) -> Floats:
    """The numbers of a tensor or of some of its rows: float32 [rows, cols], or [cols]."""
    if tensor.type not in WEIGHT_TYPES:
        raise ModelError(f"{tensor.name}: weights of the type {tensor.type.name} cannot be read")
    from gguf import GGMLQuantizationType, quants  # here: a run that only copies weights needs none

    raw = np.ascontiguousarray(tensor.raw[rows])  # [rows, row_bytes]
    with np.errstate(all="ignore"):  # a damaged scale may be NaN, which is a number as well
        numbers = quants.dequantize(raw, GGMLQuantizationType(tensor.type))
    numbers = numbers.astype(np.float32, copy=False)
    return numbers.reshape(tensor.shape if len(tensor.shape) == 1 else (-1, tensor.cols))


def turn_divisors(model: Model) -> Floats:
    """By what the turn of each pair is divided, for long contexts: [rope / 2]."""
    rope = model.config.rope
    divisors = np.full(rope.dimensions // 2, rope.factor, np.float32)
    if rope.scaling == "llama3":
        divisors *= dequantize(model.tensors["rope_freqs.weight"])
    return divisors


def quantize(numbers: Floats, kind: TensorType) -> Bytes:
    """The bytes of numbers [..., cols] in a type: uint8 [..., row_bytes]."""
    if kind not in WEIGHT_TYPES:
        raise ValueError(f"weights of the type {kind.name} cannot be written")
    from gguf import GGMLQuantizationType, quants

    numbers = np.ascontiguousarray(numbers, np.float32)
    if kind in K_QUANTIZERS:
        return K_QUANTIZERS[kind](numbers)
    return np.ascontiguousarray(quants.quantize(numbers, GGMLQuantizationType(kind))).view(np.uint8)
