"""Stream-ordered allocation, and the pools it comes from."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.child import answer_of
from tests.simdevice.codes import (
    DESTROYED,
    INVALID_DEVICE,
    INVALID_HANDLE,
    INVALID_VALUE,
    OUT_OF_MEMORY,
    SUCCESS,
    Code,
)
from tests.simdevice.library import Library, MemLocation, byref, done, hip_library
from tests.simdevice.streams import NON_BLOCKING, held, waits_for
from tests.simdevice.structures import (
    NO_ACCESS,
    ON_DEVICE,
    PINNED,
    READ,
    READ_WRITE,
    AccessDescription,
    PoolProperties,
)

FOLLOW_EVENTS, OPPORTUNISTIC, INTERNAL = 1, 2, 3
THRESHOLD, RESERVED, RESERVED_HIGH, USED, USED_HIGH = 4, 5, 6, 7, 8
KEEP_ALL = (1 << 64) - 1
POOL_HANDLE = 17
PAGE = 4096


def properties(most_bytes: int = 0, ordinal: int = 0) -> PoolProperties:
    here = MemLocation(ON_DEVICE, ordinal)
    return PoolProperties(allocation_type=PINNED, location=here, most_bytes=most_bytes)


@contextmanager
def new_pool(hip: Library, most_bytes: int = 0) -> Iterator[int]:
    pool = ctypes.c_void_p()
    done(hip.hipMemPoolCreate(byref(pool), byref(properties(most_bytes))))
    yield pool.value or 0
    hip.hipMemPoolDestroy(pool)


def default_pool(hip: Library) -> int:
    pool = ctypes.c_void_p()
    done(hip.hipDeviceGetDefaultMemPool(byref(pool), 0))
    return pool.value or 0


def current_pool(hip: Library) -> int:
    pool = ctypes.c_void_p()
    done(hip.hipDeviceGetMemPool(byref(pool), 0))
    return pool.value or 0


def number(hip: Library, pool: int, attribute: int) -> int:
    value = ctypes.c_uint64()
    assert hip.hipMemPoolGetAttribute(pool, attribute, byref(value)) == SUCCESS
    return value.value


def set_number(hip: Library, pool: int, attribute: int, value: int) -> int:
    return int(hip.hipMemPoolSetAttribute(pool, attribute, byref(ctypes.c_uint64(value))))


def allocate(hip: Library, nbytes: int, stream: int | None, pool: int | None = None) -> int:
    pointer = ctypes.c_void_p()
    if pool is None:
        done(hip.hipMallocAsync(byref(pointer), nbytes, stream))
    else:
        done(hip.hipMallocFromPoolAsync(byref(pointer), nbytes, pool, stream))
    return pointer.value or 0


def is_known(hip: Library, address: int) -> bool:
    return bool(hip.hipMemGetAddressRange(None, None, address) == SUCCESS)


# --- allocating and freeing


def test_memory_is_there_at_once_and_used_in_stream_order(hip: Library, device: Borrowed) -> None:
    stream = device.stream(NON_BLOCKING)
    with held(stream):
        memory = allocate(hip, 100, stream)
        assert memory % 256 == 0
        assert is_known(hip, memory)
        done(hip.hipMemsetAsync(memory, ord("x"), 100, stream))
        assert hip.hipMemsetAsync(memory, 0, 101, stream) == INVALID_VALUE
    done(hip.hipStreamSynchronize(stream))
    assert device.read(memory, 100) == b"x" * 100
    assert hip.hipFreeAsync(memory, stream) == SUCCESS


def test_freed_memory_is_the_programs_no_more(hip: Library, device: Borrowed) -> None:
    stream = device.stream()
    memory = allocate(hip, 100, stream)
    with held(stream):
        assert hip.hipFreeAsync(memory, stream) == SUCCESS
        assert not is_known(hip, memory)
        assert hip.hipFreeAsync(memory, stream) == INVALID_VALUE
        assert hip.hipFree(memory) == INVALID_VALUE
    done(hip.hipStreamSynchronize(stream))


def test_work_queued_before_the_free_still_has_its_memory(hip: Library, device: Borrowed) -> None:
    stream = device.stream(NON_BLOCKING)
    memory, copy = allocate(hip, 4, stream), device.memory(b"....")
    device.write(memory, b"left")
    with held(stream):
        done(hip.hipMemcpyAsync(copy, memory, 4, 3, stream))
        done(hip.hipFreeAsync(memory, stream))
    done(hip.hipStreamSynchronize(stream))
    assert device.read(copy, 4) == b"left"


def test_the_same_stream_gets_its_memory_back_at_once(hip: Library, device: Borrowed) -> None:
    stream = device.stream()
    first = allocate(hip, 5000, stream)
    with held(stream):
        done(hip.hipFreeAsync(first, stream))
        assert allocate(hip, 5000, stream) == first
    done(hip.hipFreeAsync(first, stream))


def test_another_stream_gets_it_only_when_the_free_was_reached(
    hip: Library, device: Borrowed
) -> None:
    stream, other = device.stream(NON_BLOCKING), device.stream(NON_BLOCKING)
    first = allocate(hip, 5000, stream)
    with held(stream):
        done(hip.hipFreeAsync(first, stream))
        second = allocate(hip, 5000, other)
        assert second != first
    done(hip.hipFreeAsync(second, other))


def test_freeing_null_in_a_stream_is_nothing(hip: Library, device: Borrowed) -> None:
    assert hip.hipFreeAsync(None, None) == SUCCESS


def test_only_allocations_are_freed_in_a_stream(hip: Library, device: Borrowed) -> None:
    plain, memory = ctypes.create_string_buffer(16), allocate(hip, 100, None)
    assert hip.hipFreeAsync(plain, None) == INVALID_VALUE
    assert hip.hipFreeAsync(memory + 1, None) == INVALID_VALUE
    assert hip.hipFreeAsync(memory, device.destroyed_stream()) == DESTROYED
    assert hip.hipFreeAsync(memory, 0x1234) == INVALID_HANDLE
    assert hip.hipFreeAsync(memory, None) == SUCCESS


def test_each_free_takes_the_memory_of_the_other(hip: Library, device: Borrowed) -> None:
    assert hip.hipFree(allocate(hip, 100, None)) == SUCCESS
    memory = device.memory(100)
    assert hip.hipFreeAsync(memory, None) == SUCCESS
    assert not is_known(hip, memory)


def test_freeing_pool_memory_does_not_wait(hip: Library, device: Borrowed) -> None:
    stream = device.stream()
    memory = allocate(hip, 100, stream)
    with held(device.stream()):
        assert hip.hipFree(memory) == SUCCESS


def test_freeing_ordinary_memory_in_a_stream_waits(hip: Library, device: Borrowed) -> None:
    memory = device.memory(100)
    with held(device.stream()) as hold:
        assert waits_for(hold, lambda: done(hip.hipFreeAsync(memory, None)))


def test_allocating_needs_a_place_and_a_stream(hip: Library, device: Borrowed) -> None:
    pointer, stale = ctypes.c_void_p(1), device.destroyed_stream()
    assert hip.hipMallocAsync(None, 16, None) == INVALID_VALUE
    assert hip.hipMallocAsync(byref(pointer), 16, stale) == DESTROYED
    assert hip.hipMallocAsync(byref(pointer), 16, 0x1234) == INVALID_HANDLE
    assert hip.hipMallocAsync(byref(pointer), 0, None) == SUCCESS
    assert pointer.value is None
    assert hip.hipMallocAsync(byref(pointer), 1 << 50, None) == OUT_OF_MEMORY


def test_allocating_from_a_pool_needs_a_pool_too(hip: Library, device: Borrowed) -> None:
    pointer, pool = ctypes.c_void_p(1), default_pool(hip)
    assert hip.hipMallocFromPoolAsync(byref(pointer), 16, None, None) == INVALID_VALUE
    assert hip.hipMallocFromPoolAsync(byref(pointer), 16, 0x1234, None) == INVALID_VALUE
    assert hip.hipMallocFromPoolAsync(None, 16, pool, None) == INVALID_VALUE
    stale = device.destroyed_stream()
    assert hip.hipMallocFromPoolAsync(byref(pointer), 16, pool, stale) == DESTROYED
    assert hip.hipMallocFromPoolAsync(byref(pointer), 0, pool, None) == SUCCESS
    assert pointer.value is None
    assert hip.hipMallocFromPoolAsync(byref(pointer), 1 << 50, pool, None) == OUT_OF_MEMORY


# --- pools


def test_the_default_pool_is_the_current_one(hip: Library) -> None:
    assert default_pool(hip) == current_pool(hip)
    assert default_pool(hip) == default_pool(hip)


def test_another_pool_may_become_the_current_one(hip: Library) -> None:
    with new_pool(hip) as pool:
        assert hip.hipDeviceSetMemPool(0, pool) == SUCCESS
        assert current_pool(hip) == pool
        assert default_pool(hip) != pool
        memory = allocate(hip, 100, None)
        assert number(hip, pool, USED) == PAGE
        done(hip.hipFreeAsync(memory, None))
        assert hip.hipDeviceSetMemPool(0, default_pool(hip)) == SUCCESS
        assert current_pool(hip) == default_pool(hip)


def test_destroying_the_current_pool_brings_the_default_back(hip: Library) -> None:
    with new_pool(hip) as pool:
        done(hip.hipDeviceSetMemPool(0, pool))
        assert hip.hipMemPoolDestroy(pool) == SUCCESS
        assert current_pool(hip) == default_pool(hip)


def test_asking_for_pools_needs_a_place_and_a_device(hip: Library) -> None:
    pool = ctypes.c_void_p()
    assert hip.hipDeviceGetDefaultMemPool(None, 0) == INVALID_VALUE
    assert hip.hipDeviceGetDefaultMemPool(byref(pool), 1) == INVALID_DEVICE
    assert hip.hipDeviceGetDefaultMemPool(byref(pool), -1) == INVALID_DEVICE
    assert hip.hipDeviceGetMemPool(None, 0) == INVALID_VALUE
    assert hip.hipDeviceGetMemPool(byref(pool), 1) == INVALID_VALUE
    assert hip.hipDeviceSetMemPool(0, None) == INVALID_VALUE
    assert hip.hipDeviceSetMemPool(1, default_pool(hip)) == INVALID_VALUE
    assert hip.hipDeviceSetMemPool(0, 0x1234) == INVALID_VALUE


def a_pool_of_another_device() -> list[int]:
    hip = hip_library()
    pool = ctypes.c_void_p()
    created = hip.hipMemPoolCreate(byref(pool), byref(properties(ordinal=1)))
    return [created, hip.hipDeviceSetMemPool(0, pool), hip.hipDeviceSetMemPool(1, pool)]


def test_a_pool_belongs_to_one_device() -> None:
    expected = [SUCCESS, INVALID_DEVICE, SUCCESS]
    assert answer_of(a_pool_of_another_device, GRETA_SIM_DEVICES="2") == expected


def test_a_pool_is_made_on_a_device(hip: Library) -> None:
    pool = ctypes.c_void_p()
    elsewhere, managed = properties(ordinal=9), properties()
    managed.location.type = 2
    unknown = properties()
    unknown.allocation_type = 0
    for wrong in (elsewhere, managed, unknown):
        assert hip.hipMemPoolCreate(byref(pool), byref(wrong)) == INVALID_VALUE
    assert hip.hipMemPoolCreate(None, byref(properties())) == INVALID_VALUE
    assert hip.hipMemPoolCreate(byref(pool), None) == INVALID_VALUE


def test_a_pool_may_have_a_greatest_size(hip: Library) -> None:
    with new_pool(hip, most_bytes=10 * PAGE) as pool:
        memory = allocate(hip, 10 * PAGE, None, pool)
        code = hip.hipMallocFromPoolAsync(byref(ctypes.c_void_p()), 1, pool, None)
        assert code == OUT_OF_MEMORY
        done(hip.hipFreeAsync(memory, None))


def test_a_pool_is_destroyed_once_and_the_default_never(hip: Library) -> None:
    with new_pool(hip) as pool:
        assert hip.hipMemPoolDestroy(pool) == SUCCESS
        assert hip.hipMemPoolDestroy(pool) == INVALID_VALUE
    assert hip.hipMemPoolDestroy(None) == INVALID_VALUE
    assert hip.hipMemPoolDestroy(default_pool(hip)) == INVALID_VALUE


def pool_of(hip: Library, memory: int) -> int:
    handle = ctypes.c_void_p()
    done(hip.hipPointerGetAttribute(byref(handle), POOL_HANDLE, memory))
    return handle.value or 0


def test_a_destroyed_pool_does_not_come_back(hip: Library, device: Borrowed) -> None:
    """A free that is still queued keeps it alive, but not for the program."""
    stream = device.stream(NON_BLOCKING)
    with new_pool(hip) as pool, held(stream):
        freed, kept = (allocate(hip, 16, stream, pool) for _ in range(2))
        assert pool_of(hip, kept) == pool
        done(hip.hipFreeAsync(freed, stream))
        done(hip.hipMemPoolDestroy(pool))
        assert pool_of(hip, kept) == pool
        assert hip.hipMemPoolTrimTo(pool, 0) == INVALID_VALUE
        done(hip.hipFreeAsync(kept, stream))


def test_memory_outlives_its_pool(hip: Library, device: Borrowed) -> None:
    with new_pool(hip) as pool:
        memory = allocate(hip, 16, None, pool)
    device.write(memory, b"still there")
    assert device.read(memory, 11) == b"still there"
    assert hip.hipFreeAsync(memory, None) == SUCCESS
    done(hip.hipStreamSynchronize(None))
    assert not is_known(hip, memory)


# --- attributes


def test_a_pool_counts_what_is_used_and_what_is_held(hip: Library) -> None:
    with new_pool(hip) as pool:
        assert set_number(hip, pool, THRESHOLD, KEEP_ALL) == SUCCESS
        first, second = allocate(hip, 100, None, pool), allocate(hip, PAGE + 1, None, pool)
        assert number(hip, pool, USED) == number(hip, pool, RESERVED) == 3 * PAGE
        done(hip.hipFreeAsync(second, None))
        done(hip.hipStreamSynchronize(None))
        assert number(hip, pool, USED) == PAGE
        assert number(hip, pool, RESERVED) == 3 * PAGE
        assert number(hip, pool, USED_HIGH) == number(hip, pool, RESERVED_HIGH) == 3 * PAGE
        done(hip.hipFreeAsync(first, None))


def test_the_highest_counts_can_be_reset_but_not_set(hip: Library) -> None:
    with new_pool(hip) as pool:
        done(hip.hipFreeAsync(allocate(hip, 100, None, pool), None))
        done(hip.hipStreamSynchronize(None))
        for high in (USED_HIGH, RESERVED_HIGH):
            assert number(hip, pool, high) == PAGE
            assert set_number(hip, pool, high, 0) == SUCCESS
            assert number(hip, pool, high) == 0
            assert set_number(hip, pool, high, 5) == INVALID_VALUE
        for current in (USED, RESERVED):
            assert set_number(hip, pool, current, 0) == INVALID_VALUE


@pytest.mark.parametrize("attribute", [FOLLOW_EVENTS, OPPORTUNISTIC, INTERNAL])
def test_reuse_is_on_and_can_be_switched_off(hip: Library, attribute: int) -> None:
    with new_pool(hip) as pool:
        flag = ctypes.c_int()
        assert hip.hipMemPoolGetAttribute(pool, attribute, byref(flag)) == SUCCESS
        assert flag.value == 1
        off = ctypes.c_int(0)
        assert hip.hipMemPoolSetAttribute(pool, attribute, byref(off)) == SUCCESS
        assert hip.hipMemPoolGetAttribute(pool, attribute, byref(flag)) == SUCCESS
        assert flag.value == 0


def test_unused_memory_goes_back_at_a_synchronization(hip: Library) -> None:
    with new_pool(hip) as pool:
        assert number(hip, pool, THRESHOLD) == 0
        done(hip.hipFreeAsync(allocate(hip, 100, None, pool), None))
        done(hip.hipStreamSynchronize(None))
        assert number(hip, pool, RESERVED) == 0


def test_below_the_threshold_it_is_held(hip: Library) -> None:
    with new_pool(hip) as pool:
        assert set_number(hip, pool, THRESHOLD, 10 * PAGE) == SUCCESS
        assert number(hip, pool, THRESHOLD) == 10 * PAGE
        done(hip.hipFreeAsync(allocate(hip, 100, None, pool), None))
        done(hip.hipDeviceSynchronize())
        assert number(hip, pool, RESERVED) == PAGE


def free_bytes(hip: Library) -> int:
    free = ctypes.c_size_t()
    done(hip.hipMemGetInfo(byref(free), None))
    return free.value


def test_pool_memory_counts_as_device_memory(hip: Library) -> None:
    before = free_bytes(hip)
    with new_pool(hip) as pool:
        done(set_number(hip, pool, THRESHOLD, KEEP_ALL))
        memory = allocate(hip, PAGE + 1, None, pool)
        assert before - free_bytes(hip) == 2 * PAGE
        done(hip.hipFreeAsync(memory, None))
        done(hip.hipStreamSynchronize(None))
        assert before - free_bytes(hip) == 2 * PAGE
        done(hip.hipMemPoolTrimTo(pool, 0))
        assert free_bytes(hip) == before


def test_trimming_keeps_at_least_what_is_asked_for(hip: Library) -> None:
    with new_pool(hip) as pool:
        done(set_number(hip, pool, THRESHOLD, KEEP_ALL))
        blocks = [allocate(hip, PAGE, None, pool) for _ in range(4)]
        for block in blocks:
            done(hip.hipFreeAsync(block, None))
        done(hip.hipStreamSynchronize(None))
        assert number(hip, pool, RESERVED) == 4 * PAGE
        assert hip.hipMemPoolTrimTo(pool, 2 * PAGE) == SUCCESS
        assert number(hip, pool, RESERVED) == 2 * PAGE
        assert hip.hipMemPoolTrimTo(pool, 0) == SUCCESS
        assert number(hip, pool, RESERVED) == 0


def test_trimming_leaves_what_is_in_use(hip: Library, device: Borrowed) -> None:
    with new_pool(hip) as pool:
        memory = allocate(hip, 16, None, pool)
        assert hip.hipMemPoolTrimTo(pool, 0) == SUCCESS
        device.write(memory, b"still there")
        assert number(hip, pool, RESERVED) == PAGE
        done(hip.hipFreeAsync(memory, None))


def test_an_attribute_needs_a_pool_a_place_and_a_meaning(hip: Library) -> None:
    value, pool = ctypes.c_uint64(), default_pool(hip)
    for wrong in (None, 0x1234):
        assert hip.hipMemPoolGetAttribute(wrong, USED, byref(value)) == INVALID_VALUE
        assert hip.hipMemPoolSetAttribute(wrong, THRESHOLD, byref(value)) == INVALID_VALUE
        assert hip.hipMemPoolTrimTo(wrong, 0) == INVALID_VALUE
    assert hip.hipMemPoolGetAttribute(pool, USED, None) == INVALID_VALUE
    assert hip.hipMemPoolSetAttribute(pool, THRESHOLD, None) == INVALID_VALUE
    for meaningless in (0, 9, -1):
        assert hip.hipMemPoolGetAttribute(pool, meaningless, byref(value)) == INVALID_VALUE
        assert hip.hipMemPoolSetAttribute(pool, meaningless, byref(value)) == INVALID_VALUE


# --- access


def access(hip: Library, pool: int, ordinal: int) -> int:
    flags, place = ctypes.c_int(77), MemLocation(ON_DEVICE, ordinal)
    done(hip.hipMemPoolGetAccess(byref(flags), pool, byref(place)))
    return flags.value


def test_the_own_device_always_has_access(hip: Library) -> None:
    pool = default_pool(hip)
    assert access(hip, pool, 0) == READ_WRITE
    here = MemLocation(ON_DEVICE, 0)
    for flags, expected in (
        (READ_WRITE, SUCCESS),
        (NO_ACCESS, INVALID_DEVICE),
        (READ, Code.NOT_SUPPORTED),
        (7, INVALID_VALUE),
    ):
        wish = AccessDescription(here, flags)
        assert hip.hipMemPoolSetAccess(pool, byref(wish), 1) == expected
    assert hip.hipMemPoolSetAccess(pool, None, 1) == INVALID_VALUE
    assert hip.hipMemPoolSetAccess(None, byref(AccessDescription(here, 3)), 1) == INVALID_VALUE
    nowhere = AccessDescription(MemLocation(ON_DEVICE, 5), READ_WRITE)
    assert hip.hipMemPoolSetAccess(pool, byref(nowhere), 1) == INVALID_DEVICE
    assert hip.hipMemPoolGetAccess(None, pool, byref(here)) == INVALID_VALUE
    assert hip.hipMemPoolGetAccess(byref(ctypes.c_int()), pool, None) == INVALID_VALUE


def access_of_a_peer() -> list[int]:
    hip = hip_library()
    pool = default_pool(hip)
    answers = [access(hip, pool, 1)]
    for flags in (READ_WRITE, NO_ACCESS):
        wish = AccessDescription(MemLocation(ON_DEVICE, 1), flags)
        answers += [hip.hipMemPoolSetAccess(pool, byref(wish), 1), access(hip, pool, 1)]
    return answers


def test_a_peer_gets_access_on_demand() -> None:
    expected = [NO_ACCESS, SUCCESS, READ_WRITE, SUCCESS, NO_ACCESS]
    assert answer_of(access_of_a_peer, GRETA_SIM_DEVICES="2") == expected
