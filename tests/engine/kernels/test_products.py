"""Products of weights with activations: matmul, qkv, gate_up, and embed."""

from __future__ import annotations

import numpy as np
import pytest

from greta import hip
from greta.engine import kernels
from greta.hip import SimTree
from tests.engine.kernels import reference
from tests.engine.kernels.conftest import loaded, runs_here
from tests.engine.kernels.device import (
    Q8Buffers,
    assert_q8_close,
    filled,
    floats,
    launch,
    on_device,
)
from tests.engine.kernels.reference import Q8, Doubles, Floats

FLOAT_TYPES = {"f32", "f16", "bf16"}
TYPES = sorted(kernels.WEIGHT_TYPES)
# rows, cols (times 8 for K types, whose blocks have 256 values), m
SHAPES = [(32, 64, 1), (70, 96, 1), (45, 160, 5), (33, 64, 13), (70, 96, 64), (17, 32, 75)]


class Tokens:
    """Activations for weights of a type, as kernel arguments and as numbers."""

    def __init__(self, rng: np.random.Generator, weight_type: str, m: int, cols: int) -> None:
        x = rng.standard_normal((m, cols)).astype(np.float32)
        if weight_type in FLOAT_TYPES:
            self.values = x.astype(np.float64)
            self.arguments: tuple[hip.Buffer | None, ...] = (None, None, None, on_device(x))
        else:
            quantized = exact_sums(rounded(weight_type, x))
            self.values = quantized.values()
            self.arguments = (*Q8Buffers(quantized).arguments(), None)


def rounded(weight_type: str, x: Floats) -> Q8:
    """As products with weights of a type want it."""
    return reference.q8_k(x) if weight_type.endswith("_k") else reference.q8(x)


def exact_sums(q8: Q8) -> Q8:
    """Without the rounding of the groups' sums, so that they are the sums of the values."""
    sums = q8.q.reshape(*q8.d.shape, reference.GROUP).sum(axis=-1, dtype=np.int32)
    return q8._replace(s=q8.d * sums.astype(np.float32))


def sized(weight_type: str, cols: int) -> int:
    return cols * 8 if weight_type.endswith("_k") else cols


def assert_close(found: Floats, wanted: Doubles, cols: int) -> None:
    np.testing.assert_allclose(found, wanted, atol=2e-5 * cols**0.5, rtol=2e-5)


@pytest.mark.parametrize("weight_type", TYPES)
@pytest.mark.parametrize(("rows", "cols", "m"), SHAPES)
def test_matmul(
    version: str, weight_type: str, rows: int, cols: int, m: int, rng: np.random.Generator
) -> None:
    cols = sized(weight_type, cols)
    kernel = loaded(version, weight_type).kernel("matmul", weight_type)
    w = reference.weights(rng, weight_type, rows, cols)
    tokens = Tokens(rng, weight_type, m, cols)
    wanted = tokens.values @ w.values.T  # [m, rows]
    stride = rows + 3
    y = filled(m * stride)
    arguments = (on_device(w.raw), *tokens.arguments, y, rows, cols, m, stride)
    launch(kernel, kernels.matmul_grid(rows, m), *arguments, 0)
    found = floats(y, m, stride)
    assert_close(found[:, :rows], wanted, cols)
    assert (found[:, rows:] == 77).all()
    launch(kernel, kernels.matmul_grid(rows, m), *arguments, 1)
    assert_close(floats(y, m, stride)[:, :rows], 2 * wanted, cols)


@pytest.mark.parametrize("weight_type", TYPES)
@pytest.mark.parametrize("m", [1, 3, 64, 70])
def test_qkv(version: str, weight_type: str, m: int, rng: np.random.Generator) -> None:
    rows_q, rows_kv, cols = 70, 33, sized(weight_type, 64)
    kernel = loaded(version, weight_type).kernel("qkv", weight_type)
    matrices = [reference.weights(rng, weight_type, n, cols) for n in (rows_q, rows_kv, rows_kv)]
    tokens = Tokens(rng, weight_type, m, cols)
    outputs = [filled(m * len(w.raw)) for w in matrices]
    raw = [on_device(w.raw) for w in matrices]
    grid = kernels.qkv_grid(rows_q, rows_kv, m)
    launch(kernel, grid, *raw, *tokens.arguments, *outputs, rows_q, rows_kv, cols, m)
    for w, y in zip(matrices, outputs, strict=True):
        assert_close(floats(y, m, len(w.raw)), tokens.values @ w.values.T, cols)


@pytest.mark.parametrize("weight_type", TYPES)
@pytest.mark.parametrize("m", [1, 3, 64, 70])
def test_gate_up(version: str, weight_type: str, m: int, rng: np.random.Generator) -> None:
    rows, cols = 96, sized(weight_type, 64)
    kernel = loaded(version, weight_type).kernel("gate_up", weight_type)
    gate, up = (reference.weights(rng, weight_type, rows, cols) for _ in range(2))
    tokens = Tokens(rng, weight_type, m, cols)
    wanted = reference.silu(tokens.values @ gate.values.T) * (tokens.values @ up.values.T)
    out, quantized = filled(m * rows), Q8Buffers(shape=(m, rows))
    matrices = on_device(gate.raw), on_device(up.raw)
    arguments = (*matrices, *tokens.arguments, out, *quantized.arguments(), rows, cols, m)
    launch(kernel, kernels.matmul_grid(rows, m), *arguments)
    found = floats(out, m, rows)
    np.testing.assert_allclose(found, wanted, atol=1e-3 * np.abs(wanted).max(), rtol=1e-3)
    assert_q8_close(quantized.read(), reference.q8(found))


@pytest.mark.parametrize("weight_type", TYPES)
def test_gate_up_without_one_of_its_outputs(
    version: str, weight_type: str, rng: np.random.Generator
) -> None:
    rows, cols, m = 64, sized(weight_type, 32), 2
    kernel = loaded(version, weight_type).kernel("gate_up", weight_type)
    gate, up = (on_device(reference.weights(rng, weight_type, rows, cols).raw) for _ in range(2))
    tokens = Tokens(rng, weight_type, m, cols).arguments
    out, quantized = filled(m * rows), Q8Buffers(shape=(m, rows))
    grid = kernels.matmul_grid(rows, m)
    launch(kernel, grid, gate, up, *tokens, out, None, None, None, rows, cols, m)
    launch(kernel, grid, gate, up, *tokens, None, *quantized.arguments(), rows, cols, m)
    assert_q8_close(quantized.read(), reference.q8(floats(out, m, rows)))


@pytest.mark.parametrize("weight_type", TYPES)
def test_embed(version: str, weight_type: str, rng: np.random.Generator) -> None:
    vocab, hidden = 50, sized(weight_type, 96)
    table = reference.weights(rng, weight_type, vocab, hidden)
    tokens = np.array([0, 49, 7, 7], np.int32)
    out = filled(len(tokens) * hidden)
    kernel = loaded(version, weight_type).kernel("embed", weight_type)
    launch(kernel, len(tokens), on_device(table.raw), on_device(tokens), out, hidden)
    np.testing.assert_allclose(
        floats(out, len(tokens), hidden), table.values[tokens], rtol=1e-6, atol=1e-6
    )


@pytest.mark.parametrize("weight_type", TYPES)
@pytest.mark.parametrize("cols", [96, 352])
def test_a_token_does_not_depend_on_the_number_of_its_neighbours(
    version: str, weight_type: str, cols: int, rng: np.random.Generator
) -> None:
    rows, cols = 40, sized(weight_type, cols)
    kernel = loaded(version, weight_type).kernel("matmul", weight_type)
    w = on_device(reference.weights(rng, weight_type, rows, cols).raw)
    x = rng.standard_normal((64, cols)).astype(np.float32)

    def product(tokens: Floats) -> Floats:
        m = len(tokens)
        quantized = Q8Buffers(rounded(weight_type, tokens)).arguments()
        y = filled(m * rows)
        grid = kernels.matmul_grid(rows, m)
        launch(kernel, grid, w, *quantized, on_device(tokens), y, rows, cols, m, rows, 0)
        return floats(y, m, rows)

    together = product(x)
    for count in (1, 2, 3, 7, 8, 11, 12, 13, 16, 31):
        np.testing.assert_array_equal(product(x[:count]), together[:count])


@pytest.mark.parametrize("weight_type", sorted(kernels.WEIGHT_TYPES - FLOAT_TYPES - {"q4_0"}))
@pytest.mark.parametrize("m", [1, 9])
def test_two_instruction_sets_give_the_same_bits(
    weight_type: str, m: int, rng: np.random.Generator, sim_tree: SimTree
) -> None:
    if not runs_here("avx512"):
        pytest.skip("this CPU runs only one of them")
    rows, cols = 40, sized(weight_type, 352)
    w = on_device(reference.weights(rng, weight_type, rows, cols).raw)
    tokens = Tokens(rng, weight_type, m, cols).arguments

    def product(version: str) -> Floats:
        y = filled(m * rows)
        kernel = loaded(version, weight_type).kernel("matmul", weight_type)
        grid = kernels.matmul_grid(rows, m)
        launch(kernel, grid, w, *tokens, y, rows, cols, m, rows, 0)
        return floats(y, m, rows)

    np.testing.assert_array_equal(product("avx2"), product("avx512"))
