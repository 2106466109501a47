"""The order of work in one stream and between streams."""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Callable

import pytest

from tests.simdevice import memory
from tests.simdevice.library import HostFunction, Library, byref, done
from tests.simdevice.memory import DEVICE_TO_DEVICE, Block
from tests.simdevice.ordering.conftest import MemoryOf
from tests.simdevice.streams import (
    BLOCKING,
    DEFAULT_STREAM,
    LEGACY,
    NON_BLOCKING,
    NOT_READY,
    PER_THREAD,
    Handle,
    Hold,
    Note,
    destroy,
    held,
    is_done,
    new_stream,
    on_another_thread,
    synchronize,
    waits_for,
)

STALE_HANDLE, BAD_HANDLE = 709, 400


def fill(hip: Library, block: Block, value: int, stream: Handle) -> None:
    done(hip.hipMemsetAsync(block.address, value, block.size, stream))


# --- one stream, or several that know nothing of each other


def test_work_of_one_stream_runs_in_the_order_of_submission(stream: Handle) -> None:
    note = Note()
    for number in range(100):
        note.write(str(number), stream)
    synchronize(stream)
    assert note.order == [str(number) for number in range(100)]


def test_work_sees_what_the_work_before_it_did(
    hip: Library, free_stream: Handle, memory_of: MemoryOf
) -> None:
    size = 1 << 20
    chain = [memory_of("device", size) for _ in range(5)]
    with held(free_stream):
        fill(hip, chain[0], 7, free_stream)
        for src, dst in itertools.pairwise(chain):
            arguments = (dst.address, src.address, size, DEVICE_TO_DEVICE, free_stream)
            done(hip.hipMemcpyAsync(*arguments))
            fill(hip, src, 0, free_stream)
    assert [block.byte for block in chain] == [0, 0, 0, 0, 7]


@pytest.mark.parametrize("flags", [BLOCKING, NON_BLOCKING])
def test_streams_do_not_wait_for_each_other(
    flags: int, hip: Library, streams: Callable[[int], Handle], block: Block
) -> None:
    first, second = streams(flags), streams(flags)
    with held(first):
        fill(hip, block, 1, second)
        synchronize(second)
        assert block.byte == 1
        assert not is_done(first)


def test_many_streams_run_at_the_same_time(hip: Library, streams: Callable[[int], Handle]) -> None:
    """More than hardware has queues: each has reached its own host function."""
    count = 24
    together = threading.Barrier(count, timeout=30)
    function = HostFunction(lambda _data: together.wait() and None)
    handles = [streams(NON_BLOCKING) for _ in range(count)]
    for handle in handles:
        done(hip.hipLaunchHostFunc(handle, function, None))
    for handle in handles:
        synchronize(handle)
    assert not together.broken


# --- the legacy default stream

LEGACY_NAMES = pytest.mark.parametrize("default", [DEFAULT_STREAM, LEGACY], ids=["NULL", "legacy"])


@LEGACY_NAMES
def test_default_stream_work_waits_for_earlier_work_of_blocking_streams(
    default: Handle, hip: Library, stream: Handle, block: Block
) -> None:
    with held(stream):
        fill(hip, block, 1, default)
        assert block.byte == 0
    synchronize(default)
    assert block.byte == 1


@LEGACY_NAMES
def test_blocking_streams_wait_for_earlier_work_of_the_default_stream(
    default: Handle, hip: Library, stream: Handle, block: Block
) -> None:
    with held(default):
        fill(hip, block, 1, stream)
        assert block.byte == 0
    synchronize(stream)
    assert block.byte == 1


@pytest.mark.parametrize("longest", [0, 1, 2])
def test_default_stream_work_waits_for_all_blocking_streams(
    longest: int, streams: Callable[[int], Handle]
) -> None:
    note = Note()
    three = [streams(BLOCKING) for _ in range(3)]
    with held(three[0]) as first, held(three[1]) as second, held(three[2]) as third:
        note.write("default", DEFAULT_STREAM)
        for number, hold in enumerate((first, second, third)):
            if number != longest:
                hold.release()
                synchronize(three[number])
        assert note.order == []
    synchronize()
    assert note.order == ["default"]


@LEGACY_NAMES
def test_non_blocking_streams_do_not_wait_for_the_default_stream(
    default: Handle, hip: Library, free_stream: Handle, block: Block
) -> None:
    with held(default):
        fill(hip, block, 1, free_stream)
        synchronize(free_stream)
        assert block.byte == 1


@LEGACY_NAMES
def test_the_default_stream_does_not_wait_for_non_blocking_streams(
    default: Handle, hip: Library, free_stream: Handle, block: Block
) -> None:
    with held(free_stream):
        fill(hip, block, 1, default)
        synchronize(default)
        assert block.byte == 1


def test_both_names_of_the_default_stream_mean_one_stream(hip: Library, block: Block) -> None:
    with held(LEGACY):
        fill(hip, block, 1, DEFAULT_STREAM)
        assert block.byte == 0
        assert not is_done(DEFAULT_STREAM)
    with held(DEFAULT_STREAM):
        fill(hip, block, 2, LEGACY)
        assert block.byte == 1
        assert not is_done(LEGACY)


def test_barriers_are_made_at_submission(stream: Handle, other: Handle) -> None:
    """Work that is submitted later holds nobody up.

    A barrier that looked at the streams when it ran would see later work there, which waits for
    the barrier: nothing would ever go on.
    """
    note = Note()
    with held(stream):
        note.write("default 1", DEFAULT_STREAM)
        note.write("stream 1", stream)
        note.write("default 2", DEFAULT_STREAM)
        note.write("other 1", other)
        note.write("default 3", DEFAULT_STREAM)
        assert note.order == []
    synchronize()
    assert note.order == ["default 1", "stream 1", "default 2", "other 1", "default 3"]


def test_the_default_stream_orders_two_blocking_streams(
    hip: Library, stream: Handle, other: Handle, block: Block
) -> None:
    note = Note()
    with held(stream):
        note.write("between", DEFAULT_STREAM)
        fill(hip, block, 1, other)
        assert block.byte == 0
    synchronize(other)
    assert (note.order, block.byte) == (["between"], 1)


def test_work_submitted_before_the_default_streams_is_not_held_by_it(
    hip: Library, stream: Handle, free_stream: Handle, block: Block
) -> None:
    """The stream waits, through an event, for one that takes no part."""
    event = ctypes.c_void_p()
    done(hip.hipEventCreateWithFlags(byref(event), 2))
    with held(free_stream) as hold:
        done(hip.hipEventRecord(event, free_stream))
        done(hip.hipStreamWaitEvent(stream, event, 0))
        fill(hip, block, 1, stream)
        with_default = Hold()
        done(hip.hipLaunchHostFunc(DEFAULT_STREAM, with_default.function, None))
        assert not with_default.entered.is_set()  # it comes after the fill
        hold.release()
        assert with_default.entered.wait(30)
        assert block.byte == 1
        with_default.release()
    done(hip.hipEventDestroy(event))


# --- the per-thread default stream


def test_a_threads_own_stream_keeps_its_order(hip: Library, block: Block) -> None:
    with held(PER_THREAD):
        fill(hip, block, 1, PER_THREAD)
        assert block.byte == 0
        assert not is_done(PER_THREAD)
    assert block.byte == 1


def test_every_thread_has_its_own_default_stream(hip: Library, block: Block) -> None:
    def fill_on_this_thread() -> None:
        assert is_done(PER_THREAD)
        fill(hip, block, 1, PER_THREAD)
        synchronize(PER_THREAD)

    with held(PER_THREAD):
        on_another_thread(fill_on_this_thread)
        assert block.byte == 1
        assert not is_done(PER_THREAD)


def test_the_default_stream_waits_for_the_threads_own(hip: Library, block: Block) -> None:
    with held(PER_THREAD):
        fill(hip, block, 1, DEFAULT_STREAM)
        assert block.byte == 0
    synchronize()
    assert block.byte == 1


def test_the_threads_own_waits_for_the_default_stream(hip: Library, block: Block) -> None:
    with held(DEFAULT_STREAM):
        fill(hip, block, 1, PER_THREAD)
        assert block.byte == 0
    synchronize(PER_THREAD)
    assert block.byte == 1


def test_the_threads_own_stream_has_flags_and_priority_of_an_ordinary_one(hip: Library) -> None:
    flags, priority = ctypes.c_uint(9), ctypes.c_int(9)
    done(hip.hipStreamGetFlags(PER_THREAD, byref(flags)))
    done(hip.hipStreamGetPriority(PER_THREAD, byref(priority)))
    assert (flags.value, priority.value) == (BLOCKING, 0)


def test_what_a_thread_left_in_its_own_stream_still_runs(hip: Library, block: Block) -> None:
    hold = Hold()

    def leave_work() -> None:
        done(hip.hipLaunchHostFunc(PER_THREAD, hold.function, None))
        fill(hip, block, 1, PER_THREAD)

    on_another_thread(leave_work)
    assert hold.entered.wait(30)
    assert block.byte == 0
    hold.release()
    done(hip.hipDeviceSynchronize())
    assert block.byte == 1


# --- calls compiled for the per-thread default stream: their NULL is the thread's own


def _sources(size: int) -> tuple[Block, Block]:
    src, dst = memory.device(size), memory.pageable(size)
    src.fill(1)
    return src, dst


def memcpy_spt(hip: Library, src: Block, dst: Block) -> int:
    return int(hip.hipMemcpy_spt(dst.address, src.address, src.size, 2))


def memcpy_async_spt(hip: Library, src: Block, dst: Block) -> int:
    return int(hip.hipMemcpyAsync_spt(dst.address, src.address, src.size, 2, None))


def memcpy_2d_spt(hip: Library, src: Block, dst: Block) -> int:
    size = src.size
    return int(hip.hipMemcpy2D_spt(dst.address, size, src.address, size, size, 1, 2))


def memcpy_2d_async_spt(hip: Library, src: Block, dst: Block) -> int:
    size = src.size
    return int(hip.hipMemcpy2DAsync_spt(dst.address, size, src.address, size, size, 1, 2, None))


def memset_then_wait_spt(hip: Library, src: Block, dst: Block) -> int:
    done(hip.hipMemset_spt(src.address + 1, 1, src.size - 1))  # in the middle: it waits
    return memcpy_spt(hip, src, dst)


def memset_2d_then_wait_spt(hip: Library, src: Block, dst: Block) -> int:
    done(hip.hipMemset2D_spt(src.address, src.size, 1, src.size, 1))
    return memcpy_spt(hip, src, dst)


def memset_async_then_wait_spt(hip: Library, src: Block, dst: Block) -> int:
    done(hip.hipMemsetAsync_spt(src.address, 1, src.size, None))
    return memcpy_spt(hip, src, dst)


def synchronize_spt(hip: Library, src: Block, dst: Block) -> int:
    done(hip.hipStreamSynchronize_spt(None))
    return memcpy_spt(hip, src, dst)


SPT_CALLS = pytest.mark.parametrize(
    "call",
    [
        memcpy_spt,
        memcpy_async_spt,
        memcpy_2d_spt,
        memcpy_2d_async_spt,
        memset_then_wait_spt,
        memset_2d_then_wait_spt,
        memset_async_then_wait_spt,
        synchronize_spt,
    ],
    ids=lambda call: call.__name__,
)


@SPT_CALLS
def test_spt_calls_wait_for_the_threads_own_stream(
    call: Callable[[Library, Block, Block], int], hip: Library
) -> None:
    src, dst = _sources(64)

    def hold_own_stream_and_call() -> None:
        done(hip.hipLaunchHostFunc(PER_THREAD, hold.function, None))
        done(call(hip, src, dst))

    hold = Hold()
    assert waits_for(hold, hold_own_stream_and_call)
    assert dst.byte == 1
    src.free()


@SPT_CALLS
def test_spt_calls_do_not_wait_for_another_threads_stream(
    call: Callable[[Library, Block, Block], int], hip: Library
) -> None:
    """The calls without _spt would: the default stream waits for every thread's own."""
    src, dst = _sources(64)
    with held(PER_THREAD):
        on_another_thread(lambda: done(call(hip, src, dst)))
        assert dst.byte == 1
    src.free()


def test_spt_queries_see_the_threads_own_stream(hip: Library) -> None:
    with held(PER_THREAD):
        assert hip.hipStreamQuery_spt(None) == NOT_READY
        assert hip.hipStreamQuery(None) == NOT_READY
        assert on_another_thread(lambda: hip.hipStreamQuery_spt(None)) == 0
        assert on_another_thread(lambda: hip.hipStreamQuery(None)) == NOT_READY


def test_spt_events_callbacks_and_waits_use_the_threads_own_stream(
    hip: Library, stream: Handle
) -> None:
    event = ctypes.c_void_p()
    done(hip.hipEventCreate(byref(event)))
    note = Note()
    with held(PER_THREAD):
        done(hip.hipEventRecord_spt(event, None))
        assert hip.hipEventQuery(event) == NOT_READY
        # On another thread the record is reached at once: nothing is queued on its own stream.
        assert on_another_thread(lambda: _record_and_query(hip)) == 0
    assert hip.hipEventQuery(event) == 0
    with held(stream):
        done(hip.hipEventRecord(event, stream))
        done(hip.hipStreamWaitEvent_spt(None, event, 0))
        note.write("own", PER_THREAD)
        assert note.order == []
    synchronize(PER_THREAD)
    assert note.order == ["own"]
    done(hip.hipEventDestroy(event))


def _record_and_query(hip: Library) -> int:
    event = ctypes.c_void_p()
    done(hip.hipEventCreate(byref(event)))
    done(hip.hipEventRecord_spt(event, None))
    done(hip.hipEventSynchronize(event))
    code = int(hip.hipEventQuery(event))
    done(hip.hipEventDestroy(event))
    return code


def test_spt_host_functions_run_on_the_threads_own_stream(hip: Library) -> None:
    hold = Hold()
    done(hip.hipLaunchHostFunc_spt(None, hold.function, None))
    assert hold.entered.wait(30)
    assert hip.hipStreamQuery(PER_THREAD) == NOT_READY
    assert on_another_thread(lambda: hip.hipStreamQuery(PER_THREAD)) == 0
    hold.release()
    synchronize(PER_THREAD)


# --- priorities


@pytest.mark.parametrize(
    ("asked", "given"), [(-1, -1), (0, 0), (1, 1), (-100, -1), (100, 1), (-(2**31), -1)]
)
def test_priorities_are_clamped(asked: int, given: int, hip: Library) -> None:
    handle, priority = ctypes.c_void_p(), ctypes.c_int(9)
    done(hip.hipStreamCreateWithPriority(byref(handle), NON_BLOCKING, asked))
    done(hip.hipStreamGetPriority(handle, byref(priority)))
    assert priority.value == given
    done(hip.hipStreamDestroy(handle))


def test_the_range_of_priorities(hip: Library) -> None:
    least, greatest = ctypes.c_int(9), ctypes.c_int(9)
    done(hip.hipDeviceGetStreamPriorityRange(byref(least), byref(greatest)))
    assert (least.value, greatest.value) == (1, -1)


def test_priority_changes_no_order(hip: Library, block: Block) -> None:
    """Low priority work that comes first is still first, where there is an order."""
    low, high = ctypes.c_void_p(), ctypes.c_void_p()
    done(hip.hipStreamCreateWithPriority(byref(low), BLOCKING, 1))
    done(hip.hipStreamCreateWithPriority(byref(high), BLOCKING, -1))
    note = Note()
    with held(low.value or 0):
        note.write("default", DEFAULT_STREAM)
        note.write("high", high.value or 0)
        assert note.order == []
    done(hip.hipDeviceSynchronize())
    assert note.order == ["default", "high"]
    done(hip.hipStreamDestroy(low))
    done(hip.hipStreamDestroy(high))


# --- the end of a stream


def test_a_destroyed_stream_finishes_its_work(hip: Library, block: Block) -> None:
    doomed = new_stream(NON_BLOCKING)
    hold = Hold()
    done(hip.hipLaunchHostFunc(doomed, hold.function, None))
    assert hold.entered.wait(30)
    fill(hip, block, 1, doomed)
    destroy(doomed)
    assert block.byte == 0
    hold.release()
    done(hip.hipDeviceSynchronize())
    assert block.byte == 1
    assert not hold.expired


def test_the_handle_of_a_destroyed_stream_is_dead(hip: Library, block: Block) -> None:
    doomed = new_stream()
    destroy(doomed)
    assert hip.hipStreamSynchronize(doomed) == STALE_HANDLE
    assert hip.hipStreamQuery(doomed) == STALE_HANDLE
    assert hip.hipStreamDestroy(doomed) == STALE_HANDLE
    assert hip.hipMemsetAsync(block.address, 1, block.size, doomed) == STALE_HANDLE
    assert block.byte == 0


def test_the_default_stream_still_waits_for_a_destroyed_stream(hip: Library, block: Block) -> None:
    doomed = new_stream(BLOCKING)
    hold = Hold()
    done(hip.hipLaunchHostFunc(doomed, hold.function, None))
    assert hold.entered.wait(30)
    destroy(doomed)
    fill(hip, block, 1, DEFAULT_STREAM)
    assert block.byte == 0
    hold.release()
    synchronize()
    assert block.byte == 1


@pytest.mark.parametrize("default", [DEFAULT_STREAM, LEGACY, PER_THREAD])
def test_default_streams_cannot_be_destroyed(default: Handle, hip: Library) -> None:
    assert hip.hipStreamDestroy(default) == BAD_HANDLE


# --- waiting and asking


def test_a_stream_with_work_is_not_ready(stream: Handle) -> None:
    assert is_done(stream)
    with held(stream):
        assert not is_done(stream)
    assert is_done(stream)


def test_synchronizing_a_stream_waits_for_its_work(stream: Handle) -> None:
    with held(stream) as hold:
        assert waits_for(hold, lambda: synchronize(stream))


def test_synchronizing_a_stream_does_not_wait_for_another(stream: Handle, other: Handle) -> None:
    with held(other):
        synchronize(stream)
        assert is_done(stream)
        assert not is_done(other)


def test_querying_the_default_stream_looks_at_blocking_streams(
    stream: Handle, free_stream: Handle
) -> None:
    with held(free_stream):
        assert is_done(DEFAULT_STREAM)
    with held(stream):
        assert not is_done(DEFAULT_STREAM)
    assert is_done(DEFAULT_STREAM)


def test_synchronizing_the_default_stream_waits_for_blocking_streams(stream: Handle) -> None:
    with held(stream) as hold:
        assert waits_for(hold, synchronize)


def test_synchronizing_the_default_stream_does_not_wait_for_non_blocking_streams(
    free_stream: Handle,
) -> None:
    with held(free_stream):
        synchronize()


@pytest.mark.parametrize("flags", [BLOCKING, NON_BLOCKING])
def test_device_synchronize_waits_for_every_stream(
    flags: int, hip: Library, streams: Callable[[int], Handle]
) -> None:
    with held(streams(flags)) as hold:
        assert waits_for(hold, lambda: done(hip.hipDeviceSynchronize()))


@pytest.mark.parametrize("own", [DEFAULT_STREAM, PER_THREAD])
def test_device_synchronize_waits_for_default_streams(own: Handle, hip: Library) -> None:
    with held(own) as hold:
        assert waits_for(hold, lambda: done(hip.hipDeviceSynchronize()))
