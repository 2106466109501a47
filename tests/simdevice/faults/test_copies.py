"""Copies whose host memory is not there."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from typing import Any

import pytest

from tests.simdevice import memory
from tests.simdevice.child import answer_of
from tests.simdevice.faults.kernels import ILLEGAL_ADDRESS
from tests.simdevice.faults.staging import codes_of_later_calls, truth
from tests.simdevice.library import done, hip_library
from tests.simdevice.memory import DEVICE_TO_HOST, HOST_TO_DEVICE
from tests.simdevice.streams import NON_BLOCKING, new_stream

PAGE = 4096
SMALL, LARGE = 2 * PAGE, 2 << 20  # staged, and too large for that
READ_ONLY, NOTHING = mmap.PROT_READ, 0

Copy = Callable[[int, int, int, int], int]  # host, device, bytes, stream


def pages(size: int, lost: int, protection: int) -> int:
    """The address of pages, the last `lost` bytes of which are gone or protected."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long)
    libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    address = int(libc.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0))
    # A hole could be filled by somebody else's memory; pages without access are as good as none.
    assert libc.mprotect(address + size - lost, lost, protection) == 0
    return address


def to_device(host: int, device: int, size: int, _stream: int) -> int:
    return int(hip_library().hipMemcpy(device, host, size, HOST_TO_DEVICE))


def to_device_async(host: int, device: int, size: int, stream: int) -> int:
    return int(hip_library().hipMemcpyAsync(device, host, size, HOST_TO_DEVICE, stream))


def to_host(host: int, device: int, size: int, _stream: int) -> int:
    return int(hip_library().hipMemcpy(host, device, size, DEVICE_TO_HOST))


def to_host_async(host: int, device: int, size: int, stream: int) -> int:
    return int(hip_library().hipMemcpyAsync(host, device, size, DEVICE_TO_HOST, stream))


COPIES: dict[str, Copy] = {
    copy.__name__: copy for copy in (to_device, to_device_async, to_host, to_host_async)
}


def copy_with_missing_pages(
    name: str, size: int, lost: int, protection: int, offset: int
) -> dict[str, Any]:
    host, block = pages(size, lost, protection), memory.device(size)
    stream = new_stream(NON_BLOCKING)
    code = COPIES[name](host + offset, block.address, size - offset, stream)
    later = codes_of_later_calls()
    seen = truth() if code else {}
    seen["off"] = seen.get("address", host) - (host + size - lost)
    seen["in_its_stream"] = seen.get("stream") == (stream if name.endswith("async") else 0)
    return {"code": code, "truth": seen, "later": sorted(set(later.values()))}


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("name", COPIES)
def test_a_copy_of_host_memory_that_is_gone_faults(name: str, size: int, code_object: str) -> None:
    """The call itself reports it: it reads or waits before it returns."""
    lost, offset = size // 2, 100
    answer = answer_of(copy_with_missing_pages, name, size, lost, NOTHING, offset)
    assert answer["code"] == ILLEGAL_ADDRESS
    assert answer["later"] == [ILLEGAL_ADDRESS]
    seen = answer["truth"]
    assert (seen["operation"], seen["kernel"], seen["device"]) == ("copy", "", 0)
    assert seen["address_known"]
    assert seen["is_write"] == name.startswith("to_host")
    assert seen["message"].startswith("write to" if seen["is_write"] else "read from")
    assert seen["in_its_stream"]
    assert 0 <= seen["off"] < lost


@pytest.mark.parametrize("name", ["to_host", "to_host_async"])
def test_a_copy_to_read_only_memory_faults(name: str, code_object: str) -> None:
    answer = answer_of(copy_with_missing_pages, name, SMALL, PAGE, READ_ONLY, 0)
    assert answer["code"] == ILLEGAL_ADDRESS
    assert answer["truth"]["is_write"]


@pytest.mark.parametrize("name", ["to_device", "to_device_async"])
def test_a_copy_from_read_only_memory_is_fine(name: str) -> None:
    answer = answer_of(copy_with_missing_pages, name, SMALL, PAGE, READ_ONLY, 0)
    assert (answer["code"], answer["truth"]["off"]) == (0, -PAGE)
    assert 0 in answer["later"]


def unmapped_source() -> list[int]:
    """Really unmapped, not only protected."""
    libc = ctypes.CDLL(None)
    libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    block, host = memory.device(SMALL), pages(SMALL, PAGE, READ_ONLY)
    done(hip_library().hipDeviceSynchronize())
    assert libc.munmap(host, SMALL) == 0
    code = hip_library().hipMemcpy(block.address, host, SMALL, HOST_TO_DEVICE)
    return [code, hip_library().hipDeviceSynchronize()]


def test_a_copy_from_unmapped_memory_faults() -> None:
    assert answer_of(unmapped_source) == [ILLEGAL_ADDRESS, ILLEGAL_ADDRESS]


def registered_then_unmapped() -> list[int]:
    """Registered memory that the program gave back to the system: the queued copy finds out."""
    libc = ctypes.CDLL(None)
    libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    hip, block, host = hip_library(), memory.device(SMALL), pages(SMALL, PAGE, READ_ONLY)
    stream = new_stream(NON_BLOCKING)
    done(hip.hipHostRegister(host, SMALL, 0))
    assert libc.mprotect(host, SMALL, NOTHING) == 0
    hip.hipMemcpyAsync(block.address, host, SMALL, HOST_TO_DEVICE, stream)
    return [hip.hipStreamSynchronize(stream), truth()["stream"] - stream]


def test_registered_memory_that_is_gone_faults_when_the_copy_runs() -> None:
    assert answer_of(registered_then_unmapped) == [ILLEGAL_ADDRESS, 0]
