"""What freeing waits for, and when freed memory of a pool comes back."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator

import pytest

from tests.simdevice import memory
from tests.simdevice.library import Library, byref, done
from tests.simdevice.memory import DEVICE_TO_DEVICE, Block, DeviceBlock
from tests.simdevice.ordering.conftest import SIZE, MemoryOf
from tests.simdevice.streams import (
    BLOCKING,
    DEFAULT_STREAM,
    NON_BLOCKING,
    PER_THREAD,
    Handle,
    held,
    is_done,
    synchronize,
    waits_for,
)

REUSE_OPPORTUNISTIC, RELEASE_THRESHOLD, RESERVED_NOW = 2, 4, 5
KEEP_EVERYTHING = 2**64 - 1

# --- hipFree and its like


@pytest.fixture(params=["blocking", "non-blocking", "default", "per-thread"])
def any_stream(request: pytest.FixtureRequest, streams: Callable[[int], Handle]) -> Handle:
    name: str = request.param
    if name in ("default", "per-thread"):
        return DEFAULT_STREAM if name == "default" else PER_THREAD
    return streams(BLOCKING if name == "blocking" else NON_BLOCKING)


@pytest.mark.parametrize("kind", ["device", "pinned", "registered"])
def test_freeing_waits_for_every_stream_of_the_device(
    kind: str, hip: Library, any_stream: Handle
) -> None:
    block: Block = getattr(memory, kind)(SIZE)
    with held(any_stream) as hold:
        assert waits_for(hold, block.free)


def test_freeing_waits_for_work_that_uses_the_memory(hip: Library, free_stream: Handle) -> None:
    """Nothing is lost and nothing faults, although the free was called long before."""
    src, dst = memory.pinned(SIZE), memory.device(SIZE)
    keeper = memory.device(SIZE)
    src.fill(1)
    with held(free_stream) as hold:
        done(hip.hipMemcpyAsync(dst.address, src.address, SIZE, 1, free_stream))
        arguments = (keeper.address, dst.address, SIZE, DEVICE_TO_DEVICE, free_stream)
        done(hip.hipMemcpyAsync(*arguments))
        assert waits_for(hold, dst.free)
        src.free()
    assert keeper.byte == 1
    keeper.free()


def test_allocating_does_not_wait(hip: Library, free_stream: Handle) -> None:
    with held(free_stream), held(DEFAULT_STREAM):
        block, host = memory.device(SIZE), memory.pinned(SIZE)
        assert not is_done(DEFAULT_STREAM)
    block.free()
    host.free()


def test_hip_free_async_of_ordinary_memory_waits_for_the_device(
    hip: Library, free_stream: Handle, stream: Handle
) -> None:
    block = memory.device(SIZE)
    with held(free_stream) as hold:
        assert waits_for(hold, lambda: done(hip.hipFreeAsync(block.address, stream)))
    assert hip.hipFree(block.address) == 1


# --- pools


def allocate(hip: Library, stream: Handle, size: int = SIZE) -> DeviceBlock:
    pointer = ctypes.c_void_p()
    done(hip.hipMallocAsync(byref(pointer), size, stream))
    return DeviceBlock(pointer.value or 0, size)


def free(hip: Library, block: Block, stream: Handle) -> None:
    done(hip.hipFreeAsync(block.address, stream))


@pytest.fixture
def pool(hip: Library) -> Iterator[int]:
    """The default pool; keeps what is freed while the test runs."""
    handle = ctypes.c_void_p()
    done(hip.hipDeviceGetDefaultMemPool(byref(handle), 0))
    set_attribute(hip, handle.value or 0, RELEASE_THRESHOLD, KEEP_EVERYTHING)
    yield handle.value or 0
    set_attribute(hip, handle.value or 0, RELEASE_THRESHOLD, 0)
    done(hip.hipDeviceSynchronize())


def set_attribute(hip: Library, pool: int, attribute: int, value: int) -> None:
    done(hip.hipMemPoolSetAttribute(pool, attribute, byref(ctypes.c_uint64(value))))


def reserved(hip: Library, pool: int) -> int:
    value = ctypes.c_uint64(0)
    done(hip.hipMemPoolGetAttribute(pool, RESERVED_NOW, byref(value)))
    return value.value


def test_pool_memory_is_there_at_once_for_its_stream(hip: Library, free_stream: Handle) -> None:
    with held(free_stream):
        block = allocate(hip, free_stream)
        done(hip.hipMemsetAsync(block.address, 1, block.size, free_stream))
    assert block.byte == 1
    free(hip, block, free_stream)


def test_freeing_pool_memory_does_not_wait(
    hip: Library, pool: int, free_stream: Handle, stream: Handle
) -> None:
    first, second = allocate(hip, free_stream), allocate(hip, free_stream)
    with held(free_stream), held(stream):
        done(hip.hipFree(first.address))
        free(hip, second, free_stream)
        assert not is_done(free_stream)


def test_work_queued_before_the_free_still_has_its_memory(
    hip: Library, free_stream: Handle, block: Block
) -> None:
    lent = allocate(hip, free_stream)
    with held(free_stream):
        done(hip.hipMemsetAsync(lent.address, 1, SIZE, free_stream))
        arguments = (block.address, lent.address, SIZE, DEVICE_TO_DEVICE, free_stream)
        done(hip.hipMemcpyAsync(*arguments))
        free(hip, lent, free_stream)
    assert block.byte == 1


def test_the_same_stream_gets_a_freed_block_back_at_once(
    hip: Library, pool: int, free_stream: Handle
) -> None:
    first = allocate(hip, free_stream)
    with held(free_stream):
        free(hip, first, free_stream)
        second = allocate(hip, free_stream)
        assert second.address == first.address
    free(hip, second, free_stream)


def test_two_lives_of_one_block_do_not_mix(
    hip: Library, pool: int, free_stream: Handle, memory_of: MemoryOf
) -> None:
    results = [memory_of("device", SIZE), memory_of("device", SIZE)]
    with held(free_stream):
        for value, result in enumerate(results, start=1):
            lent = allocate(hip, free_stream)
            done(hip.hipMemsetAsync(lent.address, value, SIZE, free_stream))
            arguments = (result.address, lent.address, SIZE, DEVICE_TO_DEVICE, free_stream)
            done(hip.hipMemcpyAsync(*arguments))
            free(hip, lent, free_stream)
    assert [result.byte for result in results] == [1, 2]


def test_another_stream_does_not_get_a_block_whose_free_is_still_queued(
    hip: Library, pool: int, free_stream: Handle, other_free_stream: Handle
) -> None:
    first = allocate(hip, free_stream)
    with held(free_stream):
        free(hip, first, free_stream)
        second = allocate(hip, other_free_stream)
        assert second.address != first.address
    free(hip, second, other_free_stream)


def test_another_stream_gets_a_block_whose_free_was_reached(
    hip: Library, pool: int, free_stream: Handle, other_free_stream: Handle
) -> None:
    first = allocate(hip, free_stream)
    free(hip, first, free_stream)
    synchronize(free_stream)
    second = allocate(hip, other_free_stream)
    assert second.address == first.address
    free(hip, second, other_free_stream)


def test_another_stream_does_not_get_it_if_opportunism_is_off(
    hip: Library, pool: int, free_stream: Handle, other_free_stream: Handle
) -> None:
    set_attribute(hip, pool, REUSE_OPPORTUNISTIC, 0)
    first = allocate(hip, free_stream)
    free(hip, first, free_stream)
    synchronize(free_stream)
    second = allocate(hip, other_free_stream)
    assert second.address != first.address
    free(hip, second, other_free_stream)
    set_attribute(hip, pool, REUSE_OPPORTUNISTIC, 1)


def synchronize_stream(hip: Library, stream: Handle) -> None:
    synchronize(stream)


def synchronize_event(hip: Library, stream: Handle) -> None:
    event = ctypes.c_void_p()
    done(hip.hipEventCreate(byref(event)))
    done(hip.hipEventRecord(event, stream))
    done(hip.hipEventSynchronize(event))
    done(hip.hipEventDestroy(event))


def synchronize_device(hip: Library, _stream: Handle) -> None:
    done(hip.hipDeviceSynchronize())


@pytest.mark.parametrize("wait", [synchronize_stream, synchronize_event, synchronize_device])
def test_what_exceeds_the_threshold_goes_back_at_a_synchronization(
    wait: Callable[[Library, Handle], None], hip: Library, pool: int, free_stream: Handle
) -> None:
    done(hip.hipMemPoolTrimTo(pool, 0))
    assert reserved(hip, pool) == 0
    free(hip, allocate(hip, free_stream), free_stream)
    wait(hip, free_stream)
    assert reserved(hip, pool) >= SIZE
    set_attribute(hip, pool, RELEASE_THRESHOLD, 0)
    wait(hip, free_stream)
    assert reserved(hip, pool) == 0


def test_pool_memory_is_freed_with_the_rest_of_the_program(
    hip: Library, pool: int, free_stream: Handle, stream: Handle
) -> None:
    """Allocated on one stream, used and freed on another that waits for an event."""
    event = ctypes.c_void_p()
    done(hip.hipEventCreate(byref(event)))
    lent = allocate(hip, free_stream)
    result = memory.pinned(SIZE)
    with held(free_stream):
        done(hip.hipMemsetAsync(lent.address, 1, SIZE, free_stream))
        done(hip.hipEventRecord(event, free_stream))
        done(hip.hipStreamWaitEvent(stream, event, 0))
        done(hip.hipMemcpyAsync(result.address, lent.address, SIZE, 2, stream))
        free(hip, lent, stream)
    synchronize(stream)
    assert result.byte == 1
    result.free()
    done(hip.hipEventDestroy(event))
