"""Launches: arguments of every kind, bound launches, mistakes."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from greta.hip import Buffer, HipError, Kernel, Module, PinnedBuffer, Stream

MIXED = """
struct Pair { double first; float second; };
extern "C" __global__ void mixed(double* out, char a, short b, int c, long long d, float e,
                                 double f, bool g, Pair h, float4 i, const float* j) {
  double values[] = {(double)a, (double)b, (double)c, (double)d, (double)e, f, (double)g,
                     h.first, (double)h.second, (double)i.x, (double)i.w, j ? (double)*j : -1.0};
  for (int k = 0; k < 12; ++k) out[k] = values[k];
}
extern "C" __global__ void where(int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = blockIdx.x * 100 + threadIdx.x;
}
extern "C" __global__ void sum(int* out) {
  extern __shared__ int cells[];
  cells[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x != 0) return;
  *out = 0;
  for (unsigned k = 0; k < blockDim.x; ++k) *out += cells[k];
}
extern "C" __global__ void add(int* x, int n) { *x += n; }
extern "C" __global__ void shape(unsigned* out) {
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0 && blockIdx.x + blockIdx.y + blockIdx.z == 0) {
    out[0] = gridDim.x; out[1] = gridDim.y; out[2] = gridDim.z;
    out[3] = blockDim.x; out[4] = blockDim.y; out[5] = blockDim.z;
  }
}
"""


class Pair(ctypes.Structure):
    _fields_ = (("first", ctypes.c_double), ("second", ctypes.c_float))


class Float4(ctypes.Structure):
    _fields_ = (("v", ctypes.c_float * 4),)


@pytest.fixture(scope="module")
def module() -> Module:
    return Module.compile(MIXED)


@pytest.fixture
def add(module: Module) -> Kernel:
    return module.kernel("add")


def test_arguments_of_every_kind_arrive(module: Module) -> None:
    four = Float4((ctypes.c_float * 4)(1, 2, 3, 4))
    numbers = np.array([0.25], dtype=np.float32)
    with Buffer(96) as out, Buffer.from_array(numbers) as j:
        module.kernel("mixed")(
            1,
            1,
            out,
            np.int8(-1),
            np.int16(-300),
            ctypes.c_int(70000),
            np.int64(1 << 40),
            np.float32(0.5),
            ctypes.c_double(1e300),
            np.bool_(True),
            Pair(2.5, 3.5),
            four,
            j,
        )
        expected = [-1, -300, 70000, 1 << 40, 0.5, 1e300, 1, 2.5, 3.5, 1, 4, 0.25]
        assert out.to_array(np.float64).tolist() == expected


def test_none_is_a_null_pointer_and_pinned_memory_a_pointer(module: Module) -> None:
    common = [np.int8(0), np.int16(0), np.int32(0), np.int64(0), np.float32(0), np.float64(0)]
    rest: list[Any] = [*common, np.bool_(False), Pair(0, 0), Float4()]
    with PinnedBuffer(12, np.float64) as out:
        launch = module.kernel("mixed").bind(1, 1, out, *rest, None)
        with Stream() as stream:
            launch()
            stream.synchronize()
        Stream.default().synchronize()
        assert out.array[11] == -1


def test_grid_and_block_are_what_was_said(module: Module) -> None:
    with Buffer(24) as out:
        module.kernel("where")(3, 2, out)
        assert out.to_array(np.int32).tolist() == [0, 1, 100, 101, 200, 201]
        module.kernel("shape")((2, 3, 4), (5, 6, 7), out)
        assert out.to_array(np.uint32).tolist() == [2, 3, 4, 5, 6, 7]
        module.kernel("shape")((8, 9), (3,), out)
        assert out.to_array(np.uint32).tolist() == [8, 9, 1, 3, 1, 1]


def test_shared_memory_of_a_size_chosen_at_launch(module: Module) -> None:
    with Buffer(4) as out:
        module.kernel("sum")(1, 100, out, shared_bytes=400)
        assert out.to_array(np.int32).tolist() == [4950]


def test_a_bound_launch_can_be_repeated_and_its_arguments_changed(add: Kernel) -> None:
    with Buffer.from_array(np.zeros(2, dtype=np.int32)) as x:
        launch = add.bind(1, 1, x, np.int32(1))
        launch()
        launch()
        launch.set(1, np.int32(40))
        launch()
        launch.set(0, x.view(4, 4))
        launch()
        assert x.to_array(np.int32).tolist() == [42, 40]


def test_arguments_are_copied_when_the_launch_is_queued(add: Kernel) -> None:
    with Stream() as stream, Buffer.from_array(np.zeros(1, dtype=np.int32)) as x:
        launch = add.bind(1, 1, x, np.int32(0), stream=stream)
        for number in range(100):
            launch.set(1, np.int32(number))
            launch()
        stream.synchronize()
        assert x.to_array(np.int32).tolist() == [4950]


def test_a_bound_launch_keeps_its_buffers_alive(add: Kernel) -> None:
    launch = add.bind(1, 1, Buffer.from_array(np.zeros(1, dtype=np.int32)), np.int32(1))
    others = [Buffer(4) for _ in range(10)]
    launch()
    Stream.default().synchronize()
    assert len(others) == 10


def test_a_number_without_a_type_is_refused(add: Kernel) -> None:
    with Buffer(4) as x, pytest.raises(TypeError, match=r"argument 1 .* numpy\.int32"):
        add(1, 1, x, 5)  # type: ignore[arg-type]


def test_an_argument_cannot_change_its_size(add: Kernel) -> None:
    with Buffer(4) as x:
        launch = add.bind(1, 1, x, np.int32(1))
        with pytest.raises(TypeError, match="argument 1 has 4 bytes"):
            launch.set(1, np.int64(1))


def test_a_fourth_dimension_is_refused(add: Kernel) -> None:
    with Buffer(4) as x, pytest.raises(ValueError, match="grid has 4 dimensions"):
        add((1, 1, 1, 1), 1, x, np.int32(1))  # type: ignore[arg-type]


@pytest.mark.parametrize(("grid", "block", "code"), [(0, 1, 1), (1, 0, 1), (1, 5000, 9)])
def test_absurd_dimensions_are_the_documented_error(
    add: Kernel, grid: int, block: int, code: int
) -> None:
    with Buffer(4) as x, pytest.raises(HipError) as caught:
        add(grid, block, x, np.int32(1))
    assert (caught.value.call, caught.value.code) == ("hipModuleLaunchKernel", code)
