"""Numbers: 16-bit floating point to the bit, and the functions that replace libm's."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from greta.hip import Buffer, Module

Array = npt.NDArray[Any]

SOURCE = """
#include <hip/hip_fp16.h>
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#define INDEX int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return
extern "C" __global__ void half_to_float(const __half* in, float* out, int n) {
  INDEX; out[i] = __half2float(in[i]);
}
extern "C" __global__ void float_to_half(const float* in, __half* out, int n) {
  INDEX; out[i] = __float2half(in[i]);
}
extern "C" __global__ void double_to_half(const double* in, __half* out, int n) {
  INDEX; out[i] = __double2half(in[i]);
}
extern "C" __global__ void half_toward_zero(const float* in, __half* out, int n) {
  INDEX; out[i] = __float2half_rz(in[i]);
}
extern "C" __global__ void half_up(const float* in, __half* out, int n) {
  INDEX; out[i] = __float2half_ru(in[i]);
}
extern "C" __global__ void half_down(const float* in, __half* out, int n) {
  INDEX; out[i] = __float2half_rd(in[i]);
}
extern "C" __global__ void half_arithmetic(const __half* a, const __half* b, __half* out, int n) {
  INDEX;
  out[4 * i] = a[i] + b[i]; out[4 * i + 1] = a[i] - b[i];
  out[4 * i + 2] = a[i] * b[i]; out[4 * i + 3] = a[i] / b[i];
}
extern "C" __global__ void half_fma(const __half* a, const __half* b, __half* out, int n) {
  INDEX; out[i] = __hfma(a[i], b[i], a[n - 1 - i]);
}
extern "C" __global__ void to_bfloat(const float* in, __hip_bfloat16* out, int n) {
  INDEX; out[i] = __float2bfloat16(in[i]);
}
extern "C" __global__ void to_old_bfloat(const float* in, hip_bfloat16* out, int n) {
  INDEX; out[i] = hip_bfloat16(in[i]);
}
extern "C" __global__ void from_bfloat(const __hip_bfloat16* in, float* out, int n) {
  INDEX; out[i] = __bfloat162float(in[i]);
}
extern "C" __global__ void exponential(const float* in, float* out, int n) {
  INDEX; out[i] = expf(in[i]);
}
extern "C" __global__ void power_of_two(const float* in, float* out, int n) {
  INDEX; out[i] = exp2f(in[i]);
}
extern "C" __global__ void smaller_and_larger(const float* a, const float* b, float* out, int n) {
  INDEX; out[2 * i] = fminf(a[i], b[i]); out[2 * i + 1] = max(a[i], b[i]);
}
extern "C" __global__ void to_integers(const float* in, int* out, int n) {
  INDEX;
  out[4 * i] = __float2int_rn(in[i]); out[4 * i + 1] = __float2int_rz(in[i]);
  out[4 * i + 2] = __float2int_ru(in[i]); out[4 * i + 3] = __float2int_rd(in[i]);
}
extern "C" __global__ void from_integers(const int* in, float* out, int n) {
  INDEX;
  out[3 * i] = __int2float_rz(in[i]); out[3 * i + 1] = __int2float_ru(in[i]);
  out[3 * i + 2] = __int2float_rd(in[i]);
}
"""
FLOATS = np.random.default_rng(1).integers(0, 2**32, 1 << 18, dtype=np.uint32).view(np.float32)


@pytest.fixture(scope="module", params=["baseline", "avx2", "avx512"])
def module(request: pytest.FixtureRequest) -> Module:
    patch = pytest.MonkeyPatch()
    if request.param != "baseline" and not _runs(request.param):
        pytest.skip(f"this CPU does not run {request.param}")
    with patch.context() as environment:
        environment.setenv("GRETA_SIM_ISA", request.param)
        environment.setenv("GRETA_SIM_CACHE", "0")
        return Module.compile(SOURCE)


def _runs(isa: str) -> bool:
    flag = {"avx2": " avx2 ", "avx512": " avx512vl "}[isa]
    with open("/proc/cpuinfo") as info:  # noqa: PTH123
        return flag in info.read()


def run(module: Module, kernel: str, *inputs: Array, out: Any, per_input: int = 1) -> Array:
    count = inputs[0].size
    buffers = [Buffer.from_array(array) for array in inputs]
    size = count * per_input
    result = Buffer(size * np.dtype(out).itemsize)
    module.kernel(kernel)(-(-count // 256), 256, *buffers, result, np.int32(count))
    return np.asarray(result.to_array(out, (size,)))


def same(found: Array, wanted: Array) -> bool:
    """Equal to the bit, except that any NaN is as good as another."""
    bits = {2: np.uint16, 4: np.uint32}[found.dtype.itemsize]
    both_nan = np.isnan(found) & np.isnan(wanted)
    return bool(np.all((found.view(bits) == wanted.view(bits)) | both_nan))


def test_every_half_becomes_its_float(module: Module) -> None:
    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    assert same(run(module, "half_to_float", halves, out=np.float32), halves.astype(np.float32))


def test_every_half_comes_back(module: Module) -> None:
    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    assert same(run(module, "float_to_half", halves.astype(np.float32), out=np.float16), halves)


@pytest.mark.filterwarnings("ignore:overflow")
def test_floats_round_to_the_nearest_half(module: Module) -> None:
    halves = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(np.float32)
    middles = (halves[:-1] + halves[1:]) / 2
    steps = [np.nextafter(middles, np.float32(np.inf)), np.nextafter(middles, np.float32(0))]
    largest = np.array([65504, 65519, 65519.996, 65520, 65536, 1e30], np.float32)
    positive = np.concatenate([halves, middles, *steps, largest])
    floats = np.concatenate([positive, -positive, FLOATS])
    assert same(run(module, "float_to_half", floats, out=np.float16), floats.astype(np.float16))


@pytest.mark.filterwarnings("ignore:overflow")
def test_doubles_are_rounded_once(module: Module) -> None:
    halves = np.arange(0x7BFF, dtype=np.uint16).view(np.float16).astype(np.float64)
    middles = (halves[:-1] + halves[1:]) / 2
    beside = [middles * (1 + 1e-14), middles * (1 - 1e-14)]
    doubles = np.concatenate([halves, middles, *beside])
    assert same(run(module, "double_to_half", doubles, out=np.float16), doubles.astype(np.float16))


@pytest.mark.filterwarnings("ignore:overflow")
def test_directed_roundings_bracket_the_float(module: Module) -> None:
    floats = FLOATS[np.isfinite(FLOATS) & (np.abs(FLOATS) < 65504)]
    up = run(module, "half_up", floats, out=np.float16)
    down = run(module, "half_down", floats, out=np.float16)
    zero = run(module, "half_toward_zero", floats, out=np.float16)
    exact = floats.astype(np.float16).astype(np.float32) == floats
    assert np.all(up.astype(np.float32) >= floats)
    assert np.all(down.astype(np.float32) <= floats)
    assert np.all(up[exact] == down[exact])
    assert np.all(np.nextafter(down, np.float16(np.inf))[~exact] == up[~exact])
    assert np.all(np.where(floats < 0, up, down) == zero)


@pytest.mark.filterwarnings("ignore")
def test_half_arithmetic_rounds_once(module: Module) -> None:
    random = np.random.default_rng(2)
    a = random.integers(0, 65536, 1 << 16, dtype=np.uint16).view(np.float16)
    b = random.integers(0, 65536, 1 << 16, dtype=np.uint16).view(np.float16)
    found = run(module, "half_arithmetic", a, b, out=np.float16, per_input=4).reshape(-1, 4)
    for column, wanted in enumerate((a + b, a - b, a * b, a / b)):
        assert same(np.ascontiguousarray(found[:, column]), wanted)
    fused = run(module, "half_fma", a, b, out=np.float16)
    wide = (a.astype(np.float64) * b + a[::-1].astype(np.float64)).astype(np.float16)
    assert same(fused, wide)


def bfloat_bits(floats: Array) -> Array:
    bits = floats.view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(floats), 0x7FC0, rounded).astype(np.uint16)


@pytest.mark.parametrize("kernel", ["to_bfloat", "to_old_bfloat"])
def test_floats_round_to_the_nearest_bfloat16(module: Module, kernel: str) -> None:
    patterns = np.arange(1 << 16, dtype=np.uint32) << 16
    edges = np.concatenate([patterns + offset for offset in (0, 0x7FFF, 0x8000, 0x8001, 0xFFFF)])
    floats = np.concatenate([edges.astype(np.uint32).view(np.float32), FLOATS])
    found, wanted = run(module, kernel, floats, out=np.uint16), bfloat_bits(floats)
    is_nan = np.isnan(floats)
    assert np.array_equal(found[~is_nan], wanted[~is_nan])
    assert np.all(np.isnan((found[is_nan].astype(np.uint32) << 16).view(np.float32)))


def test_every_bfloat16_becomes_its_float(module: Module) -> None:
    patterns = np.arange(65536, dtype=np.uint16)
    found = run(module, "from_bfloat", patterns, out=np.float32)
    assert np.array_equal(found.view(np.uint32), patterns.astype(np.uint32) << 16)


@pytest.mark.parametrize(("kernel", "exact"), [("exponential", np.exp), ("power_of_two", np.exp2)])
@pytest.mark.filterwarnings("ignore:overflow")
def test_exponentials_are_off_by_one_digit_at_most(
    module: Module, kernel: str, exact: np.ufunc
) -> None:
    inputs = np.concatenate(
        [
            np.linspace(-160, 160, 1 << 17, dtype=np.float32),
            np.array([0, -0.0, np.inf, -np.inf, np.nan, 1e30, -1e30, 1e-30], np.float32),
        ]
    )
    found = run(module, kernel, inputs, out=np.float32)
    wanted = exact(inputs.astype(np.float64))
    representable = wanted.astype(np.float32)
    finite = np.isfinite(representable)
    unit = np.spacing(np.abs(representable[finite])).astype(np.float64)
    assert np.all(np.abs(found[finite] - wanted[finite]) <= 1.05 * unit)
    assert same(np.ascontiguousarray(found[~finite]), representable[~finite])


def test_a_nan_loses_against_a_number(module: Module) -> None:
    a = np.array([1, np.nan, 2, np.nan, -np.inf], np.float32)
    b = np.array([np.nan, 3, 1, np.nan, 0], np.float32)
    found = run(module, "smaller_and_larger", a, b, out=np.float32, per_input=2).reshape(-1, 2)
    assert same(np.ascontiguousarray(found[:, 0]), np.fmin(a, b))
    assert same(np.ascontiguousarray(found[:, 1]), np.fmax(a, b))


def test_integers_are_rounded_as_asked_and_clamped(module: Module) -> None:
    floats = np.array([0.5, 1.5, -0.5, -1.5, 2.7, -2.7, 3e9, -3e9, np.inf, np.nan], np.float32)
    found = run(module, "to_integers", floats, out=np.int32, per_input=4).reshape(-1, 4)
    top, bottom = 2**31 - 1, -(2**31)
    assert found.tolist() == [
        [0, 0, 1, 0],
        [2, 1, 2, 1],
        [0, 0, 0, -1],
        [-2, -1, -1, -2],
        [3, 2, 3, 2],
        [-3, -2, -2, -3],
        [top] * 4,
        [bottom] * 4,
        [top] * 4,
        [0] * 4,
    ]


def test_large_integers_round_as_asked(module: Module) -> None:
    integers = np.array([16777217, -16777217, 16777216, 2147483647], np.int32)
    found = run(module, "from_integers", integers, out=np.float32, per_input=3).reshape(-1, 3)
    assert found.tolist() == [
        [16777216, 16777218, 16777216],
        [-16777216, -16777216, -16777218],
        [16777216, 16777216, 16777216],
        [2147483520, 2147483648, 2147483520],
    ]
