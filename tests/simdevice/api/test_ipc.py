"""Memory, events and pools of other processes."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from ctypes import c_int, c_void_p
from typing import Any

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.child import ROOT, _paths
from tests.simdevice.codes import INVALID_VALUE, NOT_READY, SUCCESS, Code
from tests.simdevice.library import IpcHandle, Library, MemLocation, byref, done, hip_library
from tests.simdevice.structures import PINNED, PoolProperties

LAZY = 1
SHARED_EVENT = 4 | 2
FILE = 1
BYTES = 10_000
D2H = 2


class Other:
    """A second process that does what it is told, one line at a time."""

    def __init__(self, function: str, *words: str, pass_fds: tuple[int, ...] = ()) -> None:
        program = f"from {__name__} import {function} as f; import sys; f(*sys.argv[1:])"
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, *words],
            env={**os.environ, **_paths()},
            cwd=ROOT,
            pass_fds=pass_fds,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, line: str = "") -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(line, file=self._process.stdin, flush=True)
        return self._process.stdout.readline().strip()

    def end(self) -> None:
        with self._process:
            pass  # closes its pipes and waits
        assert self._process.returncode == 0


def handle_from(text: str) -> IpcHandle:
    return IpcHandle.from_buffer_copy(bytes.fromhex(text))


def memory_user(text: str) -> None:
    """Opens memory, says its first bytes, fills it, closes it."""
    hip, pointer, seen = hip_library(), c_void_p(), ctypes.create_string_buffer(8)
    input()
    done(hip.hipIpcOpenMemHandle(byref(pointer), handle_from(text), LAZY))
    done(hip.hipMemcpy(seen, pointer, 8, D2H))
    print(seen.raw.hex(), flush=True)
    input()
    done(hip.hipMemset(pointer, 9, BYTES - 4))
    done(hip.hipDeviceSynchronize())
    codes = [
        hip.hipMemset(pointer, 1, BYTES + 1),
        hip.hipFree(pointer),
        hip.hipIpcGetMemHandle(byref(IpcHandle()), pointer),
        hip.hipIpcCloseMemHandle(pointer),
        hip.hipIpcCloseMemHandle(pointer),
    ]
    print(*map(int, codes), flush=True)


def test_two_processes_see_the_same_memory(hip: Library, device: Borrowed) -> None:
    memory, handle = device.memory(bytes(range(250)) * (BYTES // 250)), IpcHandle()
    done(hip.hipIpcGetMemHandle(byref(handle), memory + 4))
    other = Other("memory_user", bytes(handle).hex())
    assert other.ask() == bytes(range(4, 12)).hex()
    assert other.ask() == f"{INVALID_VALUE:d} {INVALID_VALUE:d} {INVALID_VALUE:d} 0 1"
    other.end()
    seen = device.read(memory, BYTES)
    assert (seen[:4], set(seen[4:])) == (bytes(range(4)), {9})
    done(hip.hipMemset(memory, 3, BYTES))  # nothing has changed for its owner
    assert set(device.read(memory, BYTES)) == {3}


def test_handles_that_make_no_sense(hip: Library, device: Borrowed) -> None:
    memory, handle, pointer = device.memory(64), IpcHandle(), c_void_p()
    done(hip.hipIpcGetMemHandle(byref(handle), memory))
    assert hip.hipIpcOpenMemHandle(byref(pointer), handle, LAZY) == Code.INVALID_CONTEXT
    gone = IpcHandle.from_buffer_copy(handle)
    ctypes.c_int32.from_buffer(gone, 16).value = 2**22 + 1  # no process has this number
    one = INVALID_VALUE
    for name, arguments, code in (
        ("hipIpcGetMemHandle", (None, memory), one),
        ("hipIpcGetMemHandle", (byref(handle), None), one),
        ("hipIpcGetMemHandle", (byref(handle), device.pinned(64)), one),
        ("hipIpcOpenMemHandle", (None, handle, LAZY), one),
        ("hipIpcOpenMemHandle", (byref(pointer), handle, 0), one),
        ("hipIpcOpenMemHandle", (byref(pointer), IpcHandle(), LAZY), one),
        ("hipIpcOpenMemHandle", (byref(pointer), gone, LAZY), 17),
        ("hipIpcCloseMemHandle", (None,), one), ("hipIpcCloseMemHandle", (memory,), one),
        ("hipIpcGetEventHandle", (None, device.event(SHARED_EVENT)), one),
        ("hipIpcGetEventHandle", (byref(handle), device.event()), Code.INVALID_CONFIGURATION),
        ("hipIpcGetEventHandle", (byref(handle), None), one),
        ("hipIpcOpenEventHandle", (None, handle), one),
        ("hipIpcOpenEventHandle", (byref(pointer), handle), one),
    ):  # fmt: skip
        assert getattr(hip, name)(*arguments) == code, name


def event_user(text: str, memory: str) -> None:
    """Waits for the event on a stream of its own, and says what it then sees."""
    hip, event, pointer = hip_library(), c_void_p(), c_void_p()
    stream, seen = c_void_p(), ctypes.create_string_buffer(1)
    input()
    done(hip.hipIpcOpenEventHandle(byref(event), handle_from(text)))
    done(hip.hipIpcOpenMemHandle(byref(pointer), handle_from(memory), LAZY))
    print(hip.hipEventQuery(event), flush=True)
    done(hip.hipStreamCreateWithFlags(byref(stream), 1))
    done(hip.hipStreamWaitEvent(stream, event, 0))
    input()
    print(hip.hipStreamQuery(stream), flush=True)
    done(hip.hipMemcpyAsync(seen, pointer, 1, D2H, stream))
    done(hip.hipStreamSynchronize(stream))
    done(hip.hipEventSynchronize(event))
    print(seen.raw[0], hip.hipEventQuery(event), flush=True)
    done(hip.hipEventRecord(event, stream))
    done(hip.hipStreamSynchronize(stream))
    done(hip.hipEventDestroy(event))


def test_a_stream_waits_for_an_event_of_another_process(hip: Library, device: Borrowed) -> None:
    from tests.simdevice.streams import held

    memory, event, stream = device.memory(bytes(64)), device.event(SHARED_EVENT), device.stream(1)
    handles = IpcHandle(), IpcHandle()
    done(hip.hipIpcGetEventHandle(byref(handles[0]), event))
    done(hip.hipIpcGetMemHandle(byref(handles[1]), memory))
    other = Other("event_user", *(bytes(handle).hex() for handle in handles))
    with held(stream):
        done(hip.hipMemsetAsync(memory, 5, 64, stream))
        done(hip.hipEventRecord(event, stream))
        assert hip.hipEventQuery(event) == NOT_READY
        assert other.ask() == f"{NOT_READY:d}"
        assert other.ask() == f"{NOT_READY:d}"
    assert other.ask() == "5 0"
    other.end()
    done(hip.hipEventSynchronize(event))
    assert hip.hipEventQuery(event) == SUCCESS


def pool_user(pool_file: str, data: str) -> None:
    hip, pool, pointer, seen = hip_library(), c_void_p(), c_void_p(), ctypes.create_string_buffer(4)
    export = IpcHandle.from_buffer_copy(bytes.fromhex(data))
    input()
    done(hip.hipMemPoolImportFromShareableHandle(byref(pool), int(pool_file), FILE, 0))
    done(hip.hipMemPoolImportPointer(byref(pointer), pool, byref(export)))
    done(hip.hipMemcpy(seen, pointer, 4, D2H))
    refused = hip.hipMallocFromPoolAsync(byref(c_void_p()), 64, pool, None)
    done(hip.hipMemset(pointer, 8, 64))
    done(hip.hipDeviceSynchronize())
    print(seen.raw.hex(), int(refused), int(hip.hipFreeAsync(pointer, None)), flush=True)


@pytest.fixture
def shareable(hip: Library) -> Any:
    pool = c_void_p()
    wanted = PoolProperties(allocation_type=PINNED, handle_types=FILE, location=MemLocation(1, 0))
    done(hip.hipMemPoolCreate(byref(pool), byref(wanted)))
    yield pool
    hip.hipMemPoolDestroy(pool)


def test_memory_of_a_pool_goes_to_another_process(
    hip: Library, device: Borrowed, shareable: c_void_p
) -> None:
    memory, file, data = c_void_p(), c_int(), IpcHandle()
    done(hip.hipMallocFromPoolAsync(byref(memory), 64, shareable, None))
    done(hip.hipMemset(memory, 7, 64))
    done(hip.hipMemPoolExportToShareableHandle(byref(file), shareable, FILE, 0))
    done(hip.hipMemPoolExportPointer(byref(data), memory))
    other = Other("pool_user", str(file.value), bytes(data).hex(), pass_fds=(file.value,))
    assert other.ask() == f"{bytes([7] * 4).hex()} {INVALID_VALUE:d} 0"
    other.end()
    os.close(file.value)
    assert set(device.read(memory.value or 0, 64)) == {8}
    done(hip.hipFreeAsync(memory, None))


def test_pools_that_are_not_shared(hip: Library, device: Borrowed, shareable: c_void_p) -> None:
    default, file, pointer, data = c_void_p(), c_int(), c_void_p(), IpcHandle()
    done(hip.hipDeviceGetDefaultMemPool(byref(default), 0))
    plain = os.memfd_create("something else")
    one = INVALID_VALUE
    for name, arguments in (
        ("hipMemPoolExportToShareableHandle", (byref(file), default, FILE, 0)),
        ("hipMemPoolExportToShareableHandle", (None, shareable, FILE, 0)),
        ("hipMemPoolExportToShareableHandle", (byref(file), shareable, 0, 0)),
        ("hipMemPoolExportToShareableHandle", (byref(file), shareable, FILE, 1)),
        ("hipMemPoolImportFromShareableHandle", (None, 3, FILE, 0)),
        ("hipMemPoolImportFromShareableHandle", (byref(pointer), plain, FILE, 0)),
        ("hipMemPoolExportPointer", (byref(data), device.memory(64))),
        ("hipMemPoolExportPointer", (None, device.memory(64))),
        ("hipMemPoolImportPointer", (byref(pointer), shareable, byref(data))),
        ("hipMemPoolImportPointer", (byref(pointer), None, byref(data))),
    ):
        assert getattr(hip, name)(*arguments) == one, (name, arguments)
    os.close(plain)


def test_pools_by_location(hip: Library, shareable: c_void_p) -> None:
    here, host = byref(MemLocation(1, 0)), byref(MemLocation(2, 0))
    seen, default = c_void_p(), c_void_p()
    done(hip.hipMemGetDefaultMemPool(byref(default), here, PINNED))
    done(hip.hipMemSetMemPool(here, PINNED, shareable))
    done(hip.hipMemGetMemPool(byref(seen), here, PINNED))
    assert seen.value == shareable.value != default.value
    done(hip.hipMemSetMemPool(here, PINNED, default))
    for arguments in ((byref(seen), host, PINNED), (byref(seen), here, 0), (None, here, PINNED)):
        assert hip.hipMemGetMemPool(*arguments) == INVALID_VALUE
        assert hip.hipMemGetDefaultMemPool(*arguments) == INVALID_VALUE
    assert hip.hipMemSetMemPool(host, PINNED, default) == INVALID_VALUE
