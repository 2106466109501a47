"""Weights come out of every encoding as its layout says, and go in with little loss."""

from __future__ import annotations

import numpy as np
import pytest

from greta.model import WEIGHT_TYPES, ModelError, Tensor, TensorType, dequantize, quantize
from greta.model.weights import Floats
from tests.model.block_layouts import LAYOUTS

# The largest error, as a part of the largest number in a group: half a step of each type.
STEP = {"F32": 0.0, "F16": 6e-4, "BF16": 5e-3, "Q8_0": 6e-3, "Q6_K": 0.04}
STEP |= {"Q5_0": 0.07, "Q5_1": 0.04, "Q5_K": 0.06, "Q4_0": 0.14, "Q4_1": 0.08, "Q4_K": 0.1}

TYPES = pytest.mark.parametrize("kind", WEIGHT_TYPES, ids=lambda kind: kind.name)


def tensor(kind: TensorType, raw: np.ndarray, shape: tuple[int, ...]) -> Tensor:
    return Tensor("weights", kind, shape, 0, raw)


def random_blocks(kind: TensorType, rows: int, blocks: int) -> np.ndarray:
    """Random bytes, but halves that are numbers: an infinite scale compares with nothing."""
    _, size, _ = LAYOUTS[kind]
    chance = np.random.default_rng(7)
    raw = chance.integers(0, 256, (rows, blocks, size), np.uint8)
    halves = [0, 2] if kind.name in ("Q4_1", "Q5_1", "Q4_K", "Q5_K") else [0]
    if kind == TensorType.Q6_K:
        halves = [208]
    for at in halves if size > 4 else []:
        scale = chance.standard_normal((rows, blocks, 1)).astype(np.float16)
        raw[:, :, at : at + 2] = scale.view(np.uint8)
    if size <= 4:  # no NaN among single numbers
        raw[:, :, -1] &= 0x3F
    return raw.reshape(rows, -1)


@TYPES
def test_dequantizing_agrees_with_the_layout(kind: TensorType) -> None:
    elements, size, read = LAYOUTS[kind]
    assert (kind.blocks.elements, kind.blocks.bytes) == (elements, size)
    raw = random_blocks(kind, rows=20, blocks=2)
    numbers = dequantize(tensor(kind, raw, (20, 2 * elements)))
    whole = raw.tobytes()
    expected = [n for at in range(0, len(whole), size) for n in read(whole[at : at + size])]
    np.testing.assert_allclose(numbers.ravel(), np.array(expected), rtol=1e-6, atol=1e-6)
    assert numbers.dtype == np.float32


@TYPES
def test_some_rows_are_the_rows_of_all(kind: TensorType) -> None:
    raw = random_blocks(kind, rows=40, blocks=2)
    weights = tensor(kind, raw, (40, 2 * LAYOUTS[kind][0]))
    np.testing.assert_array_equal(dequantize(weights, slice(3, 21)), dequantize(weights)[3:21])


@TYPES
def test_quantizing_loses_at_most_half_a_step(kind: TensorType) -> None:
    numbers: Floats = np.random.default_rng(3).standard_normal((6, 512), np.float32)
    numbers[0] = 0
    numbers[1] = np.abs(numbers[1])
    numbers[2] = -np.abs(numbers[2]) - 1
    raw = quantize(numbers, kind)
    assert raw.dtype == np.uint8
    assert raw.shape == (6, 512 // LAYOUTS[kind][0] * LAYOUTS[kind][1])
    back = dequantize(tensor(kind, raw, numbers.shape))
    assert np.abs(back - numbers).max() <= STEP[kind.name] * np.abs(numbers).max()
    np.testing.assert_array_equal(back[0], 0)


def test_other_types_are_refused_by_name() -> None:
    raw = np.zeros((1, 110), np.uint8)
    with pytest.raises(ModelError, match="weights: weights of the type Q3_K"):
        dequantize(tensor(TensorType.Q3_K, raw, (1, 256)))
    with pytest.raises(ValueError, match="Q3_K"):
        quantize(np.zeros((1, 256), np.float32), TensorType.Q3_K)
