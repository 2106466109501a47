"""What ROCm's device library asks for: printf, assert, malloc, a barrier of the grid."""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path
from typing import Any

import pytest

import greta
from greta.cli.main import main
from greta.runs.hip_compiler import BITCODE
from tests.isa.compiled import oracle
from tests.isa.data.keep_kernels import KEPT, build

HERE = Path(__file__).parent
SOURCE = HERE / "compiled" / "talk.hip"
PROGRAM = """
import sys
import numpy as np
from greta.hip import Buffer, HipError, Module, synchronize

code, n, *kernels = sys.argv[1:]
module = Module.load(code)
given = np.arange(2048, dtype=np.uint32)
out, words = Buffer(8192), Buffer.from_array(given)
try:
    for kernel in kernels:
        module.kernel(kernel)(8, 256, out, words, np.uint32(int(n)))
        synchronize()
except HipError as error:
    sys.exit(str(error))
if kernels[0] == "every_thread":
    assert (out.to_array(np.uint32) == given + int(n)).all()
"""
KINDS = (
    "a text that does not fit into one packet, which has 56 bytes|-7|   42|13    |+8|0000beef|010|z"
    "|%|0x1234\n"
    "-1234567890123|18446744073709551615|-2|200|8|3.142|  1.23e+04|0.5||2.72|    99\n"
)
HAS_LIBRARY = oracle.CLANGS and any((Path(each) / "ockl.bc").is_file() for each in BITCODE)
pytestmark = pytest.mark.usefixtures("engine")


@pytest.fixture(scope="module", params=["kept", "compiled"])
def code(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("code") / "talk.co"
    if request.param == "kept":
        path.write_bytes(lzma.decompress((HERE / "data" / "talk.co.xz").read_bytes()))
    elif not HAS_LIBRARY:
        pytest.skip("compiles with clang and rocm-device-libs")
    else:
        source, *options = KEPT["talk"]
        build(source, path, *options)
    return path


def run(code: Path, folder: Path, n: int, *kernels: str) -> greta.Run:
    program = folder / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), str(code), str(n), *kernels]
    return greta.run(command, device="sim", out=folder / "run")


def test_every_thread_and_every_kind_is_printed(code: Path, tmp_path: Path) -> None:
    done = run(code, tmp_path, 3, "every_thread", "every_kind")
    assert (done.exit_code, done.stderr) == (0, "")
    numbers, rest = done.stdout[: -len(KINDS)], done.stdout[-len(KINDS) :]
    assert rest == KINDS
    assert sorted(map(int, numbers.split())) == list(range(2048))


def test_a_failed_assertion_is_told_with_its_line(code: Path, tmp_path: Path) -> None:
    done = run(code, tmp_path, 2047, "fails")
    assert "hipErrorLaunchFailure" in done.stderr
    line = 1 + SOURCE.read_text().split("assert(in[INDEX]")[0].count("\n")
    assert f"talk.hip:{line}: " in done.stderr
    assert "Device-side assertion `in[INDEX] < n' failed." in done.stderr
    assert done.stderr.count("Device-side assertion") == 1
    assert "trap, by thread 255,0,0 of block 7,0,0 of fails" in done.stderr


def checked(code: Path, folder: Path, tools: str, n: int, *kernels: str) -> list[dict[str, Any]]:
    """What `greta check` finds."""
    program, found = folder / "program.py", folder / "found.json"
    program.write_text(PROGRAM)
    words = ["check", "--out", str(folder / "run"), "--json", str(found), "--tools", tools, "--"]
    main([*words, sys.executable, str(program), str(code), str(n), *kernels])
    findings: list[dict[str, Any]] = json.loads(found.read_text())["findings"]
    return findings


def test_a_failed_assertion_is_found_once_with_its_thread(code: Path, tmp_path: Path) -> None:
    (one,) = checked(code, tmp_path, "memcheck", 2047, "fails")
    assert (one["code"], one["kernel"]) == ("trap", "fails")
    assert "trap, by thread 255,0,0 of block 7,0,0 of fails" in one["lines"][0]


def test_blocks_that_share_the_heap_do_not_race(code: Path, tmp_path: Path) -> None:
    """One fills a slab, and another takes memory of it: what the heap has of it orders them."""
    assert checked(code, tmp_path, "memcheck,racecheck", 0, "allocates", "allocates") == []


def test_one_that_holds_is_silent(code: Path, tmp_path: Path) -> None:
    done = run(code, tmp_path, 2048, "fails")
    assert (done.exit_code, done.stderr, done.stdout) == (0, "", "")


@pytest.mark.parametrize("packet", [1, 4095, 0xFFFFFFFF])
def test_the_host_trusts_nothing_that_kernels_can_write(
    code: Path, tmp_path: Path, packet: int
) -> None:
    done = run(code, tmp_path, packet, "vandal")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "before\n", "")


ALLOCATING = """
import sys
import numpy as np
from greta.hip import Buffer, HipError, Module, synchronize

code, kernel, n = sys.argv[1:]
given = np.arange(512, dtype=np.uint32)
out, words = Buffer(2048), Buffer.from_array(given)
try:
    for _ in range(2):
        Module.load(code).kernel(kernel)(8, 64, out, words, np.uint32(int(n)))
        synchronize()
except HipError as error:
    sys.exit(str(error))
if kernel == "allocates":
    assert (out.to_array(np.uint32) == given + int(n)).all()
"""


def allocating(code: Path, folder: Path, kernel: str, n: int) -> greta.Run:
    command = [sys.executable, "-c", ALLOCATING, str(code), kernel, str(n)]
    return greta.run(command, device="sim", out=folder / "run")


def test_kernels_allocate_memory_small_and_large(code: Path, tmp_path: Path) -> None:
    done = allocating(code, tmp_path, "allocates", 1000)
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize(("byte", "fits"), [(8191, True), (8192, False)])
def test_behind_a_large_block_there_is_nothing(
    code: Path, tmp_path: Path, byte: int, fits: bool
) -> None:
    done = allocating(code, tmp_path, "leaves_heap", byte)
    assert (done.exit_code == 0) == fits
    assert ("hipErrorIllegalAddress" in done.stderr) != fits


COOPERATIVE = """
import ctypes
import sys
import numpy as np
from greta.hip import Buffer, Module, synchronize

code, kernel, blocks, cooperative = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
n = 128 * blocks
given = np.arange(n, dtype=np.uint32)
out, words = Buffer(4 * n + 4), Buffer.from_array(given)
out.fill(0)
module = Module.load(code)
native = ctypes.c_void_p(int(module.kernel(kernel).native))
values = [ctypes.c_void_p(out.address), ctypes.c_void_p(words.address), ctypes.c_uint(n)]
pointers = (ctypes.c_void_p * 3)(*(ctypes.addressof(one) for one in values))
hip = ctypes.CDLL("libamdhip64.so.7")
given_to = [native, blocks, 1, 1, 128, 1, 1, 0, None, pointers]
if cooperative:
    assert hip.hipModuleLaunchCooperativeKernel(*given_to) == 0
else:
    assert hip.hipModuleLaunchKernel(*given_to, None) == 0
sys.exit(hip.hipDeviceSynchronize() or int(
    (out.to_array(np.uint32)[:n] != np.roll(given, -128) + 2 * (kernel == "meets")).any()))
"""


def in_a_grid(code: Path, folder: Path, kernel: str, blocks: int, *cooperative: str) -> greta.Run:
    command = [sys.executable, "-c", COOPERATIVE, str(code), kernel, str(blocks), *cooperative]
    return greta.run(command, device="sim", out=folder / "run")


@pytest.mark.parametrize("kernel", ["meets", "counts"])
def test_blocks_of_a_cooperative_launch_wait_for_each_other(
    code: Path, tmp_path: Path, kernel: str
) -> None:
    done = in_a_grid(code, tmp_path, kernel, 11, "cooperatively")
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_grid_barrier_of_another_launch_is_a_fault_and_not_a_hang(
    code: Path, tmp_path: Path
) -> None:
    done = in_a_grid(code, tmp_path, "meets", 11)
    assert done.exit_code != 0
    assert "meets: a grid barrier" in done.stderr
