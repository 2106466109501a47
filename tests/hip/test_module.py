"""Compiling, loading, and what is in a module."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from greta.hip import Buffer, CompileError, HipError, Module, compile_source

SCALE = """
extern "C" __global__ void scale(float* x, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}
"""


def test_a_kernel_computes() -> None:
    numbers = np.arange(1000, dtype=np.float32)
    with Module.compile(SCALE) as module, Buffer.from_array(numbers) as x:
        module.kernel("scale")(4, 256, x, np.float32(3), np.int32(1000))
        np.testing.assert_array_equal(x.to_array(np.float32), numbers * 3)


def test_an_error_in_the_source_brings_the_compilers_log() -> None:
    with pytest.raises(CompileError) as caught:
        Module.compile("__global__ void broken() { no_such_function(); }", "broken.hip")
    assert caught.value.call == "hiprtcCompileProgram"
    assert caught.value.name == "HIPRTC_ERROR_COMPILATION"
    assert "no_such_function" in caught.value.log
    assert "no_such_function" in str(caught.value)


def test_options_and_headers_reach_the_compiler() -> None:
    source = '#include "offset.h"\nextern "C" __global__ void f(int* x) { *x = OFFSET + ADD; }'
    module = Module.compile(
        source, options=["-DADD=2"], headers={"offset.h": "#define OFFSET 40\n"}
    )
    with Buffer(4) as x:
        module.kernel("f")(1, 1, x)
        assert x.to_array(np.int32).tolist() == [42]


def test_a_template_is_found_by_its_name_expression() -> None:
    source = "template <typename T> __global__ void fill(T* x, T v) { x[threadIdx.x] = v; }"
    module = Module.compile(source, name_expressions=["fill<float>", "fill<short>"])
    with Buffer(8) as x:
        module.kernel("fill<float>")(1, 2, x, np.float32(1.5))
        assert x.to_array(np.float32).tolist() == [1.5, 1.5]
        module.kernel("fill<short>")(1, 4, x, np.int16(-3))
        assert x.to_array(np.int16).tolist() == [-3] * 4


def test_a_variable_of_the_module_can_be_read_and_written() -> None:
    module = Module.compile(
        '__device__ int counter = 5; extern "C" __global__ void count() { counter += 1; }'
    )
    counter = module.variable("counter")
    assert counter.nbytes == 4
    assert counter.to_array(np.int32).tolist() == [5]
    module.kernel("count")(1, 1)
    assert counter.to_array(np.int32).tolist() == [6]
    counter.copy_from(np.array([100], dtype=np.int32))
    module.kernel("count")(1, 1)
    assert counter.to_array(np.int32).tolist() == [101]


def test_a_compiled_image_can_be_loaded_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "scale.co"
    path.write_bytes(compile_source(SCALE).image)
    with Module.load(path) as module, Buffer.from_array(np.ones(4, dtype=np.float32)) as x:
        module.kernel("scale")(1, 4, x, np.float32(2), np.int32(4))
        assert x.to_array(np.float32).tolist() == [2, 2, 2, 2]
        assert module.log == ""


def test_a_kernel_that_is_not_there_is_an_error() -> None:
    with Module.compile(SCALE) as module, pytest.raises(HipError) as caught:
        module.kernel("missing")
    assert (caught.value.call, caught.value.code) == ("hipModuleGetFunction", 500)


def test_a_damaged_image_is_an_error() -> None:
    with pytest.raises(HipError) as caught:
        Module(b"\x7fELF but no more than that" + bytes(200))
    assert caught.value.call == "hipModuleLoadData"


def test_attributes_of_a_kernel() -> None:
    source = 'extern "C" __global__ void f(int* x) { __shared__ int s[64]; s[0] = *x; *x = s[0]; }'
    kernel = Module.compile(source).kernel("f")
    assert kernel.attribute("SHARED_SIZE_BYTES") == 256
    assert kernel.attribute("MAX_THREADS_PER_BLOCK") == 1024
