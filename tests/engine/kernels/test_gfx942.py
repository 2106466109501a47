"""The kernels are real HIP: clang compiles them for a GPU with AMD's own headers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from greta.engine import kernels

COMPILER = "clang++-19"
HEADERS = Path("/usr/include/hip/hip_runtime.h")
FOLDER = Path(kernels.__file__).parent
# What hipRTC includes by itself. Assembly, because linking would need AMD's device libraries.
OPTIONS = [
    "-x", "hip", "--offload-arch=gfx942", "--offload-device-only", "-nogpulib", "-S", "-O2",
    "-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter",
    "-include", "hip/hip_runtime.h", "-include", "hip/hip_fp16.h",
]  # fmt: skip

pytestmark = pytest.mark.skipif(
    shutil.which(COMPILER) is None or not HEADERS.exists(),
    reason="compiles for GPUs with clang 19 and AMD's headers",
)


def assembly(tmp_path: Path, source: str, *options: str) -> str:
    to = tmp_path / "kernels.s"
    command = [COMPILER, *OPTIONS, *options, str(FOLDER / source), "-o", str(to)]
    compiled = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert compiled.returncode == 0, compiled.stderr
    return to.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("activations.hip", ["rmsnorm", "quantize", "quantize_k", "silu_mul", "add"]),
        ("attention.hip", ["rope_kv", "attention"]),
        ("sampling.hip", ["argmax", "advance"]),
    ],
)
def test_plain_kernels(tmp_path: Path, source: str, names: list[str]) -> None:
    text = assembly(tmp_path, source)
    assert [name for name in names if f".amdhsa_kernel {name}\n" not in text] == []


@pytest.mark.parametrize("weight_type", sorted(kernels.WEIGHT_TYPES))
def test_kernels_of_a_weight_type(tmp_path: Path, weight_type: str) -> None:
    text = assembly(tmp_path, "weights.hip", f"-DGRETA_WEIGHT={weight_type}")
    names = [f"{name}_{weight_type}" for name in ("embed", "matmul", "qkv", "gate_up")]
    assert [name for name in names if f".amdhsa_kernel {name}\n" not in text] == []
    assert "greta_native" not in text  # which means nothing to a GPU
