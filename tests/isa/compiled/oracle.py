"""Builds kernels for the GPU and for the CPU from one source, and runs both."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from greta.hip import Buffer, Module

HERE = Path(__file__).parent
CLANGS = tuple(name for name in ("clang-22", "clang-19") if shutil.which(name))
CXX = shutil.which("c++") or shutil.which("g++")

Words = NDArray[np.uint32]
Extent = tuple[int, int, int]
_GPU = (
    "-x", "hip", "--offload-device-only", "--no-gpu-bundle-output", "--offload-arch=gfx942",
    "-nogpulib", "-nogpuinc", "-ffp-contract=off", "-fwrapv", "-w",
)  # fmt: skip
_CPU = (
    "-x", "c++", "-std=c++17", "-shared", "-fPIC", "-ffp-contract=off", "-fwrapv",
    "-fexcess-precision=16", "-w",
)  # fmt: skip


def build_for_gpu(source: Path, to: Path, *options: str, clang: str = "clang-22") -> bytes:
    """A gfx942 code object."""
    command = [clang, *_GPU, *options, f"-I{HERE}", source.name, "-o", str(to)]
    subprocess.run(command, check=True, cwd=source.parent)
    return to.read_bytes()


def build_for_cpu(source: Path, to: Path, level: str = "-O1") -> CpuKernels:
    """The oracle."""
    assert CXX is not None
    command = [CXX, *_CPU, level, f"-I{HERE}", str(source), "-o", str(to)]
    subprocess.run(command, check=True, cwd=source.parent)
    return CpuKernels(ctypes.CDLL(str(to)))


@dataclass
class Run:
    """One launch: its sizes, what it reads, what `out` holds before."""

    kernel: str
    grid: Extent
    block: Extent
    given: Words
    out: Words
    n: int


class CpuKernels:
    """The kernels of a source, as a shared library."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library

    def __call__(self, run: Run) -> Words:
        out: Words = run.out.copy()
        extent = ctypes.c_uint32 * 3
        self._library.gpu_run(
            getattr(self._library, run.kernel),
            out.ctypes.data_as(ctypes.c_void_p),
            run.given.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_uint32(run.n),
            extent(*run.grid),
            extent(*run.block),
        )
        return out


def build_by_hiprtc(source: Path, level: str = "-O1") -> Module:
    """The third way: as our hipRTC compiles it, without contraction as the others."""
    header = {"gpu.h": (HERE / "gpu.h").read_text()}
    options = (level, "-ffp-contract=off", "-fwrapv", "-fexcess-precision=16", "-w")
    kernel = r'extern "C" __global__ void \1(u32* out, const u32* in, u32 n)'  # it looks for these
    text = re.sub(r"KERNEL\((\w+)\)", kernel, source.read_text())
    return Module.compile(text, options=options, headers=header)


def run_on_gpu(module: Module, run: Run) -> Words:
    """What the kernel leaves in `out` on the device."""
    out = np.empty_like(run.out)
    with Buffer.from_array(run.given) as given, Buffer.from_array(run.out) as result:
        kernel = module.kernel(run.kernel)
        kernel(run.grid, run.block, result, given, np.uint32(run.n))
        result.copy_to(out)
    return out
