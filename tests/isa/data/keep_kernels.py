"""Builds the kept code objects from compiled/kernels.cpp: python -m tests.isa.data.keep_kernels"""

from __future__ import annotations

import lzma
import tempfile
from pathlib import Path

from tests.isa.compiled import oracle

if __name__ == "__main__":
    here = Path(__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        for level in ("-O0", "-O3"):
            built = Path(folder) / "kernels.co"
            image = oracle.build_for_gpu(oracle.HERE / "kernels.cpp", built, level)
            to = here / f"kernels_{level[1:].lower()}.co.xz"
            to.write_bytes(lzma.compress(image))
            print(to.name, len(image), to.stat().st_size)
