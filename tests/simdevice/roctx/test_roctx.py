"""ROCTX: names for spans of time. Nothing listens, but the numbers must be right."""

from __future__ import annotations

import ctypes
import os
import subprocess
import threading
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from greta.hip import SimTree
from tests import children
from tests.simdevice.streams import on_another_thread

OLD, NEW = "libroctx64.so", "librocprofiler-sdk-roctx.so"
NAMES = {OLD: [OLD, f"{OLD}.4"], NEW: [NEW, f"{NEW}.0", f"{NEW}.1"]}
RANGES = {"roctxMarkA", "roctxRangePushA", "roctxRangePop", "roctxRangeStartA", "roctxRangeStop"}
EXPORTED = {
    OLD: RANGES | {"roctx_version_major", "roctx_version_minor"},
    NEW: RANGES
    | {f"roctxName{what}" for what in ("OsThread", "HsaAgent", "HipDevice", "HipStream")}
    | {"roctxProfilerPause", "roctxProfilerResume", "roctxGetThreadId"},
}

# What both headers have, by the names that programs use.
PROGRAM = """
#include <{header}>
#include <stdio.h>
int main(void) {{
  roctx_range_id_t first = roctxRangeStart("first"), second = roctxRangeStart("second");
  roctxMark("begin");
  int outer = roctxRangePush("outer"), inner = roctxRangePush("inner");
  int inner_end = roctxRangePop(), outer_end = roctxRangePop(), none = roctxRangePop();
  roctxRangeStop(first);
  roctxRangeStop(second);
  printf("%d %d %d %d %d", outer, inner, inner_end, outer_end, none < 0);
  printf(" %d %d.%d\\n", first != second, {version});
  return 0;
}}
"""
ON_OLD = PROGRAM.format(
    header="roctracer/roctx.h", version="(int)roctx_version_major(), (int)roctx_version_minor()"
)
ON_NEW = PROGRAM.format(
    header="rocprofiler-sdk-roctx/roctx.h", version="ROCTX_VERSION_MAJOR, ROCTX_VERSION_MINOR"
)
STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic"]


def load(sim_tree: SimTree, name: str) -> ctypes.CDLL:
    library = ctypes.CDLL(str(sim_tree.lib / name))
    library.roctxRangeStartA.restype = ctypes.c_uint64
    library.roctxRangeStop.argtypes = [ctypes.c_uint64]
    return library


@pytest.fixture(params=[OLD, NEW])
def roctx(request: pytest.FixtureRequest, sim_tree: SimTree) -> ctypes.CDLL:
    return load(sim_tree, str(request.param))


# --- from C and C++


@pytest.mark.parametrize(
    ("source", "library", "said"),
    [
        (ON_OLD, "roctx64", "0 1 1 0 1 1 4.1\n"),
        (ON_NEW, "rocprofiler-sdk-roctx", "0 1 1 0 1 1 1.3\n"),
    ],
    ids=["old", "new"],
)
@pytest.mark.parametrize("compiler", ["gcc -std=c99", "g++ -std=c++17 -x c++"])
def test_a_linked_program(
    compiler: str, source: str, library: str, said: str, sim_tree: SimTree, tmp_path: Path
) -> None:
    file, program = tmp_path / "program.c", tmp_path / "program"
    file.write_text(source)
    flags = [*STRICT, f"-I{sim_tree.include}", f"-L{sim_tree.lib}"]
    command = [*compiler.split(), str(file), *flags, f"-l{library}", "-o", str(program)]
    subprocess.run(command, check=True)
    environment = {**os.environ, "LD_LIBRARY_PATH": str(sim_tree.lib)}
    done = children.run([program], env=environment)
    assert (done.stdout, done.stderr) == (said, "")


def test_a_program_that_was_linked_with_amds_library(sim_tree: SimTree, tmp_path: Path) -> None:
    """It asks for the version that AMD's header names."""
    amd, file, program = tmp_path / "libroctx64.so.4", tmp_path / "p.c", tmp_path / "p"
    nodes = tmp_path / "amd.map"
    nodes.write_text("ROCTX_4.1 { global: roctx*; local: *; };")
    (tmp_path / "amd.c").write_text("int roctxRangePushA(const char* name) { return !name - 9; }")
    options = [f"-Wl,--version-script={nodes}", "-Wl,-soname,libroctx64.so.4"]
    subprocess.run(["gcc", "-shared", "-fPIC", tmp_path / "amd.c", *options, "-o", amd], check=True)
    file.write_text('int roctxRangePushA(const char*); int main() { return roctxRangePushA("x"); }')
    subprocess.run(["gcc", file, amd, "-o", program], check=True)
    done = children.run([program], env={**os.environ, "LD_LIBRARY_PATH": str(sim_tree.lib)})
    assert (done.returncode, done.stderr) == (0, "")


# --- through dlopen


def test_ranges_of_a_thread_are_nested(roctx: ctypes.CDLL) -> None:
    assert roctx.roctxRangePop() < 0
    assert [roctx.roctxRangePushA(b"range") for _ in range(3)] == [0, 1, 2]
    roctx.roctxMarkA(b"a mark changes nothing")
    assert roctx.roctxRangePop() == 2
    assert roctx.roctxRangePushA(b"again") == 2
    assert [roctx.roctxRangePop() for _ in range(3)] == [2, 1, 0]
    assert roctx.roctxRangePop() < 0
    assert roctx.roctxRangePushA(b"a pop too many changes nothing") == 0
    assert roctx.roctxRangePop() == 0


def test_each_thread_has_its_own_levels(roctx: ctypes.CDLL) -> None:
    assert roctx.roctxRangePushA(b"here") == 0
    assert on_another_thread(lambda: roctx.roctxRangePop()) < 0
    assert on_another_thread(lambda: roctx.roctxRangePushA(b"left open by its thread")) == 0
    assert on_another_thread(lambda: roctx.roctxRangePushA(b"there")) == 0
    assert roctx.roctxRangePop() == 0


def test_ranges_of_the_process_have_different_numbers(roctx: ctypes.CDLL) -> None:
    numbers: list[int] = []

    def start_many() -> None:
        numbers.extend(int(roctx.roctxRangeStartA(b"range")) for _ in range(1000))

    threads = [threading.Thread(target=start_many) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(numbers)) == 4000
    assert 0 not in numbers
    for number in numbers:  # in another thread than the one that started it
        roctx.roctxRangeStop(number)


@pytest.mark.parametrize("library", NAMES)
def test_every_name_leads_to_the_same_ranges(library: str, sim_tree: SimTree) -> None:
    named = [load(sim_tree, name) for name in NAMES[library]]
    assert [each.roctxRangePushA(b"range") for each in named] == list(range(len(named)))
    assert [each.roctxRangePop() for each in named] == list(reversed(range(len(named))))


def test_the_version_of_the_interface(sim_tree: SimTree) -> None:
    library = load(sim_tree, OLD)
    assert (library.roctx_version_major(), library.roctx_version_minor()) == (4, 1)


def test_requests_to_a_profiler_that_is_not_there(sim_tree: SimTree) -> None:
    library = load(sim_tree, NEW)
    assert library.roctxNameOsThread(b"main") == 0
    assert library.roctxNameHipDevice(b"first", 0) == 0
    assert library.roctxNameHipStream(b"default", None) == 0
    assert library.roctxNameHsaAgent(b"agent", None) == 0
    assert library.roctxProfilerPause(ctypes.c_uint64(0)) == 0
    assert library.roctxProfilerResume(ctypes.c_uint64(0)) == 0


def test_the_number_of_a_thread_is_the_systems(sim_tree: SimTree) -> None:
    library = load(sim_tree, NEW)

    def numbers() -> tuple[int, int]:
        number = ctypes.c_uint64()
        assert library.roctxGetThreadId(ctypes.byref(number)) == 0
        return number.value, threading.get_native_id()

    here, there = numbers(), on_another_thread(numbers)
    assert here[0] == here[1] != there[0] == there[1]


# --- the files


@pytest.mark.parametrize("library", NAMES)
def test_a_library_exports_its_interface_and_nothing_else(library: str, sim_tree: SimTree) -> None:
    with (sim_tree.lib / library).open("rb") as file:
        symbols = list(ELFFile(file).get_section_by_name(".dynsym").iter_symbols())
    functions = {s.name for s in symbols if s["st_info"]["type"] == "STT_FUNC"}
    defined = {s.name for s in symbols if s["st_shndx"] not in ("SHN_UNDEF", "SHN_ABS")}
    assert defined == EXPORTED[library] == functions & defined


@pytest.mark.parametrize(("library", "soname"), [(OLD, f"{OLD}.4"), (NEW, f"{NEW}.1")])
def test_a_linked_program_asks_for_amds_name(library: str, soname: str, sim_tree: SimTree) -> None:
    with (sim_tree.lib / library).open("rb") as file:
        tags = list(ELFFile(file).get_section_by_name(".dynamic").iter_tags("DT_SONAME"))
    assert [tag.soname for tag in tags] == [soname]
