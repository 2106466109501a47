"""What the host may assume when a copy returns: the table of HIP's rules, row by row.

Every row is told from its opposite by holding the stream that the copy runs on. A copy that is
complete at return cannot return while the stream is held. One that is only queued leaves its
destination as it was, and takes what its source holds when it runs. One that is staged leaves its
destination too, but has read its source.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import pytest

from tests.simdevice.library import Library, byref, done
from tests.simdevice.memory import (
    DEVICE_TO_DEVICE,
    DEVICE_TO_HOST,
    HOST_TO_DEVICE,
    HOST_TO_HOST,
    Block,
)
from tests.simdevice.ordering.conftest import MemoryOf
from tests.simdevice.streams import DEFAULT_STREAM, Elsewhere, Handle, held, synchronize

OLD, NEW, LATE = 0, 1, 2  # bytes: in the destination before, in the source before and after

STAGING = 1 << 20
WIDTH = 256  # of a row of the rectangles; their pitch is twice that

Copy = Callable[[Library, Block, Block, Handle], int]


class AtReturn(Enum):
    COMPLETE = "the destination holds the bytes"
    QUEUED = "nothing has been read or written"
    STAGED = "the source has been read, nothing has been written"


COMPLETE, QUEUED, STAGED = AtReturn


def kind_of(dst: Block, src: Block) -> int:
    if src.is_device:
        return DEVICE_TO_DEVICE if dst.is_device else DEVICE_TO_HOST
    return HOST_TO_DEVICE if dst.is_device else HOST_TO_HOST


# Each makes one copy of the whole block. The calls without a stream use the default stream.


def memcpy(hip: Library, dst: Block, src: Block, _stream: Handle) -> int:
    return int(hip.hipMemcpy(dst.address, src.address, dst.size, kind_of(dst, src)))


def memcpy_by_direction(hip: Library, dst: Block, src: Block, _stream: Handle) -> int:
    calls = {
        HOST_TO_DEVICE: hip.hipMemcpyHtoD,
        DEVICE_TO_HOST: hip.hipMemcpyDtoH,
        DEVICE_TO_DEVICE: hip.hipMemcpyDtoD,
    }
    return int(calls[kind_of(dst, src)](dst.address, src.address, dst.size))


def memcpy_with_stream(hip: Library, dst: Block, src: Block, stream: Handle) -> int:
    arguments = (dst.address, src.address, dst.size, kind_of(dst, src), stream)
    return int(hip.hipMemcpyWithStream(*arguments))


def memcpy_async(hip: Library, dst: Block, src: Block, stream: Handle) -> int:
    return int(hip.hipMemcpyAsync(dst.address, src.address, dst.size, kind_of(dst, src), stream))


def memcpy_async_by_direction(hip: Library, dst: Block, src: Block, stream: Handle) -> int:
    calls = {
        HOST_TO_DEVICE: hip.hipMemcpyHtoDAsync,
        DEVICE_TO_HOST: hip.hipMemcpyDtoHAsync,
        DEVICE_TO_DEVICE: hip.hipMemcpyDtoDAsync,
    }
    return int(calls[kind_of(dst, src)](dst.address, src.address, dst.size, stream))


def rectangle(dst: Block, src: Block) -> tuple[int, ...]:
    """As a rectangle without padding: what it is about is the rules, not the shape."""
    width = WIDTH if dst.size % WIDTH == 0 else dst.size
    return (dst.address, width, src.address, width, width, dst.size // width, kind_of(dst, src))


def memcpy_2d(hip: Library, dst: Block, src: Block, _stream: Handle) -> int:
    return int(hip.hipMemcpy2D(*rectangle(dst, src)))


def memcpy_2d_async(hip: Library, dst: Block, src: Block, stream: Handle) -> int:
    return int(hip.hipMemcpy2DAsync(*rectangle(dst, src), stream))


@dataclass(frozen=True)
class Row:
    copy: Copy
    src: str
    dst: str
    at_return: AtReturn
    size: int = 4096

    @property
    def uses_default_stream(self) -> bool:
        return self.copy in (memcpy, memcpy_by_direction, memcpy_2d)

    def __str__(self) -> str:
        size = "" if self.size == Row.size else f"-{self.size}"
        return f"{self.copy.__name__}-{self.src}-to-{self.dst}{size}"


BLOCKING_CALLS = [
    Row(copy, src, dst, at_return)
    for copy in (memcpy, memcpy_2d, memcpy_with_stream)
    for src, dst, at_return in (
        ("pageable", "device", COMPLETE),
        ("pinned", "device", COMPLETE),
        ("registered", "device", COMPLETE),
        ("device", "pageable", COMPLETE),
        ("device", "pinned", COMPLETE),
        ("device", "registered", COMPLETE),
        ("device", "device", QUEUED),
        ("pageable", "pageable", COMPLETE),
        ("pinned", "pinned", COMPLETE),
    )
]
BLOCKING_CALLS_BY_DIRECTION = [
    Row(memcpy_by_direction, "pageable", "device", COMPLETE),
    Row(memcpy_by_direction, "pinned", "device", COMPLETE),
    Row(memcpy_by_direction, "device", "pageable", COMPLETE),
    Row(memcpy_by_direction, "device", "pinned", COMPLETE),
    Row(memcpy_by_direction, "device", "device", QUEUED),
]
ASYNC_CALLS = [
    Row(copy, src, dst, at_return, size)
    for copy in (memcpy_async, memcpy_2d_async, memcpy_async_by_direction)
    for src, dst, at_return, size in (
        ("pinned", "device", QUEUED, Row.size),
        ("registered", "device", QUEUED, Row.size),
        ("pinned", "device", QUEUED, 2 * STAGING),
        ("pageable", "device", STAGED, Row.size),
        ("pageable", "device", STAGED, STAGING),
        ("pageable", "device", COMPLETE, STAGING + 1),
        ("pageable", "device", COMPLETE, 2 * STAGING),
        ("device", "pinned", QUEUED, Row.size),
        ("device", "registered", QUEUED, Row.size),
        ("device", "pageable", COMPLETE, Row.size),
        ("device", "pageable", COMPLETE, 2 * STAGING),
        ("device", "device", QUEUED, Row.size),
    )
]
ASYNC_CALLS_ON_THE_HOST = [
    Row(copy, "pinned", "pinned", COMPLETE) for copy in (memcpy_async, memcpy_2d_async)
]
ROWS = [*BLOCKING_CALLS, *BLOCKING_CALLS_BY_DIRECTION, *ASYNC_CALLS, *ASYNC_CALLS_ON_THE_HOST]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_at_return(row: Row, hip: Library, free_stream: Handle, memory_of: MemoryOf) -> None:
    src, dst = memory_of(row.src, row.size), memory_of(row.dst, row.size)
    src.fill(NEW)
    dst.fill(OLD)
    stream = DEFAULT_STREAM if row.uses_default_stream else free_stream
    if row.at_return is COMPLETE:
        check_complete(lambda: row.copy(hip, dst, src, stream), stream, dst)
    else:
        with held(stream):
            done(row.copy(hip, dst, src, stream))
            assert dst.byte == OLD
            src.fill(LATE)
        assert dst.byte == (NEW if row.at_return is STAGED else LATE)


def check_complete(copy: Callable[[], int], stream: Handle, dst: Block) -> None:
    """It waits for the held stream, and when it returns nobody needs to synchronize."""
    with held(stream) as hold:
        call = Elsewhere(copy)
        assert call.still_waits()
        assert dst.byte == OLD
        hold.release()
        done(call.join())
        assert dst.byte == NEW


# --- memory that asks for synchronous operations

SYNC_MEMOPS = 6


def ask_for_synchronous_copies(hip: Library, block: Block) -> None:
    yes = ctypes.c_uint(1)
    done(hip.hipPointerSetAttribute(byref(yes), SYNC_MEMOPS, block.address))


def test_a_copy_on_the_device_waits_if_both_sides_ask_for_it(
    hip: Library, memory_of: MemoryOf
) -> None:
    src, dst = memory_of("device", 64), memory_of("device", 64)
    src.fill(NEW)
    dst.fill(OLD)
    ask_for_synchronous_copies(hip, src)
    ask_for_synchronous_copies(hip, dst)
    check_complete(lambda: memcpy(hip, dst, src, DEFAULT_STREAM), DEFAULT_STREAM, dst)


@pytest.mark.parametrize("asking", [0, 1], ids=["source", "destination"])
def test_a_copy_on_the_device_does_not_wait_if_one_side_asks_for_it(
    asking: int, hip: Library, memory_of: MemoryOf
) -> None:
    sides = memory_of("device", 64), memory_of("device", 64)
    sides[0].fill(NEW)
    sides[1].fill(OLD)
    ask_for_synchronous_copies(hip, sides[asking])
    with held(DEFAULT_STREAM):
        done(memcpy(hip, sides[1], sides[0], DEFAULT_STREAM))
        assert sides[1].byte == OLD
    assert sides[1].byte == NEW


# --- which streams a copy waits for


def test_memcpy_waits_for_blocking_streams(
    hip: Library, stream: Handle, memory_of: MemoryOf
) -> None:
    src, dst = memory_of("device", 64), memory_of("pageable", 64)
    src.fill(NEW)
    check_complete(lambda: memcpy(hip, dst, src, DEFAULT_STREAM), stream, dst)


def test_memcpy_does_not_wait_for_non_blocking_streams(
    hip: Library, free_stream: Handle, memory_of: MemoryOf
) -> None:
    """A common mistake: the result of the held stream is missing."""
    src, dst = memory_of("device", 64), memory_of("pageable", 64)
    src.fill(OLD)
    with held(free_stream):
        done(hip.hipMemsetAsync(src.address, NEW, src.size, free_stream))
        dst.fill(LATE)
        done(memcpy(hip, dst, src, DEFAULT_STREAM))
        assert dst.byte == OLD
    done(memcpy(hip, dst, src, DEFAULT_STREAM))
    assert dst.byte == NEW


def test_memcpy_with_stream_waits_for_its_stream_alone(
    hip: Library, stream: Handle, other: Handle, memory_of: MemoryOf
) -> None:
    src, dst = memory_of("device", 64), memory_of("pageable", 64)
    src.fill(NEW)
    with held(other):
        done(memcpy_with_stream(hip, dst, src, stream))
        assert dst.byte == NEW


def test_memcpy_with_stream_is_refused_while_the_stream_captures(
    hip: Library, stream: Handle, memory_of: MemoryOf
) -> None:
    src, dst = memory_of("device", 64), memory_of("device", 64)
    relaxed = 2
    done(hip.hipStreamBeginCapture(stream, relaxed))
    assert memcpy_with_stream(hip, dst, src, stream) == 900
    graph = ctypes.c_void_p()
    hip.hipStreamEndCapture(stream, byref(graph))


def test_an_async_copy_runs_behind_the_work_before_it_and_before_the_work_after_it(
    hip: Library, free_stream: Handle, memory_of: MemoryOf
) -> None:
    src, dst = memory_of("device", 64), memory_of("pinned", 64)
    done(hip.hipMemsetAsync(src.address, NEW, src.size, free_stream))
    done(memcpy_async(hip, dst, src, free_stream))
    done(hip.hipMemsetAsync(src.address, LATE, src.size, free_stream))
    synchronize(free_stream)
    assert dst.byte == NEW


# --- rectangles


def padded(rows: int, width: int, pitch: int, inside: int, outside: int) -> bytes:
    last = rows - 1
    return b"".join(
        bytes([inside]) * width + bytes([outside]) * (pitch - width if row < last else 0)
        for row in range(rows)
    )


@pytest.mark.parametrize("src_kind", ["device", "pinned", "pageable"])
@pytest.mark.parametrize("dst_kind", ["device", "pinned", "pageable"])
def test_a_rectangle_leaves_the_padding_alone(
    src_kind: str, dst_kind: str, hip: Library, free_stream: Handle, memory_of: MemoryOf
) -> None:
    rows, width, src_pitch, dst_pitch = 5, 100, 128, 256
    src = memory_of(src_kind, (rows - 1) * src_pitch + width)
    dst = memory_of(dst_kind, (rows - 1) * dst_pitch + width)
    src.fill(NEW)
    dst.fill(OLD)
    arguments = (dst.address, dst_pitch, src.address, src_pitch, width, rows, kind_of(dst, src))
    done(hip.hipMemcpy2DAsync(*arguments, free_stream))
    synchronize(free_stream)
    assert dst.read() == padded(rows, width, dst_pitch, NEW, OLD)


def test_a_staged_rectangle_keeps_its_shape(
    hip: Library, free_stream: Handle, memory_of: MemoryOf
) -> None:
    rows, width, src_pitch, dst_pitch = 3, 10, 32, 64
    src = memory_of("pageable", rows * src_pitch)
    dst = memory_of("device", (rows - 1) * dst_pitch + width)
    src.fill(NEW)
    dst.fill(OLD)
    with held(free_stream):
        arguments = (dst.address, dst_pitch, src.address, src_pitch, width, rows, HOST_TO_DEVICE)
        done(hip.hipMemcpy2DAsync(*arguments, free_stream))
        src.fill(LATE)
    assert dst.read() == padded(rows, width, dst_pitch, NEW, OLD)
