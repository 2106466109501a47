"""Builds the kept code objects from compiled/*.cpp: python -m tests.isa.data.keep_kernels"""

from __future__ import annotations

import lzma
import tempfile
from pathlib import Path

from tests.isa.compiled import oracle

# Lines, and no path of the machine that compiled them.
LINES = ("-gline-tables-only", "-ffile-compilation-dir=.")
KEPT = {
    "kernels_o0": ("kernels.cpp", "-O0"),
    "kernels_o3": ("kernels.cpp", "-O3"),
    "faults": ("faults.cpp", "-O2", *LINES),
}

if __name__ == "__main__":
    here = Path(__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        for name, (source, *options) in KEPT.items():
            built = Path(folder) / "kernels.co"
            image = oracle.build_for_gpu(oracle.HERE / source, built, *options)
            to = here / f"{name}.co.xz"
            to.write_bytes(lzma.compress(image))
            print(to.name, len(image), to.stat().st_size)
