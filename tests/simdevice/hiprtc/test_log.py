"""The log speaks of the user's program, in the user's lines and columns."""

from __future__ import annotations

import re

import pytest

from tests.simdevice.hiprtc.program import Program, Result, compile_program, failed_log


def test_an_error_names_file_line_and_column() -> None:
    log = failed_log(
        'extern "C" __global__ __launch_bounds__(64) void k(float* a) {\n'
        "  __shared__ float s[4]; undeclared(a);\n}\n"
    )
    assert "user.hip:2:26: error: 'undeclared' was not declared in this scope" in log
    assert "__shared__ float s[4]; undeclared(a);" in log


def test_the_machinery_does_not_show() -> None:
    log = failed_log("__global__ void k(float* a) {\n  a[0] = missing;\n}\n")
    assert log.count("error") == 1
    for trace in ("greta", "/tmp", "program.ii", "<kernel", "keywords.h"):
        assert trace not in log


@pytest.mark.parametrize("name", ["folder/user.hip", "/some/where/user.hip", "../user.hip"])
def test_any_program_name_is_shown_as_given(name: str) -> None:
    log = failed_log("__global__ void k() { wrong; }", name=name)
    assert f"{name}:1:23: error:" in log


def test_a_program_without_name_has_one() -> None:
    assert "CompileSource:1:23: error:" in failed_log("__global__ void k() { wrong; }", name=None)


def test_a_missing_include_is_named() -> None:
    assert "user.hip:1:10: fatal error: missing.h" in failed_log('#include "missing.h"\n')


def test_an_error_in_a_given_header_names_the_header() -> None:
    program = Program(
        '#include "part.h"\n__global__ void k() {}', headers={"part.h": "int x = nowhere;\n"}
    )
    assert program.compile() == Result.COMPILATION
    assert "part.h:1:9: error:" in program.log()


def test_a_kernel_must_return_nothing() -> None:
    log = failed_log("\n__global__ int k(int* x) { return *x; }")
    assert log == "user.hip:2:16: error: kernel function 'k' must have void return type\n"


def test_a_name_expression_that_means_nothing_is_named() -> None:
    program = Program("template <class T> __global__ void k(T* x) { *x = 1; }")
    program.add_name("k<nonsense>")
    assert program.compile() == Result.COMPILATION
    assert program.log() == (
        "error: name expression 'k<nonsense>': 'nonsense' was not declared in this scope\n"
    )


def test_managed_variables_are_refused_in_plain_words() -> None:
    log = failed_log("__managed__ int x;\n__global__ void k() { x = 1; }")
    assert "__managed__ variables are not supported by the simulated device" in log
    assert "user.hip:1:" in log


def test_a_function_defined_nowhere_is_named() -> None:
    log = failed_log("__device__ float f(float); __global__ void k(float* a) { *a = f(*a); }")
    assert log.startswith("error: undefined reference to 'f(float)'")
    assert "ld" not in log.split()


def test_an_unknown_option_shows() -> None:
    assert "--no-such-option" in failed_log("__global__ void k() {}", "--no-such-option")


def test_warnings_are_in_the_log_of_a_success() -> None:
    compiled = compile_program("__global__ void k(int* a) { int unused = 3; *a = 1; }", "-Wall")
    assert "user.hip:1:33: warning: unused variable 'unused'" in compiled.log


def test_a_clean_compilation_is_silent() -> None:
    source = """
    #include <hip/hip_runtime.h>
    #include <hip/hip_fp16.h>
    #include <hip/hip_bf16.h>
    #include <hip/hip_cooperative_groups.h>
    __global__ void k(float* a, half* b) {
      extern __shared__ float s[];
      s[threadIdx.x] = __shfl_xor(a[threadIdx.x], 1) + __half2float(*b);
      __syncthreads();
      atomicAdd(a, s[0]);
    }"""
    assert compile_program(source, "-Wall", "-Wextra").log == ""


def test_without_a_compiler_the_log_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path_factory.mktemp("empty")))
    log = failed_log("__global__ void k() {}")
    assert "no C++ compiler found" in log
    assert "apt install g++" in log


def test_a_compiler_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRETA_SIM_CXX", "/no/such/compiler")
    assert "GRETA_SIM_CXX" in failed_log("__global__ void k() {}")


def test_a_log_has_an_end() -> None:
    doubled = "".join(f"#define M{n + 1} M{n} M{n}\n" for n in range(14))  # 16,384 messages
    source = f'#define M0 _Pragma("message \\"{"x" * 100}\\"")\n{doubled}M14\n' + "int f();"
    log = compile_program(source).log
    assert "xxx" in log
    assert len(log) < 3 << 20
    assert re.search(r"\(\d+ bytes more\)", log)
