"""The 18 calls: what they answer to right and wrong use."""

from __future__ import annotations

import ctypes
import re
import struct
from pathlib import Path

import pytest

from greta.runs.hip_compiler import BITCODE
from tests.isa.compiled import oracle
from tests.simdevice.borrowed import Borrowed
from tests.simdevice.hiprtc.program import Program, Result, compile_program, hiprtc
from tests.simdevice.launching import Kernels
from tests.simdevice.library import done, hip_library

EMPTY = 'extern "C" __global__ void nothing() {}'
TEMPLATE = """
template <typename T, int N> __global__ void fill(T* out) { out[threadIdx.x] = N; }
namespace inner { __device__ int counter; __constant__ float table[4]; }
"""


def byref(value: object) -> object:
    return ctypes.byref(value)  # type: ignore[arg-type]


def test_the_version_is_the_hip_release() -> None:
    major, minor = ctypes.c_int(), ctypes.c_int()
    assert hiprtc().hiprtcVersion(byref(major), byref(minor)) == Result.SUCCESS
    assert (major.value, minor.value) == (7, 15)
    assert hiprtc().hiprtcVersion(None, byref(minor)) == Result.INVALID_INPUT


@pytest.mark.parametrize("result", list(Result))
def test_an_error_is_called_by_its_name(result: Result) -> None:
    text = hiprtc().hiprtcGetErrorString(int(result)).decode()
    assert text == ("HIPRTC_SUCCESS" if result == Result.SUCCESS else f"HIPRTC_ERROR_{result.name}")


def test_an_unknown_error_has_a_text() -> None:
    assert hiprtc().hiprtcGetErrorString(12345) == b"Invalid HIPRTC error code"


def test_create_refuses_what_makes_no_program() -> None:
    handle = ctypes.c_void_p()
    create = hiprtc().hiprtcCreateProgram
    assert create(None, b"x", b"n", 0, None, None) == Result.INVALID_PROGRAM
    assert create(byref(handle), None, b"n", 0, None, None) == Result.INVALID_INPUT
    assert create(byref(handle), b"", b"n", 0, None, None) == Result.INVALID_INPUT
    assert create(byref(handle), b"x", b"n", -1, None, None) == Result.INVALID_INPUT
    assert create(byref(handle), b"x", b"n", 1, None, None) == Result.INVALID_INPUT


def test_calls_refuse_null() -> None:
    program = Program(EMPTY)
    assert hiprtc().hiprtcCompileProgram(None, 0, None) == Result.INVALID_PROGRAM
    assert hiprtc().hiprtcCompileProgram(program.handle, 2, None) == Result.INVALID_INPUT
    assert hiprtc().hiprtcGetCodeSize(program.handle, None) == Result.INVALID_INPUT
    assert hiprtc().hiprtcGetCode(program.handle, None) == Result.INVALID_INPUT
    assert hiprtc().hiprtcGetProgramLogSize(program.handle, None) == Result.INVALID_INPUT
    assert hiprtc().hiprtcGetProgramLog(program.handle, None) == Result.INVALID_INPUT
    assert hiprtc().hiprtcAddNameExpression(program.handle, None) == Result.INVALID_INPUT
    assert hiprtc().hiprtcGetLoweredName(program.handle, b"x", None) == Result.INVALID_INPUT
    assert hiprtc().hiprtcDestroyProgram(None) == Result.INVALID_INPUT


def test_there_is_no_code_before_a_compilation_or_after_a_failed_one() -> None:
    program = Program("__global__ void broken( {}")
    assert program.code()[0] == Result.INVALID_PROGRAM
    assert program.compile() == Result.COMPILATION
    assert program.code()[0] == Result.INVALID_PROGRAM


def test_destroy_clears_the_handle() -> None:
    program = Program(EMPTY)
    assert hiprtc().hiprtcDestroyProgram(byref(program.handle)) == Result.SUCCESS
    assert not program.handle


def test_names_are_lowered_after_the_compilation() -> None:
    program = Program(TEMPLATE)
    assert program.add_name("fill<float, 4>") == Result.SUCCESS
    assert program.add_name("&fill<int, 1>") == Result.SUCCESS
    assert program.add_name("&inner::counter") == Result.SUCCESS
    assert program.add_name("inner::table") == Result.SUCCESS
    not_yet = program.lowered_name("fill<float, 4>")
    assert not_yet == (Result.NO_LOWERED_NAMES_BEFORE_COMPILATION, None)
    assert program.compile() == Result.SUCCESS, program.log()
    assert program.lowered_name("fill<float, 4>") == (Result.SUCCESS, "_Z4fillIfLi4EEvPT_")
    assert program.lowered_name("&fill<int, 1>") == (Result.SUCCESS, "_Z4fillIiLi1EEvPT_")
    assert program.lowered_name("&inner::counter") == (Result.SUCCESS, "_ZN5inner7counterE")
    assert program.lowered_name("inner::table") == (Result.SUCCESS, "_ZN5inner5tableE")
    # Another spelling of the same, as AMD's hipRTC accepts it.
    assert program.lowered_name("fill< float,4 >")[0] == Result.SUCCESS
    assert program.lowered_name("other") == (Result.NAME_EXPRESSION_NOT_VALID, None)
    late = program.add_name("fill<double, 1>")
    assert late == Result.NO_NAME_EXPRESSIONS_AFTER_COMPILATION


def test_a_program_for_the_cpu_has_no_bitcode() -> None:
    program = Program(EMPTY)
    program.compile()
    size = ctypes.c_size_t(7)
    assert hiprtc().hiprtcGetBitcodeSize(program.handle, byref(size)) == Result.INVALID_PROGRAM
    assert size.value == 0
    text = ctypes.create_string_buffer(8)
    assert hiprtc().hiprtcGetBitcode(program.handle, text) == Result.INVALID_PROGRAM
    assert hiprtc().hiprtcGetBitcode(None, text) == Result.INVALID_PROGRAM


USES = """
extern __device__ int twice(int);
template <class T> __global__ void fill(T* out) { out[threadIdx.x] = twice(threadIdx.x) + N; }
"""
DEFINES = "__device__ int twice(int x) { return 2 * x; }"


def bitcode_of(source: str, *names: str) -> tuple[bytes, list[str]]:
    program = Program(source)
    for name in names:
        assert program.add_name(name) == Result.SUCCESS
    assert program.compile("-fgpu-rdc", "-DN=3") == Result.SUCCESS, program.log()
    size = ctypes.c_size_t()
    assert hiprtc().hiprtcGetBitcodeSize(program.handle, byref(size)) == Result.SUCCESS
    text = ctypes.create_string_buffer(size.value)
    assert hiprtc().hiprtcGetBitcode(program.handle, text) == Result.SUCCESS
    return text.raw, [program.lowered_name(name)[1] or "" for name in names]


NAMES = {
    "a::b::fill<float, 3>": "_ZN1a1b4fillIfLi3EEEvPT_",
    "&a::b::fill<int,-1>": "_ZN1a1b4fillIiLin1EEEvPT_",
    "a::b::fill<int, (1>2)>": "_ZN1a1b4fillIiLi0EEEvPT_",
    "&a::b::table": "_ZN1a1b5tableE",
    "sum<double>": "_Z3sumIdEv4PairIT_EPS1_",
    "all<int, float, char>": "_Z3allIJifcEEvPiDpT_",
    "first<Pair, double>": "_Z5firstI4PairdEvT_IT0_EPS2_",
    "values<true, 18446744073709551615ull, 'x'>": (
        "_Z6valuesILb1ELy18446744073709551615ELc120EEvPi"
    ),
    "modal<Mode::slow>": "_Z5modalIL4Mode1EEvPi",
    "S::in_class<int>": "_ZN1S8in_classIiEEvPT_",
}
NAMED = """
namespace a { namespace b {
template <class T, int N> __global__ void fill(T* out) { *out = N; }
__constant__ float table[4];
} }
template <class T> struct Pair { T x, y; };
template <class T> __global__ void sum(Pair<T> p, T* out) { *out = p.x + p.y; }
template <class... T> __global__ void all(int* out, T... each) { *out = (0 + ... + (int)each); }
template <template <class> class C, class T> __global__ void first(C<T> c, T* out) { *out = c.x; }
template <bool B, unsigned long long U, char C> __global__ void values(int* out) { *out = B + C; }
enum class Mode { fast, slow };
template <Mode M> __global__ void modal(int* out) { *out = (int)M; }
struct S { template <class T> static __global__ void in_class(T* out) { *out = 4; } };
"""


@pytest.mark.parametrize("options", [(), ("-fgpu-rdc",)])
def test_both_compilers_lower_names_alike(options: tuple[str, ...]) -> None:
    if options and not oracle.CLANGS:
        pytest.skip("no clang for gfx942")
    program = Program(NAMED)
    for name in NAMES:
        assert program.add_name(name) == Result.SUCCESS
    assert program.compile(*options) == Result.SUCCESS, program.log()
    assert {name: program.lowered_name(name)[1] for name in NAMES} == NAMES


def test_greta_hipcc_and_hiprtc_look_for_the_same_libraries() -> None:
    root = Path(__file__).parents[3]
    text = (root / "native/simdevice/hiprtc/gpu_build.cpp").read_text()
    assert re.findall(r'"([^"]+/bitcode)"', text) == list(BITCODE)


def linked(pieces: list[bytes]) -> tuple[Result, bytes, str]:
    """What the linker answers, the code object, what it says of errors."""
    library, log = hiprtc(), ctypes.create_string_buffer(4096)
    state, binary, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    names = (ctypes.c_int * 2)(5, 6)  # the buffer for errors and its size
    values = (ctypes.c_void_p * 2)(ctypes.addressof(log), 4096)
    assert library.hiprtcLinkCreate(2, names, values, byref(state)) == Result.SUCCESS
    for piece in pieces:
        given = (state, 100, piece, ctypes.c_size_t(len(piece)), b"name", 0, None, None)
        assert library.hiprtcLinkAddData(*given) == Result.SUCCESS
    result = Result(library.hiprtcLinkComplete(state, byref(binary), byref(size)))
    code = ctypes.string_at(binary.value, size.value) if binary.value else b""
    assert library.hiprtcLinkDestroy(state) == Result.SUCCESS
    return result, code, log.value.decode()


@pytest.mark.skipif(not oracle.CLANGS, reason="no clang for gfx942")
def test_programs_are_linked() -> None:
    device = Borrowed(hip_library())
    uses, (name,) = bitcode_of(USES, "fill<int>")
    defines, _ = bitcode_of(DEFINES)
    assert uses.startswith(b"BC\xc0\xde")
    assert name == "_Z4fillIiEvPT_"
    result, code, log = linked([uses, defines])
    assert (result, log) == (Result.SUCCESS, "")
    memory = device.memory(bytes(4 * 64))
    done(Kernels(code).launch(name, memory, block=64))
    assert list(struct.unpack("64i", device.read(memory, 256))) == [2 * i + 3 for i in range(64)]
    result, _, log = linked([uses])  # the other one is missing
    assert result == Result.LINKING
    assert "twice" in log


def test_linking_one_code_object_gives_it_back() -> None:
    code = compile_program(EMPTY).code
    state, linked, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    library = hiprtc()
    image = ctypes.create_string_buffer(code, len(code))
    assert library.hiprtcLinkCreate(0, None, None, byref(state)) == Result.SUCCESS
    assert library.hiprtcLinkComplete(state, byref(linked), byref(size)) == Result.LINKING
    add = library.hiprtcLinkAddData
    nothing = (b"name", 0, None, None)
    assert add(state, 100, b"not a code object", ctypes.c_size_t(17), *nothing) == Result.LINKING
    assert add(state, 100, image, ctypes.c_size_t(len(code)), *nothing) == Result.SUCCESS
    assert library.hiprtcLinkComplete(state, byref(linked), byref(size)) == Result.SUCCESS
    assert ctypes.string_at(linked.value or 0, size.value) == code
    assert library.hiprtcLinkDestroy(state) == Result.SUCCESS
    for gone in (state, 0x123, None):  # gone, and never there
        assert library.hiprtcLinkDestroy(gone) == Result.INVALID_INPUT


@pytest.mark.parametrize("name", ["../outside.h", "a/../../outside.h", "/tmp/outside.h"])
def test_a_header_is_not_written_outside_the_programs_folder(name: str) -> None:
    program = Program("__global__ void k() {}", headers={name: "// text"})
    assert program.compile() == Result.COMPILATION
    assert f"header name '{name}' is not local" in program.log()


def test_headers_given_as_text_are_found() -> None:
    headers = {"sizes.h": "#define COUNT 3\n", "deep/er/types.h": "using number = double;\n"}
    source = '#include "sizes.h"\n#include <deep/er/types.h>\n' + (
        "__device__ number table[COUNT]; __global__ void kernel() {}"
    )
    compile_program(source, headers=headers)


def test_options_reach_the_compiler() -> None:
    source = "#if VALUE != 3 || defined(GONE)\n#error options\n#endif\n__global__ void k() {}"
    compile_program(source, "-D", "VALUE=3", "-DGONE", "-UGONE", "-O1", "-std=c++20")


def test_options_for_gpus_are_accepted() -> None:
    compile_program(
        EMPTY,
        "--offload-arch=gfx942",
        "--gpu-architecture=gfx90a",
        "-mllvm",
        "-amdgpu-early-inline-all=true",
        "-munsafe-fp-atomics",
        "-fno-gpu-rdc",
        "-ffast-math",
        "-Wno-everything",
    )


def test_more_options_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HIPRTC_COMPILE_OPTIONS_APPEND", "-DEXTRA=1 -O1")
    compile_program("#ifndef EXTRA\n#error EXTRA\n#endif\n__global__ void k() {}")


def test_include_folders_may_be_relative(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("work")
    (folder / "include").mkdir()
    (folder / "include" / "own.h").write_text("#define OWN 1\n")
    monkeypatch.chdir(folder)
    compile_program('#include "own.h"\n__global__ void k(int* x) { *x = OWN; }', "-Iinclude")


def test_threads_may_compile_at_once() -> None:
    from concurrent.futures import ThreadPoolExecutor

    def build(index: int) -> bytes:
        return compile_program(f'extern "C" __global__ void k{index}() {{}}').code

    with ThreadPoolExecutor(4) as pool:
        images = list(pool.map(build, range(6)))
    assert all(f"k{index}".encode() in image for index, image in enumerate(images))
