"""Positions, cache and attention."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from greta.engine import kernels
from tests.engine.kernels import reference
from tests.engine.kernels.conftest import loaded
from tests.engine.kernels.device import (
    Q8Buffers,
    assert_q8_close,
    filled,
    floats,
    launch,
    on_device,
)
from tests.engine.kernels.reference import Floats


@dataclass(frozen=True)
class Shape:
    heads: int
    kv_heads: int
    head_dim: int
    rope_dims: int
    positions: int  # of the cache

    @property
    def ratio(self) -> float:
        return math.pow(10000.0, -2 / self.rope_dims)

    @property
    def divisors(self) -> npt.NDArray[np.float32]:
        return np.linspace(1, 8, self.rope_dims // 2, dtype=np.float32)


SHAPES = [Shape(9, 3, 64, 64, 320), Shape(4, 4, 32, 16, 300), Shape(8, 2, 128, 128, 290)]
SHAPES += [Shape(2, 1, 96, 96, 40), Shape(2, 1, 256, 256, 40), Shape(3, 1, 160, 160, 40)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("m", "prefill"), [(1, 0), (3, 0), (1, 1), (13, 1)])
def test_rope_kv(
    version: str, shape: Shape, m: int, prefill: int, rng: np.random.Generator
) -> None:
    pos = np.array([17], np.int32) if prefill else rng.integers(0, 40, m).astype(np.int32)
    positions = pos[0] + np.arange(m, dtype=np.int32) if prefill else pos
    q = rng.standard_normal((m, shape.heads, shape.head_dim)).astype(np.float32)
    k, v = (
        rng.standard_normal((m, shape.kv_heads, shape.head_dim)).astype(np.float32)
        for _ in range(2)
    )
    sequences = 1 if prefill else m
    cache = (sequences, shape.kv_heads, shape.positions, shape.head_dim)
    caches = [filled(int(np.prod(cache)), np.float16) for _ in range(2)]
    on_q, on_k = on_device(q), on_device(k)
    dimensions = (shape.heads, shape.kv_heads, shape.head_dim, shape.rope_dims, shape.positions)
    launch(
        loaded(version).kernel("rope_kv"), m, on_q, on_k, on_device(v), *caches,
        on_device(pos), on_device(shape.divisors), shape.ratio, *dimensions, prefill,
    )  # fmt: skip
    turned_q, turned_k = (
        reference.rotate(x, positions, shape.divisors, shape.ratio) for x in (q, k)
    )
    np.testing.assert_allclose(floats(on_q, *q.shape), turned_q, atol=2e-5)
    np.testing.assert_allclose(floats(on_k, *k.shape), turned_k, atol=2e-5)
    for buffer, wanted in zip(caches, (floats(on_k, *k.shape), v), strict=True):
        found = buffer.to_array(np.float16).reshape(cache)
        expected = np.full(cache, 77, np.float16)
        for token in range(m):
            expected[0 if prefill else token, :, positions[token]] = wanted[token]
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("m", "pos", "prefill"),
    [(1, [0], 0), (3, [2, 39, 16], 0), (5, [0], 1), (17, [20], 1), (1, [280], 0), (9, [263], 1)],
)
def test_attention(
    version: str, shape: Shape, m: int, pos: list[int], prefill: int, rng: np.random.Generator
) -> None:
    if max(pos) + m > shape.positions:
        pytest.skip("longer than this cache")
    sequences = 1 if prefill else m
    cache = (sequences, shape.kv_heads, shape.positions, shape.head_dim)
    keys, values = (rng.standard_normal(cache).astype(np.float16) for _ in range(2))
    q = rng.standard_normal((m, shape.heads, shape.head_dim)).astype(np.float32)
    width, scale = shape.heads * shape.head_dim, shape.head_dim**-0.5
    out, quantized = filled(m * width), Q8Buffers(shape=(m, width))
    inputs = (on_device(q), on_device(keys), on_device(values), on_device(np.array(pos, np.int32)))
    dimensions = (shape.heads, shape.kv_heads, shape.head_dim, shape.positions, m, scale, prefill)
    kernel = loaded(version).kernel("attention")
    grid = kernels.attention_grid(m, shape.heads, bool(prefill))
    launch(kernel, grid, *inputs, out, *quantized.arguments(), *dimensions)
    found = floats(out, *q.shape)
    for token in range(m):
        sequence = 0 if prefill else token
        end = (pos[0] + token if prefill else pos[token]) + 1
        for head in range(shape.heads):
            of_head = (sequence, head * shape.kv_heads // shape.heads, slice(0, end))
            wanted = reference.attention(
                q[token, head],
                keys[of_head].astype(np.float64),
                values[of_head].astype(np.float64),
                scale,
            )
            # A weight between two halves may be rounded to the other one.
            np.testing.assert_allclose(found[token, head], wanted, atol=5e-4)
    assert_q8_close(quantized.read(), reference.q8(found.reshape(m, width)))
    only = filled(m * width)
    launch(kernel, grid, *inputs, only, None, None, None, *dimensions)
    np.testing.assert_array_equal(floats(only, *q.shape), found)


def test_prefill_and_decode_agree_to_the_last_bit(version: str, rng: np.random.Generator) -> None:
    shape = SHAPES[0]
    cache = (1, shape.kv_heads, shape.positions, shape.head_dim)
    keys, values = (on_device(rng.standard_normal(cache).astype(np.float16)) for _ in range(2))
    m, first = 12, 100
    q = rng.standard_normal((m, shape.heads * shape.head_dim)).astype(np.float32)
    kernel = loaded(version).kernel("attention")

    def run(q: Floats, pos: int, prefill: int) -> Floats:
        out = filled(q.size)
        dimensions = (shape.heads, shape.kv_heads, shape.head_dim, shape.positions, len(q), 0.125)
        position = on_device(np.array([pos], np.int32))
        grid = kernels.attention_grid(len(q), shape.heads, bool(prefill))
        outputs = (out, None, None, None)
        launch(kernel, grid, on_device(q), keys, values, position, *outputs, *dimensions, prefill)
        return floats(out, *q.shape)

    together = run(q, first, 1)
    for token in range(m):
        np.testing.assert_array_equal(
            run(q[token : token + 1], first + token, 0)[0], together[token]
        )
