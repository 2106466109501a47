"""What is known about a pointer."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.child import answer_of
from tests.simdevice.codes import INVALID_VALUE, SUCCESS, Code
from tests.simdevice.library import Library, byref, done, hip_library
from tests.simdevice.memory import pageable
from tests.simdevice.structures import DEVICE, HOST, MANAGED, UNREGISTERED, PointerAttributes

NO_DEVICE = -2

# hipPointer_attribute
MEMORY_TYPE, DEVICE_POINTER, HOST_POINTER = 2, 3, 4
SYNC_MEMOPS, BUFFER_ID, IS_MANAGED, ORDINAL = 6, 7, 8, 9
RANGE_START, RANGE_SIZE, MAPPED, POOL = 11, 12, 13, 17


def attributes(hip: Library, address: int | None) -> PointerAttributes:
    filled = PointerAttributes(-7, -7, 7, 7, -7, 7)
    assert hip.hipPointerGetAttributes(byref(filled), address) == SUCCESS
    return filled


def attribute(hip: Library, number: int, address: int, kind: Any = ctypes.c_void_p) -> Any:
    value = kind()
    assert hip.hipPointerGetAttribute(byref(value), number, address) == SUCCESS
    return value.value


@pytest.mark.parametrize("offset", [0, 1, 99])
def test_device_memory_has_no_host_pointer(hip: Library, device: Borrowed, offset: int) -> None:
    memory = device.memory(100)
    known = attributes(hip, memory + offset)
    assert (known.type, known.device, known.is_managed, known.flags) == (DEVICE, 0, 0, 0)
    assert known.device_pointer == memory + offset
    assert known.host_pointer is None


@pytest.mark.parametrize("offset", [0, 1, 99])
def test_pinned_memory_has_both_pointers(hip: Library, device: Borrowed, offset: int) -> None:
    pinned = device.pinned(100, 1)
    known = attributes(hip, pinned + offset)
    assert (known.type, known.device, known.is_managed, known.flags) == (HOST, 0, 0, 1)
    assert known.device_pointer == known.host_pointer == pinned + offset


def test_registered_memory_is_host_memory(hip: Library) -> None:
    block = pageable(4096)
    done(hip.hipHostRegister(block.address, 4096, 2))
    known = attributes(hip, block.address + 8)
    assert (known.type, known.device, known.flags) == (HOST, 0, 2)
    assert known.host_pointer == block.address + 8
    assert known.device_pointer is not None
    done(hip.hipHostUnregister(block.address))
    assert attributes(hip, block.address).type == UNREGISTERED


def test_managed_memory_is_of_its_own_type(hip: Library, device: Borrowed) -> None:
    managed = device.managed(100)
    known = attributes(hip, managed + 4)
    assert (known.type, known.device, known.is_managed) == (MANAGED, 0, 1)
    assert known.device_pointer == known.host_pointer == managed + 4


def test_pool_memory_is_device_memory(hip: Library) -> None:
    pointer = ctypes.c_void_p()
    done(hip.hipMallocAsync(byref(pointer), 100, None))
    assert attributes(hip, pointer.value).type == DEVICE
    done(hip.hipFreeAsync(pointer, None))
    done(hip.hipStreamSynchronize(None))
    assert attributes(hip, pointer.value).type == UNREGISTERED


def unknown_pointers(device: Borrowed) -> list[int | None]:
    plain = ctypes.create_string_buffer(16)
    memory = device.memory(100)
    return [None, ctypes.addressof(plain), memory + 100, memory - 1, 1, (1 << 64) - 1]


def test_what_hip_does_not_know_is_unregistered(hip: Library, device: Borrowed) -> None:
    for address in unknown_pointers(device):
        known = attributes(hip, address)
        assert (known.type, known.device, known.is_managed) == (UNREGISTERED, NO_DEVICE, 0)
        assert known.device_pointer is None
        assert known.host_pointer is None
        assert known.flags == 0


def test_freed_memory_is_unregistered(hip: Library, device: Borrowed) -> None:
    memory = device.memory(100)
    done(hip.hipFree(memory))
    assert attributes(hip, memory).type == UNREGISTERED


def test_attributes_need_a_place(hip: Library, device: Borrowed) -> None:
    assert hip.hipPointerGetAttributes(None, device.memory(16)) == INVALID_VALUE


def owners() -> list[int]:
    hip = hip_library()
    borrowed = Borrowed(hip)
    done(hip.hipSetDevice(1))
    second = [borrowed.memory(16), borrowed.pinned(16)]
    done(hip.hipSetDevice(0))
    return [attributes(hip, address).device for address in [*second, borrowed.memory(16)]]


def test_memory_belongs_to_the_device_that_was_current() -> None:
    assert answer_of(owners, GRETA_SIM_DEVICES="2") == [1, 1, 0]


# --- one attribute at a time


def test_each_attribute_of_device_memory(hip: Library, device: Borrowed) -> None:
    memory = device.memory(1000)
    inside = memory + 10
    assert attribute(hip, MEMORY_TYPE, inside, ctypes.c_int) == DEVICE
    assert attribute(hip, DEVICE_POINTER, inside) == inside
    assert attribute(hip, RANGE_START, inside) == memory
    assert attribute(hip, ORDINAL, inside, ctypes.c_int) == 0
    assert attribute(hip, IS_MANAGED, inside, ctypes.c_bool) is False
    assert attribute(hip, MAPPED, inside, ctypes.c_bool) is True
    assert attribute(hip, SYNC_MEMOPS, inside, ctypes.c_int) == 0
    assert hip.hipPointerGetAttribute(byref(ctypes.c_void_p()), HOST_POINTER, inside) == (
        INVALID_VALUE
    )


def test_the_size_of_the_range_is_written_in_32_bits(hip: Library, device: Borrowed) -> None:
    room = ctypes.c_uint64(0xAAAAAAAA_AAAAAAAA)
    done(hip.hipPointerGetAttribute(byref(room), RANGE_SIZE, device.memory(1000)))
    assert room.value == 0xAAAAAAAA_00000000 + 1000


def test_host_memory_has_a_host_pointer(hip: Library, device: Borrowed) -> None:
    pinned, managed = device.pinned(64), device.managed(64)
    assert attribute(hip, HOST_POINTER, pinned + 1) == pinned + 1
    assert attribute(hip, HOST_POINTER, managed + 1) == managed + 1
    assert attribute(hip, IS_MANAGED, managed, ctypes.c_bool) is True
    assert attribute(hip, MEMORY_TYPE, pinned, ctypes.c_int) == HOST
    assert attribute(hip, MEMORY_TYPE, managed, ctypes.c_int) == MANAGED


def test_every_allocation_has_a_number_of_its_own(hip: Library, device: Borrowed) -> None:
    numbers = [attribute(hip, BUFFER_ID, device.memory(16), ctypes.c_uint64) for _ in range(5)]
    assert len(set(numbers)) == 5
    first = device.memory(16)
    assert attribute(hip, BUFFER_ID, first) == attribute(hip, BUFFER_ID, first + 15)


def test_pool_memory_names_its_pool(hip: Library, device: Borrowed) -> None:
    pool, pointer = ctypes.c_void_p(), ctypes.c_void_p()
    done(hip.hipDeviceGetDefaultMemPool(byref(pool), 0))
    done(hip.hipMallocAsync(byref(pointer), 64, None))
    assert attribute(hip, POOL, pointer.value or 0) == pool.value
    assert attribute(hip, POOL, device.memory(64)) is None
    done(hip.hipFree(pointer))


def test_an_attribute_needs_a_place_a_pointer_and_a_meaning(hip: Library, device: Borrowed) -> None:
    value, memory = ctypes.c_uint64(), device.memory(16)
    assert hip.hipPointerGetAttribute(None, MEMORY_TYPE, memory) == INVALID_VALUE
    assert hip.hipPointerGetAttribute(byref(value), MEMORY_TYPE, None) == INVALID_VALUE
    for meaningless in (0, 18, -1):
        assert hip.hipPointerGetAttribute(byref(value), meaningless, memory) == INVALID_VALUE
    for unknown in unknown_pointers(device):
        assert hip.hipPointerGetAttribute(byref(value), MEMORY_TYPE, unknown) == INVALID_VALUE


def test_the_one_attribute_that_can_be_set(hip: Library, device: Borrowed) -> None:
    memory, on = device.memory(16), ctypes.c_uint(1)
    assert hip.hipPointerSetAttribute(byref(on), SYNC_MEMOPS, memory) == SUCCESS
    assert attribute(hip, SYNC_MEMOPS, memory, ctypes.c_int) == 1
    assert hip.hipPointerSetAttribute(None, SYNC_MEMOPS, memory) == INVALID_VALUE
    assert hip.hipPointerSetAttribute(byref(on), MEMORY_TYPE, memory) == INVALID_VALUE


def many_attributes(hip: Library, address: int | None) -> tuple[int, list[int | None]]:
    asked = (ctypes.c_int * 2)(DEVICE_POINTER, RANGE_START)
    answers = (ctypes.c_void_p * 2)(0, 0)
    first = ctypes.addressof(answers)
    places = (ctypes.c_void_p * 2)(first, first + 8)
    return hip.hipDrvPointerGetAttributes(2, asked, places, address), list(answers)


def test_many_attributes_at_once(hip: Library, device: Borrowed) -> None:
    memory = device.memory(64)
    assert many_attributes(hip, memory + 3) == (SUCCESS, [memory + 3, memory])
    assert many_attributes(hip, None) == (SUCCESS, [None, None])
    assert hip.hipDrvPointerGetAttributes(0, None, None, memory) == INVALID_VALUE


# --- ranges


@pytest.mark.parametrize("offset", [0, 1, 999])
def test_the_range_is_what_was_asked_for(hip: Library, device: Borrowed, offset: int) -> None:
    for address in (device.memory(1000), device.pinned(1000), device.managed(1000)):
        base, size = ctypes.c_void_p(), ctypes.c_size_t()
        assert hip.hipMemGetAddressRange(byref(base), byref(size), address + offset) == SUCCESS
        assert (base.value, size.value) == (address, 1000)


def test_either_answer_about_the_range_may_be_left_out(hip: Library, device: Borrowed) -> None:
    memory, base, size = device.memory(1000), ctypes.c_void_p(), ctypes.c_size_t()
    assert hip.hipMemGetAddressRange(byref(base), None, memory) == SUCCESS
    assert hip.hipMemGetAddressRange(None, byref(size), memory) == SUCCESS
    assert hip.hipMemGetAddressRange(None, None, memory) == SUCCESS


def test_an_unknown_pointer_has_no_range(hip: Library, device: Borrowed) -> None:
    base, size = ctypes.c_void_p(), ctypes.c_size_t()
    for unknown in unknown_pointers(device):
        found = hip.hipMemGetAddressRange(byref(base), byref(size), unknown)
        assert found == Code.NOT_FOUND


def test_the_size_of_an_allocation(hip: Library, device: Borrowed) -> None:
    memory, size = device.memory(1000), ctypes.c_size_t()
    assert hip.hipMemPtrGetInfo(memory, byref(size)) == SUCCESS
    assert size.value == 1000
    assert hip.hipMemPtrGetInfo(memory, None) == INVALID_VALUE
    for unknown in unknown_pointers(device):
        assert hip.hipMemPtrGetInfo(unknown, byref(size)) == INVALID_VALUE
