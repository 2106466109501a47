"""Whole C++ programs with kernels in machine code, and what the device says of their faults."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import greta
from greta.cli.main import main
from greta.errors import UsageError
from greta.hip import SimTree
from greta.runs.hip_compiler import BITCODE
from tests.isa.compiled import oracle
from tests.isa.compiled.oracle import HERE

pytestmark = [
    pytest.mark.skipif(not oracle.CLANGS, reason="compiles with clang-22 or clang-19"),
    pytest.mark.usefixtures("engine"),
]
CMAKE = shutil.which("cmake")
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


@pytest.fixture(scope="module")
def saxpy(sim_tree: SimTree, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program as people write them, built as they do."""
    folder = tmp_path_factory.mktemp("saxpy")
    source = folder / "saxpy.hip"
    source.write_bytes((HERE / "saxpy.hip").read_bytes())
    try:
        assert main(["hipcc", "-g", "-O1", str(source), "-o", str(folder / "saxpy")]) == 0
    except UsageError as error:  # clang alone is not enough
        pytest.skip(str(error))
    return folder / "saxpy"


needs_ocml = pytest.mark.skipif(
    not any((Path(each) / "ocml.bc").is_file() for each in BITCODE),
    reason="its kernels call sinf, of rocm-device-libs",
)


@needs_ocml
def test_greta_hipcc_builds_a_program_that_is_right(sim_tree: SimTree, saxpy: Path) -> None:
    done = run(sim_tree, saxpy)
    assert done.stdout == "wrong 0 sum 261888 of 261888 launches 42 threads 1024\n"
    assert (done.returncode, done.stderr) == (0, "")


@needs_ocml
def test_its_overrun_is_named_to_the_byte_and_its_twin_is_silent(
    saxpy: Path, tmp_path: Path
) -> None:
    twin = greta.run([saxpy], device="sim", out=tmp_path / "twin")
    assert twin.exit_code == 0
    assert greta.analyze(twin.path).cause is None
    cause = greta.analyze(
        greta.run([saxpy, "overrun"], device="sim", out=tmp_path / "overrun").path
    ).cause
    assert cause is not None
    assert cause.kernel == "void saxpy<float>(float*, float const*, int)"
    assert cause.buffer is not None
    assert cause.buffer.bytes == 4000
    access = cause.access
    assert access is not None
    assert (access.kind, access.bytes, access.past_end) == ("write", 4, 0)
    assert (access.block, access.thread) == ((3, 0, 0), (232, 0, 0))
    source = (HERE / "saxpy.hip").read_text()
    line = 1 + source.split("y[i] = factor[0]")[0].count("\n")
    assert (access.line or "").endswith(f"/saxpy.hip:{line}")
    launch = 1 + source.split("hipLaunchKernelGGL(HIP")[0].count("\n")
    assert (cause.where.file or "").endswith("/saxpy.hip")
    assert (cause.where.line, cause.where.function) == (launch, "main")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes a program with `greta hipcc` out of files beside this one."""
    folder = tmp_path_factory.mktemp("built")

    def build(name: str, *words: str) -> Path:
        to = folder / name
        if not to.exists():
            try:
                assert main(["hipcc", "-g", "-O1", *words, "-o", str(to)]) == 0
            except UsageError as error:
                pytest.skip(str(error))
        return to

    return build


@needs_ocml
@pytest.mark.parametrize("name", ["language", "functions"])
def test_what_programs_use_gives_what_the_cpu_gives(
    name: str, sim_tree: SimTree, built: Callable[..., Path], tmp_path: Path
) -> None:
    """Right, and nothing is found where nothing is wrong."""
    program = built(name, str(HERE / f"{name}.hip"))
    parts = re.findall(r'told\("(\w+)"', (HERE / f"{name}.hip").read_text())
    assert len(parts) > 6
    done = run(sim_tree, program)
    told = re.findall(r"^\w+ (?:right|WRONG)$", done.stdout, re.MULTILINE)
    assert told == [f"{part} right" for part in parts], done.stdout + done.stderr
    found = tmp_path / "found.json"
    tools = "memcheck,initcheck,racecheck,leakcheck"
    words = ["--out", str(tmp_path / "run"), "--json", str(found), "--tools", tools]
    assert main(["check", *words, "--", str(program)]) == 0
    result = json.loads(found.read_text())
    assert (result["findings"], result["limits"]) == ([], [])


SPLIT = {
    "part.h": "__device__ float twice(float); extern __device__ float bias; void set(float);\n",
    "one.hip": """
#include <hip/hip_runtime.h>
#include <cstdio>
#include "part.h"
__global__ void go(float* p) { p[threadIdx.x] = twice(p[threadIdx.x]) + bias; }
int main() {
  float h[64], *d;
  for (int i = 0; i < 64; ++i) h[i] = i;
  if (hipMalloc(&d, sizeof h) || hipMemcpy(d, h, sizeof h, hipMemcpyHostToDevice)) return 2;
  set(0.5f);
  go<<<1, 64>>>(d);
  if (hipMemcpy(h, d, sizeof h, hipMemcpyDeviceToHost)) return 2;
  for (int i = 0; i < 64; ++i) if (h[i] != 2 * i + 0.5f) return 1;
  std::puts("right");
}
""",
    "two.hip": """
#include <hip/hip_runtime.h>
#include "part.h"
__device__ float bias;
__device__ float twice(float x) { return 2 * x; }
void set(float b) { (void)hipMemcpyToSymbol(bias, &b, sizeof b); }
""",
}


@pytest.mark.parametrize("archive", [False, True], ids=["objects", "archive"])
def test_device_code_in_several_files(archive: bool, sim_tree: SimTree, tmp_path: Path) -> None:
    """-fgpu-rdc: device code is linked as the host's is, out of objects or a static library."""
    for name, text in SPLIT.items():
        (tmp_path / name).write_text(text)
    objects = [str(tmp_path / f"{name}.o") for name in ("one", "two")]
    for name, to in zip(("one", "two"), objects, strict=True):
        words = ["-fgpu-rdc", "-O1", "-c", str(tmp_path / f"{name}.hip"), "-o", to]
        try:
            assert main(["hipcc", *words]) == 0
        except UsageError as error:
            pytest.skip(str(error))
    if archive:
        library = str(tmp_path / "libtwo.a")
        subprocess.run(["ar", "rcs", library, objects.pop()], check=True)
        objects.append(library)
    assert main(["hipcc", "-fgpu-rdc", "--hip-link", *objects, "-o", str(tmp_path / "it")]) == 0
    assert run(sim_tree, tmp_path / "it").stdout == "right\n"


CMAKE_LISTS = """
cmake_minimum_required(VERSION 3.16)
project(split LANGUAGES CXX)
add_library(scale STATIC scale.cpp)
add_executable(split main.cpp)
target_link_libraries(split PRIVATE scale)
"""
CMAKE_PROJECT = {
    "CMakeLists.txt": CMAKE_LISTS,
    "scale.cpp": """
#include <hip/hip_runtime.h>
__global__ void scale(float* p, float by) { p[threadIdx.x] *= by; }
void launch(float* p, float by) { scale<<<1, 64>>>(p, by); }
""",
    "main.cpp": """
#include <hip/hip_runtime.h>
#include <cstdio>
void launch(float*, float);
int main() {
  float h[64], *d;
  for (int i = 0; i < 64; ++i) h[i] = i;
  if (hipMalloc(&d, sizeof h) || hipMemcpy(d, h, sizeof h, hipMemcpyHostToDevice)) return 2;
  launch(d, 2);
  if (hipMemcpy(h, d, sizeof h, hipMemcpyDeviceToHost)) return 2;
  std::printf("%g\\n", h[63]);
}
""",
}


@pytest.mark.skipif(CMAKE is None, reason="configures with CMake")
def test_it_is_the_compiler_of_cmake(sim_tree: SimTree, tmp_path: Path) -> None:
    """A library of kernels and a program, as CMake knows them: compiled and linked apart."""
    for name, text in CMAKE_PROJECT.items():
        (tmp_path / name).write_text(text)
    built = tmp_path / "build"
    for words in (["-S", str(tmp_path), "-B", str(built)], ["--build", str(built)]):
        done = subprocess.run(
            [str(CMAKE), *words],
            env={**os.environ, "CXX": f"{sys.executable} -m greta hipcc"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
    assert run(sim_tree, built / "split").stdout == "126\n"
