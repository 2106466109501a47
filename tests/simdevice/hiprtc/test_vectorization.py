"""Kernels without barriers become vector loops over the threads of a block."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.simdevice.hiprtc.code_object import instructions_of_entry
from tests.simdevice.hiprtc.program import compile_program

pytestmark = pytest.mark.skipif(shutil.which("objdump") is None, reason="needs objdump")

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
SOURCE = f"""
extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {{
  {INDEX} if (i < n) c[i] = a[i] + b[i];
}}
extern "C" __global__ void leave_early(const float* a, const float* b, float* c, unsigned n) {{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] = a[i] + b[i];
}}
extern "C" __global__ void silu(const float* x, float* y, int n) {{
  {INDEX} if (i < n) y[i] = x[i] / (1.0f + expf(-x[i])) + 1.0f;
}}
extern "C" __global__ void clamp(const float* x, float* y, int n) {{
  {INDEX} if (i < n) y[i] = fminf(fmaxf(x[i], 0.0f), 6.0f) + 1.0f;
}}
"""
FLOAT_ADD = re.compile(r"vaddps .*%(ymm|zmm)")


@pytest.mark.parametrize("isa", ["avx2", "avx512"])
@pytest.mark.parametrize("kernel", ["add", "leave_early", "silu", "clamp"])
def test_the_loop_adds_vectors(
    isa: str, kernel: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GRETA_SIM_ISA", isa)
    lines = instructions_of_entry(compile_program(SOURCE).code, kernel, tmp_path)
    assert any(FLOAT_ADD.search(line) for line in lines), "\n".join(lines)


@pytest.mark.parametrize("isa", ["avx2", "avx512"])
def test_the_loop_touches_no_thread_local_memory(
    isa: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GRETA_SIM_ISA", isa)
    lines = instructions_of_entry(compile_program(SOURCE).code, "add", tmp_path)
    at = next(index for index, line in enumerate(lines) if FLOAT_ADD.search(line))
    # The vector loop: the few instructions around the addition, between two jumps.
    jump = re.compile(r"^(j|call|ret)")
    begin = max(index for index in range(at) if jump.match(lines[index]))
    end = next(index for index in range(at, len(lines)) if jump.match(lines[index]))
    assert end - begin < 24
    assert not any("tls" in line or "%fs" in line for line in lines[begin:end])


def test_the_portable_build_uses_no_extension(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GRETA_SIM_ISA", "baseline")
    lines = instructions_of_entry(compile_program(SOURCE).code, "add", tmp_path)
    assert any(re.match(r"addss|addps", line) for line in lines)
    assert not any(line.startswith("v") for line in lines)
