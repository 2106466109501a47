"""Stream-ordered memory in strict placement: which life of a block a kernel may touch."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from tests.simdevice.child import answer_of
from tests.simdevice.faults.conftest import STRICT
from tests.simdevice.faults.kernels import ILLEGAL_ADDRESS, load
from tests.simdevice.faults.staging import WRITE, truth
from tests.simdevice.launching import Kernels
from tests.simdevice.library import byref, done, hip_library
from tests.simdevice.streams import NON_BLOCKING, held, new_stream, synchronize


def allocate(stream: int, size: int) -> int:
    pointer = ctypes.c_void_p()
    done(hip_library().hipMallocAsync(byref(pointer), size, stream))
    return pointer.value or 0


def free(address: int, stream: int) -> None:
    done(hip_library().hipFreeAsync(address, stream))


def fill(kernels: Kernels, address: int, size: int, stream: int, rounds: int = 1) -> None:
    done(kernels.launch("slow_fill", address, size, rounds, stream=stream))


def use_both_lives(path: str, sizes: list[int]) -> int:
    """Kernels are queued for each life of the block before the first of them has run."""
    kernels, stream = load(path), new_stream(NON_BLOCKING)
    with held(stream):
        for size in sizes:
            address = allocate(stream, size)
            fill(kernels, address, size, stream)
            free(address, stream)
    return int(hip_library().hipStreamSynchronize(stream))


@pytest.mark.parametrize(
    "sizes", [[8192, 5000, 8192], [5000, 8192], [8192, 4097, 5001, 4099], [100, 4096, 3, 1000]]
)
def test_work_on_its_way_keeps_the_life_it_was_queued_for(
    sizes: list[int], strict_code_object: str
) -> None:
    assert answer_of(use_both_lives, strict_code_object, sizes, **STRICT) == 0


def reuse_under_a_running_kernel(path: str) -> int:
    """The block gets its next life while the kernel of the last one is at work."""
    kernels, stream = load(path), new_stream(NON_BLOCKING)
    for size in (8192, 5000) * 100:
        address = allocate(stream, size)
        fill(kernels, address, size, stream, rounds=5)
        free(address, stream)
    return int(hip_library().hipStreamSynchronize(stream))


def test_reuse_does_not_disturb_a_running_kernel(strict_code_object: str) -> None:
    assert answer_of(reuse_under_a_running_kernel, strict_code_object, **STRICT) == 0


def use_after_the_free(path: str, wait: bool) -> list[Any]:
    kernels, stream = load(path), new_stream(NON_BLOCKING)
    address = allocate(stream, 100)
    free(address, stream)
    if wait:
        synchronize(stream)
    done(kernels.launch("access", address, 50, 1, WRITE, stream=stream))
    code = int(hip_library().hipStreamSynchronize(stream))
    return [code, truth()["address"] - address]


@pytest.mark.parametrize("wait", [False, True])
def test_use_behind_the_free_faults(wait: bool, strict_code_object: str) -> None:
    answer = answer_of(use_after_the_free, strict_code_object, wait, **STRICT)
    assert answer == [ILLEGAL_ADDRESS, 50]


def overrun_second_life(path: str, past: int) -> int:
    """A smaller block in the pages of a larger one, whose free was reached long ago."""
    kernels, stream, other = load(path), new_stream(NON_BLOCKING), new_stream(NON_BLOCKING)
    keep_everything = ctypes.c_uint64(2**64 - 1)
    pool = ctypes.c_void_p()
    done(hip_library().hipDeviceGetDefaultMemPool(byref(pool), 0))
    done(hip_library().hipMemPoolSetAttribute(pool, 4, byref(keep_everything)))
    first = allocate(stream, 8192)
    free(first, stream)
    synchronize(stream)
    second = allocate(other, 5000)
    assert first <= second < first + 8192
    done(kernels.launch("access", second, 4999 + past, 1, WRITE, stream=other))
    return int(hip_library().hipStreamSynchronize(other))


def test_the_second_life_has_its_own_bounds(strict_code_object: str) -> None:
    assert answer_of(overrun_second_life, strict_code_object, 1, **STRICT) == ILLEGAL_ADDRESS
    assert answer_of(overrun_second_life, strict_code_object, -5000, **STRICT) == ILLEGAL_ADDRESS
    assert answer_of(overrun_second_life, strict_code_object, 0, **STRICT) == 0
