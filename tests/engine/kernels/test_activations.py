"""The kernels between the products."""

from __future__ import annotations

import numpy as np
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

WIDTHS = [32, 96, 576, 2080, 16416]


@pytest.mark.parametrize("width", WIDTHS)
def test_rmsnorm(version: str, width: int, rng: np.random.Generator) -> None:
    m, eps = 3, 1e-5
    x = rng.standard_normal((m, width)).astype(np.float32)
    weight = rng.standard_normal(width).astype(np.float32)
    out, quantized = filled(m * width), Q8Buffers(shape=(m, width))
    kernel = loaded(version).kernel("rmsnorm")
    arguments = (on_device(x), on_device(weight), out, *quantized.arguments(), width, eps)
    launch(kernel, m, *arguments)
    found = floats(out, m, width)
    np.testing.assert_allclose(found, reference.rmsnorm(x, weight, eps), rtol=1e-5, atol=1e-6)
    assert_q8_close(quantized.read(), reference.q8(found))


def test_rmsnorm_without_one_of_its_outputs(version: str, rng: np.random.Generator) -> None:
    m, width = 2, 64
    x = rng.standard_normal((m, width)).astype(np.float32)
    out, quantized = filled(m * width), Q8Buffers(shape=(m, width))
    kernel = loaded(version).kernel("rmsnorm")
    inputs = on_device(x), on_device(np.ones(width, np.float32))
    launch(kernel, m, *inputs, out, None, None, None, width, 1e-6)
    launch(kernel, m, *inputs, None, *quantized.arguments(), width, 1e-6)
    assert_q8_close(quantized.read(), reference.q8(floats(out, m, width)))


@pytest.mark.parametrize("width", WIDTHS)
def test_quantize_is_exact(version: str, width: int, rng: np.random.Generator) -> None:
    m = 3
    scales = np.exp(rng.uniform(-30, 30, (m, width))).astype(np.float32)
    x = rng.standard_normal((m, width)).astype(np.float32) * scales
    x[0, :32] = 0
    quantized = Q8Buffers(shape=(m, width))
    kernel = loaded(version).kernel("quantize")
    launch(kernel, m, on_device(x), *quantized.arguments(), width)
    found, wanted = quantized.read(), reference.q8(x)
    np.testing.assert_array_equal(found.q, wanted.q)
    np.testing.assert_array_equal(found.d, wanted.d)
    np.testing.assert_array_equal(found.s, wanted.s)


@pytest.mark.parametrize("width", [256, 768, 2048, 16640])
def test_quantize_k_is_exact(version: str, width: int, rng: np.random.Generator) -> None:
    m = 3
    scales = np.exp(rng.uniform(-30, 30, (m, width))).astype(np.float32)
    x = rng.standard_normal((m, width)).astype(np.float32) * scales
    x[0, :256] = 0
    quantized = Q8Buffers(shape=(m, width))
    kernel = loaded(version).kernel("quantize_k")
    launch(kernel, m, on_device(x), *quantized.arguments(), width)
    found, wanted = quantized.read(), reference.q8_k(x)
    np.testing.assert_array_equal(found.q, wanted.q)
    np.testing.assert_array_equal(found.d, wanted.d)
    np.testing.assert_array_equal(found.s, wanted.s)


@pytest.mark.parametrize("nonsense", [np.nan, np.inf])
def test_a_block_with_no_number_stays_visible(version: str, nonsense: float) -> None:
    x = np.ones((1, 768), np.float32)
    x[0, 3] = nonsense
    x[0, 256:512] = 1e-35
    quantized = Q8Buffers(shape=(1, 768))
    kernel = loaded(version).kernel("quantize_k")
    launch(kernel, 1, on_device(x), *quantized.arguments(), 768)
    found = quantized.read()
    assert not np.isfinite(found.d[0, :8]).any()
    assert np.isnan(found.s[0, :8]).all()
    assert (found.d[0, 8:16] == 0).all()
    assert (found.q[0, :512] == 0).all()
    assert (found.q[0, 512:] == 127).all()


def test_a_group_with_no_number_stays_visible(version: str) -> None:
    x = np.ones((1, 128), np.float32)
    x[0, 3], x[0, 40] = np.nan, np.inf
    x[0, 64:96] = 1e-35
    quantized = Q8Buffers(shape=(1, 128))
    kernel = loaded(version).kernel("quantize")
    launch(kernel, 1, on_device(x), *quantized.arguments(), 128)
    found = quantized.read()
    assert np.isnan(found.d[0, 0])
    assert np.isinf(found.d[0, 1])
    assert np.isnan(found.s[0, :2]).all()
    assert found.d[0, 2] == 0
    assert (found.q[0, :96] == 0).all()
    assert (found.q[0, 96:] == 127).all()


@pytest.mark.parametrize("width", WIDTHS)
def test_silu_mul(version: str, width: int, rng: np.random.Generator) -> None:
    m = 2
    gate = (rng.standard_normal((m, width)) * 20).astype(np.float32)
    up = rng.standard_normal((m, width)).astype(np.float32)
    gate[0, 0], gate[0, 1] = 200, -200
    out, quantized = filled(m * width), Q8Buffers(shape=(m, width))
    kernel = loaded(version).kernel("silu_mul")
    launch(kernel, m, on_device(gate), on_device(up), out, *quantized.arguments(), width)
    found = floats(out, m, width)
    wanted = reference.silu(gate.astype(np.float64)) * up
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    assert_q8_close(quantized.read(), reference.q8(found))


@pytest.mark.parametrize("n", [1, 255, 256, 1000])
def test_add(version: str, n: int, rng: np.random.Generator) -> None:
    x, y = (rng.standard_normal(n).astype(np.float32) for _ in range(2))
    room = np.full(n + 5, 77, np.float32)
    room[:n] = x
    buffer = on_device(room)
    launch(loaded(version).kernel("add"), kernels.add_grid(n), buffer, on_device(y), n)
    found = floats(buffer, n + 5)
    np.testing.assert_array_equal(found[:n], x + y)
    assert (found[n:] == 77).all()
