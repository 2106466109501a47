"""The engine's products against the memory they read, and the cost of a node of a graph.

A matrix-vector product reads each weight once, so plain reading of memory, measured in the same
run, is its bound. With 64 tokens the arithmetic counts.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from greta import hip
from greta.engine import kernels

COLS = 2048
BYTES = 192 << 20  # of weights: far beyond any cache
TYPES = ("q4_1", "q4_0", "q8_0", "q6_k", "q4_k", "q5_k", "q5_0", "q5_1", "f16", "bf16", "f32")
BLOCKS = {
    "q4_1": (32, 20), "q4_0": (32, 18), "q8_0": (32, 34), "q5_0": (32, 22), "q5_1": (32, 24),
    "q4_k": (256, 144), "q5_k": (256, 176), "q6_k": (256, 210),
    "f16": (32, 64), "bf16": (32, 64), "f32": (32, 128),
}  # fmt: skip
# A kernel whose blocks do next to nothing.
EMPTY = 'extern "C" __global__ void touch(int* x) { if (threadIdx.x == 0) x[blockIdx.x] += 1; }'


def best_of(run: Callable[[], object], repeats: int) -> float:
    """Seconds of the fastest run: what the machine can do when others leave it alone."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def memory_reader() -> Callable[[], object]:
    source = Path(__file__).with_name("memory_read.cpp")
    data = np.ones(BYTES, np.uint8)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "memory_read.so"
        options = ["-O3", "-mavx2", "-shared", "-fPIC", "-pthread"]
        subprocess.run(["g++", *options, str(source), "-o", str(library)], check=True)
        read = ctypes.CDLL(str(library)).read_memory
    read.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    threads = len(os.sched_getaffinity(0))
    return lambda: read(data.ctypes.data, data.nbytes, threads)


class Product:
    """A matrix of one type, and m tokens to multiply it with."""

    def __init__(self, weight_type: str, nbytes: int, m: int) -> None:
        values, block_bytes = BLOCKS[weight_type]
        row_bytes = COLS // values * block_bytes
        self.rows = nbytes // row_bytes
        self.nbytes = self.rows * row_bytes
        self.m = m
        # 0x2c in every byte: small numbers, whatever part of a block it is.
        weights = hip.Buffer.from_array(np.full(self.nbytes, 0x2C, np.uint8))
        q = hip.Buffer.from_array(np.ones(m * COLS, np.int8))
        d = hip.Buffer.from_array(np.ones(m * COLS // 32, np.float32))
        x = hip.Buffer.from_array(np.ones(m * COLS, np.float32))
        y = hip.Buffer.from_array(np.zeros(m * self.rows, np.float32))
        sizes = [np.int32(n) for n in (self.rows, COLS, m, self.rows, 0)]
        kernel = kernels.load({weight_type}).kernel("matmul", weight_type)
        grid = kernels.matmul_grid(self.rows, m)
        self._launch = kernel.bind(grid, kernels.THREADS, weights, q, d, d, x, y, *sizes)

    def run(self) -> None:
        self._launch()
        hip.synchronize()


def product_table(types: tuple[str, ...], repeats: int) -> None:
    read = memory_reader()
    for weight_type in types:
        vector, matrix = Product(weight_type, BYTES, 1), Product(weight_type, 2 << 20, 64)
        vector.run()
        matrix.run()
        # Turn by turn, so that both see the same neighbours on a shared machine.
        pairs = [(best_of(vector.run, 1), best_of(read, 1)) for _ in range(repeats)]
        product = vector.nbytes / min(p for p, _ in pairs) / 1e9
        memory = BYTES / min(r for _, r in pairs) / 1e9
        work = matrix.rows * COLS * matrix.m / best_of(matrix.run, repeats) / 1e9
        print(
            f"{weight_type:5} one token {product:6.1f} GB/s = {product / memory:4.2f} of plain "
            f"reading ({memory:.1f})   64 tokens {work:6.1f} G products/s",
            flush=True,
        )


def graph_node(blocks: int, repeats: int) -> float:
    """Seconds of one of 200 nodes of a graph, each of `blocks` next to empty blocks."""
    nodes = 200
    stream = hip.Stream()
    counters = hip.Buffer.from_array(np.zeros(blocks, np.int32))
    touch = hip.Module.compile(EMPTY).kernel("touch").bind(blocks, 64, counters, stream=stream)
    with hip.Graph.capture(stream) as graph:
        for _ in range(nodes):
            touch()
    executable = graph.instantiate()

    def run() -> None:
        executable.launch(stream)
        stream.synchronize()

    return best_of(run, repeats) / nodes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--types", default=",".join(TYPES))
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    hip.choose_device("auto")
    for blocks in (1, 2, 32):
        microseconds = graph_node(blocks, options.repeats * 5) * 1e6
        print(f"a graph's node of {blocks:2} empty blocks: {microseconds:.2f} us")
    product_table(tuple(options.types.split(",")), options.repeats)


if __name__ == "__main__":
    main()
