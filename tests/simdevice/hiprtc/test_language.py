"""The HIP language: types, shared memory, waves, atomics, printf, on the simulated device."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from greta.hip import Buffer, Module, SimTree, compile_source
from greta.hip.launch import Extent
from tests.simdevice.hiprtc.program import compile_program

Array = npt.NDArray[Any]


def run(
    body: str,
    *,
    threads: Extent = 64,
    blocks: Extent = 1,
    cells: int = 64,
    dtype: Any = np.int32,
    start: Array | None = None,
    before: str = "",
    shared_bytes: int = 0,
) -> list[Any]:
    """Runs statements in a kernel that has `out`, and gives what they left there."""
    kind = {np.int32: "int", np.uint32: "unsigned", np.float32: "float"}
    kind |= {np.float64: "double", np.uint64: "unsigned long long", np.int64: "long long"}
    source = f'{before}\nextern "C" __global__ void kernel({kind[dtype]}* out) {{ {body} }}'
    initial = np.zeros(cells, dtype) if start is None else start.astype(dtype)
    out = Buffer.from_array(initial)
    Module.compile(source).kernel("kernel")(blocks, threads, out, shared_bytes=shared_bytes)
    values: list[Any] = out.to_array(dtype, initial.shape).tolist()
    return values


VECTORS = {
    "char": 1,
    "uchar": 1,
    "short": 2,
    "ushort": 2,
    "int": 4,
    "uint": 4,
    "long": 8,
    "ulong": 8,
    "longlong": 8,
    "ulonglong": 8,
    "float": 4,
    "double": 8,
}


def test_vector_types_have_hips_sizes_and_alignments() -> None:
    checks = []
    for name, size in VECTORS.items():
        for count in (1, 2, 3, 4):
            align = size if count in (1, 3) else size * count
            checks.append(f"static_assert(sizeof({name}{count}) == {size * count});")
            checks.append(f"static_assert(alignof({name}{count}) == {align});")
    compile_program("\n".join([*checks, "__global__ void k() {}"]))


def test_vectors_are_spelled_alike_on_the_host_and_in_kernels(
    sim_tree: SimTree, tmp_path: Path
) -> None:
    """In C++ names: a host that calls a kernel's stub by its types finds it."""
    name, written = "f(uint2, float4, char3)", tmp_path / "host.cpp"
    written.write_text(f"#include <hip/hip_runtime.h>\nvoid {name} {{}}\n", encoding="utf-8")
    compiler = shutil.which("c++") or pytest.skip("no C++ compiler")
    words = ["-D__HIP_PLATFORM_AMD__", f"-I{sim_tree.include}", "-S", "-o", "-"]
    host = subprocess.run([compiler, *words, written], capture_output=True, check=True).stdout
    kernel = compile_source(f"__global__ void {name} {{}}", name_expressions=["f"])
    assert f"{kernel.lowered_names['f']}:".encode() in host


def test_vector_arithmetic_is_by_component() -> None:
    body = """
      float4 a = make_float4(1, 2, 3, 4), b(2.0f);
      float4 c = a * b + 1.0f - a / b; c += a; c = -c;
      int3 i = make_int3(7, 8, 9) % 4; i <<= 1;
      double2 d = {1.5, 2.5}; d *= 2;
      out[0] = c.x; out[1] = c.y; out[2] = c.z; out[3] = c.w;
      out[4] = i.x; out[5] = i.y; out[6] = i.z; out[7] = d.x; out[8] = d.y;
      out[9] = a == make_float4(1, 2, 3, 4); out[10] = a != b; uint2 u = uint2{3u, 5u}; ++u;
      out[11] = u.y; float4 brace = {1.0, 2, 3.0f, 4u}; out[12] = brace.y;
    """
    found = run(body, threads=1, dtype=np.float32)
    assert found[:13] == [-3.5, -6, -8.5, -11, 6, 0, 2, 3, 5, 1, 1, 6, 2]


def test_positions_in_three_dimensions() -> None:
    body = """
      int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
      int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
      out[block * 24 + thread] = thread + 100 * block;
      dim3 size = blockDim; uint3 at = threadIdx; if (size.x != 2 || at.x > 1) out[0] = -1;
    """
    found = run(body, threads=(2, 3, 4), blocks=(3, 2, 2), cells=288)
    assert found == [thread + 100 * block for block in range(12) for thread in range(24)]


def test_a_far_block_computes_its_index_without_wrapping() -> None:
    # Beyond 2^31 threads the vector loop's assumptions do not hold; another path takes over.
    body = """
      unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i == 2147483647u + 3) out[0] = 1;
      if (i == 4) out[1] = 1;
      if (blockIdx.x == 2097200u && threadIdx.x == 5) out[2] = (int)(i / 2);
    """
    found = run(body, threads=1024, blocks=2097201, cells=3)
    assert found == [1, 1, (2097200 * 1024 + 5) // 2]


@pytest.mark.parametrize("keyword", ["__shared__", "__attribute__((shared))"])
def test_shared_memory_and_barriers(keyword: str) -> None:
    body = """
      __shared__ int fixed[256];
      extern __shared__ int dynamic[];
      int t = threadIdx.x;
      fixed[t] = t; dynamic[t] = 2 * t;
      for (int step = 128; step > 0; step /= 2) {
        __syncthreads();
        if (t < step) { fixed[t] += fixed[t + step]; dynamic[t] += dynamic[t + step]; }
      }
      if (t == 0) { out[2 * blockIdx.x] = fixed[0]; out[2 * blockIdx.x + 1] = dynamic[0]; }
    """
    body = body.replace("__shared__", keyword)
    found = run(body, threads=256, blocks=8, cells=16, shared_bytes=1024)
    assert found == [32640, 65280] * 8


def test_dynamic_shared_arrays_of_all_names_are_one_memory() -> None:
    before = """
      extern __shared__ float as_float[];
      namespace other { extern __shared__ __align__(16) unsigned char bytes[]; }
    """
    body = """
      extern __shared__ int as_int[];
      if (threadIdx.x == 0) as_float[3] = 1.0f;
      __syncthreads();
      out[0] = as_int[3] == 0x3f800000 && other::bytes[15] == 0x3f;
      out[1] = ((size_t)other::bytes & 255) == 0;
    """
    assert run(body, before=before, shared_bytes=256)[:2] == [1, 1]


def test_ndebug_switches_assertions_off() -> None:
    source = 'extern "C" __global__ void kernel(int* out) { assert(out == nullptr); out[0] = 7; }'
    out = Buffer.from_array(np.zeros(1, np.int32))
    Module.compile(source, options=("-DNDEBUG",)).kernel("kernel")(1, 1, out)
    assert out.to_array(np.int32, (1,)).tolist() == [7]


def test_barriers_count_votes() -> None:
    body = """
      int t = threadIdx.x;
      int odd = __syncthreads_count(t & 1), all = __syncthreads_and(t < 100),
          not_all = __syncthreads_and(t < 99), any = __syncthreads_or(t == 50),
          none = __syncthreads_or(0);
      if (t == 7) { out[0] = odd; out[1] = all; out[2] = not_all; out[3] = any; out[4] = none; }
    """
    assert run(body, threads=100)[:5] == [50, 1, 0, 1, 0]


def test_shuffles() -> None:
    body = """
      int t = threadIdx.x;
      out[t] = __shfl(t, 5); out[64 + t] = __shfl_up(t, 3); out[128 + t] = __shfl_down(t, 3);
      out[192 + t] = __shfl_xor(t, 9); out[256 + t] = __shfl(t, 3, 16);
      out[320 + t] = __shfl_down(t, 2, 8); out[384 + t] = __shfl_sync(~0ull, t, 63);
    """
    found = np.array(run(body, cells=448)).reshape(7, 64)
    t = np.arange(64)
    assert found[0].tolist() == [5] * 64
    assert found[1].tolist() == np.where(t < 3, t, t - 3).tolist()
    assert found[2].tolist() == np.where(t > 60, t, t + 3).tolist()
    assert found[3].tolist() == (t ^ 9).tolist()
    assert found[4].tolist() == (t // 16 * 16 + 3).tolist()
    assert found[5].tolist() == np.where(t % 8 > 5, t, t + 2).tolist()
    assert found[6].tolist() == [63] * 64


@pytest.mark.parametrize("kind", ["unsigned", "long", "unsigned long long", "float", "double"])
def test_shuffles_of_all_types(kind: str) -> None:
    body = f"{kind} x = ({kind})threadIdx.x + 1000; out[threadIdx.x] = (int)__shfl_xor(x, 1);"
    assert run(body) == [1000 + (t ^ 1) for t in range(64)]


def test_lanes_that_are_not_there_read_as_zero() -> None:
    body = "float x = 1; for (int d = 32; d > 0; d /= 2) x += __shfl_down(x, d); out[0] = x;"
    # 48 threads: the sum in lane 0 must not count any value twice.
    body = body.replace("out[0] = x", "if (threadIdx.x == 0) out[0] = x")
    assert run(body, threads=48)[0] == 48


def test_votes_and_ballots() -> None:
    body = """
      int t = threadIdx.x;
      if (t < 40) {
        unsigned long long odd = __ballot(t & 1), active = __activemask();
        int any = __any(t == 3), all = __all(t < 40), some = __all(t < 39);
        if (t == 9) {
          out[0] = odd; out[1] = active; out[2] = any; out[3] = all; out[4] = some;
          out[5] = __lane_id();
        }
      }
    """
    found = run(body, dtype=np.uint64, cells=6)
    assert found == [0xAAAAAAAAAA, (1 << 40) - 1, 1, 1, 0, 9]


def test_divergent_lanes_meet_only_their_own_kind() -> None:
    body = """
      int t = threadIdx.x;
      if (t % 3 == 0)
        out[t] = __popcll(__ballot(1));
      else
        out[t] = 100 + __popcll(__ballot(1));
    """
    assert run(body) == [22 if t % 3 == 0 else 142 for t in range(64)]


def test_matches_and_reductions() -> None:
    body = """
      int t = threadIdx.x, predicate = -1;
      unsigned long long same = __match_any_sync(~0ull, t % 4);
      unsigned long long all = __match_all_sync(~0ull, 7, &predicate);
      out[t] = __popcll(same); out[64 + t] = predicate + (all == ~0ull);
      out[128 + t] = __reduce_add_sync(~0ull, t); out[192 + t] = __reduce_max_sync(~0ull, t);
      out[256 + t] = __builtin_amdgcn_readfirstlane(t + 5);
      out[320 + t] = __builtin_amdgcn_ds_bpermute(((t + 1) % 64) << 2, t);
    """
    found = np.array(run(body, cells=384)).reshape(6, 64)
    assert [row[0] for row in found[:5]] == [16, 2, 2016, 63, 5]
    assert all(len(set(row)) == 1 for row in found[:5])
    assert found[5].tolist() == [(t + 1) % 64 for t in range(64)]


ATOMICS = """
  atomicAdd(&out[0], 1); atomicSub(&out[1], 2); atomicMax(&out[2], (int)threadIdx.x);
  atomicMin(&out[3], -(int)threadIdx.x); atomicOr(&out[4], 1 << (threadIdx.x % 16));
  atomicAnd(&out[5], ~(1 << (threadIdx.x % 4))); atomicXor(&out[6], 1);
  atomicInc((unsigned*)&out[7], 9u); atomicDec((unsigned*)&out[8], 9u);
  atomicExch(&out[9], 77);
  int seen = out[10], assumed;
  do { assumed = seen; seen = atomicCAS(&out[10], assumed, assumed + 3); } while (seen != assumed);
  atomicAdd_block(&out[11], 1); atomicAdd_system(&out[12], 1);
  __hip_atomic_fetch_add(&out[13], 2, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
"""


def test_integer_atomics_lose_nothing() -> None:
    start = np.zeros(16)
    start[5] = 0xFF
    found = run(ATOMICS, threads=128, blocks=16, start=start)
    expected = [2048, -4096, 127, -127, 0xFFFF, 0xF0, 0, 2048 % 10, (10 - 2048 % 10) % 10, 77]
    assert found[:14] == [*expected, 3 * 2048, 2048, 2048, 4096]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floating_point_atomics(dtype: Any) -> None:
    body = "atomicAdd(&out[0], 0.5); atomicMax(&out[1], threadIdx.x); unsafeAtomicAdd(&out[2], 1);"
    if dtype is np.float32:
        body = body.replace("0.5", "0.5f").replace("threadIdx.x", "(float)threadIdx.x")
        body = body.replace("(&out[2], 1)", "(&out[2], 1.0f)")
    else:
        body = body.replace("threadIdx.x", "(double)threadIdx.x").replace(", 1)", ", 1.0)")
    assert run(body, threads=128, blocks=8, dtype=dtype)[:3] == [512, 127, 1024]


def test_device_functions() -> None:
    body = """
      out[0] = __popc(0xff00u); out[1] = __clz(1); out[2] = __ffs(8); out[3] = __brev(1u) >> 31;
      out[4] = __mulhi(1 << 30, 8); out[5] = __byte_perm(0x33221100u, 0x77665544u, 0x7160u) & 0xff;
      out[6] = __float_as_int(1.0f); out[7] = (int)__int_as_float(0x40400000);
      out[8] = __dp4a(0x01020304, 0x01010101, 5); out[9] = __popcll(~0ull); out[10] = warpSize;
      out[11] = __funnelshift_l(0x80000000u, 1u, 1); out[12] = min(3, 4u) + max(1, 2.5f);
      out[13] = rsqrtf(0.25f) + __fdividef(9, 3) + __saturatef(7) + sqrt(16.0f) + pow(2.0, 3);
      out[14] = __clzll(1ll << 40); out[15] = abs(-3) + (int)fabsf(-4.5f) + (int)round(2.5f);
    """
    found = run(body, threads=1, cells=16)
    assert found == [8, 31, 4, 1, 2, 0, 0x3F800000, 3, 15, 64, 64, 3, 5, 18, 23, 10]


def test_device_variables_can_be_found_and_written() -> None:
    module = Module.compile(
        "__device__ int counter = 5; __constant__ float table[4]; static __constant__ int k[1];\n"
        'extern "C" __global__ void use(float* out) { counter += 1; *out = table[2] + k[0]; }'
    )
    module.variable("table").copy_from(np.array([1, 2, 3, 4], np.float32))
    module.variable("k").copy_from(np.array([10], np.int32))
    out = Buffer(4)
    module.kernel("use")(1, 1, out)
    assert out.to_array(np.float32).tolist() == [13]
    assert module.variable("counter").to_array(np.int32).tolist() == [6]
    assert len(module.variable("table")) == 16


def test_templates_are_instantiated_by_name() -> None:
    source = """
      namespace math { template <typename T, int N> __global__ void scale(T* x) {
        x[threadIdx.x] = x[threadIdx.x] * N; } }
      __global__ void set(float* x, float v) { x[threadIdx.x] = v; }
      __global__ void set(int* x, int v) { x[threadIdx.x] = v; }
    """
    names = ["math::scale<float, 3>", "&math::scale<int, 5>"]
    module = Module.compile(source, name_expressions=names)
    floats, integers = Buffer(16), Buffer(16)
    module.kernel("_Z3setPff")(1, 4, floats, np.float32(1.5))
    module.kernel("_Z3setPii")(1, 4, integers, np.int32(2))
    module.kernel(names[0])(1, 4, floats)
    module.kernel(names[1])(1, 4, integers)
    assert floats.to_array(np.float32).tolist() == [4.5] * 4
    assert integers.to_array(np.int32).tolist() == [10] * 4


def test_large_arguments_by_value() -> None:
    source = """
      struct Big { float v[200]; int n; };
      extern "C" __global__ void total(Big big, float* out) {
        big.v[0] += threadIdx.x;  // each thread has its own copy
        float sum = 0; for (int i = 0; i < big.n; ++i) sum += big.v[i];
        out[threadIdx.x] = sum;
      }"""
    import ctypes

    class Big(ctypes.Structure):
        _fields_ = (("v", ctypes.c_float * 200), ("n", ctypes.c_int))

    out = Buffer(16)
    Module.compile(source).kernel("total")(1, 4, Big((ctypes.c_float * 200)(*[1] * 200), 200), out)
    assert out.to_array(np.float32).tolist() == [200, 201, 202, 203]


def test_cooperative_groups() -> None:
    before = "#include <hip/hip_cooperative_groups.h>\nnamespace cg = cooperative_groups;"
    body = """
      cg::thread_block block = cg::this_thread_block();
      auto tile = cg::tiled_partition<16>(block);
      int sum = cg::reduce(tile, (int)tile.thread_rank(), cg::plus<int>());
      out[block.thread_rank()] = sum + 1000 * tile.meta_group_rank();
      block.sync();
      if (threadIdx.x % 4 == 1) {
        auto together = cg::coalesced_threads();
        out[64 + together.thread_rank()] = together.size() * 100 + together.shfl(threadIdx.x, 2);
      }
      out[100] = tile.any(tile.thread_rank() == 3) + 10 * tile.all(tile.thread_rank() == 3);
    """
    found = run(body, before=before, cells=101)
    assert found[:64] == [120 + 1000 * (t // 16) for t in range(64)]
    assert found[64:80] == [1609] * 16
    assert found[100] == 1


def test_printf_and_standard_headers(capfd: pytest.CaptureFixture[str]) -> None:
    before = "#include <cstdio>\n#include <cmath>\n#include <limits>\n#include <type_traits>\n"
    before += "#include <stdint.h>\n#include <assert.h>\n#include <algorithm>\n"
    body = """
      static_assert(std::is_same<decltype(threadIdx.x + 0u), uint32_t>::value, "");
      assert(std::isfinite(std::sqrt(2.0f)) && std::numeric_limits<float>::max() > 1);
      if (threadIdx.x == 3) out[0] = printf("thread %u of %s: %5.2f\\n", threadIdx.x, "block", 1.5);
    """
    assert run(body, before=before)[0] > 0
    assert "thread 3 of block:  1.50\n" in capfd.readouterr().out


def test_integer_types_need_no_include() -> None:
    compile_program(
        "static_assert(sizeof(uint32_t) + sizeof(int64_t) + sizeof(size_t) == 20);\n"
        "#if !defined(__HIPCC_RTC__) || !defined(__HIP_PLATFORM_AMD__) || !__HIP_DEVICE_COMPILE__\n"
        "#error macros\n#endif\n"
        "#if __AMDGCN_WAVEFRONT_SIZE__ != 64 || HIP_VERSION_MAJOR < 6 || !defined(__gfx942__)\n"
        "#error macros\n#endif\n"
        "__global__ void k(uchar a, ushort b, uint c, ulong d) {}"
    )


@pytest.mark.parametrize("standard", ["c++11", "c++14", "c++17", "c++20", "gnu++20"])
def test_all_standards_compile(standard: str) -> None:
    compile_program(
        "#include <hip/hip_fp16.h>\n#include <hip/hip_bf16.h>\n"
        "#include <hip/hip_cooperative_groups.h>\n"
        "__global__ void k(float4* a, half2* h) { a[0] += a[1] * __low2float(h[0]); "
        "__syncthreads(); a[2].x = __shfl_down(a[0].x, 1); atomicAdd(&a[0].x, 1.0f); }",
        f"-std={standard}",
    )


def test_older_spellings() -> None:
    body = """
      HIP_DYNAMIC_SHARED(int, cells)
      int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
      cells[hipThreadIdx_x] = i; __syncthreads();
      int mirrored = cells[hipBlockDim_x - 1 - hipThreadIdx_x];
      out[i] = mirrored + __popcll(__lanemask_lt()) + __ldg(&out[i]);
    """
    assert run(body, shared_bytes=256) == [63] * 64


def test_inverse_functions() -> None:
    body = """
      double y = (threadIdx.x + 0.5) / 64;
      out[threadIdx.x] = fabs(erf(erfinv(y)) - y) + fabs(normcdf(normcdfinv(y)) - y);
    """
    assert max(run(body, dtype=np.float64)) < 1e-15


@pytest.mark.parametrize("option", ["-O0", "-O1", "-Os", "-g", "-ffast-math"])
@pytest.mark.parametrize("compiler", [name for name in ("g++", "clang++-19") if shutil.which(name)])
def test_every_compiler_and_optimization(
    option: str, compiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRETA_SIM_CXX", compiler)
    source = """
      struct Built { int value; __device__ Built() {} };
      extern "C" __global__ void kernel(int* out) {
        __shared__ Built fixed[64]; extern __shared__ int dynamic[];
        int t = threadIdx.x; int* own = new int(3);
        fixed[t].value = t; dynamic[t] = t; __syncthreads();
        out[t] = fixed[63 - t].value + dynamic[t] + __shfl_xor(t, 1) + *own;
        delete own;
      }"""
    out = Buffer(256)
    module = Module.compile(source, options=[option])
    module.kernel("kernel")(1, 64, out, shared_bytes=256)
    assert out.to_array(np.int32).tolist() == [66 + (t ^ 1) for t in range(64)]


def test_the_standard_library_s_headers() -> None:
    before = """
      #include <algorithm>
      #include <memory>
      #include <functional>
      #include <numeric>
      #include <tuple>
      __device__ __noinline__ float twice(float x) { return 2 * x; }
    """
    body = """
      int a[4] = {3, 1, 2, 0};
      std::sort(a, a + 4);
      out[0] = a[3]; out[1] = std::accumulate(a, a + 4, 0); out[2] = std::clamp(7, 0, 5);
      std::unique_ptr<int> nothing;
      out[3] = nothing ? 1 : std::get<1>(std::make_tuple(1, 8)); out[4] = twice(2.5f);
    """
    assert run(body, before=before, threads=1)[:5] == [3, 6, 5, 8, 5]


def test_macros_of_the_program_do_not_reach_hips_headers() -> None:
    source = """extern "C" __global__ void kernel(float* out) {
      T x = (T)1.5f;
      out[0] = (float)x * N * M;
    }"""
    out = Buffer.from_array(np.zeros(1, np.float32))
    options = ["-DT=half", "-D", "N=4", "-DM", "-DU=int", "-UN", "--define-macro=N=2"]
    Module.compile(source, options=options).kernel("kernel")(1, 1, out)
    assert out.to_array(np.float32, (1,)).tolist() == [3.0]


def test_harmless_host_includes() -> None:
    compile_program(
        "#include <hip/hip_runtime.h>\n#include <hip/hip_runtime_api.h>\n"
        "#include <hip/hip_vector_types.h>\n#include <hip/hip_common.h>\n"
        "#include <hip/math_functions.h>\n#include <hip/device_functions.h>\n"
        "#include <hip/hip_version.h>\n#include <hip/hip_math_constants.h>\n"
        "__global__ void k(float* a) { *a = HIP_PI_F; }"
    )
