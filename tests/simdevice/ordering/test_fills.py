"""When a fill returns, and when it has happened."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest

from tests.simdevice.library import Library, byref, done
from tests.simdevice.memory import Block, DeviceBlock
from tests.simdevice.ordering.conftest import SIZE, MemoryOf
from tests.simdevice.streams import DEFAULT_STREAM, Handle, held, synchronize, waits_for

OLD, NEW = 0, 1
FINE_GRAINED = 1
MANAGED_GLOBAL = 1

Fill = Callable[[Library, int], int]  # library, address

ROW = 64  # bytes


def memset(hip: Library, address: int) -> int:
    return int(hip.hipMemset(address, NEW, ROW))


def memset_d8(hip: Library, address: int) -> int:
    return int(hip.hipMemsetD8(address, NEW, ROW))


def memset_d16(hip: Library, address: int) -> int:
    return int(hip.hipMemsetD16(address, NEW * 0x0101, ROW // 2))


def memset_d32(hip: Library, address: int) -> int:
    return int(hip.hipMemsetD32(address, NEW * 0x01010101, ROW // 4))


def memset_2d(hip: Library, address: int) -> int:
    return int(hip.hipMemset2D(address, ROW // 2, NEW, ROW // 2, 2))


FILLS = pytest.mark.parametrize(
    "fill", [memset, memset_d8, memset_d16, memset_d32, memset_2d], ids=lambda f: f.__name__
)


def first_row(block: Block, offset: int = 0) -> bytes:
    return block.read()[offset : offset + ROW]


@FILLS
def test_a_fill_at_the_start_of_an_allocation_returns_before_it_is_done(
    fill: Fill, hip: Library, block: Block
) -> None:
    with held(DEFAULT_STREAM):
        done(fill(hip, block.address))
        assert first_row(block) == bytes([OLD]) * ROW
    assert first_row(block) == bytes([NEW]) * ROW


@FILLS
def test_a_fill_inside_an_allocation_waits(fill: Fill, hip: Library, block: Block) -> None:
    inside = 256
    with held(DEFAULT_STREAM) as hold:
        assert waits_for(hold, lambda: done(fill(hip, block.address + inside)))
        assert first_row(block, inside) == bytes([NEW]) * ROW
        assert first_row(block) == bytes([OLD]) * ROW


@FILLS
@pytest.mark.parametrize("kind", ["pinned", "registered"])
def test_a_fill_of_host_memory_waits(
    kind: str, fill: Fill, hip: Library, memory_of: MemoryOf
) -> None:
    host = memory_of(kind, SIZE)
    host.fill(OLD)
    with held(DEFAULT_STREAM) as hold:
        assert waits_for(hold, lambda: done(fill(hip, host.address)))
        assert first_row(host) == bytes([NEW]) * ROW


@FILLS
def test_a_fill_of_managed_memory_waits(fill: Fill, hip: Library) -> None:
    pointer = ctypes.c_void_p()
    done(hip.hipMallocManaged(byref(pointer), SIZE, MANAGED_GLOBAL))
    with held(DEFAULT_STREAM) as hold:
        assert waits_for(hold, lambda: done(fill(hip, pointer.value or 0)))
    done(hip.hipFree(pointer))


@FILLS
def test_a_fill_of_fine_grained_memory_waits(fill: Fill, hip: Library) -> None:
    pointer = ctypes.c_void_p()
    done(hip.hipExtMallocWithFlags(byref(pointer), SIZE, FINE_GRAINED))
    block = DeviceBlock(pointer.value or 0, SIZE)
    with held(DEFAULT_STREAM) as hold:
        assert waits_for(hold, lambda: done(fill(hip, block.address)))
        assert first_row(block) == bytes([NEW]) * ROW
    block.free()


def memset_async(hip: Library, address: int, stream: Handle) -> int:
    return int(hip.hipMemsetAsync(address, NEW, ROW, stream))


def memset_d8_async(hip: Library, address: int, stream: Handle) -> int:
    return int(hip.hipMemsetD8Async(address, NEW, ROW, stream))


def memset_d16_async(hip: Library, address: int, stream: Handle) -> int:
    return int(hip.hipMemsetD16Async(address, NEW * 0x0101, ROW // 2, stream))


def memset_d32_async(hip: Library, address: int, stream: Handle) -> int:
    return int(hip.hipMemsetD32Async(address, NEW * 0x01010101, ROW // 4, stream))


def memset_2d_async(hip: Library, address: int, stream: Handle) -> int:
    return int(hip.hipMemset2DAsync(address, ROW // 2, NEW, ROW // 2, 2, stream))


@pytest.mark.parametrize(
    "fill",
    [memset_async, memset_d8_async, memset_d16_async, memset_d32_async, memset_2d_async],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("offset", [0, 256])
@pytest.mark.parametrize("kind", ["device", "pinned"])
def test_an_async_fill_is_only_queued(
    kind: str,
    offset: int,
    fill: Callable[[Library, int, Handle], int],
    hip: Library,
    free_stream: Handle,
    memory_of: MemoryOf,
) -> None:
    block = memory_of(kind, SIZE)
    block.fill(OLD)
    with held(free_stream):
        done(fill(hip, block.address + offset, free_stream))
        assert first_row(block, offset) == bytes([OLD]) * ROW
    assert first_row(block, offset) == bytes([NEW]) * ROW


def test_a_fill_takes_part_in_the_default_streams_rules(
    hip: Library, stream: Handle, free_stream: Handle, block: Block
) -> None:
    with held(stream):
        done(memset(hip, block.address))
        assert first_row(block) == bytes([OLD]) * ROW
    synchronize()
    assert first_row(block) == bytes([NEW]) * ROW
    with held(free_stream):
        done(hip.hipMemset(block.address, OLD, ROW))
        synchronize()
        assert first_row(block) == bytes([OLD]) * ROW
