"""Each kernel with its arguments in their order: the one place that knows kernels/README.md.

A method makes a launch ready; calling what it returns queues the kernel.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np

from greta.engine import kernels
from greta.engine.weights import DeviceTensor, Form
from greta.engine.workspace import Quantized
from greta.hip import Buffer, Launch, Stream
from greta.hip.launch import Argument, Extent
from greta.model import ModelConfig

Pointers = tuple[Argument, Argument, Argument]


@dataclass(frozen=True)
class Activations:
    """Activations [m, width] in the forms that are wanted; the others are None."""

    floats: Buffer | None
    q8: Quantized | None
    q8_k: Quantized | None = None

    @property
    def quantized(self) -> Pointers:
        """Where the kernels that make activations write q8."""
        return _pointers(self.q8)

    def factors(self, w: DeviceTensor) -> tuple[Argument, Argument, Argument, Argument]:
        """What a product with these weights is made of: quantized, or floats."""
        quantized = self.q8_k if w.form is Form.Q8_K else self.q8
        return (*_pointers(quantized), self.floats)


def _pointers(quantized: Quantized | None) -> Pointers:
    return (quantized.q, quantized.d, quantized.s) if quantized else (None, None, None)


@dataclass(frozen=True)
class CacheView:
    """The part of the cache that tokens read and write, and their positions in it."""

    positions: Buffer
    keys: Buffer
    values: Buffer
    is_prefill: bool


class LaunchBuilder:
    """Makes launches ready for `m` tokens."""

    def __init__(
        self, loaded: kernels.Kernels, config: ModelConfig, context: int, stream: Stream, m: int
    ) -> None:
        self._loaded = loaded
        self._config = config
        self._context = context
        self._stream = stream
        self._m = m

    def embed(self, table: DeviceTensor, tokens: Buffer, out: Buffer) -> Launch:
        """Rows of the table: [m, hidden]."""
        return self._typed("embed", table, self._m, table.buffer, tokens, out, _int(table.cols))

    def rmsnorm(self, x: Buffer, weight: DeviceTensor, out: Activations) -> Launch:
        """x / rms(x) * weight: [m, hidden]."""
        width, eps = _int(weight.cols), np.float32(self._config.rms_eps)
        arguments = (x, weight.buffer, out.floats, *out.quantized, width, eps)
        return self._plain("rmsnorm", self._m, *arguments)

    def quantize_k(self, x: Buffer, out: Quantized, width: int) -> Launch:
        """Floats as q8_k: [m, width]."""
        return self._plain("quantize_k", self._m, x, *_pointers(out), _int(width))

    def matmul(
        self, w: DeviceTensor, x: Activations, y: Buffer, *, accumulate: bool = False
    ) -> Launch:
        """y = or += x @ w.T: [m, rows]."""
        sizes = map(_int, (w.rows, w.cols, self._m, w.rows, accumulate))
        grid = kernels.matmul_grid(w.rows, self._m)
        return self._typed("matmul", w, grid, w.buffer, *x.factors(w), y, *sizes)

    def qkv(
        self,
        weights: tuple[DeviceTensor, DeviceTensor, DeviceTensor],
        x: Activations,
        outs: tuple[Buffer, Buffer, Buffer],
    ) -> Launch:
        """Three products with weights of one type: [m, query], [m, kv], [m, kv]."""
        wq, wk, _ = weights
        sizes = map(_int, (wq.rows, wk.rows, wq.cols, self._m))
        grid = kernels.qkv_grid(wq.rows, wk.rows, self._m)
        pointers = (*(w.buffer for w in weights), *x.factors(wq), *outs)
        return self._typed("qkv", wq, grid, *pointers, *sizes)

    def gate_up(
        self, gate: DeviceTensor, up: DeviceTensor, x: Activations, out: Activations
    ) -> Launch:
        """silu(x @ gate.T) * (x @ up.T), with weights of one type: [m, feed_forward]."""
        pointers = (gate.buffer, up.buffer, *x.factors(gate), out.floats, *out.quantized)
        sizes = map(_int, (gate.rows, gate.cols, self._m))
        return self._typed(
            "gate_up", gate, kernels.matmul_grid(gate.rows, self._m), *pointers, *sizes
        )

    def silu_mul(self, gate: Buffer, up: Buffer, out: Activations) -> Launch:
        """silu(gate) * up: [m, feed_forward]."""
        width = _int(self._config.feed_forward_size)
        return self._plain("silu_mul", self._m, gate, up, out.floats, *out.quantized, width)

    def rope_kv(
        self, q: Buffer, k: Buffer, v: Buffer, place: CacheView, divisors: Buffer
    ) -> Launch:
        """Turns q and k in place by their positions, and writes k and v to the cache."""
        c = self._config
        turned = min(c.rope.dimensions, c.head_dim)  # the guard rail sees to it; it may be off
        sizes = (c.heads, c.kv_heads, c.head_dim, turned, self._context)
        where = (place.keys, place.values, place.positions, divisors, np.float32(c.rope.ratio))
        last = _int(place.is_prefill)
        return self._plain("rope_kv", self._m, q, k, v, *where, *map(_int, sizes), last)

    def attention(self, q: Buffer, place: CacheView, out: Activations) -> Launch:
        """Causal attention over the cache: [m, query]."""
        c = self._config
        sizes = map(_int, (c.heads, c.kv_heads, c.head_dim, self._context, self._m))
        scale, prefill = np.float32(c.head_dim**-0.5), _int(place.is_prefill)
        grid = kernels.attention_grid(self._m, c.heads, place.is_prefill)
        where = (place.keys, place.values, place.positions)
        last = (scale, prefill)
        return self._plain("attention", grid, q, *where, out.floats, *out.quantized, *sizes, *last)

    def add(self, x: Buffer, y: Buffer, width: int) -> Launch:
        """x += y: [m, width]."""
        count = self._m * width
        return self._plain("add", kernels.add_grid(count), x, y, _int(count))

    def argmax(self, logits: Buffer, tokens: Buffer) -> Launch:
        """The likeliest token of each row: [m]."""
        return self._plain("argmax", self._m, logits, tokens, _int(self._config.vocabulary_size))

    def advance(self, positions: Buffer, count: int, step: int) -> Launch:
        """Adds `step` to so many positions."""
        return self._plain("advance", 1, positions, _int(count), _int(step))

    def _typed(
        self, name: str, weights: DeviceTensor, grid: Extent, *arguments: Argument
    ) -> Launch:
        return self._plain(f"{name}_{weights.kernel_suffix}", grid, *arguments)

    def _plain(self, name: str, grid: Extent, *arguments: Argument) -> Launch:
        kernel = self._loaded.kernel(name)
        return kernel.bind(grid, kernels.THREADS, *arguments, stream=self._stream)


def _int(number: int) -> ctypes.c_int32:
    return ctypes.c_int32(number)
