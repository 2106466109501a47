"""Launches: geometry, arguments, shared memory, events around them, and what is refused."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.child import answer_of
from tests.simdevice.codes import DESTROYED, INVALID_HANDLE, INVALID_VALUE, SUCCESS, Code
from tests.simdevice.kernel_arguments import ArgumentBuffer, KernelArguments, pointer
from tests.simdevice.kernels import SOURCE
from tests.simdevice.library import Library, byref, compile_kernels, done, hip_library
from tests.simdevice.streams import NON_BLOCKING, held
from tests.simdevice.structures import (
    COOPERATIVE,
    DriverLaunchConfig,
    LaunchAttribute,
    LaunchConfig,
)

MANGLED = (
    "_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_"
    "P11ihipEvent_tS6_j"
)
SHARED_BYTES = 65536
MOST_UNSIGNED = (1 << 32) - 1

Shape = tuple[int, int, int]


def integers(device: Borrowed, values: Sequence[int]) -> int:
    return device.memory(struct.pack(f"{len(values)}i", *values))


def read_integers(device: Borrowed, address: int, count: int) -> list[int]:
    return list(struct.unpack(f"{count}i", device.read(address, 4 * count)))


def launch(
    hip: Library,
    function: int | None,
    grid: Shape = (1, 1, 1),
    block: Shape = (1, 1, 1),
    arguments: KernelArguments | None = None,
    *,
    shared_bytes: int = 0,
    stream: int | None = None,
) -> int:
    shape = (*grid, *block)
    code = hip.hipModuleLaunchKernel(function, *shape, shared_bytes, stream, arguments, None)
    return int(code)


# --- geometry


@pytest.mark.parametrize(
    ("grid", "block"), [((1, 1, 1), (1, 1, 1)), ((4, 1, 1), (64, 1, 1)), ((2, 3, 4), (5, 6, 7))]
)
def test_every_block_runs_once_and_knows_its_place(
    hip: Library, device: Borrowed, image: bytes, grid: Shape, block: Shape
) -> None:
    blocks = grid[0] * grid[1] * grid[2]
    memory = device.memory(bytes(24 * blocks))
    arguments = KernelArguments(pointer(memory))
    assert launch(hip, device.kernel(image, b"where"), grid, block, arguments) == SUCCESS
    found = read_integers(device, memory, 6 * blocks)
    expected = [
        number
        for z in range(grid[2])
        for y in range(grid[1])
        for x in range(grid[0])
        for number in (x, y, z, *block)
    ]
    assert found == expected


def test_every_thread_runs_once(hip: Library, device: Borrowed, image: bytes) -> None:
    memory = integers(device, range(1000))
    arguments = KernelArguments(pointer(memory), ctypes.c_int(5))
    assert launch(hip, device.kernel(image, b"add"), (10, 1, 1), (100, 1, 1), arguments) == SUCCESS
    assert read_integers(device, memory, 1000) == list(range(5, 1005))


@pytest.mark.parametrize("grid", [(1, 65536, 1), (1, 1, 65536)])
def test_the_largest_grid(hip: Library, device: Borrowed, image: bytes, grid: Shape) -> None:
    assert launch(hip, device.kernel(image, b"nothing"), grid) == SUCCESS


@pytest.mark.parametrize("block", [(1024, 1, 1), (1, 1024, 1), (1, 1, 1024), (16, 8, 8)])
def test_the_largest_block(hip: Library, device: Borrowed, image: bytes, block: Shape) -> None:
    assert launch(hip, device.kernel(image, b"nothing"), block=block) == SUCCESS


@pytest.mark.parametrize("zero_at", range(6))
def test_no_dimension_may_be_zero(
    hip: Library, device: Borrowed, image: bytes, zero_at: int
) -> None:
    shape = [0 if index == zero_at else 1 for index in range(6)]
    function = device.kernel(image, b"nothing")
    code = hip.hipModuleLaunchKernel(function, *shape, 0, None, None, None)
    assert code == INVALID_VALUE


@pytest.mark.parametrize(
    "grid", [(1 << 31, 1, 1), (1, 65537, 1), (1, 1, 65537), (1, MOST_UNSIGNED, MOST_UNSIGNED)]
)
def test_a_grid_too_large_in_one_direction(
    hip: Library, device: Borrowed, image: bytes, grid: Shape
) -> None:
    assert launch(hip, device.kernel(image, b"nothing"), grid) == INVALID_VALUE


@pytest.mark.parametrize(
    "block",
    [
        (1025, 1, 1),
        (1, 1025, 1),
        (1, 1, 1025),
        (32, 33, 1),
        (11, 11, 11),
        (1 << 22, 1 << 21, 1 << 21),
        (MOST_UNSIGNED, MOST_UNSIGNED, MOST_UNSIGNED),
    ],
)
def test_a_block_too_large(hip: Library, device: Borrowed, image: bytes, block: Shape) -> None:
    code = launch(hip, device.kernel(image, b"nothing"), block=block)
    assert code == Code.INVALID_CONFIGURATION


def test_a_block_larger_than_the_kernel_was_compiled_for(
    hip: Library, device: Borrowed, image: bytes
) -> None:
    function, arguments = (
        device.kernel(image, b"bounded"),
        KernelArguments(pointer(device.memory(256))),
    )
    assert launch(hip, function, block=(64, 1, 1), arguments=arguments) == SUCCESS
    code = launch(hip, function, block=(65, 1, 1), arguments=arguments)
    assert code == Code.INVALID_CONFIGURATION


def test_more_threads_in_one_direction_than_can_be_counted(
    hip: Library, device: Borrowed, image: bytes
) -> None:
    function = device.kernel(image, b"nothing")
    most_grid = (1 << 31) - 1
    code = launch(hip, function, (most_grid, 1, 1), (3, 1, 1))
    assert code == Code.INVALID_CONFIGURATION


# --- arguments


def test_arguments_of_every_size(hip: Library, device: Borrowed, image: bytes) -> None:
    memory = device.memory(24)
    arguments = KernelArguments(
        ctypes.c_char(b"A"), ctypes.c_double(-7.5), ctypes.c_short(-300), pointer(memory)
    )
    assert launch(hip, device.kernel(image, b"mixed"), arguments=arguments) == SUCCESS
    assert struct.unpack("3q", device.read(memory, 24)) == (65, -7, -300)


def test_arguments_in_one_buffer(hip: Library, device: Borrowed, image: bytes) -> None:
    memory = device.memory(24)
    extra = ArgumentBuffer(struct.pack("@c7xdh6xP", b"B", 9.0, 1234, memory))
    function = device.kernel(image, b"mixed")
    shape = (1, 1, 1, 1, 1, 1)
    assert hip.hipModuleLaunchKernel(function, *shape, 0, None, None, extra) == SUCCESS
    assert struct.unpack("3q", device.read(memory, 24)) == (66, 9, 1234)


def test_arguments_are_copied_during_the_call(hip: Library, device: Borrowed, image: bytes) -> None:
    stream, memory, amount = device.stream(NON_BLOCKING), integers(device, [1]), ctypes.c_int(2)
    arguments = KernelArguments(pointer(memory), amount)
    with held(stream):
        function = device.kernel(image, b"add")
        assert launch(hip, function, arguments=arguments, stream=stream) == SUCCESS
        amount.value = 1000
        ctypes.memset(arguments.array, 0, ctypes.sizeof(arguments.array))
    done(hip.hipStreamSynchronize(stream))
    assert read_integers(device, memory, 1) == [3]


def test_a_kernel_with_parameters_needs_arguments(
    hip: Library, device: Borrowed, image: bytes
) -> None:
    assert launch(hip, device.kernel(image, b"add")) == INVALID_VALUE
    assert launch(hip, device.kernel(image, b"nothing")) == SUCCESS


def test_arguments_come_in_one_form_only(hip: Library, device: Borrowed, image: bytes) -> None:
    array, extra = KernelArguments(pointer(0), ctypes.c_int(1)), ArgumentBuffer(bytes(16))
    function, shape = device.kernel(image, b"add"), (1, 1, 1, 1, 1, 1)
    assert hip.hipModuleLaunchKernel(function, *shape, 0, None, array, extra) == INVALID_VALUE


def test_a_launch_needs_a_kernel_and_a_stream(hip: Library, device: Borrowed, image: bytes) -> None:
    function = device.kernel(image, b"nothing")
    assert launch(hip, None) == INVALID_HANDLE
    assert launch(hip, 0x1234) == INVALID_HANDLE
    assert launch(hip, function, stream=device.destroyed_stream()) == DESTROYED
    assert launch(hip, function, stream=0x1234) == INVALID_HANDLE


# --- shared memory


@pytest.mark.parametrize("threads", [1, 7, 256])
def test_dynamic_shared_memory_is_shared_by_the_block(
    hip: Library, device: Borrowed, image: bytes, threads: int
) -> None:
    memory = integers(device, range(threads))
    code = launch(
        hip,
        device.kernel(image, b"reverse"),
        block=(threads, 1, 1),
        arguments=KernelArguments(pointer(memory)),
        shared_bytes=4 * threads,
    )
    assert code == SUCCESS
    assert read_integers(device, memory, threads) == list(reversed(range(threads)))


def test_static_shared_memory_is_shared_by_the_block(
    hip: Library, device: Borrowed, image: bytes
) -> None:
    memory = integers(device, range(256))
    arguments = KernelArguments(pointer(memory))
    function = device.kernel(image, b"with_shared")
    assert launch(hip, function, block=(256, 1, 1), arguments=arguments) == SUCCESS
    assert read_integers(device, memory, 256) == list(reversed(range(256)))


def test_shared_memory_has_an_end(hip: Library, device: Borrowed, image: bytes) -> None:
    plain, shared = device.kernel(image, b"nothing"), device.kernel(image, b"with_shared")
    arguments = KernelArguments(pointer(device.memory(1024)))
    left = SHARED_BYTES - 1024
    assert launch(hip, plain, shared_bytes=SHARED_BYTES) == SUCCESS
    assert launch(hip, plain, shared_bytes=SHARED_BYTES + 1) == INVALID_VALUE
    assert launch(hip, plain, shared_bytes=MOST_UNSIGNED) == INVALID_VALUE
    assert launch(hip, shared, arguments=arguments, shared_bytes=left) == SUCCESS
    assert launch(hip, shared, arguments=arguments, shared_bytes=left + 1) == INVALID_VALUE


# --- the other calls


def test_work_sizes_in_threads_and_events_around(
    hip: Library, device: Borrowed, image: bytes
) -> None:
    function, memory = device.kernel(image, b"add"), integers(device, [0] * 256)
    array = KernelArguments(pointer(memory), ctypes.c_int(1))
    start, stop, elapsed = device.event(), device.event(), ctypes.c_float(-1)
    sizes = (256, 1, 1, 64, 1, 1)
    for call, flags in (
        (hip.hipExtModuleLaunchKernel, (0,)),
        (hip.hipHccModuleLaunchKernel, ()),
    ):
        code = call(function, *sizes, 0, None, array, None, start, stop, *flags)
        assert code == SUCCESS
        done(hip.hipEventSynchronize(stop))
        assert hip.hipEventElapsedTime(byref(elapsed), start, stop) == SUCCESS
        assert elapsed.value >= 0
    assert read_integers(device, memory, 256) == [2] * 256


def test_the_same_call_under_its_old_mangled_name(
    hip: Library, device: Borrowed, image: bytes
) -> None:
    mangled = getattr(ctypes.CDLL(hip.path), MANGLED)
    mangled.argtypes = hip.hipExtModuleLaunchKernel.argtypes  # type: ignore[attr-defined]
    function, shape = device.kernel(image, b"nothing"), (1, 1, 1, 1, 1, 1)
    assert mangled(function, *shape, 0, None, None, None, None, None, 0) == SUCCESS


def test_work_sizes_must_be_whole_blocks(hip: Library, device: Borrowed, image: bytes) -> None:
    function = device.kernel(image, b"nothing")
    rest = (0, None, None, None, None, None, 0)
    for sizes in ((65, 1, 1, 64, 1, 1), (0, 1, 1, 1, 1, 1), (64, 1, 1, 0, 1, 1)):
        code = hip.hipExtModuleLaunchKernel(function, *sizes, *rest)
        assert code == INVALID_VALUE
    stale = (0, None, None, None, device.destroyed_event(), None, 0)
    assert hip.hipExtModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, *stale) == INVALID_HANDLE


def launch_with_an_event_of_another_device(which: str) -> list[object]:
    """The code, what the kernel has done, and whether the other event was recorded."""
    hip = hip_library()
    device, image = Borrowed(hip), compile_kernels(SOURCE)
    memory, fitting = integers(device, [7]), device.event()
    done(hip.hipSetDevice(1))
    foreign = device.event()
    done(hip.hipSetDevice(0))
    array = KernelArguments(pointer(memory), ctypes.c_int(1))
    events = (foreign, fitting) if which == "start" else (fitting, foreign)
    shape = (1, 1, 1, 1, 1, 1)
    function = device.kernel(image, b"add")
    code = hip.hipExtModuleLaunchKernel(function, *shape, 0, None, array, None, *events, 0)
    done(hip.hipDeviceSynchronize())
    never = hip.hipEventElapsedTime(byref(ctypes.c_float()), fitting, fitting) == INVALID_HANDLE
    return [code, read_integers(device, memory, 1), never]


@pytest.mark.parametrize("which", ["start", "stop"])
def test_an_event_of_another_device_is_refused_before_anything_is_queued(which: str) -> None:
    answer = answer_of(launch_with_an_event_of_another_device, which, GRETA_SIM_DEVICES="2")
    assert answer == [INVALID_HANDLE, [7], True]


def cooperative(attribute: LaunchAttribute) -> dict[str, int]:
    return {"attributes": ctypes.addressof(attribute), "attribute_count": 1}


def test_a_launch_described_by_a_structure(hip: Library, device: Borrowed, image: bytes) -> None:
    function, memory = device.kernel(image, b"add"), integers(device, [0] * 8)
    array = KernelArguments(pointer(memory), ctypes.c_int(1))
    wish = LaunchAttribute(id=COOPERATIVE, value=1)
    for with_attribute in ({}, cooperative(wish)):
        runtime = LaunchConfig((2, 1, 1), (4, 1, 1), 0, None, **with_attribute)
        assert hip.hipLaunchKernelExC(byref(runtime), function, array) == SUCCESS
        driver = DriverLaunchConfig((2, 1, 1), (4, 1, 1), 0, None, **with_attribute)
        assert hip.hipDrvLaunchKernelEx(byref(driver), function, array, None) == SUCCESS
    assert read_integers(device, memory, 8) == [4] * 8
    assert hip.hipLaunchKernelExC(None, function, array) == INVALID_VALUE
    assert hip.hipDrvLaunchKernelEx(None, function, array, None) == INVALID_VALUE


def test_a_cooperative_launch(hip: Library, device: Borrowed, image: bytes) -> None:
    function, memory = device.kernel(image, b"add"), integers(device, [0] * 8)
    array = KernelArguments(pointer(memory), ctypes.c_int(1))
    shape = (2, 1, 1, 4, 1, 1)
    code = hip.hipModuleLaunchCooperativeKernel(function, *shape, 0, None, array)
    assert code == SUCCESS
    assert read_integers(device, memory, 8) == [1] * 8


def test_a_cooperative_launch_too_large_for_the_device(
    hip: Library, device: Borrowed, image: bytes
) -> None:
    function = device.kernel(image, b"nothing")
    shape = (1 << 20, 1, 1, 64, 1, 1)
    code = hip.hipModuleLaunchCooperativeKernel(function, *shape, 0, None, None)
    assert code == Code.COOPERATIVE_TOO_LARGE
