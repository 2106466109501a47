"""The metadata note: what loaders and recorders learn about the kernels."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.simdevice.hiprtc.code_object import (
    explicit_arguments,
    exported_symbols,
    kernels,
    metadata,
)
from tests.simdevice.hiprtc.program import compile_program

MIXED = """
struct Pair { float* where; int count; };
struct alignas(16) Four { float v[4]; };
enum Choice : short { FIRST, SECOND };
extern "C" __global__ void mixed(const float* __restrict__ in, char c, short s, double d, Pair pair,
                                 Four four, float* out, bool flag, unsigned char* bytes,
                                 void (*function)(int), Choice choice, long long last) {}
extern "C" __global__ void none() {}
extern "C" __global__ void one(int n) {}
template <typename T> struct Box { T value; };
extern "C" __global__ void boxed(Box<char> a, Box<double> b, const Box<int>* c, float v[4]) {}
"""
STAND_IN = "#define __global__ __attribute__((global))\n"


def test_the_note_is_a_version_5_note_for_the_device() -> None:
    note = metadata(compile_program(MIXED).code)
    assert note["amdhsa.version"] == [1, 2]
    assert note["amdhsa.target"] == "amdgcn-amd-amdhsa--gfx942"
    assert {kernel[".name"] for kernel in note["amdhsa.kernels"]} == {
        "mixed",
        "none",
        "one",
        "boxed",
    }


def test_a_kernel_is_described() -> None:
    mixed = kernels(compile_program(MIXED).code)["mixed"]
    assert mixed[".symbol"] == "mixed.kd"
    assert mixed[".wavefront_size"] == 64
    assert mixed[".max_flat_workgroup_size"] == 1024
    assert mixed[".kernarg_segment_align"] == 16
    first, second = mixed[".args"][:2]
    assert first == {
        ".address_space": "global",
        ".is_const": True,
        ".is_restrict": True,
        ".name": "in",
        ".offset": 0,
        ".size": 8,
        ".type_name": "const float* __restrict__",
        ".value_kind": "global_buffer",
    }
    assert second == {
        ".name": "c",
        ".offset": 8,
        ".size": 1,
        ".type_name": "char",
        ".value_kind": "by_value",
    }


@pytest.mark.skipif(shutil.which("clang-19") is None, reason="compares with clang 19's gfx942 code")
def test_arguments_are_where_the_gpu_compiler_puts_them(tmp_path: Path) -> None:
    source, image = tmp_path / "k.hip", tmp_path / "k.elf"
    source.write_text(STAND_IN + MIXED)
    options = "-x hip --offload-arch=gfx942 --offload-device-only --no-gpu-bundle-output"
    subprocess.run(
        ["clang-19", *options.split(), "-nogpuinc", "-nogpulib", "-O1", "-o", image, source],
        check=True,
        capture_output=True,
    )
    ours, theirs = kernels(compile_program(MIXED).code), kernels(image.read_bytes())
    assert ours.keys() == theirs.keys()
    for name, kernel in theirs.items():
        assert explicit_arguments(ours[name]) == explicit_arguments(kernel)
        for size in (".kernarg_segment_size", ".kernarg_segment_align"):
            assert ours[name][size] == kernel[size], (name, size)


def test_every_way_to_declare_a_kernel_is_found() -> None:
    source = """
    __global__ void plain(int* a);
    __global__ void plain(int* a) { *a = 1; }
    __global__ void plain(float* a) { *a = 1; }
    static __global__ void hidden(int* a) { *a = 1; }
    inline __global__ void also(int* a) { *a = 1; }
    __global__ __launch_bounds__(128, 2) void bounded(int* a) { *a = 1; }
    __global__ void __launch_bounds__(2 * 32) after_void(int* a) { *a = 1; }
    __attribute__((noinline)) __global__ void attributed(int* a) { *a = 1; }
    extern "C" { __global__ void in_c(int* a) { *a = 1; }
                 __global__ void in_c_too() {} }
    namespace a { namespace b { struct S { int x; };
      __global__ void nested(S s, int* out = nullptr, S t = {1}) { *out = s.x; } } }
    namespace a::b { __global__ void reopened(S* s) { s->x = 1; } }
    namespace { __global__ void anonymous(int* a) { *a = 1; } }
    inline namespace v1 { __global__ void versioned(int* a) { *a = 1; } }
    template <class T> __global__ void generic(T* a) { *a = 1; }
    template <> __global__ void generic<char>(char* a) { *a = 2; }
    template __global__ void generic<short>(short*);
    struct Holder { static __global__ void member(int* a) { *a = 1; } };
    #define KERNEL(name) __global__ void name(int* a) { *a = 1; }
    KERNEL(from_macro)
    __global__ void lambdas(int* a) { auto f = [](int x) { return x + 1; }; *a = f(1); }
    int unrelated() { return sizeof("__global__ void text() {}"); }
    /* __global__ void commented() {} */
    """
    found = set(kernels(compile_program(source).code))
    assert found == {
        "_Z5plainPi",
        "_Z5plainPf",
        "_Z6hiddenPi",
        "_Z4alsoPi",
        "_Z7boundedPi",
        "_Z10after_voidPi",
        "_Z10attributedPi",
        "in_c",
        "in_c_too",
        "_ZN1a1b6nestedENS0_1SEPiS1_",
        "_ZN1a1b8reopenedEPNS0_1SE",
        "_ZN12_GLOBAL__N_19anonymousEPi",
        "_ZN2v19versionedEPi",
        "_Z7genericIcEvPT_",
        "_Z7genericIsEvPT_",
        "_ZN6Holder6memberEPi",
        "_Z10from_macroPi",
        "_Z7lambdasPi",
    }


def test_launch_bounds_are_in_the_note() -> None:
    found = kernels(
        compile_program(
            "constexpr int WARPS = 4;\n"
            'extern "C" __global__ __launch_bounds__(WARPS * 64) void counted() {}\n'
            "template <int N> __global__ __launch_bounds__(256) void literal() {}\n"
            'extern "C" __attribute__((amdgpu_flat_work_group_size(1, 64)))\n'
            "__global__ void by_attribute() {}\n",
            names=["literal<1>"],
        ).code
    )
    assert found["counted"][".max_flat_workgroup_size"] == 256
    assert found["by_attribute"][".max_flat_workgroup_size"] == 64
    assert found["_Z7literalILi1EEvv"][".max_flat_workgroup_size"] == 256


def test_static_shared_memory_is_counted_for_each_kernel() -> None:
    source = """
    __device__ __noinline__ float helper(int i) { __shared__ float part[16]; part[i] = i;
                                                  __syncthreads(); return part[15 - i]; }
    extern "C" __global__ void direct(float* a) { __shared__ float tile[8][32];
      tile[0][threadIdx.x] = *a; __syncthreads(); *a = tile[0][31 - threadIdx.x]; }
    extern "C" __global__ void through_call(float* a) { *a = helper(threadIdx.x); }
    extern "C" __global__ void dynamic_only(float* a) { extern __shared__ float d[];
      d[threadIdx.x] = *a; __syncthreads(); *a = d[0]; }
    """
    found = kernels(compile_program(source).code)
    assert found["direct"][".group_segment_fixed_size"] == 1024
    assert found["through_call"][".group_segment_fixed_size"] == 64
    assert found["dynamic_only"][".group_segment_fixed_size"] == 0


def test_a_code_object_exports_its_table_and_variables_alone() -> None:
    source = """
    __device__ float table[4]; __constant__ int limits[2]; static __constant__ int inner[2];
    namespace n { __device__ double value; }
    __device__ float helper(float x) { return x + table[0] + inner[0]; }
    __global__ void kernel(float* a) { *a = helper(*a) + limits[0] + n::value; }
    """
    assert exported_symbols(compile_program(source).code) == {
        "greta_simt_abi",
        "greta_simt_checked",
        "greta_simt_kernels",
        "greta_simt_kernel_count",
        "table",
        "limits",
        "inner",
        "_ZN1n5valueE",
    }
