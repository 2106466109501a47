"""Pointers and sizes that make no sense: an error each time, and nothing is damaged."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterator

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.codes import INVALID_VALUE, OUT_OF_MEMORY, SUCCESS, Code
from tests.simdevice.library import Library, byref, done
from tests.simdevice.memory import pageable

HUGE = (1 << 64) - 1
LARGEST = [HUGE, HUGE - 4095, 1 << 63, (1 << 63) - 1, 1 << 48]
FREES = ["hipFree", "hipHostFree", "hipFreeHost", "hipHostUnregister", "hipFreeAsync"]


def free(hip: Library, name: str, address: int | None) -> int:
    in_stream = (None,) if name == "hipFreeAsync" else ()
    return int(getattr(hip, name)(address, *in_stream))


def not_freed(name: str) -> Code:
    return Code.NOT_REGISTERED if name == "hipHostUnregister" else INVALID_VALUE


@pytest.fixture
def survivor(device: Borrowed) -> int:
    """Memory that must come through unharmed."""
    return device.memory(b"unharmed")


@pytest.fixture(autouse=True)
def _survivor_survives(device: Borrowed, survivor: int) -> Iterator[None]:
    yield
    assert device.read(survivor, 8) == b"unharmed"


# --- freeing what is not to be freed


@pytest.mark.parametrize("name", FREES)
@pytest.mark.parametrize("address", [1, 0x1000, 1 << 47, HUGE, HUGE - 4095])
def test_a_wild_pointer_is_not_freed(hip: Library, name: str, address: int) -> None:
    assert free(hip, name, address) == not_freed(name)


@pytest.mark.parametrize("name", FREES)
def test_an_interior_pointer_is_not_freed(hip: Library, device: Borrowed, name: str) -> None:
    memory, pinned, managed = device.memory(4096), device.pinned(4096), device.managed(4096)
    for base in (memory, pinned, managed):
        for offset in (-1, 1, 256, 4095, 4096):
            assert free(hip, name, base + offset) == not_freed(name)
    assert hip.hipMemset(memory, 0, 4096) == SUCCESS


@pytest.mark.parametrize("name", FREES)
def test_memory_of_the_program_is_not_freed(hip: Library, name: str) -> None:
    block, local = pageable(4096), ctypes.c_uint64(1)
    assert free(hip, name, block.address) == not_freed(name)
    assert free(hip, name, ctypes.addressof(local)) == not_freed(name)
    code = ctypes.cast(ctypes.CDLL(hip.path).hipFree, ctypes.c_void_p)
    assert free(hip, name, code.value) == not_freed(name)


@pytest.mark.parametrize("name", FREES)
def test_handles_are_not_freed(hip: Library, device: Borrowed, image: bytes, name: str) -> None:
    handles = [device.stream(), device.event(), device.module(image)]
    for handle in handles:
        assert free(hip, name, handle) == not_freed(name)
    assert hip.hipStreamQuery(handles[0]) == SUCCESS


@pytest.mark.parametrize("name", FREES)
def test_a_variable_is_not_freed(hip: Library, device: Borrowed, image: bytes, name: str) -> None:
    address = ctypes.c_void_p()
    done(hip.hipModuleGetGlobal(byref(address), None, device.module(image), b"counter"))
    assert free(hip, name, address.value) == not_freed(name)
    assert hip.hipMemset(address, 0, 4) == SUCCESS


@pytest.mark.parametrize("first", ["hipFree", "hipHostFree", "hipFreeHost", "hipFreeAsync"])
@pytest.mark.parametrize("second", FREES)
def test_memory_is_not_freed_twice(hip: Library, device: Borrowed, first: str, second: str) -> None:
    pool_memory = ctypes.c_void_p()
    done(hip.hipMallocAsync(byref(pool_memory), 100, None))
    for address in (device.memory(100), device.pinned(100), pool_memory.value):
        assert free(hip, first, address) == SUCCESS
        assert free(hip, second, address) == not_freed(second)


# --- sizes


@pytest.mark.parametrize("nbytes", LARGEST)
def test_sizes_that_no_memory_has(hip: Library, device: Borrowed, nbytes: int) -> None:
    pointer, memory = ctypes.c_void_p(), device.memory(64)
    assert hip.hipMalloc(byref(pointer), nbytes) == OUT_OF_MEMORY
    assert hip.hipHostMalloc(byref(pointer), nbytes, 0) == OUT_OF_MEMORY
    assert hip.hipMallocManaged(byref(pointer), nbytes, 1) == OUT_OF_MEMORY
    assert hip.hipMallocAsync(byref(pointer), nbytes, None) == OUT_OF_MEMORY
    assert hip.hipMemset(memory, 0, nbytes) == INVALID_VALUE
    assert hip.hipMemset(memory + 63, 0, nbytes) == INVALID_VALUE
    assert hip.hipMemsetD32(memory, 0, nbytes) == INVALID_VALUE
    assert hip.hipMemcpy(memory, memory, nbytes, 3) == INVALID_VALUE
    assert hip.hipMemcpyAsync(memory + 63, memory, nbytes, 3, None) == INVALID_VALUE
    assert hip.hipMemAdvise(memory, nbytes, 1, 0) == INVALID_VALUE
    assert hip.hipMemPrefetchAsync(memory, nbytes, 0, None) == INVALID_VALUE


@pytest.mark.parametrize("nbytes", LARGEST)
def test_more_than_there_is_cannot_be_registered(
    hip: Library, device: Borrowed, nbytes: int
) -> None:
    block = pageable(4096)
    assert hip.hipHostRegister(block.address, nbytes, 0) == INVALID_VALUE
    assert hip.hipMemGetAddressRange(None, None, block.address) == Code.NOT_FOUND
    assert hip.hipHostUnregister(block.address) == Code.NOT_REGISTERED
    assert device.read(device.memory(b"works"), 5) == b"works"


def test_memory_that_is_not_mapped_cannot_be_registered(hip: Library) -> None:
    with mmap.mmap(-1, 8192) as pages:
        anchor = ctypes.c_char.from_buffer(pages)
        address = ctypes.addressof(anchor)
        del anchor
    for gone in (address, address + 1, 0x1000):
        assert hip.hipHostRegister(gone, 4096, 0) == INVALID_VALUE
        assert hip.hipHostUnregister(gone) == Code.NOT_REGISTERED


def test_device_memory_cannot_be_registered(hip: Library, device: Borrowed) -> None:
    for address in (device.memory(4096), device.pinned(4096), device.managed(4096)):
        assert hip.hipHostRegister(address, 4096, 0) == Code.ALREADY_REGISTERED


# --- freed memory in every call that takes a pointer


def test_freed_memory_is_unknown_everywhere(hip: Library, device: Borrowed) -> None:
    freed, live, host = device.memory(4096), device.memory(4096), ctypes.create_string_buffer(16)
    done(hip.hipFree(freed))
    assert hip.hipMemset(freed, 0, 16) == INVALID_VALUE
    assert hip.hipMemsetAsync(freed, 0, 16, None) == INVALID_VALUE
    assert hip.hipMemsetD8(freed, 0, 16) == INVALID_VALUE
    assert hip.hipMemset2D(freed, 16, 0, 16, 1) == INVALID_VALUE
    assert hip.hipMemcpy(host, freed, 16, 2) == INVALID_VALUE
    assert hip.hipMemcpy(freed, host, 16, 1) == INVALID_VALUE
    assert hip.hipMemcpyDtoH(host, freed, 16) == INVALID_VALUE
    assert hip.hipMemcpy2D(host, 16, freed, 16, 16, 1, 2) == INVALID_VALUE
    assert hip.hipStreamWriteValue32(None, freed, 1, 0) == INVALID_VALUE
    assert hip.hipStreamWaitValue32(None, freed, 1, 0, 1) == INVALID_VALUE
    assert hip.hipMemAdvise(freed, 16, 1, 0) == INVALID_VALUE
    assert hip.hipMemPrefetchAsync(freed, 16, 0, None) == INVALID_VALUE
    assert hip.hipMemPtrGetInfo(freed, byref(ctypes.c_size_t())) == INVALID_VALUE
    assert hip.hipHostGetFlags(byref(ctypes.c_uint()), freed) == INVALID_VALUE
    assert hip.hipMemset(live, 0, 4096) == SUCCESS
