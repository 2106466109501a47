"""Launches that make no sense: an error each time, and the next launch runs."""

from __future__ import annotations

import ctypes
import itertools
import struct
from collections.abc import Iterator

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.codes import INVALID_HANDLE, INVALID_VALUE, SUCCESS, Code
from tests.simdevice.kernel_arguments import (
    BUFFER_POINTER,
    BUFFER_SIZE,
    END,
    KernelArguments,
    pointer,
)
from tests.simdevice.library import Dim3, Library, byref, done
from tests.simdevice.structures import DriverLaunchConfig, LaunchConfig

MOST = (1 << 32) - 1
ONE = (1, 1, 1, 1, 1, 1)
REFUSALS = {INVALID_VALUE, Code.INVALID_CONFIGURATION}


@pytest.fixture(autouse=True)
def _next_launch_runs(hip: Library, device: Borrowed, image: bytes) -> Iterator[None]:
    yield
    memory = device.memory(struct.pack("i", 1))
    arguments = KernelArguments(pointer(memory), ctypes.c_int(2))
    done(hip.hipModuleLaunchKernel(device.kernel(image, b"add"), *ONE, 0, None, arguments, None))
    assert struct.unpack("i", device.read(memory, 4)) == (3,)


@pytest.fixture
def nothing(device: Borrowed, image: bytes) -> int:
    return device.kernel(image, b"nothing")


def test_absurd_dimensions_are_refused_in_every_combination(hip: Library, nothing: int) -> None:
    absurd = (0, 65537, 1 << 31, MOST)
    for shape in itertools.product((1, *absurd), repeat=6):
        if shape == ONE or (shape[1:] == ONE[1:] and shape[0] == 65537):
            continue  # these can be launched
        code = hip.hipModuleLaunchKernel(nothing, *shape, 0, None, None, None)
        assert code in REFUSALS, shape


def test_every_launch_refuses_absurd_dimensions(hip: Library, nothing: int) -> None:
    most, one = Dim3(MOST, MOST, MOST), Dim3(1, 1, 1)
    numbers = (MOST,) * 6
    config, driver = LaunchConfig(most, most), DriverLaunchConfig(most, most)
    codes = [
        hip.hipModuleLaunchKernel(nothing, *numbers, 0, None, None, None),
        hip.hipModuleLaunchCooperativeKernel(nothing, *numbers, 0, None, None),
        hip.hipExtModuleLaunchKernel(nothing, *numbers, 0, None, None, None, None, None, 0),
        hip.hipHccModuleLaunchKernel(nothing, *numbers, 0, None, None, None, None, None),
        hip.hipLaunchKernel(nothing, most, most, None, 0, None),
        hip.hipLaunchKernel(nothing, one, most, None, 0, None),
        hip.hipLaunchKernel_spt(nothing, most, one, None, 0, None),
        hip.hipExtLaunchKernel(nothing, most, most, None, 0, None, None, None, 0),
        hip.hipLaunchCooperativeKernel(nothing, most, most, None, 0, None),
        hip.hipLaunchKernelExC(byref(config), nothing, None),
        hip.hipDrvLaunchKernelEx(byref(driver), nothing, None, None),
    ]
    assert set(codes) <= REFUSALS


@pytest.mark.parametrize("shared_bytes", [65537, 1 << 31, MOST])
def test_absurd_shared_memory_is_refused(hip: Library, nothing: int, shared_bytes: int) -> None:
    code = hip.hipModuleLaunchKernel(nothing, *ONE, shared_bytes, None, None, None)
    assert code == INVALID_VALUE


@pytest.mark.parametrize("shared_bytes", [65537, 1 << 32, 1 << 63, (1 << 64) - 1])
@pytest.mark.parametrize("name", [b"nothing", b"with_shared"])
def test_absurd_shared_memory_in_64_bits_is_refused(
    hip: Library, device: Borrowed, image: bytes, name: bytes, shared_bytes: int
) -> None:
    one, function = Dim3(1, 1, 1), device.kernel(image, name)
    arguments = KernelArguments(pointer(device.memory(1024)))
    code = hip.hipLaunchKernel(function, one, one, arguments, shared_bytes, None)
    assert code == INVALID_VALUE


# --- arguments


def extra(*words: int | None) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * len(words))(*words)


def test_a_list_of_arguments_with_a_hole_is_refused(
    hip: Library, device: Borrowed, image: bytes
) -> None:
    memory, amount = pointer(device.memory(4)), ctypes.c_int(1)
    function = device.kernel(image, b"add")
    for first, second in (
        (ctypes.addressof(memory), None),
        (None, ctypes.addressof(amount)),
        (None, None),
    ):
        holes = extra(first, second)
        code = hip.hipModuleLaunchKernel(function, *ONE, 0, None, holes, None)
        assert code == INVALID_VALUE


def test_a_buffer_of_arguments_must_be_described_in_full(
    hip: Library, device: Borrowed, image: bytes
) -> None:
    buffer, size = ctypes.create_string_buffer(16), ctypes.c_size_t(16)
    at, length = ctypes.addressof(buffer), ctypes.addressof(size)
    function = device.kernel(image, b"add")
    for wrong in (
        extra(END),
        extra(7, at, BUFFER_SIZE, length, END),
        extra(None, None, END),
        extra(BUFFER_POINTER, at, END),
        extra(BUFFER_SIZE, length, END),
        extra(BUFFER_POINTER, None, BUFFER_SIZE, length, END),
        extra(BUFFER_POINTER, at, BUFFER_SIZE, None, END),
    ):
        code = hip.hipModuleLaunchKernel(function, *ONE, 0, None, None, wrong)
        assert code == INVALID_VALUE


def test_a_buffer_too_short_is_refused(hip: Library, device: Borrowed, image: bytes) -> None:
    """The kernel would run with arguments that nobody gave."""
    buffer, size = ctypes.create_string_buffer(16), ctypes.c_size_t(11)
    words = extra(
        BUFFER_POINTER, ctypes.addressof(buffer), BUFFER_SIZE, ctypes.addressof(size), END
    )
    function = device.kernel(image, b"add")
    for nbytes in (0, 8, 11):
        size.value = nbytes
        code = hip.hipModuleLaunchKernel(function, *ONE, 0, None, None, words)
        assert code == INVALID_VALUE


# --- what is no kernel


def test_other_handles_are_no_kernels(hip: Library, device: Borrowed, image: bytes) -> None:
    for wrong in (device.stream(), device.event(), device.module(image), device.memory(16), 1):
        code = hip.hipModuleLaunchKernel(wrong, *ONE, 0, None, None, None)
        assert code == INVALID_HANDLE
        one = Dim3(1, 1, 1)
        code = hip.hipLaunchKernel(wrong, one, one, None, 0, None)
        assert code == Code.INVALID_DEVICE_FUNCTION


def test_a_kernel_is_no_stream(hip: Library, nothing: int) -> None:
    code = hip.hipModuleLaunchKernel(nothing, *ONE, 0, nothing, None, None)
    assert code == INVALID_HANDLE


def test_an_array_of_attributes_that_is_not_there(hip: Library, nothing: int) -> None:
    config = LaunchConfig((1, 1, 1), (1, 1, 1), 0, None, None, 5)
    assert hip.hipLaunchKernelExC(byref(config), nothing, None) == SUCCESS
