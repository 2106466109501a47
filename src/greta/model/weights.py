"""Weights as numbers: out of the file's encodings, and into them for tests and the tiny model.

Both directions are gguf's, which is right and fast for all of these types (tests compare it with a
second reading of each layout). It cannot write the K types; that is done here, by plain rounding,
good enough for tests and the tiny model. llama.cpp searches for the scales with the least error;
here they follow from the extremes of each group. What is read back is exact either way.

Blocks of 256 elements
    Q4_K   d f16, dmin f16, scales 12, quants 128                 8 groups of 32: scale, minimum
    Q5_K   d f16, dmin f16, scales 12, high bits 32, quants 128   8 groups of 32: scale, minimum
    Q6_K   low bits 128, high bits 64, scales i8 16, d f16        16 groups of 16: scale

The 12 bytes of scales hold 8 scales s and 8 minima m of 6 bits (get_scale_min_k4 in ggml):
    bytes 0..3     s[j] | (s[j + 4] >> 4) << 6
    bytes 4..7     m[j] | (m[j + 4] >> 4) << 6
    bytes 8..11    (s[j + 4] & 15) | (m[j + 4] & 15) << 4
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.errors import ModelError
from greta.model.file import Model
from greta.model.tensors import WEIGHT_TYPES, Bytes, Tensor, TensorType

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


_BLOCK = 256
Array = npt.NDArray[Any]


def _quantize_q4(numbers: Array) -> Bytes:
    codes, head = _codes_with_minimum(numbers, 15)  # [blocks, 8, 32]
    return _joined(numbers, head, _nibbles(codes))


def _quantize_q5(numbers: Array) -> Bytes:
    codes, head = _codes_with_minimum(numbers, 31)
    # Bit g of high byte i belongs to element i of group g.
    shifts = np.arange(8, dtype=np.uint8)[None, :, None]
    high = np.bitwise_or.reduce((codes >> 4) << shifts, axis=1)  # [blocks, 32]
    return _joined(numbers, head, high, _nibbles(codes & 15))


def _quantize_q6(numbers: Array) -> Bytes:
    groups = numbers.reshape(-1, 16, 16)
    steps = np.abs(groups).max(axis=2) / 31  # [blocks, 16]
    d = (steps.max(axis=1, keepdims=True) / 127).astype(np.float16)
    scales = np.rint(_ratio(steps, d)).astype(np.int8)
    step = d.astype(np.float32) * scales
    codes = (np.clip(np.rint(_ratio(groups, step[:, :, None])), -32, 31) + 32).astype(np.uint8)
    quarters = codes.reshape(-1, 2, 4, 32)  # halves of 128: four runs of 32 share their bytes
    low = quarters[:, :, :2] & 15 | (quarters[:, :, 2:] & 15) << 4  # [blocks, 2, 2, 32]
    shifts = np.array([0, 2, 4, 6], np.uint8)[None, None, :, None]
    high = np.bitwise_or.reduce((quarters >> 4) << shifts, axis=2)  # [blocks, 2, 32]
    return _joined(numbers, low, high, scales, d)


def _codes_with_minimum(numbers: Array, most: int) -> tuple[Array, Array]:
    """Codes 0..most of groups of 32, and the 16 bytes of scales before them."""
    groups = numbers.reshape(-1, 8, 32)
    lowest = np.maximum(-groups.min(axis=2), 0)  # [blocks, 8]
    steps = (groups.max(axis=2) + lowest) / most
    d = (steps.max(axis=1, keepdims=True) / 63).astype(np.float16)
    dmin = (lowest.max(axis=1, keepdims=True) / 63).astype(np.float16)
    scales, minima = _six_bits(steps, d), _six_bits(lowest, dmin)
    step = (d.astype(np.float32) * scales)[:, :, None]
    floor = (dmin.astype(np.float32) * minima)[:, :, None]
    codes = np.clip(np.rint(_ratio(groups + floor, step)), 0, most).astype(np.uint8)
    high = (scales[:, 4:] & 15) | (minima[:, 4:] & 15) << 4
    low = [part[:, :4] | (part[:, 4:] >> 4) << 6 for part in (scales, minima)]
    parts = [d.view(np.uint8), dmin.view(np.uint8), *low, high]
    return codes, np.concatenate(parts, axis=1)


def _six_bits(values: Array, unit: Array) -> Array:
    return np.clip(np.rint(_ratio(values, unit)), 0, 63).astype(np.uint8)


def _nibbles(codes: Array) -> Array:
    """Groups g and g + 1 share 32 bytes, the even one in the low halves."""
    return np.asarray(codes[:, 0::2] | codes[:, 1::2] << 4)  # [blocks, 4, 32]


def _ratio(values: Array, unit: Array) -> Array:
    unit = unit.astype(np.float32)
    return np.divide(values, unit, out=np.zeros_like(values), where=unit != 0)


def _joined(numbers: Array, *parts: Array) -> Bytes:
    blocks = numbers.size // _BLOCK
    rows = [np.ascontiguousarray(part).reshape(blocks, -1).view(np.uint8) for part in parts]
    return np.concatenate(rows, axis=1).reshape(*numbers.shape[:-1], -1)


K_QUANTIZERS: dict[TensorType, Callable[[Array], Bytes]] = {
    TensorType.Q4_K: _quantize_q4,
    TensorType.Q5_K: _quantize_q5,
    TensorType.Q6_K: _quantize_q6,
}
