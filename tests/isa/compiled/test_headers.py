"""HIP's types and conversions in our headers: kernels, clang's host and g++ against NumPy."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from greta.cli.main import main
from greta.errors import UsageError
from greta.hip import SimTree
from tests.isa.compiled import oracle
from tests.isa.compiled.oracle import HERE

pytestmark = pytest.mark.usefixtures("engine")
_ROWS, _COLUMNS = 65536, 48
U32 = NDArray[np.uint32]
F32 = NDArray[np.float32]
_FORMATS = (  # mantissa bits, bias, largest code, what an overflow becomes, FNUZ
    (3, 7, 0x7E, 0x7F, False),
    (2, 15, 0x7B, 0x7C, False),
    (3, 8, 0x7F, 0x80, True),
    (2, 16, 0x7F, 0x80, True),
)


def _mixed(x: U32) -> U32:
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x = ((x ^ (x >> shift)) * np.uint32(factor)).astype(np.uint32)
    return (x ^ (x >> 16)).astype(np.uint32)


def _magnitude(code: int, format_: tuple[int, int, int, int, bool]) -> float:
    digits, bias = format_[:2]
    exponent, rest = code >> digits, code & ((1 << digits) - 1)
    leading = 1 << digits if exponent else 0
    return float((rest + leading) * 2.0 ** (max(exponent, 1) - bias - digits))


def _decoded(codes: U32, format_: tuple[int, int, int, int, bool]) -> F32:
    _, _, largest, overflow, fnuz = format_
    table = np.full(256, np.nan, np.float32)
    for code in range(largest + 1):
        table[code] = _magnitude(code, format_)
        if code or not fnuz:
            table[code | 0x80] = -table[code]
    if overflow == 0x7C:
        table[0x7C], table[0xFC] = np.inf, -np.inf
    decoded: F32 = table[codes & 255]
    return decoded


def _encoded(x: F32, saturates: bool, format_: tuple[int, int, int, int, bool]) -> U32:
    """To the nearest number of the table, to the even code where two are as near."""
    _, _, largest, overflow, fnuz = format_
    table = np.array([_magnitude(code, format_) for code in range(largest + 1)])
    beyond = 2 * table[-1] - table[-2]
    size = np.abs(x.astype(np.float64))
    high = np.clip(np.searchsorted(table, size), 0, largest)
    low = np.maximum(high - 1, 0)
    above, below = np.abs(table[high] - size), np.abs(size - table[low])
    take_low = (below < above) | ((below == above) & (low % 2 == 0))
    code = np.where(take_low, low, high)
    middle = (table[-1] + beyond) / 2
    out = (size > middle) | ((size == middle) & (largest % 2 == 1))
    code = np.where(out, largest if saturates else overflow, code)
    code = np.where(np.isinf(size), overflow, code)
    code = np.where(np.isnan(size), 0x80 if fnuz else 0x7F, code)
    sign = np.where(np.signbit(x) & ((code != 0) | (not fnuz)), 0x80, 0)
    return (code | sign).astype(np.uint32)


def _directed(
    x: NDArray[np.float64], to: np.dtype[np.floating], down: bool
) -> NDArray[np.floating]:
    nearest = x.astype(to)
    wrong = nearest.astype(np.float64) > x if down else nearest.astype(np.float64) < x
    return np.where(wrong, np.nextafter(nearest, to.type(-np.inf if down else np.inf)), nearest)


def _bf16(x: F32, rounding: str) -> U32:
    bits = x.view(np.uint32).astype(np.uint64)
    cut, rest = bits >> 16, bits & 0xFFFF
    negative = (bits >> 31).astype(bool)
    up = {
        "rn": rest + (cut & 1) > 0x8000,
        "rz": np.zeros(len(x), bool),
        "rd": negative & (rest != 0),
        "ru": ~negative & (rest != 0),
    }[rounding]
    exact = np.isinf(x) | (rest == 0)
    return np.where(np.isnan(x), 0x7FC0, np.where(exact, cut, cut + up)).astype(np.uint32)


def _bits16(x: NDArray[np.float16]) -> U32:
    return x.view(np.uint16).astype(np.uint32)


def _bits(x: NDArray[np.generic]) -> U32:
    return x.astype(np.float32).view(np.uint32)


def _to_integer(x: F32) -> U32:
    clipped = np.nan_to_num(np.clip(x.astype(np.float64), -(2.0**31), 2.0**31 - 1), nan=0)
    return clipped.astype(np.int64).astype(np.uint32)


def _reference() -> Iterator[tuple[str, str, U32]]:
    """Each column: what it is, how it is compared, and what it should be."""
    i = np.arange(_ROWS, dtype=np.uint32)
    a, b = i.astype(np.uint16).view(np.float16), _mixed(i).astype(np.uint16).view(np.float16)
    any_ = _mixed(i + np.uint32(77777)).view(np.float32)
    raw = _mixed(i + np.uint32(123456))
    exponent = 105 + (raw >> 23 & 0xFF) % 42
    near = ((raw & 0x807FFFFF) | (exponent << 23).astype(np.uint32)).view(np.float32)
    integer = _mixed(i + np.uint32(5)).astype(np.int32) >> (i & 31).astype(np.int32)
    wide = (_mixed(i).astype(np.uint64) << 32 | _mixed(i + np.uint32(9))) >> (i & 63).astype(
        np.uint64
    )
    half, single = np.dtype(np.float16), np.dtype(np.float32)
    wide_near = near.astype(np.float64)

    yield "half to float", "float", _bits(a)
    yield "float to half", "half", _bits16(near.astype(half))
    down, up = _directed(wide_near, half, True), _directed(wide_near, half, False)
    yield "rz", "half", _bits16(np.where(near < 0, up, down).astype(half))
    yield "rd", "half", _bits16(down.astype(half))
    yield "ru", "half", _bits16(up.astype(half))
    for rounding in ("rn", "rz", "rd", "ru"):
        yield f"bfloat16 {rounding}", "bfloat16", _bf16(any_, rounding)
    for format_ in _FORMATS:
        yield f"fp8 to half {format_}", "float", _bits(_decoded(i, format_))
        yield f"saturated {format_}", "bits", _encoded(near, True, format_)
        yield f"not saturated {format_}", "bits", _encoded(near, False, format_)
        code = _encoded(a.astype(single), True, format_)
        yield f"half to fp8 {format_}", "bits", code
    x, y = a.astype(np.float64), b.astype(np.float64)
    yield "sum", "half", _bits16((x + y).astype(half))
    yield "difference", "half", _bits16((x - y).astype(half))
    yield "product", "half", _bits16((x * y).astype(half))
    yield "quotient", "half", _bits16((a / b).astype(half))
    yield "hfma", "half", _bits16((x * y + x).astype(half))
    yield "hmax", "half", _bits16(np.fmax(a, b))
    yield "hmin", "half", _bits16(np.fmin(a, b))
    compared = (a < b) | (a == b) * 2 | np.isnan(a) * 4
    yield "compared", "bits", compared.astype(np.uint32)
    yield "int to float rd", "float", _bits(_directed(integer.astype(np.float64), single, True))
    yield "int to float ru", "float", _bits(_directed(integer.astype(np.float64), single, False))
    nearest = wide.astype(single)
    too_high = np.array([int(n) > int(w) for n, w in zip(nearest, wide, strict=True)])
    too_low = np.array([int(n) < int(w) for n, w in zip(nearest, wide, strict=True)])
    yield (
        "ull rz",
        "float",
        _bits(np.where(too_high, np.nextafter(nearest, np.float32(0)), nearest)),
    )
    yield (
        "ull ru",
        "float",
        _bits(np.where(too_low, np.nextafter(nearest, np.float32(np.inf)), nearest)),
    )
    scaled = any_.astype(np.float64) * 1.0000000001
    yield "double rd", "float", _bits(_directed(scaled, single, True))
    yield "float to int rn", "bits", _to_integer(np.rint(near))
    yield "rd", "bits", _to_integer(np.floor(near))
    yield "ru", "bits", _to_integer(np.ceil(near))
    yield "int to half", "half", _bits16(integer.astype(np.float64).astype(half))
    # A 32-bit integer needs no more than a double; rounded to odd it fits a float.
    exact = integer.astype(np.float64)
    nearest = exact.astype(single)
    inexact = nearest.astype(np.float64) != exact
    away = np.abs(nearest.astype(np.float64)) > np.abs(exact)
    odd = np.where(inexact, (nearest.view(np.uint32) - away) | 1, nearest.view(np.uint32))
    yield "int to bfloat16", "bits", _bf16(odd.astype(np.uint32).view(np.float32), "rn")
    yield "half to int", "bits", _to_integer(np.trunc(a.astype(single)))
    f = i.astype(single)
    yield "complex product", "float", _bits(2 * f - 3)
    yield "conjugate", "float", _bits(-(3 * f + 2))
    yield "float4", "float", _bits(2 * f + 1 + 9)
    yield "uint2", "bits", ((i ^ 255) + 6).astype(np.uint32)


def _is_nan(bits: U32, kind: str) -> NDArray[np.bool_]:
    if kind == "float":
        return (bits & 0x7FFFFFFF) > 0x7F800000
    if kind == "half":
        return (bits & 0x7FFF) > 0x7C00
    return (bits & 0x7FFF) > 0x7F80 if kind == "bfloat16" else np.zeros(len(bits), bool)


def _check(words: bytes) -> None:
    got = np.frombuffer(words, np.uint32).reshape(_ROWS, _COLUMNS)
    with np.errstate(all="ignore"):
        for column, (name, kind, wanted) in enumerate(_reference()):
            bits = got[:, column]
            same = (bits == wanted) | (_is_nan(bits, kind) & _is_nan(wanted, kind))
            wrong = np.flatnonzero(~same)
            first = wrong[0] if len(wrong) else 0
            assert not len(wrong), (
                f"{name}: {len(wrong)} wrong, first {first:#x}: "
                f"{bits[first]:#x}, not {wanted[first]:#x}"
            )


@pytest.mark.parametrize("clang", oracle.CLANGS)
def test_kernels_and_the_host_of_clang(sim_tree: SimTree, tmp_path: Path, clang: str) -> None:
    program = tmp_path / "headers"
    folder = Path(os.path.realpath(shutil.which(clang) or clang)).parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HIP_CLANG_PATH", str(folder))
        try:
            assert main(["hipcc", "-O1", str(HERE / "headers.hip"), "-o", str(program)]) == 0
        except UsageError as error:
            pytest.skip(str(error))
    environment = {**os.environ, "LD_LIBRARY_PATH": str(sim_tree.lib)}
    for arguments in ([], ["device"]):
        done = subprocess.run(
            [program, *arguments], env=environment, capture_output=True, check=True
        )
        assert done.stderr == b""
        _check(done.stdout)


def test_the_host_of_gxx(sim_tree: SimTree, tmp_path: Path) -> None:
    program = tmp_path / "headers"
    words = ["g++", "-std=c++14", "-Wall", "-Wextra", "-Werror", "-O1", "-x", "c++"]
    words += ["-D__HIP_PLATFORM_AMD__", f"-I{sim_tree.include}", str(HERE / "headers.hip")]
    subprocess.run([*words, "-o", str(program)], check=True)
    _check(subprocess.run([program], capture_output=True, check=True).stdout)
