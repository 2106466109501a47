"""One device, whatever name its library is loaded by."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from contract import generate
from contract.model import load
from tests import children

SHIMS = generate.ROOT / "native/simdevice/shims"

# Stands for the real library: it counts its calls, so that a second copy would show.
REAL_LIBRARY = """
int hipGetDeviceCount(int* count) { static int calls; *count = ++calls; return 0; }
"""
REAL_HIPRTC = 'const char* hiprtcGetErrorString(int code) { return code ? "error" : "rtc"; }'

# Calls through its link first, then through every name given.
PROGRAM = """
#include <dlfcn.h>
#include <stdio.h>
int hipGetDeviceCount(int* count);
const char* hiprtcGetErrorString(int code);
int main(int argc, char** argv) {
  int count = -1;
  hipGetDeviceCount(&count);
  printf("%d %s", count, hiprtcGetErrorString(0));
  for (int i = 1; i < argc; ++i) {
    void* library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) return puts(dlerror());
    int (*call)(int*) = (int (*)(int*))dlsym(library, "hipGetDeviceCount");
    if (!call || call(&count)) return 1;
    printf(" %d", count);
  }
  return 0;
}
"""
CMAKE = """
cmake_minimum_required(VERSION 3.20)
project(shims LANGUAGES C)
set(GRETA_GENERATED {generated})
add_subdirectory({shims} shims)
"""


def gcc(*arguments: object) -> None:
    subprocess.run(["gcc", *map(str, arguments)], check=True)


def library(folder: Path, name: str, source: str, *options: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    code = folder / f"{name}.c"
    code.write_text(source)
    gcc("-shared", "-fPIC", code, "-o", folder / name, *options)
    return folder / name


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """lib/ with the shims of the build and two small libraries in place of the real ones."""
    folder = tmp_path_factory.mktemp("shims")
    generated = folder / "generated"
    generate.write(generate.outputs(load()), generated)
    (folder / "CMakeLists.txt").write_text(CMAKE.format(shims=SHIMS, generated=generated))
    subprocess.run(["cmake", "-S", folder, "-B", folder / "build"], check=True)
    subprocess.run(["cmake", "--build", folder / "build"], check=True)
    lib = folder / "build/rocm/lib"
    version_script = generated / generate.DEVICE / "hip.map"
    options = (f"-Wl,--version-script={version_script}", "-Wl,-soname,libamdhip64.so.7")
    library(lib, "libamdhip64.so", REAL_LIBRARY, *options)
    library(lib, "libhiprtc.so", REAL_HIPRTC)
    return lib


def program_linked_with(version: int, folder: Path) -> Path:
    """As AMD's release of that version would give it: both APIs in one library, with nodes."""
    nodes = folder / "amd.map"
    nodes.write_text("hip_4.2 { global: hip*; local: *; };")
    name = f"libamdhip64.so.{version}"
    options = (f"-Wl,--version-script={nodes}", f"-Wl,-soname,{name}")
    amd = library(folder / "amd", name, REAL_LIBRARY + REAL_HIPRTC, *options)
    (folder / "program.c").write_text(PROGRAM)
    gcc(folder / "program.c", amd, "-o", folder / "program", "-ldl")
    return folder / "program"


def run(program: Path, lib: Path, *names: object) -> children.Done:
    return children.run([program, *names], env={**os.environ, "LD_LIBRARY_PATH": str(lib)})


@pytest.mark.parametrize("version", [5, 6])
def test_an_old_program_starts_without_a_word_from_the_loader(
    version: int, tree: Path, tmp_path: Path
) -> None:
    result = run(program_linked_with(version, tmp_path), tree)
    assert (result.returncode, result.stdout, result.stderr) == (0, "1 rtc", "")


def test_every_name_leads_to_the_same_library(tree: Path, tmp_path: Path) -> None:
    names = ["libamdhip64.so.6", "libamdhip64.so", "libamdhip64.so.7", tree / "libamdhip64.so"]
    result = run(program_linked_with(5, tmp_path), tree, *names)
    assert (result.stdout, result.stderr) == ("1 rtc 2 3 4 5", "")


OPENER = """
#include <dlfcn.h>
int main(int argc, char** argv) {
  void* library = argc == 3 ? dlopen(argv[1], RTLD_NOW) : 0;
  return !library || !dlsym(library, argv[2]);
}
"""


@pytest.mark.parametrize("version", [5, 6, 7])
@pytest.mark.parametrize(
    ("name", "symbol"),
    [("libamdhip64.so", "hipGetDeviceCount"), ("libhiprtc.so", "hiprtcGetErrorString")],
)
def test_a_shim_needs_no_search_path(
    name: str, symbol: str, version: int, tree: Path, tmp_path: Path
) -> None:
    (tmp_path / "open.c").write_text(OPENER)
    gcc(tmp_path / "open.c", "-o", tmp_path / "open", "-ldl")
    children.run([tmp_path / "open", tree / f"{name}.{version}", symbol], check=True)
