"""Checked builds: every access outside of private memory asks the device first.

The code object is loaded and called here directly, with services that only write down what they
are asked, so that the tests see each question.
"""

from __future__ import annotations

import ctypes
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.simdevice.hiprtc.program import compile_program

WHOLE_BLOCK = 0xFFFFFFFF
ABI = 2

Triple = ctypes.c_uint32 * 3
Waiting = ctypes.CFUNCTYPE(ctypes.c_int)
CheckAccess = ctypes.CFUNCTYPE(
    None,
    ctypes.c_void_p,
    ctypes.c_uint32,
    ctypes.c_uint64,
    ctypes.c_uint64,
    ctypes.c_int,
    ctypes.c_uint64,
)
READ, WRITE, ATOMIC = range(3)


class Services(ctypes.Structure):
    _fields_ = (
        ("block_barrier", Waiting),
        ("wave_exchange", Waiting),
        ("grid_barrier", Waiting),
        ("print", Waiting),
        ("trap", Waiting),
        ("check_access", CheckAccess),
    )


class Block(ctypes.Structure):
    _fields_ = (
        ("services", ctypes.POINTER(Services)),
        ("grid_dim", Triple),
        ("block_dim", Triple),
        ("block_index", Triple),
        ("dynamic_shared_bytes", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    )


class Row(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("entry", ctypes.c_void_p))


Entry = ctypes.CFUNCTYPE(None, ctypes.POINTER(Block), ctypes.c_void_p, ctypes.c_uint32)


@dataclass(frozen=True)
class Access:
    thread: int
    address: int
    bytes: int
    kind: int

    @property
    def is_write(self) -> bool:
        return self.kind == WRITE


class DirectKernel:
    """One kernel of a code object, run on this thread."""

    def __init__(self, code: bytes, name: str, folder: Path) -> None:
        path = folder / f"{name}-{len(list(folder.iterdir()))}.so"
        path.write_bytes(code)
        self._library = ctypes.CDLL(str(path))
        assert ctypes.c_uint32.in_dll(self._library, "greta_simt_abi").value == ABI
        count = ctypes.c_uint32.in_dll(self._library, "greta_simt_kernel_count").value
        rows = (Row * count).in_dll(self._library, "greta_simt_kernels")
        entries = {row.name.decode(): row.entry for row in rows}
        self._entry = Entry(entries[name])

    def __call__(
        self, arguments: ctypes.Structure, threads: int, thread: int = WHOLE_BLOCK
    ) -> list[Access]:
        asked: list[Access] = []

        def check(block: int, thread: int, address: int, size: int, kind: int, site: int) -> None:
            asked.append(Access(thread, address, size, kind))

        unexpected = Waiting(lambda: 0)
        services = Services(*[unexpected] * 5, CheckAccess(check))
        block = Block(ctypes.pointer(services), Triple(1, 1, 1), Triple(threads, 1, 1))
        self._entry(ctypes.byref(block), ctypes.addressof(arguments), thread)
        return asked


class Pointers(ctypes.Structure):
    _fields_ = (("a", ctypes.c_void_p), ("b", ctypes.c_void_p), ("at", ctypes.c_int64))


COMPILERS = [name for name in ("g++", "clang++-19") if shutil.which(name)]


Run = Callable[..., list[Access]]


@pytest.fixture
def memory() -> Any:
    return ctypes.create_string_buffer(4096)


@pytest.fixture
def base(memory: Any) -> int:
    return ctypes.addressof(memory) + 1024


@pytest.fixture(params=COMPILERS)
def kernel(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, base: int
) -> Callable[..., Run]:
    """A checked kernel; a call gives what it asked, except about the block and its arguments."""
    monkeypatch.setenv("GRETA_SIM_CXX", request.param)
    monkeypatch.setenv("GRETA_SIM_PLACEMENT", "strict")

    def build(body: str, before: str = "") -> Run:
        source = f'{before}\nextern "C" __global__ void k(char* a, char* b, long at) {{ {body} }}'
        kernel = DirectKernel(compile_program(source).code, "k", tmp_path)

        def run(
            at: int, threads: int = 1, thread: int = WHOLE_BLOCK, everywhere: bool = False
        ) -> list[Access]:
            asked = kernel(Pointers(base, base + 512, at), threads, thread)
            return [a for a in asked if everywhere or abs(a.address - base) < 1024]

        return run

    return build


def test_reads_one_byte_outside_are_asked_for(kernel: Callable[..., Run], base: int) -> None:
    run = kernel("b[0] = a[at];")
    for at in (-1, 16):
        asked = run(at, 1)
        assert Access(0, base + at, 1, READ) in asked
        assert Access(0, base + 512, 1, WRITE) in asked


@pytest.mark.parametrize(
    ("kind", "size"), [("short", 2), ("int", 4), ("double", 8), ("float4", 16), ("float3", 12)]
)
def test_accesses_of_every_size(
    kernel: Callable[..., Run], base: int, kind: str, size: int
) -> None:
    run = kernel(f"*({kind}*)b = *({kind}*)a;")
    asked = run(0, 1)
    for begin, is_write in ((base, False), (base + 512, True)):
        covered = set()
        for access in asked:
            if access.is_write == is_write:
                covered |= set(range(access.address, access.address + access.bytes))
        assert covered == set(range(begin, begin + size))


def test_each_thread_asks_for_itself(kernel: Callable[..., Run], base: int) -> None:
    run = kernel("b[threadIdx.x] = a[threadIdx.x];")
    asked = run(0, 8)
    assert [a.thread for a in asked if a.is_write] == list(range(8))
    assert all(a.address == base + (512 if a.is_write else 0) + a.thread for a in asked)
    alone = run(0, 8, thread=5)
    assert {(a.thread, a.address) for a in alone} == {(5, base + 5), (5, base + 517)}


def test_private_memory_is_not_asked_for(kernel: Callable[..., Run], base: int) -> None:
    run = kernel(
        "volatile int own[32]; for (int i = 0; i < 32; ++i) own[(i * at) & 31] = i;"
        "b[0] = own[at & 31];"
    )
    assert run(5) == [Access(0, base + 512, 1, WRITE)]
    assert len(run(5, everywhere=True)) < 32  # fewer than the array was written


def test_atomics_ask(kernel: Callable[..., Run], base: int) -> None:
    run = kernel(
        "atomicAdd((int*)a, 1); atomicAdd((float*)(a + 64), 1.0f); atomicCAS((int*)b, 0, 1);"
    )
    asked = run(0, 1)
    assert {a.address for a in asked} == {base, base + 64, base + 512}
    assert {a.kind for a in asked} == {ATOMIC}


@pytest.mark.parametrize(
    "operation",
    [
        "__atomic_fetch_or((unsigned*)a, 4u, __ATOMIC_RELAXED)",
        "__sync_fetch_and_add((int*)a, 3)",
        "__hip_atomic_fetch_max((int*)a, 7, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)",
        "__hip_atomic_store((int*)a, 7, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)",
        "atomicExch((int*)a, 9)",
        "atomicMin((double*)a, 2.0)",
    ],
)
def test_atomic_operations_are_told_from_writes(
    kernel: Callable[..., Run], base: int, operation: str
) -> None:
    run = kernel(f"{operation}; *(int*)b = 1;")
    assert {(a.address, a.kind) for a in run(0)} == {(base, ATOMIC), (base + 512, WRITE)}


def test_atomic_operations_do_what_they_say(
    kernel: Callable[..., Run], memory: Any, base: int
) -> None:
    run = kernel(
        "atomicAdd((int*)a, 5); atomicMax((int*)(a + 4), 9); atomicCAS((int*)(a + 8), 0, 3);"
        "atomicCAS((int*)(a + 12), 1, 3); atomicAdd((float*)(a + 16), 1.5f);"
        "((int*)b)[0] = atomicExch((unsigned long long*)(a + 24), 1ull << 40) == 0;"
    )
    ctypes.memset(base, 0, 64)
    run(0)
    words = (ctypes.c_int * 8).from_address(base)
    assert list(words[:4]) == [5, 9, 3, 0]
    assert ctypes.c_float.from_address(base + 16).value == 1.5
    assert ctypes.c_uint64.from_address(base + 24).value == 1 << 40
    assert ctypes.c_int.from_address(base + 512).value == 1


def test_a_place_that_is_read_and_written_is_asked_for_twice(
    kernel: Callable[..., Run], base: int
) -> None:
    run = kernel("((float*)a)[at] += 1.0f;")
    assert run(3) == [Access(0, base + 12, 4, READ), Access(0, base + 12, 4, WRITE)]


def test_copies_of_a_fixed_size_ask(kernel: Callable[..., Run], base: int) -> None:
    """A compiler makes plain moves of them, which nobody would see."""
    run = kernel("__builtin_memcpy(b, a, 24); memcpy(b + 32, a + 32, 12);", "#include <string.h>")
    read = {
        byte for a in run(0) if a.kind == READ for byte in range(a.address, a.address + a.bytes)
    }
    assert read == {*range(base, base + 24), *range(base + 32, base + 44)}


def test_block_copies_ask_for_their_whole_range(kernel: Callable[..., Run], base: int) -> None:
    run = kernel("memcpy(b, a, at); memset(a, 1, at);", "#include <string.h>")
    asked = run(200, 1)
    assert Access(0, base, 200, READ) in asked
    assert Access(0, base + 512, 200, WRITE) in asked
    assert Access(0, base, 200, WRITE) in asked


def test_block_copies_copy(kernel: Callable[..., Run], memory: Any, base: int) -> None:
    run = kernel("memmove(a + 3, a, at); memmove(b, b + 3, at);", "#include <string.h>")
    pattern = bytes(range(200))
    ctypes.memmove(base, pattern, 200)
    ctypes.memmove(base + 512, pattern, 200)
    run(150, 1)
    assert ctypes.string_at(base, 153) == pattern[:3] + pattern[:150]
    assert ctypes.string_at(base + 512, 150) == pattern[3:153]


def test_an_ordinary_build_asks_nothing(base: int, tmp_path: Path, memory: Any) -> None:
    source = 'extern "C" __global__ void k(char* a, char* b, long at) { b[0] = a[at]; }'
    run = DirectKernel(compile_program(source).code, "k", tmp_path)
    assert run(Pointers(base, base + 512, 3), 4) == []


OFF_BY = """
import numpy as np
from greta.hip import Buffer, HipError, Module
from greta.hip import synchronize
buffer, out = Buffer(1000), Buffer(4)
kernel = Module.compile(
    'extern "C" __global__ void k(const char* a, int at, int* out) { *out = a[at]; }'
).kernel("k")
try:
    kernel(1, 1, buffer, np.int32(AT), out)
    synchronize()
    print("fine")
except HipError as error:
    print(error)
"""


@pytest.mark.parametrize(("at", "fault"), [(-1, True), (0, False), (999, False), (1000, True)])
def test_the_device_faults_at_the_first_byte_outside(
    run_script: Callable[..., Any], at: int, fault: bool
) -> None:
    ended = run_script(OFF_BY.replace("AT", str(at)), GRETA_SIM_PLACEMENT="strict")
    assert ("hipErrorIllegalAddress" in ended.stdout) == fault, ended.stdout + ended.stderr
    assert ("fine" in ended.stdout) != fault
