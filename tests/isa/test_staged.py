"""Kernels that leave memory in every way there is, and their twins: each told to the byte."""

from __future__ import annotations

import lzma
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from greta.hip import SimTree

HERE = Path(__file__).parent
SOURCE = HERE / "compiled" / "staged.hip"
CXX = shutil.which("c++") or shutil.which("g++")

pytestmark = [
    pytest.mark.usefixtures("engine"),
    pytest.mark.skipif(CXX is None, reason="compiles its host program"),
]


@dataclass(frozen=True)
class Staged:
    """A kernel, and what is to be told of its fault."""

    kernel: str
    access: str
    relation: str
    line: int


def staged() -> Iterator[Staged]:
    kernel = ""
    for number, line in enumerate(SOURCE.read_text().splitlines(), start=1):
        if named := re.match(r"KERNEL\((\w+)\)", line):
            kernel = named[1]
        told = re.search(r"// FAULT (?:(\w+_\w+) )?(\w+(?: \w+)? of[^;]*); (.*)", line)
        if told:
            yield Staged(told[1] or kernel, told[2].strip(), told[3], number)


FAULTS = list(staged())


@pytest.fixture(scope="module")
def command(sim_tree: SimTree, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("staged")
    program, code = folder / "stage", folder / "staged.co"
    code.write_bytes(lzma.decompress((HERE / "data" / "staged.co.xz").read_bytes()))
    flags = ["-D__HIP_PLATFORM_AMD__", f"-I{sim_tree.include}", f"-L{sim_tree.lib}", "-lamdhip64"]
    source = str(HERE / "compiled" / "stage.cpp")
    subprocess.run([str(CXX), source, "-o", str(program), *flags], check=True)
    return [str(program), str(code)]


def ran(tree: SimTree, command: list[str], one: Staged, bad: int) -> tuple[str, str]:
    environment = {**os.environ, "LD_LIBRARY_PATH": str(tree.lib)}
    done = subprocess.run(
        [*command, one.kernel, str(bad)],
        env=environment, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    return done.stdout, done.stderr


def test_every_kernel_is_staged() -> None:
    kernels = re.findall(r"^KERNEL\((\w+)\)", SOURCE.read_text(), re.MULTILINE)
    assert [one.kernel for one in FAULTS] == kernels
    assert len(FAULTS) == 25


@pytest.mark.parametrize("one", FAULTS, ids=lambda one: one.kernel)
def test_the_fault_is_told_and_its_twin_is_silent(
    sim_tree: SimTree, command: list[str], one: Staged
) -> None:
    printed, told = ran(sim_tree, command, one, bad=1)
    assert "hipErrorIllegalAddress" in printed
    (line,) = [each for each in told.splitlines() if each.startswith("greta-sim: ")]
    assert line.startswith(f"greta-sim: {one.access}")
    assert one.relation in line
    assert f" of {one.kernel}, " in line
    assert f"staged.hip:{one.line}, " in line
    assert ran(sim_tree, command, one, bad=0) == ("ended\n", "")
