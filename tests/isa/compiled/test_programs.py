"""Whole C++ programs with kernels in machine code, and what the device says of their faults."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from greta.hip import SimTree
from tests.isa.compiled import oracle
from tests.isa.compiled.oracle import HERE

pytestmark = [
    pytest.mark.skipif(not oracle.CLANGS, reason="compiles with clang-22 or clang-19"),
    pytest.mark.usefixtures("engine"),
]
_OPTIONS = (
    "-x", "hip", "--offload-arch=gfx942", "-nogpulib", "-nogpuinc", "-w", "-g",
    "-D__HIP_PLATFORM_AMD__",
)  # fmt: skip


def build(tree: SimTree, to: Path, *options: str) -> Path:
    command = [oracle.CLANGS[0], *_OPTIONS, *options, f"-I{tree.include}"]
    command += [str(HERE / "chevron.cpp"), "-o", str(to)]
    command += [f"-L{tree.lib}", "-lamdhip64", "-lstdc++"]
    subprocess.run(command, check=True)
    return to


def run(tree: SimTree, program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LD_LIBRARY_PATH": str(tree.lib)}
    return subprocess.run(
        [program, *arguments], env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def chevron(sim_tree: SimTree, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(sim_tree, tmp_path_factory.mktemp("chevron") / "chevron", "-O2")


def test_a_chevron_program_computes_what_it_should(sim_tree: SimTree, chevron: Path) -> None:
    done = run(sim_tree, chevron)
    assert done.stdout == "wrong 0 sum 249750 of 249750 launches 42\n"
    assert (done.returncode, done.stderr) == (0, "")


def test_a_compressed_unoptimized_one_does_too(sim_tree: SimTree, tmp_path: Path) -> None:
    program = build(sim_tree, tmp_path / "chevron", "-O0", "--offload-compress")
    done = run(sim_tree, program)
    assert done.stdout == "wrong 0 sum 249750 of 249750 launches 42\n"
    assert (done.returncode, done.stderr) == (0, "")


def test_an_overrun_is_told_to_the_byte_thread_and_line(sim_tree: SimTree, chevron: Path) -> None:
    done = run(sim_tree, chevron, "overrun")
    assert re.fullmatch(r"\w+: hipErrorIllegalAddress\n", done.stdout)  # at whatever call is next
    (told,) = [line for line in done.stderr.splitlines() if line.startswith("greta-sim: ")]
    line = 1 + (HERE / "chevron.cpp").read_text().split("out[i] = twice")[0].count("\n")
    assert re.fullmatch(
        r"greta-sim: write of 4 bytes at 0x[0-9a-f]+, 0 bytes past the end of the buffer of 4000 "
        r"bytes at 0x[0-9a-f]+, by thread 232,0,0 of block 3,0,0 of "
        r"scale\(float\*, float const\*, int, int\), "
        rf".*chevron\.cpp:{line}, global_store_dword .*",
        told,
    ), told
