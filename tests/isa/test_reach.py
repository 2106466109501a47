"""What a kernel's code is said to be able to do, against what kernels do."""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

import numpy as np
import pytest

import greta
from greta.recording import AccessedRanges
from greta.symbols.code_objects import GpuKernel, read_file_code, with_reach
from greta.symbols.kernel_reach import ATOMIC, READ, WRITE, KernelReach
from tests.isa.compiled.runs import PLAIN
from tests.isa.test_check import CLEAN, MISSED, PROGRAM, RACY

pytestmark = pytest.mark.usefixtures("engine")
DATA = Path(__file__).parent / "data"
OTHER_PROGRAM = PROGRAM.replace("out.fill(0)", "out.fill(0)\nprint(out.address, words.address)")
LAUNCHED = {"races": [*RACY, *MISSED, *CLEAN], "kernels_o3": list(PLAIN), "kernels_o0": list(PLAIN)}


def unpacked(name: str, folder: Path) -> Path:
    (packed,) = DATA.glob(f"{name}.*.xz")
    path = folder / packed.stem
    path.write_bytes(lzma.decompress(packed.read_bytes()))
    return path


def kernels_of(path: Path) -> dict[str, GpuKernel]:
    (target,) = read_file_code(path).objects
    return {one.name: one for one in with_reach(path, 0, target).kernels}


def reach_of(kernel: GpuKernel) -> KernelReach:
    assert kernel.reach is not None
    return kernel.reach


@pytest.mark.parametrize("name", LAUNCHED)
def test_no_kernel_does_what_is_not_claimed(name: str, tmp_path: Path) -> None:
    path = unpacked(name, tmp_path)
    kernels = kernels_of(path)
    program = tmp_path / "program.py"
    program.write_text(OTHER_PROGRAM)
    words = [sys.executable, str(program), str(path), "", *LAUNCHED[name]]
    run = greta.run(words, device="sim", out=tmp_path / "run", footprints=True)
    assert run.exit_code == 0
    buffers = [int(word) for word in (run.path / "stdout.log").read_text().split()]
    (process,) = (one for one in run.recording.processes if len(one))
    footprints = list(process.footprints())
    assert len(footprints) == len(LAUNCHED[name])
    for one in footprints:
        reach = reach_of(kernels[one.kernel])
        for kind, ranges in ((READ, one.read), (WRITE, one.written), (ATOMIC, one.atomic)):
            for argument, buffer in enumerate(buffers):
                if accesses(ranges, buffer):
                    assert kind in reach.arguments[argument], (one.kernel, argument, kind)


def accesses(ranges: AccessedRanges, buffer: int) -> bool:
    begins, ends = ranges.ranges()[:, 0].astype(np.int64), ranges.ranges()[:, 1].astype(np.int64)
    return bool(((begins < buffer + 4096) & (ends > buffer)).any())


def test_little_is_claimed_that_does_not_happen(tmp_path: Path) -> None:
    kernels = kernels_of(unpacked("races", tmp_path))
    for name, kernel in kernels.items():
        reach = reach_of(kernel)
        assert reach.arguments[1] in ((), (READ,)), name  # all take a pointer to const there
        assert (reach.other, reach.calls) == ((), False)
        assert reach.uses_lds == bool(kernel.shared_bytes)
    expected = {
        "reverse": (WRITE,),
        "histogram": (ATOMIC,),
        "histogram_race": (READ, WRITE),
        "last_block": (READ, WRITE, ATOMIC),
        "swapped": (READ, ATOMIC),
    }
    assert {name: reach_of(kernels[name]).arguments[0] for name in expected} == expected


def test_calls_may_do_anything(tmp_path: Path) -> None:
    kernels = kernels_of(unpacked("kernels_o3", tmp_path))
    for name in ("recursion", "function_pointers"):
        reach = reach_of(kernels[name])
        assert reach.calls
        assert reach.arguments[0] == reach.arguments[1] == reach.other == (READ, WRITE, ATOMIC)


def test_kernels_of_triton(tmp_path: Path) -> None:
    (kernel,) = kernels_of(unpacked("softmax", tmp_path)).values()
    assert reach_of(kernel).arguments[:2] == ((WRITE,), (READ,))
