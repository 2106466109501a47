"""The C headers compile everywhere and say what AMD's bindings were compiled with."""

from __future__ import annotations

import ctypes
import enum
import subprocess
from pathlib import Path
from typing import Any

import pytest
from rocm.bindings import hip, hiprtc

from contract import c_headers
from greta.hip import find_sim_tree

INCLUDE = find_sim_tree().include
STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{INCLUDE}"]
HEADERS = c_headers.CHeaders(list((INCLUDE / "hip").glob("*.h")))

C_PROGRAM = """
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <hip/hip_ext.h>
#include <hip/driver_types.h>
int main(void) {
  void* pointer;
  hipDeviceProp_t properties;
  struct hipMemcpy3DParms copy;
  copy.srcPtr = make_hipPitchedPtr(&properties, 64, 16, 4);
  copy.srcPos = make_hipPos(1, 2, 3);
  copy.extent = make_hipExtent(4, 5, 6);
  (void)copy;
  if (hipGetDeviceProperties(&properties, 0) != hipSuccess) return 1;
  return hipMalloc(&pointer, 4) == hipSuccess && HIP_VERSION == 71526333;
}
"""
CPP_PROGRAM = """
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
__host__ __device__ inline float twice(float x) { return 2 * x; }
int main() {
  float* device;
  float* host;
  dim3 grid(3);
  hipDeviceProp_t properties;
  hipEvent_t event{};
  if (hipGetDeviceProperties(&properties, 0) != hipSuccess) return 1;
  if (hipMalloc(&device, 4) != hipSuccess || hipHostMalloc(&host, 4) != hipSuccess) return 1;
  if (hipMemcpyAsync(device, host, 4, hipMemcpyDefault) != hipSuccess) return 1;
  return hipEventRecord(event) == hipSuccess && grid.y == 1 && twice(1) == 2;
}
"""
CPP_ONLY = {
    *("hip_bf16.h", "hip_bfloat16.h", "hip_complex.h", "hip_fp16.h", "hip_fp8.h"),
    *("hip_math_constants.h", "hip_typed_allocation.h", "hip_typed_calls.h"),
}
"""Types and functions for kernels, and overloads."""


def compile_only(compiler: str, source: str, tmp_path: Path, *options: str) -> None:
    path = tmp_path / ("program.c" if compiler == "gcc" else "program.cpp")
    path.write_text(source)
    subprocess.run([compiler, "-fsyntax-only", *STRICT, *options, path], check=True)


@pytest.mark.parametrize("option", ["-O0", "-DHIP_API_PER_THREAD_DEFAULT_STREAM"])
@pytest.mark.parametrize("standard", ["c99", "c11"])
def test_headers_compile_as_c(standard: str, option: str, tmp_path: Path) -> None:
    compile_only("gcc", C_PROGRAM, tmp_path, f"-std={standard}", option)


@pytest.mark.parametrize("option", ["-O0", "-DHIP_API_PER_THREAD_DEFAULT_STREAM"])
@pytest.mark.parametrize("standard", ["c++11", "c++17", "c++20"])
def test_headers_compile_as_cpp(standard: str, option: str, tmp_path: Path) -> None:
    compile_only("g++", CPP_PROGRAM, tmp_path, f"-std={standard}", option)


@pytest.mark.parametrize("header", sorted((INCLUDE / "hip").glob("*.h")), ids=lambda p: p.name)
def test_each_header_stands_alone(header: Path, tmp_path: Path) -> None:
    compiler = "g++" if header.name in CPP_ONLY else "gcc"
    compile_only(compiler, f"#include <hip/{header.name}>\nint unused;\n", tmp_path)


def printed(expressions: list[str], tmp_path: Path) -> list[int]:
    """What a C program prints for these expressions."""
    lines = "".join(f'printf("%lld\\n", (long long)({text}));\n' for text in expressions)
    path = tmp_path / "print.c"
    path.write_text(
        "#include <stdio.h>\n#include <hip/hip_runtime.h>\n#include <hip/hiprtc.h>\n"
        f"int main(void) {{ {lines} return 0; }}\n"
    )
    subprocess.run(["gcc", f"-I{INCLUDE}", path, "-o", tmp_path / "print"], check=True)
    run = subprocess.run([tmp_path / "print"], capture_output=True, text=True, check=True)
    return [int(line) for line in run.stdout.split()]


def binding(name: str) -> Any:
    """What AMD's bindings call by this name, or None."""
    return getattr(hip, name, None) or getattr(hiprtc, name, None)


def test_enumerators_have_amds_values(tmp_path: Path) -> None:
    enums = [name for name in HEADERS.enums() if binding(name) is not None]
    assert len(enums) > 40
    for name in enums:
        assert list(HEADERS.enumerators(name)) == list(binding(name).__members__), name
    values = {k: int(v) for name in enums for k, v in binding(name).__members__.items()}
    assert dict(zip(values, printed(list(values), tmp_path), strict=True)) == values


def test_macros_have_amds_values(tmp_path: Path) -> None:
    names = [name for name in HEADERS.macros("hip") if isinstance(binding(name), int)]
    assert len(names) > 30
    values = printed([f"(int)({name})" for name in names], tmp_path)
    assert dict(zip(names, values, strict=True)) == {name: binding(name) for name in names}


def field_offsets(struct: Any) -> dict[str, int]:
    """Where the compiled bindings write each field that can be set to a whole number."""
    address, size = int(struct), struct.c_sizeof()
    offsets = {}
    for name in struct.PROPERTIES():
        ctypes.memset(address, 0, size)
        try:
            current = getattr(struct, name)
            is_enum = isinstance(current, enum.Enum)
            setattr(struct, name, next(m for m in type(current) if m) if is_enum else 1)
        except (AttributeError, TypeError, ValueError, RuntimeError):
            continue  # an array, a nested structure, an enum without a zero
        written = ctypes.string_at(address, size).strip(b"\0")
        if not isinstance(current, float) and written:
            offsets[name] = ctypes.string_at(address, size).index(written)
    ctypes.memset(address, 0, size)
    return offsets


BIT_FIELDS = {"hipDeviceArch_t"}
STRUCTS = sorted(
    name
    for name in HEADERS.structs()
    if hasattr(binding(name), "PROPERTIES") and name not in BIT_FIELDS
)


def test_structures_have_amds_layout(tmp_path: Path) -> None:
    assert len(STRUCTS) > 25
    expected: dict[str, int] = {}
    for name in STRUCTS:
        struct = binding(name)()
        expected[f"sizeof({name})"] = struct.c_sizeof()
        for field, offset in field_offsets(struct).items():
            expected[f"offsetof({name}, {field})"] = offset
    assert len(expected) > 150
    assert dict(zip(expected, printed(list(expected), tmp_path), strict=True)) == expected


def test_device_properties_have_amds_layout(tmp_path: Path) -> None:
    """Under its plain name, which is a macro in the header and so not in the list above."""
    struct = binding("hipDeviceProp_t")()
    expected = {f"offsetof(hipDeviceProp_t, {k})": v for k, v in field_offsets(struct).items()}
    expected["sizeof(hipDeviceProp_t)"] = struct.c_sizeof()
    assert len(expected) > 70
    assert dict(zip(expected, printed(list(expected), tmp_path), strict=True)) == expected
