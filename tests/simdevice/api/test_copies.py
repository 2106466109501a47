"""Copies: what arrives, and what is refused before anything moves.

When a copy may return, and what it is ordered with, is in tests/simdevice/ordering.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.child import answer_of
from tests.simdevice.codes import (
    DESTROYED,
    INVALID_DEVICE,
    INVALID_HANDLE,
    INVALID_VALUE,
    SUCCESS,
    Code,
)
from tests.simdevice.library import Library, done, hip_library
from tests.simdevice.memory import pageable, pinned, registered

HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT = range(5)
WITHOUT_CU = 1024
TEXT = b"sixteen letters."

# (library, destination, source, bytes, kind) -> code
Copy = Callable[[Library, int | None, int | None, int, int], int]
Address = int | None


def plain(hip: Library, dst: Address, src: Address, nbytes: int, kind: int) -> int:
    return int(hip.hipMemcpy(dst, src, nbytes, kind))


def per_thread(hip: Library, dst: Address, src: Address, nbytes: int, kind: int) -> int:
    return int(hip.hipMemcpy_spt(dst, src, nbytes, kind))


def queued(hip: Library, dst: Address, src: Address, nbytes: int, kind: int) -> int:
    return int(hip.hipMemcpyAsync(dst, src, nbytes, kind, None))


def queued_per_thread(hip: Library, dst: Address, src: Address, nbytes: int, kind: int) -> int:
    return int(hip.hipMemcpyAsync_spt(dst, src, nbytes, kind, None))


def with_stream(hip: Library, dst: Address, src: Address, nbytes: int, kind: int) -> int:
    return int(hip.hipMemcpyWithStream(dst, src, nbytes, kind, None))


def in_one_row(hip: Library, dst: Address, src: Address, nbytes: int, kind: int) -> int:
    return int(hip.hipMemcpy2D(dst, nbytes, src, nbytes, nbytes, 1, kind))


def row_per_thread(hip: Library, dst: Address, src: Address, nbytes: int, kind: int) -> int:
    return int(hip.hipMemcpy2D_spt(dst, nbytes, src, nbytes, nbytes, 1, kind))


def row_queued(hip: Library, dst: Address, src: Address, nbytes: int, kind: int) -> int:
    return int(hip.hipMemcpy2DAsync(dst, nbytes, src, nbytes, nbytes, 1, kind, None))


EVERY_WAY = [
    plain,
    per_thread,
    queued,
    queued_per_thread,
    with_stream,
    in_one_row,
    row_per_thread,
    row_queued,
]


def host_bytes(content: bytes) -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(content, len(content))


# --- what every copy has in common


@pytest.mark.parametrize("copy", EVERY_WAY)
def test_bytes_arrive_in_every_direction(hip: Library, device: Borrowed, copy: Copy) -> None:
    source, back = host_bytes(TEXT), ctypes.create_string_buffer(16)
    first, second = device.memory(16), device.memory(16)
    assert copy(hip, first, ctypes.addressof(source), 16, HOST_TO_DEVICE) == SUCCESS
    assert copy(hip, second, first, 16, DEVICE_TO_DEVICE) == SUCCESS
    assert copy(hip, ctypes.addressof(back), second, 16, DEVICE_TO_HOST) == SUCCESS
    done(hip.hipDeviceSynchronize())
    assert back.raw == TEXT


@pytest.mark.parametrize("copy", EVERY_WAY)
def test_the_default_kind_finds_the_direction_itself(
    hip: Library, device: Borrowed, copy: Copy
) -> None:
    source, back = host_bytes(TEXT), ctypes.create_string_buffer(16)
    memory = device.memory(16)
    assert copy(hip, memory, ctypes.addressof(source), 16, DEFAULT) == SUCCESS
    assert copy(hip, ctypes.addressof(back), memory, 16, DEFAULT) == SUCCESS
    done(hip.hipDeviceSynchronize())
    assert back.raw == TEXT


@pytest.mark.parametrize("copy", EVERY_WAY)
def test_nothing_is_copied_before_anything_is_checked(hip: Library, copy: Copy) -> None:
    assert copy(hip, None, None, 0, HOST_TO_DEVICE) == SUCCESS
    assert copy(hip, 1, 2, 0, 99) == SUCCESS


@pytest.mark.parametrize("copy", EVERY_WAY)
def test_both_sides_must_be_given(hip: Library, device: Borrowed, copy: Copy) -> None:
    memory = device.memory(16)
    assert copy(hip, None, memory, 16, DEVICE_TO_DEVICE) == INVALID_VALUE
    assert copy(hip, memory, None, 16, DEVICE_TO_DEVICE) == INVALID_VALUE


@pytest.mark.parametrize("copy", EVERY_WAY)
def test_a_kind_must_be_one(hip: Library, device: Borrowed, copy: Copy) -> None:
    first, second = device.memory(16), device.memory(16)
    for kind in (5, 6, 1023, 1025, -1):
        assert copy(hip, first, second, 16, kind) == Code.INVALID_COPY_KIND
    assert copy(hip, first, second, 16, WITHOUT_CU) == SUCCESS


@pytest.mark.parametrize("copy", EVERY_WAY)
@pytest.mark.parametrize("offset", [0, 1, 100])
def test_a_copy_stays_inside_the_size_that_was_asked_for(
    hip: Library, device: Borrowed, copy: Copy, offset: int
) -> None:
    short, long = device.memory(200), device.memory(4096)
    left = 200 - offset
    assert copy(hip, short + offset, long, left, DEVICE_TO_DEVICE) == SUCCESS
    assert copy(hip, long, short + offset, left, DEVICE_TO_DEVICE) == SUCCESS
    assert copy(hip, short + offset, long, left + 1, DEVICE_TO_DEVICE) == INVALID_VALUE
    assert copy(hip, long, short + offset, left + 1, DEVICE_TO_DEVICE) == INVALID_VALUE


@pytest.mark.parametrize("copy", EVERY_WAY)
def test_pinned_and_registered_memory_has_an_end_too(
    hip: Library, device: Borrowed, copy: Copy
) -> None:
    memory, pages = device.memory(16384), [pinned(8192), registered(8192)]
    for block in pages:
        assert copy(hip, memory, block.address, 8192, HOST_TO_DEVICE) == SUCCESS
        assert copy(hip, memory, block.address, 8193, HOST_TO_DEVICE) == INVALID_VALUE
        assert copy(hip, block.address, memory, 8193, DEVICE_TO_HOST) == INVALID_VALUE
    done(hip.hipDeviceSynchronize())
    for block in pages:
        block.free()


@pytest.mark.parametrize("copy", EVERY_WAY)
def test_two_pageable_sides_need_a_kind_that_allows_it(hip: Library, copy: Copy) -> None:
    source, target = host_bytes(TEXT), ctypes.create_string_buffer(16)
    src, dst = ctypes.addressof(source), ctypes.addressof(target)
    for kind in (HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE):
        assert copy(hip, dst, src, 16, kind) == INVALID_VALUE
    assert target.raw == bytes(16)
    for kind in (HOST_TO_HOST, DEFAULT):
        target.value = b""
        assert copy(hip, dst, src, 16, kind) == SUCCESS
        done(hip.hipDeviceSynchronize())
        assert target.raw == TEXT


def test_overlapping_bytes_arrive_unmixed(hip: Library, device: Borrowed) -> None:
    memory = device.memory(TEXT)
    assert hip.hipMemcpy(memory + 2, memory, 10, DEVICE_TO_DEVICE) == SUCCESS
    assert device.read(memory, 16) == TEXT[:2] + TEXT[:10] + TEXT[12:]


def test_a_large_copy_arrives_whole(hip: Library, device: Borrowed) -> None:
    nbytes = (3 << 20) + 17
    content = bytes(range(251)) * (nbytes // 251 + 1)
    memory, back = device.memory(nbytes), ctypes.create_string_buffer(nbytes)
    stream = device.stream()
    assert hip.hipMemcpyAsync(memory, content, nbytes, HOST_TO_DEVICE, stream) == SUCCESS
    assert hip.hipMemcpyAsync(back, memory, nbytes, DEVICE_TO_HOST, stream) == SUCCESS
    done(hip.hipStreamSynchronize(stream))
    assert back.raw == content[:nbytes]


# --- the calls that name their direction


def test_calls_named_after_their_direction(hip: Library, device: Borrowed) -> None:
    first, second, back = device.memory(16), device.memory(16), ctypes.create_string_buffer(16)
    assert hip.hipMemcpyHtoD(first, TEXT, 16) == SUCCESS
    assert hip.hipMemcpyDtoD(second, first, 16) == SUCCESS
    assert hip.hipMemcpyDtoH(back, second, 16) == SUCCESS
    assert back.raw == TEXT


def test_queued_calls_named_after_their_direction(hip: Library, device: Borrowed) -> None:
    stream = device.stream()
    first, second, back = device.memory(16), device.memory(16), ctypes.create_string_buffer(16)
    assert hip.hipMemcpyHtoDAsync(first, TEXT, 16, stream) == SUCCESS
    assert hip.hipMemcpyDtoDAsync(second, first, 16, stream) == SUCCESS
    assert hip.hipMemcpyDtoHAsync(back, second, 16, stream) == SUCCESS
    done(hip.hipStreamSynchronize(stream))
    assert back.raw == TEXT


def test_calls_named_after_their_direction_check_like_the_others(
    hip: Library, device: Borrowed
) -> None:
    memory, back = device.memory(16), ctypes.create_string_buffer(32)
    assert hip.hipMemcpyHtoD(memory, TEXT * 2, 17) == INVALID_VALUE
    assert hip.hipMemcpyDtoD(memory, memory, 17) == INVALID_VALUE
    assert hip.hipMemcpyDtoH(back, memory, 17) == INVALID_VALUE
    assert hip.hipMemcpyHtoD(None, TEXT, 16) == INVALID_VALUE
    assert hip.hipMemcpyDtoD(memory, None, 16) == INVALID_VALUE
    assert hip.hipMemcpyDtoH(None, memory, 16) == INVALID_VALUE
    assert hip.hipMemcpyHtoD(back, TEXT, 16) == INVALID_VALUE
    stale = device.destroyed_stream()
    assert hip.hipMemcpyHtoDAsync(memory, TEXT, 16, stale) == DESTROYED
    assert hip.hipMemcpyDtoDAsync(memory, memory, 8, stale) == DESTROYED
    assert hip.hipMemcpyDtoHAsync(back, memory, 16, stale) == DESTROYED
    assert hip.hipMemcpyHtoDAsync(memory, TEXT * 2, 17, None) == INVALID_VALUE
    assert hip.hipMemcpyDtoDAsync(memory, memory, 17, None) == INVALID_VALUE
    assert hip.hipMemcpyDtoHAsync(back, memory, 17, None) == INVALID_VALUE


def test_a_copy_needs_a_stream_that_is_there(hip: Library, device: Borrowed) -> None:
    memory = device.memory(16)
    for stream, expected in ((device.destroyed_stream(), DESTROYED), (0x1234, INVALID_HANDLE)):
        assert hip.hipMemcpyAsync(memory, TEXT, 16, HOST_TO_DEVICE, stream) == expected
        assert hip.hipMemcpyWithStream(memory, TEXT, 16, HOST_TO_DEVICE, stream) == expected
        code = hip.hipMemcpy2DAsync(memory, 4, TEXT, 4, 4, 4, HOST_TO_DEVICE, stream)
        assert code == expected


# --- rectangles


def test_a_rectangle_keeps_what_is_beside_it(hip: Library, device: Borrowed) -> None:
    target = device.memory(b"." * 40)
    assert hip.hipMemcpy2D(target, 10, b"abcXdefXghiX", 4, 3, 3, HOST_TO_DEVICE) == SUCCESS
    assert device.read(target, 40) == b"abc.......def.......ghi................."
    back = host_bytes(b"-" * 15)
    assert hip.hipMemcpy2DAsync(back, 5, target, 10, 3, 3, DEVICE_TO_HOST, None) == SUCCESS
    done(hip.hipStreamSynchronize(None))
    assert back.raw == b"abc--def--ghi--"


def test_a_rectangle_ends_with_the_last_byte_of_its_last_row(
    hip: Library, device: Borrowed
) -> None:
    target = device.memory(23)
    source = b"x" * 30
    assert hip.hipMemcpy2D(target, 10, source, 10, 3, 3, HOST_TO_DEVICE) == SUCCESS
    assert hip.hipMemcpy2D(target, 10, source, 10, 4, 3, HOST_TO_DEVICE) == INVALID_VALUE
    code = hip.hipMemcpy2DAsync(target, 10, source, 10, 4, 3, HOST_TO_DEVICE, None)
    assert code == INVALID_VALUE


def test_rows_must_not_overlap(hip: Library, device: Borrowed) -> None:
    target, source = device.memory(100), b"x" * 100
    for dst_pitch, src_pitch in ((9, 10), (10, 9), (0, 10)):
        code = hip.hipMemcpy2D(target, dst_pitch, source, src_pitch, 10, 2, HOST_TO_DEVICE)
        assert code == Code.INVALID_PITCH
        code = hip.hipMemcpy2DAsync(
            target, dst_pitch, source, src_pitch, 10, 2, HOST_TO_DEVICE, None
        )
        assert code == Code.INVALID_PITCH


def test_an_empty_rectangle_is_nothing(hip: Library) -> None:
    assert hip.hipMemcpy2D(None, 0, None, 0, 0, 5, HOST_TO_DEVICE) == SUCCESS
    assert hip.hipMemcpy2D(None, 0, None, 0, 5, 0, HOST_TO_DEVICE) == SUCCESS
    assert hip.hipMemcpy2DAsync(None, 0, None, 0, 5, 0, HOST_TO_DEVICE, None) == SUCCESS


def test_an_enormous_rectangle_is_refused(hip: Library, device: Borrowed) -> None:
    memory, huge = device.memory(100), (1 << 64) - 1
    assert hip.hipMemcpy2D(memory, huge, TEXT, huge, 8, 3, HOST_TO_DEVICE) == INVALID_VALUE
    assert hip.hipMemcpy2D(memory, 8, TEXT, 8, 8, huge, HOST_TO_DEVICE) == INVALID_VALUE


# --- between devices


def peer_copies() -> list[object]:
    hip = hip_library()
    borrowed = Borrowed(hip)
    here = borrowed.memory(TEXT)
    done(hip.hipSetDevice(1))
    there, again = borrowed.memory(16), borrowed.memory(16)
    codes = [
        hip.hipMemcpyPeer(there, 1, here, 0, 16),
        hip.hipMemcpyPeerAsync(again, 1, there, 1, 16, None),
        hip.hipMemcpyPeer(there, 2, here, 0, 16),
        hip.hipMemcpyPeerAsync(there, 1, here, -1, 16, None),
        hip.hipMemcpyPeer(there, 1, here, 0, 17),
    ]
    return [*codes, borrowed.read(again, 16).decode()]


def test_bytes_arrive_on_another_device() -> None:
    expected = [SUCCESS, SUCCESS, INVALID_DEVICE, INVALID_DEVICE, INVALID_VALUE, TEXT.decode()]
    assert answer_of(peer_copies, GRETA_SIM_DEVICES="2") == expected


def test_pageable_memory_next_to_nothing_can_be_copied(hip: Library, device: Borrowed) -> None:
    """The last byte of a page: a copy that read on would be a fault."""
    block = pageable(8192)
    ctypes.memmove(block.address + 8192 - 16, TEXT, 16)
    memory = device.memory(16)
    assert hip.hipMemcpy(memory, block.address + 8192 - 16, 16, HOST_TO_DEVICE) == SUCCESS
    assert device.read(memory, 16) == TEXT
