"""What is set and comes back: of streams, of devices, of managed memory. Multi-device launches."""

from __future__ import annotations

import ctypes
from ctypes import c_int, c_size_t, c_uint, c_uint32, c_void_p
from typing import Any

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.child import answer_of
from tests.simdevice.codes import INVALID_DEVICE, INVALID_HANDLE, INVALID_VALUE, Code
from tests.simdevice.kernels import SOURCE
from tests.simdevice.launching import Kernels
from tests.simdevice.library import (
    Dim3,
    Library,
    MemLocation,
    byref,
    compile_kernels,
    done,
    hip_library,
)
from tests.simdevice.structures import ON_DEVICE

PRIORITY, POLICY, COOPERATIVE = 8, 3, 2  # hipLaunchAttributeID
READ_MOSTLY, PREFERRED, ACCESSED_BY, PREFETCHED, COHERENCY = 1, 2, 3, 4, 100
CPU, NOWHERE = -1, -2
CONTEXT_IN_USE = 216
GLOBAL, SINGLE = 1, 4


def value(number: int = 0) -> Any:
    return (c_int * 16)(number)


# --- streams and devices


def test_attributes_of_streams_come_back(hip: Library, device: Borrowed) -> None:
    first, second, seen = device.stream(), device.stream(), value()
    done(hip.hipStreamSetAttribute(first, POLICY, value(3)))
    done(hip.hipStreamCopyAttributes(second, first))
    done(hip.hipStreamGetAttribute(second, POLICY, seen))
    assert seen[0] == 3
    done(hip.hipStreamGetAttribute(first, PRIORITY, seen))
    assert seen[0] == 0
    for name in ("hipStreamSetAttribute", "hipStreamGetAttribute"):
        call = getattr(hip, name)
        assert call(first, COOPERATIVE, seen) == INVALID_VALUE
        assert call(first, POLICY, None) == INVALID_VALUE
        assert call(0x123, POLICY, seen) == INVALID_HANDLE
    assert hip.hipStreamCopyAttributes(first, 0x123) == INVALID_HANDLE


def test_a_mask_of_compute_units_comes_back(hip: Library, device: Borrowed) -> None:
    stream, mask = c_void_p(), (c_uint32 * 10)(0xF0F0, 1)
    done(hip.hipExtStreamCreateWithCUMask(byref(stream), 10, mask))
    seen = (c_uint32 * 10)()
    done(hip.hipExtStreamGetCUMask(stream, 10, seen))
    assert list(seen) == list(mask)
    done(hip.hipExtStreamGetCUMask(device.stream(), 10, seen))
    assert (list(seen)[:9], seen[9]) == ([0xFFFFFFFF] * 9, 0xFFFF)  # 304 of them
    for arguments in ((stream, 9, seen), (stream, 0, seen), (stream, 10, None)):
        assert hip.hipExtStreamGetCUMask(*arguments) == INVALID_VALUE
    done(hip.hipStreamDestroy(stream))


def test_settings_of_a_device_come_back(hip: Library) -> None:
    seen, flags = c_int(), c_uint()
    for config in (1, 2, 3, 0):
        done(hip.hipDeviceSetCacheConfig(config))
        done(hip.hipDeviceGetCacheConfig(byref(seen)))
        assert seen.value == config
    for given, expected in ((2, 2), (1, 1), (0, 1)):
        done(hip.hipDeviceSetSharedMemConfig(given))
        done(hip.hipDeviceGetSharedMemConfig(byref(seen)))
        assert seen.value == expected
    for wanted in (1, 2, 4, 8, 16, 8 | 1, 0):
        done(hip.hipSetDeviceFlags(wanted))
        done(hip.hipGetDeviceFlags(byref(flags)))
        assert flags.value == wanted
    assert hip.hipDevicePrimaryCtxSetFlags(0, 1) == CONTEXT_IN_USE
    assert hip.hipDevicePrimaryCtxSetFlags(9, 1) == INVALID_DEVICE


def links() -> list[int]:
    hip, kind, hops = hip_library(), c_uint32(), c_uint32()
    done(hip.hipExtGetLinkTypeAndHopCount(0, 1, byref(kind), byref(hops)))
    call = hip.hipExtGetLinkTypeAndHopCount
    errors = [call(0, 0, byref(kind), byref(hops)), call(0, 9, byref(kind), byref(hops))]
    return [kind.value, hops.value, *errors, call(0, 1, None, byref(hops))]


def test_devices_are_one_hop_apart() -> None:
    answer = answer_of(links, GRETA_SIM_DEVICES="2")
    assert answer == [4, 1, INVALID_VALUE, INVALID_DEVICE, INVALID_VALUE]


# --- managed memory


def attribute(hip: Library, which: int, address: int, room: int = 1) -> list[int]:
    seen = (c_int * room)(*[77] * room)
    done(hip.hipMemRangeGetAttribute(seen, 4 * room, which, address, 64))
    return list(seen)


def test_advice_comes_back(hip: Library, device: Borrowed) -> None:
    memory = device.managed(64)
    for which, expected in ((READ_MOSTLY, 0), (PREFERRED, NOWHERE), (PREFETCHED, NOWHERE)):
        assert attribute(hip, which, memory) == [expected]
    for advice, where in ((1, 0), (3, 0), (5, 0), (5, CPU), (100, 0)):
        done(hip.hipMemAdvise(memory, 64, advice, where))
    done(hip.hipMemPrefetchAsync(memory, 64, 0, None))
    seen = [attribute(hip, which, memory)[0] for which in (1, 2, 4, 100)]
    assert seen == [1, 0, 0, 1]
    assert attribute(hip, ACCESSED_BY, memory, 4) == [CPU, 0, NOWHERE, NOWHERE]
    for advice in (2, 4, 6, 101):
        done(hip.hipMemAdvise(memory, 64, advice, 0))
    done(hip.hipMemPrefetchAsync_v2(memory, 64, MemLocation(2, 0), 0, None))
    data, sizes = (c_int * 4)(), (c_size_t * 4)(*[4] * 4)
    pointers = (c_void_p * 4)(*[ctypes.addressof(data) + 4 * i for i in range(4)])
    wanted = (c_int * 4)(READ_MOSTLY, PREFERRED, PREFETCHED, COHERENCY)
    done(hip.hipMemRangeGetAttributes(pointers, sizes, wanted, 4, memory, 64))
    assert list(data) == [0, NOWHERE, CPU, 0]
    assert attribute(hip, ACCESSED_BY, memory, 2) == [CPU, NOWHERE]
    plain = device.memory(64)
    for arguments in (
        (None, 4, 1, memory, 64), (data, 3, 1, memory, 64), (data, 4, 99, memory, 64),
        (data, 4, 1, memory, 65), (data, 4, 1, plain, 64), (data, 8, 1, memory, 64),
        (data, 4, 1, memory, 0),
    ):  # fmt: skip
        assert hip.hipMemRangeGetAttribute(*arguments) == INVALID_VALUE, arguments
    assert hip.hipMemRangeGetAttributes(None, sizes, wanted, 4, memory, 64) == INVALID_VALUE
    assert hip.hipMemAdvise(memory, 64, 77, 0) == INVALID_VALUE


def test_batches_of_managed_memory(hip: Library, device: Borrowed) -> None:
    blocks = [device.managed(64), device.managed(64)]
    ctypes.memset(blocks[0], 5, 64)
    pointers, sizes = (c_void_p * 2)(*blocks), (c_size_t * 2)(64, 64)
    places, first = (
        (MemLocation * 2)(MemLocation(ON_DEVICE, 0), MemLocation(2, 0)),
        (c_size_t * 2)(0, 1),
    )
    where = (places, first, 2, 0, None)
    done(hip.hipMemPrefetchBatchAsync(pointers, sizes, 2, *where))
    assert [attribute(hip, PREFETCHED, block)[0] for block in blocks] == [0, CPU]
    for name in ("hipMemDiscardBatchAsync", "hipDrvMemDiscardBatchAsync"):
        done(getattr(hip, name)(pointers, sizes, 2, 0, None))
        assert getattr(hip, name)(pointers, sizes, 0, 0, None) == INVALID_VALUE
    for name in ("hipMemDiscardAndPrefetchBatchAsync", "hipDrvMemDiscardAndPrefetchBatchAsync"):
        done(getattr(hip, name)(pointers, sizes, 2, *where))
        assert getattr(hip, name)(pointers, sizes, 2, places, first, 0, 0, None) == INVALID_VALUE
    assert hip.hipMemPrefetchBatchAsync(None, sizes, 2, *where) == INVALID_VALUE
    done(hip.hipStreamAttachMemAsync(None, blocks[0], 0, GLOBAL))
    done(hip.hipStreamAttachMemAsync(device.stream(), blocks[0], 64, SINGLE))
    plain = device.memory(64)
    for arguments in ((None, blocks[0], 32, 1), (None, plain, 0, 1), (None, blocks[0], 0, 7)):
        assert hip.hipStreamAttachMemAsync(*arguments) == INVALID_VALUE
    done(hip.hipDeviceSynchronize())


# --- occupancy, lookup


def test_shared_memory_is_dealt_out(hip: Library, device: Borrowed, image: bytes) -> None:
    function, room = device.kernel(image, b"nothing"), c_size_t()
    call = hip.hipOccupancyAvailableDynamicSMemPerBlock
    for blocks, expected in ((1, 65536), (4, 16384)):
        done(call(byref(room), function, blocks, 64))
        assert room.value == expected
    for arguments in ((None, function, 1, 64), (byref(room), function, 0, 64)):
        assert call(*arguments) == INVALID_VALUE
    assert call(byref(room), None, 1, 64) == Code.INVALID_DEVICE_FUNCTION


@pytest.mark.parametrize("name", ["hipGetDeviceProperties", "hipChooseDevice"])
def test_names_mean_the_calls_of_their_release(hip: Library, name: str) -> None:
    def found(version: int) -> int | None:
        address = c_void_p()
        done(hip.hipGetProcAddress(name.encode(), byref(address), version, 0, None))
        return address.value

    def exported(symbol: str) -> int | None:
        return ctypes.cast(getattr(ctypes.CDLL(hip.path), symbol), c_void_p).value

    assert found(71526333) == found(600) == exported(f"{name}R0600")
    assert found(502) == exported(name)


# --- several devices at once


class LaunchParams(ctypes.Structure):
    """hipFunctionLaunchParams."""

    _fields_ = (
        ("function", c_void_p),
        *((name, c_uint) for name in ("gx", "gy", "gz", "bx", "by", "bz", "shared")),
        ("stream", c_void_p),
        ("params", c_void_p),
    )


class StubParams(ctypes.Structure):
    """hipLaunchParams."""

    _fields_ = (
        *(("function", c_void_p), ("grid", Dim3), ("block", Dim3), ("args", c_void_p)),
        *(("shared", c_size_t), ("stream", c_void_p)),
    )


def launch_on_both(form: str, flags: int) -> list[Any]:
    hip, keep = hip_library(), []
    image = compile_kernels(SOURCE)
    list_type = LaunchParams if form == "module" else StubParams
    parts, memory = (list_type * 2)(), []
    for ordinal in range(2):
        done(hip.hipSetDevice(ordinal))
        kernels, borrowed, stream = Kernels(image), Borrowed(hip), c_void_p()
        done(hip.hipStreamCreate(byref(stream)))
        memory.append((borrowed, borrowed.memory(bytes(4 * 64))))
        arguments = (c_void_p(memory[-1][1]), c_int(ordinal + 1))
        pointers = (c_void_p * 2)(*map(ctypes.addressof, arguments))
        keep.append((kernels, arguments, pointers))
        function, where = kernels.function("add").value, ctypes.addressof(pointers)
        if form == "module":
            parts[ordinal] = LaunchParams(function, 2, 1, 1, 32, 1, 1, 0, stream, where)
        else:
            one = Dim3(2, 1, 1), Dim3(32, 1, 1)
            parts[ordinal] = StubParams(function, *one, where, 0, stream)
    call = {
        "module": hip.hipModuleLaunchCooperativeKernelMultiDevice,
        "stub": hip.hipLaunchCooperativeKernelMultiDevice,
        "any": hip.hipExtLaunchMultiKernelMultiDevice,
    }[form]
    errors = [call(None, 2, 0), call(parts, 0, 0), call(parts, 3, 0), call(parts, 2, 4)]
    done(call(parts, 2, flags))
    seen = []
    for ordinal, (borrowed, address) in enumerate(memory):
        done(hip.hipSetDevice(ordinal))
        done(hip.hipDeviceSynchronize())
        seen.append(sorted(set(borrowed.read(address, 256)[::4])))
    parts[1] = parts[0]
    return [errors, seen, call(parts, 2, 0)]


@pytest.mark.parametrize(("form", "flags"), [("module", 0), ("stub", 3), ("any", 1)])
def test_a_launch_on_several_devices(form: str, flags: int) -> None:
    answer = answer_of(launch_on_both, form, flags, GRETA_SIM_DEVICES="2")
    assert answer == [[INVALID_VALUE] * 4, [[1], [2]], INVALID_DEVICE]
