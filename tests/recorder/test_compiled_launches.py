"""A program of clang's HIP with our headers: its launches are at the lines of their <<<>>>."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from greta.hip import SimTree
from greta.symbols.sites import NativeSite, SiteResolver
from tests import children
from tests.recorder.conftest import PROGRAMS, Record

COMPILER = "clang++-19"
BUNDLER = "clang-offload-bundler-19"  # of Debian's clang-tools-19
SOURCE = PROGRAMS / "launches.hip"
# Without AMD's device headers and libraries, of which clang would look for an installation.
OPTIONS = ["-x", "hip", "--offload-arch=gfx942", "-nogpuinc", "-nogpulib", "-std=c++17", "-g"]

pytestmark = pytest.mark.skipif(
    None in (shutil.which(COMPILER), shutil.which("ld.lld-19"), shutil.which(BUNDLER)),
    reason="compiles HIP with clang 19, lld 19 and its offload bundler",
)


def line_of(marker: str) -> int:
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"// {marker}"))


def compiled(source: Path, option: str, folder: Path, sim_tree: SimTree) -> Path:
    program = folder / source.stem
    headers, libraries = f"-I{sim_tree.include}", [f"-L{sim_tree.lib}", "-lamdhip64"]
    command = [COMPILER, *OPTIONS, option, "-Wall", "-Werror", headers, source, "-o", program]
    children.run([*command, *libraries], check=True)
    return program


def sites_of(
    call: str, option: str, folder: Path, sim_tree: SimTree, record: Record
) -> list[NativeSite | None]:
    (process,) = record([compiled(SOURCE, option, folder, sim_tree)])
    resolver = SiteResolver(process.tables.libraries)
    return [resolver.native(event.site) for event in process.events() if event.call == call]


@pytest.mark.parametrize("option", ["-O0", "-O2"])
def test_a_typed_allocation_beside_kernels_is_at_its_line(
    option: str, tmp_path: Path, sim_tree: SimTree, record: Record
) -> None:
    (site,) = sites_of("hipMalloc", option, tmp_path, sim_tree, record)
    assert site is not None
    assert (site.file, site.line, site.function) == (str(SOURCE), line_of("TYPED"), "main")


def test_launches_are_at_their_lines(tmp_path: Path, sim_tree: SimTree, record: Record) -> None:
    sites = sites_of("hipLaunchKernel", "-O2", tmp_path, sim_tree, record)
    assert [site and (site.file, site.line) for site in sites] == [
        (str(SOURCE), line_of("PLAIN")),
        (str(SOURCE), line_of("TEMPLATE")),
    ]


def test_without_optimization_what_stands_for_the_kernel_is_named(
    tmp_path: Path, sim_tree: SimTree, record: Record
) -> None:
    sites = sites_of("hipLaunchKernel", "-O0", tmp_path, sim_tree, record)
    functions = [site.function if site else None for site in sites]
    assert functions == [
        "__device_stub__scale(float*)",
        "void __device_stub__fill<float>(float*, float)",
    ]


def test_a_forked_child_knows_the_kernels_of_its_parent(
    tmp_path: Path, sim_tree: SimTree, record: Record
) -> None:
    program = compiled(PROGRAMS / "forked_launch.hip", "-O2", tmp_path, sim_tree)
    processes = record([program])
    (child,) = (one for one in processes if "hipMalloc" in one.calls_by_name)
    (launch,) = (event for event in child.events() if event.call == "hipLaunchKernel")
    assert launch.kernel
    assert launch.kernel.name == "_Z3putPff"
    (memory,) = (one.handle for one in child.allocations())
    assert next(one.value for one in launch.kernel_arguments) == memory
    assert len(child.tables.modules) == 1
