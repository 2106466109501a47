"""Compiled kernels on the engine against the same source compiled for the CPU, bit for bit."""

from __future__ import annotations

import lzma
import os
import re
from pathlib import Path

import numpy as np
import pytest

from greta.hip import Module
from tests.isa.compiled import oracle, random_kernels
from tests.isa.compiled.oracle import HERE, CpuKernels, Run
from tests.isa.compiled.runs import RUNS, words
from tests.isa.compiled.three_ways import BUILDS, Ways, differences, groups, ways_of
from tests.isa.engine import Engine

pytestmark = pytest.mark.skipif(oracle.CXX is None, reason="the oracle needs a C++ compiler")
needs_clang = pytest.mark.skipif(not oracle.CLANGS, reason="compiles with clang-22 or clang-19")

SOURCE = HERE / "kernels.cpp"
KEPT = sorted((HERE.parent / "data").glob("kernels_*.co.xz"))
# How many random kernels are compiled and compared; more in `make test-isa`.
RANDOM = int(os.environ.get("GRETA_TEST_KERNELS", "8"))
EVERY_BUILD = "GRETA_TEST_KERNELS" in os.environ


@pytest.fixture(scope="module")
def cpu(tmp_path_factory: pytest.TempPathFactory) -> CpuKernels:
    return oracle.build_for_cpu(SOURCE, tmp_path_factory.mktemp("cpu") / "kernels.so")


def compare(module: Module, cpu: CpuKernels, run: Run) -> None:
    wanted, got = cpu(run), oracle.run_on_gpu(module, run)
    wrong = np.flatnonzero(wanted != got)
    first = [(int(i), hex(wanted[i]), hex(got[i])) for i in wrong[:4]]
    assert not len(wrong), f"{run.kernel}: {len(wrong)} of {len(got)} words: {first}"


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.name.split(".")[0])
def test_kept_code_objects_compute_what_the_cpu_does(kept: Path, cpu: CpuKernels) -> None:
    with Module(lzma.decompress(kept.read_bytes())) as module:
        for run in RUNS:
            compare(module, cpu, run)


def test_code_objects_are_kept() -> None:
    assert len(KEPT) == 2


@needs_clang
@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(("clang", "level"), BUILDS if EVERY_BUILD else BUILDS[:1])
def test_fresh_builds_compute_what_the_cpu_does(
    clang: str, level: str, cpu: CpuKernels, tmp_path: Path
) -> None:
    image = oracle.build_for_gpu(SOURCE, tmp_path / "kernels.co", level, clang=clang)
    with Module(image) as module:
        for run in RUNS:
            compare(module, cpu, run)


@needs_clang
@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(("clang", "level"), BUILDS if EVERY_BUILD else BUILDS[:1])
@pytest.mark.parametrize("n", [64, 7])
def test_no_right_program_is_accused_at_the_edge_of_its_memory(
    clang: str, level: str, n: int, tmp_path: Path
) -> None:
    source = HERE / "edges.cpp"
    cpu = oracle.build_for_cpu(source, tmp_path / "edges.so")
    image = oracle.build_for_gpu(source, tmp_path / "edges.co", level, clang=clang)
    given = words(64, n).astype(np.uint32) >> np.arange(64, dtype=np.uint32) % 32
    with Module(image) as module:
        for kernel in re.findall(r"KERNEL\((\w+)\)", source.read_text()):
            out = np.zeros(64, np.uint32)
            compare(module, cpu, Run(kernel, (1, 1, 1), (64, 1, 1), given, out, n))


def test_random_kernels_divide_only_what_is_hidden() -> None:
    """See `hidden` in gpu.h: an index of LDS was beyond its end."""
    source = random_kernels.source_of(list(range(100)))
    divided = re.findall(r"(\w+)\([^;]*\) % block_size_x\(\)", source)
    assert set(divided) == {"hidden"}


def test_random_kernels_store_what_cannot_be_moved() -> None:
    """See `changed` in gpu.h: an array kept its old element."""
    source = random_kernels.source_of(list(range(100)))
    stored = re.findall(r"^    +array\[.*\] = (\w+)", source, re.MULTILINE)
    assert set(stored) == {"changed"}


@needs_clang
def test_random_kernels_compute_the_same_three_ways(engine: Engine, tmp_path: Path) -> None:
    """For the CPU, by hipRTC, and in machine code; at length, one level of optimization after the
    other and the compilers in turn.
    """
    assert engine
    found: list[str] = []
    for seeds in groups(int(os.environ.get("GRETA_TEST_SEED", "0")), RANDOM):
        ways = ways_of(seeds[0]) if EVERY_BUILD else Ways("-O0", ("-O1",), tuple(BUILDS[:2]))
        found += differences(seeds, tmp_path, ways)
    assert found == []
