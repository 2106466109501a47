"""How many blocks fit."""

from __future__ import annotations

import ctypes

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.codes import INVALID_VALUE, SUCCESS, Code
from tests.simdevice.library import Library, byref

PLAIN, FLAGGED = (), (0,)
ACTIVE = {
    "hipOccupancyMaxActiveBlocksPerMultiprocessor": PLAIN,
    "hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags": FLAGGED,
    "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor": PLAIN,
    "hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags": FLAGGED,
}
POTENTIAL = {
    "hipOccupancyMaxPotentialBlockSize": PLAIN,
    "hipModuleOccupancyMaxPotentialBlockSize": PLAIN,
    "hipModuleOccupancyMaxPotentialBlockSizeWithFlags": FLAGGED,
}
UNITS = 304
HUGE = (1 << 64) - 1


def no_kernel(name: str) -> Code:
    by_handle = name.startswith("hipModule")
    return INVALID_VALUE if by_handle else Code.INVALID_DEVICE_FUNCTION


@pytest.mark.parametrize("name", ACTIVE)
@pytest.mark.parametrize(
    ("kernel", "threads", "shared", "blocks"),
    [
        (b"add", 64, 0, 32),
        (b"add", 1024, 0, 2),
        (b"add", 64, 32768, 2),
        (b"add", 64, 65536, 1),
        (b"add", 64, 65537, 0),
        (b"with_shared", 64, 0, 32),
        (b"with_shared", 64, 65536 - 1024, 1),
        (b"with_shared", 64, HUGE, 0),
        (b"bounded", 64, 0, 32),
        (b"bounded", 65, 0, 0),
        (b"add", 1025, 0, 0),
    ],
)
def test_blocks_per_unit(
    hip: Library,
    device: Borrowed,
    image: bytes,
    name: str,
    kernel: bytes,
    threads: int,
    shared: int,
    blocks: int,
) -> None:
    found, function = ctypes.c_int(-1), device.kernel(image, kernel)
    code = getattr(hip, name)(byref(found), function, threads, shared, *ACTIVE[name])
    assert code == SUCCESS
    assert found.value == blocks


@pytest.mark.parametrize("name", ACTIVE)
def test_the_question_needs_a_place_a_kernel_and_threads(
    hip: Library, device: Borrowed, image: bytes, name: str
) -> None:
    call, rest = getattr(hip, name), ACTIVE[name]
    found, function = ctypes.c_int(), device.kernel(image, b"add")
    assert call(None, function, 64, 0, *rest) == INVALID_VALUE
    assert call(byref(found), function, 0, 0, *rest) == INVALID_VALUE
    assert call(byref(found), function, -1, 0, *rest) == INVALID_VALUE
    assert call(byref(found), None, 64, 0, *rest) == no_kernel(name)
    assert call(byref(found), 0x1234, 64, 0, *rest) == Code.INVALID_DEVICE_FUNCTION
    if rest:
        assert call(byref(found), function, 64, 0, 1) == SUCCESS
        assert call(byref(found), function, 64, 0, 2) == INVALID_VALUE


@pytest.mark.parametrize("name", POTENTIAL)
@pytest.mark.parametrize(
    ("kernel", "shared", "limit", "threads", "blocks"),
    [
        (b"add", 0, 0, 1024, 2 * UNITS),
        (b"add", 0, 256, 256, 8 * UNITS),
        (b"add", 0, 5000, 1024, 2 * UNITS),
        (b"add", 65536, 0, 1024, UNITS),
        (b"bounded", 0, 0, 64, 32 * UNITS),
    ],
)
def test_the_block_that_fills_the_device(
    hip: Library,
    device: Borrowed,
    image: bytes,
    name: str,
    kernel: bytes,
    shared: int,
    limit: int,
    threads: int,
    blocks: int,
) -> None:
    grid, block, function = ctypes.c_int(), ctypes.c_int(), device.kernel(image, kernel)
    places = (byref(grid), byref(block))
    code = getattr(hip, name)(*places, function, shared, limit, *POTENTIAL[name])
    assert code == SUCCESS
    assert (block.value, grid.value) == (threads, blocks)


@pytest.mark.parametrize("name", POTENTIAL)
def test_the_answer_needs_two_places_and_a_kernel(
    hip: Library, device: Borrowed, image: bytes, name: str
) -> None:
    call, rest = getattr(hip, name), POTENTIAL[name]
    grid, block, function = ctypes.c_int(), ctypes.c_int(), device.kernel(image, b"add")
    assert call(None, byref(block), function, 0, 0, *rest) == INVALID_VALUE
    assert call(byref(grid), None, function, 0, 0, *rest) == INVALID_VALUE
    assert call(byref(grid), byref(block), None, 0, 0, *rest) == no_kernel(name)
    if rest:
        assert call(byref(grid), byref(block), function, 0, 0, 2) == INVALID_VALUE
