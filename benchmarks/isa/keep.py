"""Compiles kernels.hip with clang-22 and keeps the code object beside it."""

from __future__ import annotations

import lzma
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
OPTIONS = (
    "-x", "hip", "--offload-device-only", "--no-gpu-bundle-output", "--offload-arch=gfx942",
    "-nogpulib", "-nogpuinc", "-w", "-O3",
)  # fmt: skip

with tempfile.TemporaryDirectory() as folder:
    code = Path(folder, "kernels.co")
    subprocess.run(["clang-22", *OPTIONS, str(HERE / "kernels.hip"), "-o", str(code)], check=True)
    (HERE / "kernels.co.xz").write_bytes(lzma.compress(code.read_bytes(), preset=9))
