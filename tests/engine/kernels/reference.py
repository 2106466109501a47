"""What the kernels should compute, in NumPy and in double precision."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gguf import GGMLQuantizationType, quants

from greta.model.tensors import Bytes, TensorType
from greta.model.weights import quantize

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

GROUP = 32


class Q8(NamedTuple):
    """Quantized activations: q [m, cols], d and s [m, cols / 32]."""

    q: npt.NDArray[np.int8]
    d: Floats
    s: Floats

    def values(self) -> Doubles:
        """The numbers they stand for."""
        return self.q.astype(np.float64) * np.repeat(self.d, GROUP, axis=-1)


def q8(x: Floats) -> Q8:
    """As the README has it, operation by operation in float32."""
    groups = x.astype(np.float32).reshape(*x.shape[:-1], -1, GROUP)
    most = np.abs(groups).max(axis=-1)
    numbers = (most >= 1e-30) & np.isfinite(most)
    inverse = np.divide(np.float32(127), most, out=np.zeros_like(most), where=numbers)
    exact = np.where(most < 1e-30, np.float32(0), most / np.float32(127)).astype(np.float32)
    scaled = np.where(numbers[..., None], groups, 0) * inverse[..., None]
    q = np.rint(scaled).astype(np.int8)
    s = exact * q.sum(axis=-1, dtype=np.int32).astype(np.float32)
    return Q8(q.reshape(x.shape), halved(exact), halved(s))


def q8_k(x: Floats) -> Q8:
    """As the README has it, operation by operation in float32."""
    blocks = x.astype(np.float32).reshape(*x.shape[:-1], -1, 256)
    most = np.abs(blocks).max(axis=-1)
    inverse = np.divide(np.float32(127), most, out=np.zeros_like(most), where=most >= 1e-30)
    exact = np.divide(np.float32(1), inverse, out=np.zeros_like(most), where=most >= 1e-30)
    q = np.rint(blocks * inverse[..., None]).astype(np.int8)
    d = np.repeat(exact, 256 // GROUP, axis=-1)
    sums = q.reshape(*d.shape, GROUP).sum(axis=-1, dtype=np.int32).astype(np.float32)
    return Q8(q.reshape(x.shape), d, d * sums)


def halved(x: npt.NDArray[Any]) -> Floats:
    """Rounded to half precision."""
    with np.errstate(over="ignore"):
        return x.astype(np.float16).astype(np.float32)


class Weights(NamedTuple):
    """A matrix as the device gets it, and the numbers in it."""

    raw: Bytes  # [rows, row_bytes]
    values: Doubles  # [rows, cols]


def weights(rng: np.random.Generator, weight_type: str, rows: int, cols: int) -> Weights:
    kind = TensorType.__members__[weight_type.upper()]
    raw = quantize(rng.standard_normal((rows, cols)).astype(np.float32), kind)
    return Weights(
        raw,
        quants.dequantize(raw, GGMLQuantizationType(kind)).reshape(rows, cols).astype(np.float64),
    )


def rmsnorm(x: Floats, weight: Floats, eps: float) -> Doubles:
    wide = x.astype(np.float64)
    return np.asarray(wide / np.sqrt((wide**2).mean(axis=-1, keepdims=True) + eps) * weight)


def silu(x: Doubles) -> Doubles:
    return np.asarray(x / (1 + np.exp(-x)))


def rotate(x: Floats, positions: npt.NDArray[np.int32], divisors: Floats, ratio: float) -> Doubles:
    """x [m, heads, head_dim]: the pairs (2i, 2i + 1) turned by position * ratio^i / divisors[i]."""
    # The kernels form the angle in float32, which is not exact at high positions.
    turns = np.empty((len(positions), len(divisors)), np.float32)
    turns[:, 0] = positions
    for i in range(1, len(divisors)):
        turns[:, i] = turns[:, i - 1] * np.float32(ratio)
    angles = (turns / divisors).astype(np.float64)
    sine, cosine = np.sin(angles)[:, None, :], np.cos(angles)[:, None, :]
    turned = x.astype(np.float64)
    end = 2 * len(divisors)
    even, odd = turned[..., 0:end:2].copy(), turned[..., 1:end:2].copy()
    turned[..., 0:end:2] = even * cosine - odd * sine
    turned[..., 1:end:2] = even * sine + odd * cosine
    return turned


def attention(query: Floats, keys: Doubles, values: Doubles, scale: float) -> Doubles:
    """One token and one head: query [dim], keys and values [positions, dim]."""
    scores = keys @ halved(query).astype(np.float64) * scale
    weights = np.exp(scores - scores.max())
    return np.asarray(halved(weights / weights.sum()).astype(np.float64) @ values)
