"""Allocating, freeing, registering."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from typing import Any

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.child import answer_of
from tests.simdevice.codes import INVALID_DEVICE, INVALID_VALUE, OUT_OF_MEMORY, SUCCESS, Code
from tests.simdevice.library import Library, MemLocation, byref, done, hip_library
from tests.simdevice.memory import pageable
from tests.simdevice.streams import NON_BLOCKING, held, waits_for
from tests.simdevice.structures import ON_DEVICE, PointerAttributes

PAGE = mmap.PAGESIZE
PORTABLE, MAPPED, WRITE_COMBINED = 1, 2, 4
COHERENT, NON_COHERENT = 0x40000000, 0x80000000
GLOBAL, TO_HOST = 1, 2  # attachments of managed memory
CPU = -1

Allocate = Callable[[Library, Any, int], int]


def via_malloc(hip: Library, out: Any, nbytes: int) -> int:
    return int(hip.hipMalloc(out, nbytes))


def via_ext_malloc(hip: Library, out: Any, nbytes: int) -> int:
    return int(hip.hipExtMallocWithFlags(out, nbytes, 0))


def via_host_malloc(hip: Library, out: Any, nbytes: int) -> int:
    return int(hip.hipHostMalloc(out, nbytes, 0))


def via_host_alloc(hip: Library, out: Any, nbytes: int) -> int:
    return int(hip.hipHostAlloc(out, nbytes, 0))


def via_malloc_host(hip: Library, out: Any, nbytes: int) -> int:
    return int(hip.hipMallocHost(out, nbytes))


def via_malloc_async(hip: Library, out: Any, nbytes: int) -> int:
    return int(hip.hipMallocAsync(out, nbytes, None))


ON_HOST = [via_host_malloc, via_host_alloc, via_malloc_host]
EVERY_WAY = [via_malloc, via_ext_malloc, *ON_HOST, via_malloc_async]


def free_bytes(hip: Library) -> int:
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    done(hip.hipMemGetInfo(byref(free), byref(total)))
    return free.value


def total_bytes(hip: Library) -> int:
    total = ctypes.c_size_t()
    done(hip.hipMemGetInfo(None, byref(total)))
    return total.value


def allocation_flags(hip: Library, address: int) -> int:
    attributes = PointerAttributes()
    done(hip.hipPointerGetAttributes(byref(attributes), address))
    return int(attributes.flags)


# --- what every way of allocating has in common


@pytest.mark.parametrize("allocate", EVERY_WAY)
@pytest.mark.parametrize("nbytes", [1, 255, 4096, 100_000])
def test_addresses_are_aligned_and_the_memory_can_be_used(
    hip: Library, device: Borrowed, allocate: Allocate, nbytes: int
) -> None:
    pointer = ctypes.c_void_p()
    assert allocate(hip, byref(pointer), nbytes) == SUCCESS
    assert pointer.value
    assert pointer.value % 256 == 0
    content = bytes(range(256)) * (nbytes // 256 + 1)
    device.write(pointer.value, content[:nbytes])
    assert device.read(pointer.value, nbytes) == content[:nbytes]
    assert hip.hipFree(pointer) == SUCCESS


@pytest.mark.parametrize("allocate", EVERY_WAY)
def test_nothing_is_a_null_pointer(hip: Library, allocate: Allocate) -> None:
    pointer = ctypes.c_void_p(1)
    assert allocate(hip, byref(pointer), 0) == SUCCESS
    assert pointer.value is None


@pytest.mark.parametrize("allocate", EVERY_WAY)
def test_an_allocation_needs_a_place_for_its_address(hip: Library, allocate: Allocate) -> None:
    assert allocate(hip, None, 16) == INVALID_VALUE
    assert allocate(hip, None, 0) == INVALID_VALUE


@pytest.mark.parametrize("allocate", EVERY_WAY)
def test_more_than_the_device_has_is_out_of_memory(hip: Library, allocate: Allocate) -> None:
    before = free_bytes(hip)
    pointer = ctypes.c_void_p(1)
    for nbytes in (total_bytes(hip) + 1, 1 << 50, (1 << 64) - 1):
        assert allocate(hip, byref(pointer), nbytes) == OUT_OF_MEMORY
        assert pointer.value is None
    assert free_bytes(hip) == before


def test_allocations_do_not_overlap(hip: Library, device: Borrowed) -> None:
    addresses = [device.memory(bytes([number]) * 5000) for number in range(8)]
    for number, address in enumerate(addresses):
        assert device.read(address, 5000) == bytes([number]) * 5000


# --- the account


def test_free_memory_goes_down_by_whole_pages_and_up_again(hip: Library, device: Borrowed) -> None:
    before = free_bytes(hip)
    small, large = device.memory(1), device.memory(3 * PAGE + 1)
    assert before - free_bytes(hip) == PAGE + 4 * PAGE
    assert hip.hipFree(small) == SUCCESS
    assert hip.hipFree(large) == SUCCESS
    assert free_bytes(hip) == before


def test_pinned_and_managed_memory_is_not_the_devices(hip: Library, device: Borrowed) -> None:
    before = free_bytes(hip)
    device.pinned(1 << 20)
    device.managed(1 << 20)
    assert free_bytes(hip) == before


def test_either_answer_of_the_account_may_be_left_out(hip: Library) -> None:
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    assert hip.hipMemGetInfo(byref(free), None) == SUCCESS
    assert hip.hipMemGetInfo(None, byref(total)) == SUCCESS
    assert hip.hipMemGetInfo(None, None) == SUCCESS
    assert 0 < free.value <= total.value


def fill_the_device() -> dict[str, Any]:
    hip = hip_library()
    pointers: list[int | None] = []
    code = 0
    while len(pointers) < 100:
        pointer = ctypes.c_void_p()
        code = hip.hipMalloc(byref(pointer), 1 << 20)
        if code != 0:
            break
        pointers.append(pointer.value)
    left = free_bytes(hip)
    done(hip.hipFree(pointers.pop()))
    again = hip.hipMalloc(byref(ctypes.c_void_p()), 1 << 20)
    return {"held": len(pointers) + 1, "code": code, "left": left, "again": again}


def test_a_full_device_is_out_of_memory_until_something_is_freed() -> None:
    assert answer_of(fill_the_device, GRETA_SIM_VRAM="16M") == {
        "held": 16,
        "code": OUT_OF_MEMORY,
        "left": 0,
        "again": SUCCESS,
    }


def strict_allocations() -> list[int]:
    hip = hip_library()
    borrowed = Borrowed(hip)
    addresses = []
    for nbytes in (1, 100, 4004, 4096, 5000):
        addresses.append(borrowed.memory(bytes(nbytes)))
        assert borrowed.read(addresses[-1], nbytes) == bytes(nbytes)
        assert hip.hipMemset(addresses[-1], 0, nbytes + 1) == INVALID_VALUE
    return [*addresses, borrowed.memory(512), borrowed.pinned(512)]


def test_strict_placement_keeps_the_alignment_that_types_need() -> None:
    addresses = answer_of(strict_allocations, GRETA_SIM_PLACEMENT="strict")
    assert all(address % 16 == 0 for address in addresses)
    assert all(address % 256 == 0 for address in addresses[-2:])


# --- freeing


FREES = ["hipFree", "hipHostFree", "hipFreeHost"]


@pytest.mark.parametrize("name", FREES)
def test_freeing_null_is_nothing(hip: Library, name: str) -> None:
    assert getattr(hip, name)(None) == SUCCESS


@pytest.mark.parametrize("name", FREES)
def test_every_free_takes_device_pinned_and_managed_memory(
    hip: Library, device: Borrowed, name: str
) -> None:
    for address in (device.memory(16), device.pinned(16), device.managed(16)):
        assert getattr(hip, name)(address) == SUCCESS
        assert getattr(hip, name)(address) == INVALID_VALUE


def test_memory_is_freed_once(hip: Library, device: Borrowed) -> None:
    memory, pinned, other = device.memory(16), device.pinned(16), device.pinned(16)
    assert hip.hipFree(memory) == SUCCESS
    assert hip.hipFree(memory) == INVALID_VALUE
    assert hip.hipHostFree(pinned) == SUCCESS
    assert hip.hipHostFree(pinned) == INVALID_VALUE
    assert hip.hipFreeHost(other) == SUCCESS
    assert hip.hipFreeHost(other) == INVALID_VALUE


def test_memory_that_hip_does_not_know_is_not_freed(hip: Library) -> None:
    plain = ctypes.create_string_buffer(64)
    for name in FREES:
        assert getattr(hip, name)(plain) == INVALID_VALUE


@pytest.mark.parametrize("flags", [0, NON_BLOCKING])
def test_freeing_waits_for_the_streams_of_the_device(
    hip: Library, device: Borrowed, flags: int
) -> None:
    memory, pinned = device.memory(16), device.pinned(16)
    with held(device.stream(flags)) as hold:
        assert waits_for(hold, lambda: done(hip.hipFree(memory)))
    with held(device.stream(flags)) as hold:
        assert waits_for(hold, lambda: done(hip.hipHostFree(pinned)))


@pytest.mark.parametrize("allocate", EVERY_WAY)
def test_allocating_does_not_wait(hip: Library, device: Borrowed, allocate: Allocate) -> None:
    pointer = ctypes.c_void_p()
    with held(device.stream()):
        assert allocate(hip, byref(pointer), 4096) == SUCCESS
    done(hip.hipFree(pointer))


# --- device memory with flags, or in rows


@pytest.mark.parametrize("flags", [0, 1], ids=["default", "fine-grained"])
def test_flags_of_device_memory_are_kept(hip: Library, device: Borrowed, flags: int) -> None:
    pointer = ctypes.c_void_p()
    assert hip.hipExtMallocWithFlags(byref(pointer), 64, flags) == SUCCESS
    assert allocation_flags(hip, pointer.value or 0) == flags
    done(hip.hipFree(pointer))


def test_signal_memory_is_eight_bytes(hip: Library) -> None:
    pointer = ctypes.c_void_p()
    assert hip.hipExtMallocWithFlags(byref(pointer), 8, 2) == SUCCESS
    assert hip.hipFree(pointer) == SUCCESS
    assert hip.hipExtMallocWithFlags(byref(pointer), 16, 2) == INVALID_VALUE


def test_unknown_flags_of_device_memory_are_refused(hip: Library) -> None:
    pointer = ctypes.c_void_p()
    assert hip.hipExtMallocWithFlags(byref(pointer), 64, 0x100) == INVALID_VALUE


@pytest.mark.parametrize(("width", "pitch"), [(1, 256), (256, 256), (257, 512), (1000, 1024)])
def test_rows_begin_every_256_bytes(hip: Library, width: int, pitch: int) -> None:
    pointer, given, size = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_size_t()
    assert hip.hipMallocPitch(byref(pointer), byref(given), width, 5) == SUCCESS
    assert given.value == pitch
    done(hip.hipMemGetAddressRange(None, byref(size), pointer))
    assert size.value == 5 * pitch
    done(hip.hipFree(pointer))


def test_no_rows_or_empty_rows_are_a_null_pointer(hip: Library) -> None:
    for width, height in ((0, 5), (5, 0)):
        pointer, pitch = ctypes.c_void_p(1), ctypes.c_size_t()
        assert hip.hipMallocPitch(byref(pointer), byref(pitch), width, height) == SUCCESS
        assert pointer.value is None


def test_rows_need_places_for_both_answers_and_memory(hip: Library) -> None:
    pointer, pitch, huge = ctypes.c_void_p(), ctypes.c_size_t(), (1 << 64) - 1
    assert hip.hipMallocPitch(None, byref(pitch), 16, 16) == INVALID_VALUE
    assert hip.hipMallocPitch(byref(pointer), None, 16, 16) == INVALID_VALUE
    for width, height in ((huge, 1), (1, huge), (1 << 33, 1 << 33)):
        assert hip.hipMallocPitch(byref(pointer), byref(pitch), width, height) == OUT_OF_MEMORY


# --- pinned and managed memory


@pytest.mark.parametrize("allocate", ON_HOST)
def test_the_host_reads_and_writes_pinned_memory(
    hip: Library, device: Borrowed, allocate: Allocate
) -> None:
    pointer = ctypes.c_void_p()
    done(allocate(hip, byref(pointer), 16))
    assert pointer.value
    ctypes.memmove(pointer.value, b"from the host..", 16)
    memory = device.memory(16)
    done(hip.hipMemcpy(memory, pointer, 16, 1))
    assert device.read(memory, 16) == b"from the host..\0"
    device.write(pointer.value, b"from the device.")
    assert ctypes.string_at(pointer.value, 16) == b"from the device."
    assert hip.hipHostFree(pointer) == SUCCESS


@pytest.mark.parametrize("flags", [0, PORTABLE, MAPPED | WRITE_COMBINED, COHERENT, NON_COHERENT])
def test_flags_of_pinned_memory_are_kept(hip: Library, device: Borrowed, flags: int) -> None:
    pinned, found = device.pinned(64, flags), ctypes.c_uint(77)
    assert hip.hipHostGetFlags(byref(found), pinned) == SUCCESS
    assert found.value == flags
    assert hip.hipHostGetFlags(byref(found), pinned + 5) == SUCCESS
    assert allocation_flags(hip, pinned) == flags


def test_pinned_memory_is_coherent_or_not_but_not_both(hip: Library) -> None:
    pointer = ctypes.c_void_p()
    assert hip.hipHostMalloc(byref(pointer), 64, COHERENT | NON_COHERENT) == INVALID_VALUE
    assert pointer.value is None


def test_the_other_call_knows_only_the_three_old_flags(hip: Library) -> None:
    pointer = ctypes.c_void_p()
    assert hip.hipHostAlloc(byref(pointer), 64, PORTABLE | MAPPED | WRITE_COMBINED) == SUCCESS
    done(hip.hipHostFree(pointer))
    for unknown in (COHERENT, NON_COHERENT, 0x100):
        assert hip.hipHostAlloc(byref(pointer), 64, unknown) == INVALID_VALUE


def test_only_host_memory_has_host_flags(hip: Library, device: Borrowed) -> None:
    found = ctypes.c_uint()
    plain = ctypes.create_string_buffer(64)
    assert hip.hipHostGetFlags(byref(found), device.memory(64)) == INVALID_VALUE
    assert hip.hipHostGetFlags(byref(found), plain) == INVALID_VALUE
    assert hip.hipHostGetFlags(byref(found), None) == INVALID_VALUE
    assert hip.hipHostGetFlags(None, device.pinned(64)) == INVALID_VALUE


def test_pinned_memory_has_one_address_for_both_sides(hip: Library, device: Borrowed) -> None:
    pinned, found = device.pinned(64), ctypes.c_void_p()
    for offset in (0, 1, 63):
        assert hip.hipHostGetDevicePointer(byref(found), pinned + offset, 0) == SUCCESS
        assert found.value == pinned + offset


def test_only_host_memory_has_a_device_pointer(hip: Library, device: Borrowed) -> None:
    pinned, found = device.pinned(64), ctypes.c_void_p()
    plain = ctypes.create_string_buffer(64)
    assert hip.hipHostGetDevicePointer(byref(found), pinned, 1) == INVALID_VALUE
    assert hip.hipHostGetDevicePointer(None, pinned, 0) == INVALID_VALUE
    assert hip.hipHostGetDevicePointer(byref(found), None, 0) == INVALID_VALUE
    assert hip.hipHostGetDevicePointer(byref(found), plain, 0) == INVALID_VALUE
    assert hip.hipHostGetDevicePointer(byref(found), pinned + 64, 0) == INVALID_VALUE
    assert hip.hipHostGetDevicePointer(byref(found), device.memory(64), 0) == INVALID_VALUE


@pytest.mark.parametrize("flags", [GLOBAL, TO_HOST])
def test_managed_memory_belongs_to_both_sides(hip: Library, device: Borrowed, flags: int) -> None:
    pointer = ctypes.c_void_p()
    assert hip.hipMallocManaged(byref(pointer), 16, flags) == SUCCESS
    assert pointer.value
    assert pointer.value % 256 == 0
    ctypes.memmove(pointer.value, b"sixteen bytes...", 16)
    assert device.read(pointer.value, 16) == b"sixteen bytes..."
    done(hip.hipMemset(pointer, ord("x"), 4))
    assert ctypes.string_at(pointer.value, 16) == b"xxxxeen bytes..."
    assert allocation_flags(hip, pointer.value) == flags
    assert hip.hipFree(pointer) == SUCCESS


def test_managed_memory_has_a_size_and_one_attachment(hip: Library) -> None:
    pointer = ctypes.c_void_p()
    assert hip.hipMallocManaged(byref(pointer), 0, GLOBAL) == INVALID_VALUE
    assert hip.hipMallocManaged(None, 16, GLOBAL) == INVALID_VALUE
    for flags in (0, GLOBAL | TO_HOST, 4, 8):
        assert hip.hipMallocManaged(byref(pointer), 16, flags) == INVALID_VALUE
    assert hip.hipMallocManaged(byref(pointer), 1 << 50, GLOBAL) == OUT_OF_MEMORY


# --- registered memory


def test_registered_memory_is_known_to_the_byte(hip: Library, device: Borrowed) -> None:
    block = pageable(PAGE)
    inner = block.address + 100
    assert hip.hipHostRegister(inner, 50, 0) == SUCCESS
    base, size = ctypes.c_void_p(), ctypes.c_size_t()
    done(hip.hipMemGetAddressRange(byref(base), byref(size), inner + 49))
    assert (base.value, size.value) == (inner, 50)
    assert hip.hipMemGetAddressRange(None, None, inner - 1) == Code.NOT_FOUND
    assert hip.hipMemGetAddressRange(None, None, inner + 50) == Code.NOT_FOUND
    memory = device.memory(64)
    assert hip.hipMemcpy(memory, inner, 50, 1) == SUCCESS
    assert hip.hipMemcpy(memory, inner, 51, 1) == INVALID_VALUE
    assert hip.hipHostUnregister(inner) == SUCCESS


@pytest.mark.parametrize("flags", [0, 1, 2, 1 | 2, 4, 8])
def test_flags_of_registered_memory_are_kept(hip: Library, flags: int) -> None:
    block, found = pageable(PAGE), ctypes.c_uint(77)
    assert hip.hipHostRegister(block.address, PAGE, flags) == SUCCESS
    assert hip.hipHostGetFlags(byref(found), block.address) == SUCCESS
    assert found.value == flags
    done(hip.hipHostUnregister(block.address))


def test_registering_needs_memory_and_known_flags(hip: Library) -> None:
    block = pageable(PAGE)
    assert hip.hipHostRegister(None, PAGE, 0) == INVALID_VALUE
    assert hip.hipHostRegister(block.address, 0, 0) == INVALID_VALUE
    assert hip.hipHostRegister(block.address, PAGE, 16) == INVALID_VALUE
    assert hip.hipHostUnregister(block.address) == Code.NOT_REGISTERED


@pytest.mark.parametrize(("offset", "nbytes"), [(0, PAGE), (-1, 2), (PAGE - 1, 2), (10, 10)])
def test_memory_is_registered_once(hip: Library, offset: int, nbytes: int) -> None:
    block = pageable(3 * PAGE)
    middle = block.address + PAGE
    done(hip.hipHostRegister(middle, PAGE, 0))
    assert hip.hipHostRegister(middle + offset, nbytes, 0) == Code.ALREADY_REGISTERED
    done(hip.hipHostUnregister(middle))
    assert hip.hipHostRegister(middle + offset, nbytes, 0) == SUCCESS
    done(hip.hipHostUnregister(middle + offset))


def test_neighbours_are_registered_each_for_itself(hip: Library) -> None:
    block = pageable(2 * PAGE)
    assert hip.hipHostRegister(block.address, PAGE, 0) == SUCCESS
    assert hip.hipHostRegister(block.address + PAGE, PAGE, 0) == SUCCESS
    assert hip.hipHostUnregister(block.address) == SUCCESS
    assert hip.hipHostUnregister(block.address + PAGE) == SUCCESS


def test_only_registered_memory_is_unregistered(hip: Library, device: Borrowed) -> None:
    block = pageable(PAGE)
    assert hip.hipHostUnregister(None) == INVALID_VALUE
    assert hip.hipHostUnregister(block.address) == Code.NOT_REGISTERED
    assert hip.hipHostUnregister(device.pinned(16)) == Code.NOT_REGISTERED
    done(hip.hipHostRegister(block.address, PAGE, 0))
    assert hip.hipHostUnregister(block.address) == SUCCESS
    assert hip.hipHostUnregister(block.address) == Code.NOT_REGISTERED


@pytest.mark.parametrize("name", FREES)
def test_registered_memory_is_not_freed(hip: Library, name: str) -> None:
    block = pageable(PAGE)
    done(hip.hipHostRegister(block.address, PAGE, 0))
    assert getattr(hip, name)(block.address) == INVALID_VALUE
    assert hip.hipHostUnregister(block.address) == SUCCESS
    block.fill(7)
    assert block.byte == 7


def test_registered_memory_has_a_device_pointer(hip: Library) -> None:
    block, found = pageable(PAGE), ctypes.c_void_p()
    done(hip.hipHostRegister(block.address, PAGE, 0))
    assert hip.hipHostGetDevicePointer(byref(found), block.address + 3, 0) == SUCCESS
    assert found.value == block.address + 3
    done(hip.hipHostUnregister(block.address))
    assert hip.hipHostGetDevicePointer(byref(found), block.address, 0) == INVALID_VALUE


def test_unregistering_waits_for_the_streams_of_the_device(hip: Library, device: Borrowed) -> None:
    block = pageable(PAGE)
    done(hip.hipHostRegister(block.address, PAGE, 0))
    with held(device.stream()) as hold:
        assert waits_for(hold, lambda: done(hip.hipHostUnregister(block.address)))


# --- advice


def test_advice_is_accepted_for_memory_that_is_there(hip: Library, device: Borrowed) -> None:
    managed = device.managed(4096)
    for device_id in (CPU, 0):
        assert hip.hipMemAdvise(managed, 4096, 1, device_id) == SUCCESS
        assert hip.hipMemPrefetchAsync(managed, 4096, device_id, None) == SUCCESS
    assert hip.hipMemAdvise(managed, 4097, 1, 0) == INVALID_VALUE
    assert hip.hipMemAdvise(managed, 4096, 1, 3) == INVALID_DEVICE
    assert hip.hipMemPrefetchAsync(managed, 4097, 0, None) == INVALID_VALUE
    assert hip.hipMemPrefetchAsync(managed, 4096, 3, None) == INVALID_DEVICE
    assert hip.hipMemPrefetchAsync(None, 4096, 0, None) == INVALID_VALUE
    assert hip.hipMemPrefetchAsync(managed, 4096, 0, device.destroyed_stream()) == Code.DESTROYED


def test_advice_may_name_a_location(hip: Library, device: Borrowed) -> None:
    managed, here, nowhere = (
        device.managed(64),
        MemLocation(ON_DEVICE, 0),
        MemLocation(ON_DEVICE, 9),
    )
    host = MemLocation(2, 0)
    for place in (here, host):
        assert hip.hipMemAdvise_v2(managed, 64, 3, place) == SUCCESS
        assert hip.hipMemPrefetchAsync_v2(managed, 64, place, 0, None) == SUCCESS
    assert hip.hipMemAdvise_v2(managed, 64, 3, nowhere) == INVALID_DEVICE
    assert hip.hipMemPrefetchAsync_v2(managed, 64, nowhere, 0, None) == INVALID_DEVICE
    assert hip.hipMemPrefetchAsync_v2(managed, 64, here, 1, None) == INVALID_VALUE
