"""Handles that outlived their object, in every call that takes one.

The tables are checked against the contract: a call that takes a handle and is not in its table
fails the test.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from contract import model
from tests.simdevice.borrowed import Borrowed
from tests.simdevice.boxes import (
    DEVICE,
    BatchCopy3D,
    BatchOperand,
    Copy3D,
    DriverCopy2D,
    DriverCopy3D,
    PeerCopy3D,
)
from tests.simdevice.codes import DESTROYED, INVALID_HANDLE, INVALID_VALUE, SUCCESS, Code
from tests.simdevice.library import (
    Channels,
    Dim3,
    Extent,
    HostFunction,
    Library,
    MemLocation,
    PitchedPointer,
    StreamCallback,
    byref,
    done,
    hip_library,
)
from tests.simdevice.structures import ON_DEVICE, AccessDescription, PoolProperties

ONE = Dim3(1, 1, 1)
SHAPE = (1, 1, 1, 1, 1, 1)
NOTHING = HostFunction(lambda _data: None)
NOTHING_BACK = StreamCallback(lambda _stream, _status, _data: None)
ROOM = ctypes.create_string_buffer(256)

Arguments = tuple[Any, ...]


class Good:
    """Arguments that are right, beside the one that is wrong."""

    def __init__(self, device: Borrowed, image: bytes) -> None:
        self.memory = device.memory(256)
        self.managed = device.managed(256)
        self.event = device.event()
        self.kernel = device.kernel(image, b"nothing")
        self.array = ctypes.c_void_p()
        done(
            hip_library().hipMallocArray(byref(self.array), byref(Channels(8, 0, 0, 0, 1)), 4, 1, 0)
        )
        # Of calls that take lists: one range of managed memory, and one place for it.
        self.ranges = ((ctypes.c_void_p * 1)(self.managed), (ctypes.c_size_t * 1)(256))
        self.places = ((MemLocation * 1)(MemLocation(ON_DEVICE, 0)), (ctypes.c_size_t * 1)(0), 1, 0)
        self.operation = (ctypes.c_uint64 * 6)(2, self.memory)  # writes a word

    def box(self, structure: Any, **fields: int) -> Any:
        sides = {f"{side}_device": self.memory for side in ("src", "dst")}
        return byref(structure(src_type=DEVICE, dst_type=DEVICE, **sides, **fields))

    def box_3d(self, structure: Any, **fields: int) -> Any:
        rows = PitchedPointer(self.memory, 4, 4, 4)
        return byref(structure(src=rows, dst=rows, extent=Extent(4, 1, 1), **fields))

    @property
    def batch(self) -> Any:
        place = BatchOperand(1, self.memory)
        return byref(BatchCopy3D(place, place, Extent(4, 1, 1)))


@pytest.fixture
def good(device: Borrowed, image: bytes) -> Good:
    return Good(device, image)


@pytest.fixture(autouse=True)
def _the_device_works(device: Borrowed) -> Iterator[None]:
    yield
    assert device.read(device.memory(b"works"), 5) == b"works"


@functools.cache
def contract() -> model.Contract:
    return model.load()


def calls_with(handle: str, *left_out: str) -> set[str]:
    return {
        call.name
        for call in contract().calls
        if call.supported
        and call.chapter not in ("graph", *left_out)
        and any(handle in (p.type, p.type.replace("const ", "")) for p in call.parameters)
    }


# --- streams

# Everything but the stream, which goes where the contract says.
STREAM_CALLS: dict[str, Callable[[Good], Arguments]] = {
    "hipMemcpyWithStream": lambda good: (good.memory, good.memory, 4, 3),
    "hipMemcpyHtoDAsync": lambda good: (good.memory, b"1234", 4),
    "hipMemcpyDtoHAsync": lambda good: (ROOM, good.memory, 4),
    "hipMemcpyDtoDAsync": lambda good: (good.memory, good.memory, 4),
    "hipMemcpyAsync": lambda good: (good.memory, good.memory, 4, 3),
    "hipMemsetAsync": lambda good: (good.memory, 0, 4),
    "hipMemsetD8Async": lambda good: (good.memory, 0, 4),
    "hipMemsetD16Async": lambda good: (good.memory, 0, 4),
    "hipMemsetD32Async": lambda good: (good.memory, 0, 4),
    "hipMemset2DAsync": lambda good: (good.memory, 4, 0, 4, 4),
    "hipMemcpy2DAsync": lambda good: (good.memory, 4, good.memory, 4, 4, 4, 3),
    "hipMemcpyPeerAsync": lambda good: (good.memory, 0, good.memory, 0, 4),
    "hipMemPrefetchAsync": lambda good: (good.managed, 256, 0),
    "hipMemPrefetchAsync_v2": lambda good: (good.managed, 256, MemLocation(ON_DEVICE, 0), 0),
    "hipMallocAsync": lambda good: (ROOM, 16),
    "hipFreeAsync": lambda good: (good.memory,),
    "hipMallocFromPoolAsync": lambda good: (ROOM, 16, None),
    "hipStreamDestroy": lambda good: (),
    "hipStreamQuery": lambda good: (),
    "hipStreamSynchronize": lambda good: (),
    "hipStreamWaitEvent": lambda good: (good.event, 0),
    "hipStreamGetFlags": lambda good: (ROOM,),
    "hipStreamGetPriority": lambda good: (ROOM,),
    "hipStreamGetDevice": lambda good: (ROOM,),
    "hipStreamGetId": lambda good: (ROOM,),
    "hipStreamAddCallback": lambda good: (NOTHING_BACK, None, 0),
    "hipLaunchHostFunc": lambda good: (NOTHING, None),
    "hipStreamWaitValue32": lambda good: (good.memory, 0, 0, 0),
    "hipStreamWaitValue64": lambda good: (good.memory, 0, 0, 0),
    "hipStreamWriteValue32": lambda good: (good.memory, 0, 0),
    "hipStreamWriteValue64": lambda good: (good.memory, 0, 0),
    "hipGetStreamDeviceId": lambda good: (),
    "hipEventRecord": lambda good: (good.event,),
    "hipEventRecordWithFlags": lambda good: (good.event, 0),
    "hipModuleLaunchKernel": lambda good: (good.kernel, *SHAPE, 0, None, None),
    "hipModuleLaunchCooperativeKernel": lambda good: (good.kernel, *SHAPE, 0, None),
    "hipLaunchKernel": lambda good: (good.kernel, ONE, ONE, None, 0),
    "hipLaunchCooperativeKernel": lambda good: (good.kernel, ONE, ONE, None, 0),
    "hipExtLaunchKernel": lambda good: (good.kernel, ONE, ONE, None, 0, None, None, 0),
    "hipExtModuleLaunchKernel": lambda good: (good.kernel, *SHAPE, 0, None, None, None, None, 0),
    "hipHccModuleLaunchKernel": lambda good: (good.kernel, *SHAPE, 0, None, None, None, None),
    "hipMemset3DAsync": lambda good: (PitchedPointer(good.memory, 4, 4, 4), 0, Extent(4, 1, 1)),
    "hipMemsetD2D8Async": lambda good: (good.memory, 4, 0, 1, 1),
    "hipMemsetD2D16Async": lambda good: (good.memory, 4, 0, 1, 1),
    "hipMemsetD2D32Async": lambda good: (good.memory, 4, 0, 1, 1),
    "hipMemcpyParam2DAsync": lambda good: (good.box(DriverCopy2D, width=4, height=1),),
    "hipDrvMemcpy3DAsync": lambda good: (good.box(DriverCopy3D, width=4, height=1, depth=1),),
    "hipMemcpy3DAsync": lambda good: (good.box_3d(Copy3D, kind=3),),
    "hipMemcpy3DPeerAsync": lambda good: (good.box_3d(PeerCopy3D),),
    "hipMemcpyBatchAsync": lambda good: (*good.ranges[:1], *good.ranges, 1, None, None, 0, ROOM),
    "hipMemcpy3DBatchAsync": lambda good: (1, good.batch, None, 0),
    "hipMemcpyAtoHAsync": lambda good: (ROOM, good.array, 0, 4),
    "hipMemcpyHtoAAsync": lambda good: (good.array, 0, ROOM, 4),
    "hipMemcpy2DToArrayAsync": lambda good: (good.array, 0, 0, ROOM, 4, 4, 1, 1),
    "hipMemcpy2DFromArrayAsync": lambda good: (ROOM, 4, good.array, 0, 0, 4, 1, 2),
    "hipMemPrefetchBatchAsync": lambda good: (*good.ranges, 1, *good.places),
    "hipMemDiscardBatchAsync": lambda good: (*good.ranges, 1, 0),
    "hipDrvMemDiscardBatchAsync": lambda good: (*good.ranges, 1, 0),
    "hipMemDiscardAndPrefetchBatchAsync": lambda good: (*good.ranges, 1, *good.places),
    "hipDrvMemDiscardAndPrefetchBatchAsync": lambda good: (*good.ranges, 1, *good.places),
    "hipStreamAttachMemAsync": lambda good: (good.managed, 0, 1),
    "hipExtStreamGetCUMask": lambda good: (10, ROOM),
    "hipStreamSetAttribute": lambda good: (3, ROOM),
    "hipStreamGetAttribute": lambda good: (3, ROOM),
    "hipStreamCopyAttributes": lambda good: (None,),
    "hipStreamBatchMemOp": lambda good: (1, byref(good.operation), 0),
}
# Those whose answer is another: a bad stream is documented as 400, or there is no code to give.
STALE_STREAM = {"hipStreamWaitEvent": INVALID_HANDLE, "hipGetStreamDeviceId": -1}
# Taken from a stack or printed, never used as a stream.
NOT_USED = {"__hipPushCallConfiguration", "hipConfigureCall", "hipKernelNameRefByPtr"}
# Tested with their symbols in api/test_compiler_entry_points.py.
WITH_SYMBOLS = "symbol"


def with_handle(name: str, handle_type: str, handle: int, rest: Arguments) -> Arguments:
    call = next(call for call in contract().calls if call.name == name)
    place = [parameter.type for parameter in call.parameters].index(handle_type)
    return (*rest[:place], handle, *rest[place:])


def test_the_table_has_every_call_that_takes_a_stream() -> None:
    plain = {name.removesuffix("_spt") for name in calls_with("hipStream_t", WITH_SYMBOLS)}
    assert plain - NOT_USED == set(STREAM_CALLS)


def default_pool(hip: Library) -> int:
    pool = ctypes.c_void_p()
    done(hip.hipDeviceGetDefaultMemPool(byref(pool), 0))
    return pool.value or 0


@pytest.mark.parametrize("name", sorted(calls_with("hipStream_t", WITH_SYMBOLS) - NOT_USED))
def test_a_destroyed_stream(hip: Library, device: Borrowed, good: Good, name: str) -> None:
    plain = name.removesuffix("_spt")
    rest = STREAM_CALLS[plain](good)
    if plain == "hipMallocFromPoolAsync":
        rest = (*rest[:2], default_pool(hip))
    arguments = with_handle(plain, "hipStream_t", device.destroyed_stream(), rest)
    assert getattr(hip, name)(*arguments) == STALE_STREAM.get(plain, DESTROYED)


# --- events

EVENT_CALLS: dict[str, Callable[[Good], Arguments]] = {
    "hipEventRecord": lambda good: (None,),
    "hipEventRecordWithFlags": lambda good: (None, 0),
    "hipEventDestroy": lambda good: (),
    "hipEventSynchronize": lambda good: (),
    "hipEventQuery": lambda good: (),
    "hipEventElapsedTime": lambda good: (ROOM, good.event),
    "hipStreamWaitEvent": lambda good: (None, 0),
    "hipExtLaunchKernel": lambda good: (good.kernel, ONE, ONE, None, 0, None, None, 0),
    "hipExtModuleLaunchKernel": lambda good: (
        *(good.kernel, *SHAPE, 0, None, None, None, None),
        0,
    ),
    "hipHccModuleLaunchKernel": lambda good: (good.kernel, *SHAPE, 0, None, None, None, None),
    "hipIpcGetEventHandle": lambda good: (ROOM,),
}


def test_the_table_has_every_call_that_takes_an_event() -> None:
    plain = {name.removesuffix("_spt") for name in calls_with("hipEvent_t")}
    assert plain == set(EVENT_CALLS)


@pytest.mark.parametrize("name", EVENT_CALLS)
def test_a_destroyed_event(hip: Library, device: Borrowed, good: Good, name: str) -> None:
    done(hip.hipEventRecord(good.event, None))
    stale = device.destroyed_event()
    arguments = with_handle(name, "hipEvent_t", stale, EVENT_CALLS[name](good))
    others = {"hipEventDestroy": DESTROYED, "hipIpcGetEventHandle": INVALID_VALUE}
    assert getattr(hip, name)(*arguments) == others.get(name, INVALID_HANDLE)


# --- modules and functions

MODULE_CALLS: dict[str, Arguments] = {
    "hipModuleUnload": (),
    "hipModuleGetFunction": (ROOM, b"nothing"),
    "hipModuleGetGlobal": (ROOM, None, b"counter"),
    "hipModuleGetFunctionCount": (ROOM,),
}


def test_the_table_has_every_call_that_takes_a_module() -> None:
    assert calls_with("hipModule_t") == set(MODULE_CALLS)


@pytest.mark.parametrize("name", MODULE_CALLS)
def test_an_unloaded_module(hip: Library, device: Borrowed, image: bytes, name: str) -> None:
    stale = device.module(image)
    done(hip.hipModuleUnload(stale))
    arguments = with_handle(name, "hipModule_t", stale, MODULE_CALLS[name])
    counted = name == "hipModuleGetFunctionCount"
    assert getattr(hip, name)(*arguments) == (INVALID_HANDLE if counted else Code.NOT_FOUND)


FUNCTION_CALLS: dict[str, tuple[Arguments, int | None]] = {
    "hipFuncGetAttribute": ((ROOM, 0), INVALID_HANDLE),
    "hipModuleLaunchKernel": ((*SHAPE, 0, None, None, None), INVALID_HANDLE),
    "hipModuleLaunchCooperativeKernel": ((*SHAPE, 0, None, None), INVALID_HANDLE),
    "hipDrvLaunchKernelEx": ((ROOM, None, None), INVALID_HANDLE),
    "hipExtModuleLaunchKernel": ((*SHAPE, 0, None, None, None, None, None, 0), INVALID_HANDLE),
    "hipHccModuleLaunchKernel": ((*SHAPE, 0, None, None, None, None, None), INVALID_HANDLE),
    "hipModuleOccupancyMaxPotentialBlockSize": ((ROOM, ROOM, 0, 0), 98),
    "hipModuleOccupancyMaxPotentialBlockSizeWithFlags": ((ROOM, ROOM, 0, 0, 0), 98),
    "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor": ((ROOM, 64, 0), 98),
    "hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags": ((ROOM, 64, 0, 0), 98),
}
# By `const void*`: a host stub or a function handle.
STUB_CALLS: dict[str, Callable[[int], Arguments]] = {
    "hipFuncGetAttributes": lambda stale: (ROOM, stale),
    "hipFuncSetAttribute": lambda stale: (stale, 8, 0),
    "hipFuncSetCacheConfig": lambda stale: (stale, 0),
    "hipLaunchKernel": lambda stale: (stale, ONE, ONE, None, 0, None),
    "hipLaunchKernel_spt": lambda stale: (stale, ONE, ONE, None, 0, None),
    "hipExtLaunchKernel": lambda stale: (stale, ONE, ONE, None, 0, None, None, None, 0),
    "hipLaunchCooperativeKernel": lambda stale: (stale, ONE, ONE, None, 0, None),
    "hipLaunchKernelExC": lambda stale: (ROOM, stale, None),
    "hipOccupancyMaxActiveBlocksPerMultiprocessor": lambda stale: (ROOM, stale, 64, 0),
    "hipOccupancyMaxPotentialBlockSize": lambda stale: (ROOM, ROOM, stale, 0, 0),
}


@pytest.fixture
def stale_function(hip: Library, device: Borrowed, image: bytes) -> int:
    module, function = device.module(image), ctypes.c_void_p()
    done(hip.hipModuleGetFunction(byref(function), module, b"nothing"))
    done(hip.hipModuleUnload(module))
    return function.value or 0


def test_the_table_has_every_call_that_takes_a_function() -> None:
    assert calls_with("hipFunction_t", "lookup") == set(FUNCTION_CALLS)


@pytest.mark.parametrize("name", FUNCTION_CALLS)
def test_a_kernel_of_an_unloaded_module(hip: Library, stale_function: int, name: str) -> None:
    rest, expected = FUNCTION_CALLS[name]
    arguments = with_handle(name, "hipFunction_t", stale_function, rest)
    assert getattr(hip, name)(*arguments) == expected


@pytest.mark.parametrize("name", STUB_CALLS)
def test_an_address_that_is_no_kernel_any_more(
    hip: Library, stale_function: int, name: str
) -> None:
    code = getattr(hip, name)(*STUB_CALLS[name](stale_function))
    assert code == Code.INVALID_DEVICE_FUNCTION


def test_a_kernel_of_an_unloaded_module_has_no_name(hip: Library, stale_function: int) -> None:
    assert hip.hipKernelNameRef(stale_function) is None


# --- pools

POOL_CALLS: dict[str, Arguments] = {
    "hipDeviceSetMemPool": (0,),
    "hipMemPoolTrimTo": (0,),
    "hipMemPoolSetAttribute": (4, ROOM),
    "hipMemPoolGetAttribute": (4, ROOM),
    "hipMemPoolDestroy": (),
    "hipMallocFromPoolAsync": (ROOM, 16, None),
    "hipMemPoolSetAccess": (byref(AccessDescription(MemLocation(ON_DEVICE, 0), 3)), 1),
    "hipMemPoolGetAccess": (ROOM, byref(MemLocation(ON_DEVICE, 0))),
    "hipMemPoolExportToShareableHandle": (ROOM, 1, 0),
    "hipMemPoolImportPointer": (ROOM, ROOM),
    "hipMemSetMemPool": (byref(MemLocation(ON_DEVICE, 0)), 1),
}


def test_the_table_has_every_call_that_takes_a_pool() -> None:
    assert calls_with("hipMemPool_t") == set(POOL_CALLS)


@pytest.mark.parametrize("name", POOL_CALLS)
def test_a_destroyed_pool(hip: Library, name: str) -> None:
    pool, wish = ctypes.c_void_p(), PoolProperties(1, 0, MemLocation(ON_DEVICE, 0))
    done(hip.hipMemPoolCreate(byref(pool), byref(wish)))
    done(hip.hipMemPoolDestroy(pool))
    arguments = with_handle(name, "hipMemPool_t", pool.value or 0, POOL_CALLS[name])
    assert getattr(hip, name)(*arguments) == INVALID_VALUE


# --- handles of another kind


def test_a_handle_of_another_kind_is_an_invalid_handle(
    hip: Library, device: Borrowed, image: bytes
) -> None:
    stream, event, module = device.stream(), device.event(), device.module(image)
    for wrong in (event, module, device.memory(16)):
        assert hip.hipStreamSynchronize(wrong) == INVALID_HANDLE
        assert hip.hipStreamDestroy(wrong) == INVALID_HANDLE
    for wrong in (stream, module, device.memory(16)):
        assert hip.hipEventSynchronize(wrong) == INVALID_HANDLE
        assert hip.hipEventDestroy(wrong) == INVALID_HANDLE
    for wrong in (stream, event):
        assert hip.hipModuleUnload(wrong) == Code.NOT_FOUND
        assert hip.hipMemPoolDestroy(wrong) == INVALID_VALUE


@pytest.mark.parametrize("off", [-1, 1, 8, 63, 1 << 20])
def test_a_handle_that_is_slightly_off_is_invalid(hip: Library, device: Borrowed, off: int) -> None:
    assert hip.hipStreamSynchronize(device.stream() + off) == INVALID_HANDLE
    assert hip.hipEventSynchronize(device.event() + off) == INVALID_HANDLE


def test_handles_are_never_used_again(hip: Library, device: Borrowed) -> None:
    """So a stale one is told from a live one, however many were made since."""
    stale = device.destroyed_stream()
    later = {device.stream() for _ in range(50)}
    assert stale not in later
    assert hip.hipStreamQuery(stale) == DESTROYED
    assert all(hip.hipStreamQuery(stream) == SUCCESS for stream in later)
