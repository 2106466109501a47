"""Fills: what is written, and what is refused."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.codes import DESTROYED, INVALID_HANDLE, INVALID_VALUE, SUCCESS
from tests.simdevice.library import Library, done
from tests.simdevice.memory import pinned, registered

HUGE = (1 << 64) - 1

# (library, destination, value, bytes) -> code
Fill = Callable[[Library, int | None, int, int], int]
Address = int | None


def plain(hip: Library, dst: Address, value: int, nbytes: int) -> int:
    return int(hip.hipMemset(dst, value, nbytes))


def per_thread(hip: Library, dst: Address, value: int, nbytes: int) -> int:
    return int(hip.hipMemset_spt(dst, value, nbytes))


def queued(hip: Library, dst: Address, value: int, nbytes: int) -> int:
    return int(hip.hipMemsetAsync(dst, value, nbytes, None))


def queued_per_thread(hip: Library, dst: Address, value: int, nbytes: int) -> int:
    return int(hip.hipMemsetAsync_spt(dst, value, nbytes, None))


def bytewise(hip: Library, dst: Address, value: int, nbytes: int) -> int:
    return int(hip.hipMemsetD8(dst, value, nbytes))


def bytewise_queued(hip: Library, dst: Address, value: int, nbytes: int) -> int:
    return int(hip.hipMemsetD8Async(dst, value, nbytes, None))


def in_one_row(hip: Library, dst: Address, value: int, nbytes: int) -> int:
    return int(hip.hipMemset2D(dst, nbytes, value, nbytes, 1))


def row_per_thread(hip: Library, dst: Address, value: int, nbytes: int) -> int:
    return int(hip.hipMemset2D_spt(dst, nbytes, value, nbytes, 1))


def row_queued(hip: Library, dst: Address, value: int, nbytes: int) -> int:
    return int(hip.hipMemset2DAsync(dst, nbytes, value, nbytes, 1, None))


BYTES = [
    plain,
    per_thread,
    queued,
    queued_per_thread,
    bytewise,
    bytewise_queued,
    in_one_row,
    row_per_thread,
    row_queued,
]


@pytest.mark.parametrize("fill", BYTES)
@pytest.mark.parametrize(("offset", "nbytes"), [(0, 100), (1, 98), (50, 1)])
def test_exactly_these_bytes_get_the_value(
    hip: Library, device: Borrowed, fill: Fill, offset: int, nbytes: int
) -> None:
    memory = device.memory(b"." * 100)
    assert fill(hip, memory + offset, ord("x"), nbytes) == SUCCESS
    done(hip.hipDeviceSynchronize())
    expected = b"." * offset + b"x" * nbytes + b"." * (100 - offset - nbytes)
    assert device.read(memory, 100) == expected


@pytest.mark.parametrize("fill", BYTES)
def test_host_memory_that_hip_knows_is_filled_too(
    hip: Library, device: Borrowed, fill: Fill
) -> None:
    for block in (pinned(4096), registered(4096)):
        assert fill(hip, block.address, 7, 4096) == SUCCESS
        done(hip.hipDeviceSynchronize())
        assert block.byte == 7
        assert fill(hip, block.address, 7, 4097) == INVALID_VALUE
        block.free()


@pytest.mark.parametrize("fill", BYTES)
def test_nothing_is_filled_before_anything_is_checked(hip: Library, fill: Fill) -> None:
    assert fill(hip, None, 1, 0) == SUCCESS


@pytest.mark.parametrize("fill", BYTES)
def test_a_fill_needs_memory_that_hip_knows(hip: Library, device: Borrowed, fill: Fill) -> None:
    unknown = ctypes.create_string_buffer(16)
    freed = device.memory(16)
    done(hip.hipFree(freed))
    assert fill(hip, None, 1, 16) == INVALID_VALUE
    assert fill(hip, ctypes.addressof(unknown), 1, 16) == INVALID_VALUE
    assert fill(hip, freed, 1, 16) == INVALID_VALUE
    assert unknown.raw == bytes(16)


@pytest.mark.parametrize("fill", BYTES)
@pytest.mark.parametrize("offset", [0, 1, 99])
def test_a_fill_stays_inside_the_size_that_was_asked_for(
    hip: Library, device: Borrowed, fill: Fill, offset: int
) -> None:
    memory = device.memory(100)
    assert fill(hip, memory + offset, 1, 100 - offset) == SUCCESS
    assert fill(hip, memory + offset, 1, 101 - offset) == INVALID_VALUE
    assert fill(hip, memory + offset, 1, HUGE) == INVALID_VALUE


def test_only_the_lowest_byte_of_the_value_counts(hip: Library, device: Borrowed) -> None:
    memory = device.memory(4)
    assert hip.hipMemset(memory, 0x12345678, 4) == SUCCESS
    assert device.read(memory, 4) == b"\x78" * 4
    assert hip.hipMemsetAsync(memory, -1, 4, None) == SUCCESS
    assert device.read(memory, 4) == b"\xff" * 4
    assert hip.hipMemset2D(memory, 4, 0x101, 4, 1) == SUCCESS
    assert device.read(memory, 4) == b"\x01" * 4


# --- elements of two and four bytes


def test_elements_are_counted_not_bytes(hip: Library, device: Borrowed) -> None:
    memory = device.memory(b"." * 16)
    assert hip.hipMemsetD32(memory, 0x04030201, 3) == SUCCESS
    assert device.read(memory, 16) == b"\1\2\3\4" * 3 + b"...."
    assert hip.hipMemsetD32Async(memory + 4, -1, 1, None) == SUCCESS
    assert device.read(memory, 16) == b"\1\2\3\4\xff\xff\xff\xff\1\2\3\4...."
    assert hip.hipMemsetD16(memory, 0x0201, 2) == SUCCESS
    assert device.read(memory, 4) == b"\1\2\1\2"
    assert hip.hipMemsetD16Async(memory + 14, 0x0605, 1, None) == SUCCESS
    assert device.read(memory, 16)[12:] == b"..\5\6"
    assert hip.hipMemsetD8(memory, 9, 2) == SUCCESS
    assert device.read(memory, 4) == b"\x09\x09\1\2"


def test_elements_stay_inside_too(hip: Library, device: Borrowed) -> None:
    memory = device.memory(16)
    assert hip.hipMemsetD32(memory, 0, 4) == SUCCESS
    assert hip.hipMemsetD32(memory, 0, 5) == INVALID_VALUE
    assert hip.hipMemsetD32Async(memory, 0, 5, None) == INVALID_VALUE
    assert hip.hipMemsetD16(memory, 0, 8) == SUCCESS
    assert hip.hipMemsetD16(memory, 0, 9) == INVALID_VALUE
    assert hip.hipMemsetD16Async(memory, 0, 9, None) == INVALID_VALUE
    assert hip.hipMemsetD8(memory, 0, 17) == INVALID_VALUE


def test_a_count_that_overflows_is_refused(hip: Library, device: Borrowed) -> None:
    memory = device.memory(16)
    for count in (1 << 62, (1 << 62) + 1, HUGE):
        assert hip.hipMemsetD32(memory, 0, count) == INVALID_VALUE
        assert hip.hipMemsetD32Async(memory, 0, count, None) == INVALID_VALUE


def test_elements_are_aligned(hip: Library, device: Borrowed) -> None:
    memory = device.memory(64)
    for offset in (1, 2, 3):
        assert hip.hipMemsetD32(memory + offset, 0, 1) == INVALID_VALUE
        assert hip.hipMemsetD32Async(memory + offset, 0, 1, None) == INVALID_VALUE
    assert hip.hipMemsetD16(memory + 1, 0, 1) == INVALID_VALUE
    assert hip.hipMemsetD16Async(memory + 1, 0, 1, None) == INVALID_VALUE


def test_no_elements_are_nothing(hip: Library) -> None:
    assert hip.hipMemsetD8(None, 0, 0) == SUCCESS
    assert hip.hipMemsetD32(None, 0, 0) == SUCCESS
    assert hip.hipMemsetD32Async(None, 0, 0, None) == SUCCESS
    assert hip.hipMemsetD32(None, 0, 1) == INVALID_VALUE
    assert hip.hipMemsetD32Async(None, 0, 1, None) == INVALID_VALUE


# --- rectangles


def test_a_rectangle_keeps_what_is_beside_it(hip: Library, device: Borrowed) -> None:
    memory = device.memory(b"." * 30)
    assert hip.hipMemset2D(memory + 1, 10, ord("x"), 3, 2) == SUCCESS
    assert hip.hipMemset2DAsync(memory + 6, 10, ord("y"), 4, 3, None) == SUCCESS
    assert device.read(memory, 30) == b".xxx..yyyy.xxx..yyyy......yyyy"


def test_a_rectangle_ends_with_the_last_byte_of_its_last_row(
    hip: Library, device: Borrowed
) -> None:
    memory = device.memory(23)
    assert hip.hipMemset2D(memory, 10, 0, 3, 3) == SUCCESS
    assert hip.hipMemset2D(memory, 10, 0, 4, 3) == INVALID_VALUE
    assert hip.hipMemset2DAsync(memory, 10, 0, 4, 3, None) == INVALID_VALUE


def test_rows_must_not_overlap(hip: Library, device: Borrowed) -> None:
    memory = device.memory(100)
    assert hip.hipMemset2D(memory, 9, 0, 10, 2) == INVALID_VALUE
    assert hip.hipMemset2DAsync(memory, 9, 0, 10, 2, None) == INVALID_VALUE


def test_an_empty_rectangle_is_nothing(hip: Library) -> None:
    assert hip.hipMemset2D(None, 0, 0, 0, 5) == SUCCESS
    assert hip.hipMemset2D(None, 0, 0, 5, 0) == SUCCESS
    assert hip.hipMemset2DAsync(None, 0, 0, 5, 0, None) == SUCCESS


def test_an_enormous_rectangle_is_refused(hip: Library, device: Borrowed) -> None:
    memory = device.memory(100)
    assert hip.hipMemset2D(memory, 8, 0, 8, HUGE) == INVALID_VALUE
    assert hip.hipMemset2D(memory, HUGE, 0, 8, 3) == INVALID_VALUE


def test_a_fill_needs_a_stream_that_is_there(hip: Library, device: Borrowed) -> None:
    memory = device.memory(16)
    for stream, expected in ((device.destroyed_stream(), DESTROYED), (0x1234, INVALID_HANDLE)):
        assert hip.hipMemsetAsync(memory, 0, 16, stream) == expected
        assert hip.hipMemsetD8Async(memory, 0, 16, stream) == expected
        assert hip.hipMemsetD16Async(memory, 0, 8, stream) == expected
        assert hip.hipMemsetD32Async(memory, 0, 4, stream) == expected
        assert hip.hipMemset2DAsync(memory, 4, 0, 4, 4, stream) == expected
