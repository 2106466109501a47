"""Builds the kept code objects from compiled/*: python -m tests.isa.data.keep_kernels [NAME]"""

from __future__ import annotations

import lzma
import sys
import tempfile
from pathlib import Path

from greta.cli.main import main
from greta.hip import find_sim_tree
from tests.isa.compiled import oracle

# Lines, and no path of the machine that compiled them.
LINES = ("-gline-tables-only", "-ffile-compilation-dir=.")
KEPT = {
    "kernels_o0": ("kernels.cpp", "-O0"),
    "kernels_o3": ("kernels.cpp", "-O3"),
    "faults": ("faults.cpp", "-O2", *LINES),
    "races": ("races.hip", "-O1", *LINES),
    "staged": ("staged.hip", "-O1", *LINES),
    "unwritten": ("unwritten.hip", "-O1", *LINES),
    "fp8": ("fp8.hip", "-O1", *LINES),
    "to_shared": ("to_shared.hip", "-O1", *LINES),
    "talk": ("talk.hip", "-O1", *LINES),
    "heap": ("heap.hip", "-O1", *LINES),
}


def build(source: str, to: Path, *options: str) -> bytes:
    """A gfx942 code object; a source for `greta hipcc` ends with .hip."""
    if not source.endswith(".hip"):
        return oracle.build_for_gpu(oracle.HERE / source, to, *options)
    maps = {find_sim_tree().root: "rocm", oracle.HERE: "."}
    words = [f"-ffile-prefix-map={folder}={name}" for folder, name in maps.items()]
    words += ["--genco", "--no-gpu-bundle-output", *options, str(oracle.HERE / source)]
    assert main(["hipcc", *words, "-o", str(to)]) == 0
    return to.read_bytes()


if __name__ == "__main__":
    here = Path(__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        for name, (source, *options) in KEPT.items():
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            image = build(source, Path(folder) / "kernels.co", *options)
            to = here / f"{name}.co.xz"
            to.write_bytes(lzma.compress(image))
            print(to.name, len(image), to.stat().st_size)
