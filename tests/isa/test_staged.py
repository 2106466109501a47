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

import greta
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


@pytest.mark.parametrize(
    ("kernel", "code"),
    [
        ("dynamic_past_end", "kernel_past_shared"),
        ("private_past_end", "kernel_past_private"),
        ("vector_across_end", "kernel_past_end"),
    ],
)
def test_the_verdict_names_the_memory_that_was_left(
    command: list[str], kernel: str, code: str, tmp_path: Path
) -> None:
    """Shared and private memory are at no address, and a vector may begin inside its buffer."""
    one = next(one for one in FAULTS if one.kernel == kernel)
    run = greta.run([*command, kernel, "1"], device="sim", out=tmp_path / "bad")
    cause = run.verdict().cause
    assert cause is not None
    assert cause.access is not None
    assert (cause.hypothesis, cause.code, cause.kernel) == ("upstream_kernel_fault", code, kernel)
    assert f"{cause.access.kind} of {cause.access.bytes} bytes" == one.access
    assert cause.access.thread is not None
    assert (cause.access.line or "").endswith(f"staged.hip:{one.line}")
    if kernel != "private_past_end":
        assert cause.data["past_end"] == 0
    right = greta.run([*command, kernel, "0"], device="sim", out=tmp_path / "right")
    assert (right.exit_code, right.verdict().cause) == (0, None)
