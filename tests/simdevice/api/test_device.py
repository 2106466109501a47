"""Devices: how many, which one, what they are like, waiting for them, resetting them."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.child import answer_of
from tests.simdevice.codes import DESTROYED, INVALID_DEVICE, INVALID_VALUE, SUCCESS, Code
from tests.simdevice.library import Library, byref, done, hip_library
from tests.simdevice.streams import NON_BLOCKING, held, waits_for

PROPERTIES_BYTES, OLD_PROPERTIES_BYTES = 1472, 792

# hipDeviceAttribute_t -> where hipDeviceProp_tR0600 has the same number.
ATTRIBUTES = {
    "MaxThreadsPerBlock": (56, "i", 320),
    "MaxGridDimX": (29, "i", 336),
    "MaxSharedMemoryPerBlock": (74, "Q", 296),
    "MaxRegistersPerBlock": (71, "i", 304),
    "WarpSize": (87, "i", 308),
    "ClockRate": (5, "i", 348),
    "ComputeCapabilityMajor": (23, "i", 360),
    "ComputeCapabilityMinor": (61, "i", 364),
    "MultiprocessorCount": (63, "i", 388),
    "Integrated": (16, "i", 396),
    "CanMapHostMemory": (3, "i", 400),
    "ConcurrentKernels": (8, "i", 576),
    "PciBusId": (67, "i", 584),
    "AsyncEngineCount": (2, "i", 600),
    "MemoryClockRate": (60, "i", 608),
    "MemoryBusWidth": (59, "i", 612),
    "L2CacheSize": (19, "i", 616),
    "MaxThreadsPerMultiProcessor": (57, "i", 624),
    "SharedMemPerMultiprocessor": (76, "Q", 640),
    "ManagedMemory": (24, "i", 652),
    "CooperativeLaunch": (10, "i", 688),
}
VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 89


def attribute(hip: Library, number: int) -> int:
    value = ctypes.c_int(-1)
    done(hip.hipDeviceGetAttribute(byref(value), number, 0))
    return value.value


def properties(hip: Library) -> bytes:
    filled = ctypes.create_string_buffer(PROPERTIES_BYTES)
    done(hip.hipGetDevicePropertiesR0600(filled, 0))
    return filled.raw


def text_at(structure: bytes, offset: int) -> str:
    return structure[offset:].partition(b"\0")[0].decode()


def total_memory(hip: Library) -> int:
    total = ctypes.c_size_t()
    done(hip.hipDeviceTotalMem(byref(total), 0))
    return total.value


# --- initialising and versions


def test_initialising_takes_no_flags(hip: Library) -> None:
    assert hip.hipInit(0) == SUCCESS
    assert hip.hipInit(1) == INVALID_VALUE


def test_runtime_and_driver_are_of_hip_7(hip: Library) -> None:
    runtime, driver = ctypes.c_int(), ctypes.c_int()
    assert hip.hipRuntimeGetVersion(byref(runtime)) == SUCCESS
    assert hip.hipDriverGetVersion(byref(driver)) == SUCCESS
    assert runtime.value // 10_000_000 == 7
    assert runtime.value // 100_000 % 100 == 15
    assert driver.value == runtime.value
    assert hip.hipRuntimeGetVersion(None) == INVALID_VALUE
    assert hip.hipDriverGetVersion(None) == INVALID_VALUE


# --- the current device


def test_there_is_one_device(hip: Library) -> None:
    count = ctypes.c_int()
    assert hip.hipGetDeviceCount(byref(count)) == SUCCESS
    assert count.value == 1
    assert hip.hipGetDeviceCount(None) == INVALID_VALUE


def test_the_first_device_is_the_current_one(hip: Library) -> None:
    current = ctypes.c_int(-1)
    assert hip.hipGetDevice(byref(current)) == SUCCESS
    assert current.value == 0
    assert hip.hipGetDevice(None) == INVALID_VALUE


@pytest.mark.parametrize("ordinal", [-1, 1, 1000])
def test_a_device_that_is_not_there_cannot_be_chosen(hip: Library, ordinal: int) -> None:
    current = ctypes.c_int(-1)
    assert hip.hipSetDevice(ordinal) == INVALID_DEVICE
    assert hip.hipGetDevice(byref(current)) == SUCCESS
    assert current.value == 0


def test_an_ordinal_is_its_own_device(hip: Library) -> None:
    found = ctypes.c_int(-1)
    assert hip.hipDeviceGet(byref(found), 0) == SUCCESS
    assert found.value == 0
    assert hip.hipDeviceGet(byref(found), 1) == INVALID_DEVICE
    assert hip.hipDeviceGet(byref(found), -1) == INVALID_DEVICE
    assert hip.hipDeviceGet(None, 0) == INVALID_VALUE


def each_thread_has_its_current_device() -> list[int]:
    from tests.simdevice.streams import on_another_thread

    hip = hip_library()

    def current() -> int:
        ordinal = ctypes.c_int(-1)
        done(hip.hipGetDevice(byref(ordinal)))
        return ordinal.value

    done(hip.hipSetDevice(1))
    return [current(), on_another_thread(current)]


def test_each_thread_has_its_current_device() -> None:
    assert answer_of(each_thread_has_its_current_device, GRETA_SIM_DEVICES="2") == [1, 0]


def valid_devices() -> list[int]:
    from tests.simdevice.streams import on_another_thread

    hip, both = hip_library(), (ctypes.c_int * 2)(1, 0)
    ordinal = ctypes.c_int(-1)

    def chosen() -> list[int]:
        code = hip.hipSetValidDevices(both, 2)
        done(hip.hipGetDevice(byref(ordinal)))
        return [code, ordinal.value]

    seen: list[int] = on_another_thread(chosen)
    done(hip.hipSetDevice(0))  # the thread's own choice stands
    seen += chosen()
    both[1] = 2
    return [
        *seen,
        *(hip.hipSetValidDevices(*given) for given in ((None, 0), (None, 1), (both, 3), (both, 2))),
    ]


def test_the_first_of_the_valid_devices_is_taken_where_none_was_chosen() -> None:
    refused = [INVALID_VALUE, INVALID_VALUE, Code.INVALID_DEVICE]
    answer = answer_of(valid_devices, GRETA_SIM_DEVICES="2")
    assert answer == [SUCCESS, 1, SUCCESS, 0, SUCCESS, *refused]


def without_a_device() -> list[Any]:
    hip = hip_library()
    count, version = ctypes.c_int(7), ctypes.c_int()
    pointer = ctypes.c_void_p()
    return [
        hip.hipGetDeviceCount(byref(count)),
        count.value,
        hip.hipMalloc(byref(pointer), 16),
        hip.hipGetDevice(byref(count)),
        hip.hipGetLastError(),
        hip.hipPeekAtLastError(),
        hip.hipRuntimeGetVersion(byref(version)),
        hip.hipDriverGetVersion(byref(version)),
        version.value > 0,
    ]


@pytest.mark.parametrize(
    "variables",
    [{"GRETA_SIM_DEVICES": "0"}, {"HIP_VISIBLE_DEVICES": "-1"}, {"CUDA_VISIBLE_DEVICES": ""}],
)
def test_without_a_device_only_the_versions_are_answered(variables: dict[str, str]) -> None:
    none = Code.NO_DEVICE
    expected = [none, 0, none, none, none, none, SUCCESS, SUCCESS, True]
    assert answer_of(without_a_device, **variables) == expected


def visible_devices() -> list[str]:
    hip = hip_library()
    count = ctypes.c_int()
    done(hip.hipGetDeviceCount(byref(count)))
    return [bus_id(hip, ordinal) for ordinal in range(count.value)]


@pytest.mark.parametrize(
    ("visible", "physical"),
    [("2,0", [2, 0]), ("1,9,0", [1]), ("1,1", [1]), ("0,x", [0])],
)
def test_visible_devices_end_at_the_first_that_is_not_one(
    visible: str, physical: list[int]
) -> None:
    found = answer_of(visible_devices, GRETA_SIM_DEVICES="3", HIP_VISIBLE_DEVICES=visible)
    assert found == [f"0000:{number + 1:02x}:00.0" for number in physical]


# --- what the device is like


def test_the_name_says_that_it_is_simulated(hip: Library) -> None:
    name = ctypes.create_string_buffer(256)
    assert hip.hipDeviceGetName(name, 256, 0) == SUCCESS
    assert name.value.startswith(b"AMD Instinct MI300X")
    assert b"simulated" in name.value
    assert name.value.decode() == text_at(properties(hip), 0)


def test_a_name_too_long_is_cut_and_ended(hip: Library) -> None:
    name = ctypes.create_string_buffer(b"x" * 16)
    assert hip.hipDeviceGetName(name, 4, 0) == SUCCESS
    assert name.raw[:5] == b"AMD\0x"
    assert hip.hipDeviceGetName(name, 0, 0) == INVALID_VALUE
    assert hip.hipDeviceGetName(None, 16, 0) == INVALID_VALUE
    assert hip.hipDeviceGetName(name, 16, 1) == INVALID_DEVICE


def bus_id(hip: Library, ordinal: int) -> str:
    text = ctypes.create_string_buffer(64)
    done(hip.hipDeviceGetPCIBusId(text, 64, ordinal))
    return text.value.decode()


def test_a_device_is_found_by_its_bus_id(hip: Library) -> None:
    found = ctypes.c_int(-1)
    assert hip.hipDeviceGetByPCIBusId(byref(found), bus_id(hip, 0).encode()) == SUCCESS
    assert found.value == 0
    assert hip.hipDeviceGetByPCIBusId(byref(found), b"ffff:ff:ff.f") == INVALID_VALUE
    assert hip.hipDeviceGetByPCIBusId(byref(found), None) == INVALID_VALUE
    assert hip.hipDeviceGetByPCIBusId(None, b"0000:01:00.0") == INVALID_VALUE


def test_a_bus_id_needs_thirteen_characters(hip: Library) -> None:
    text = ctypes.create_string_buffer(13)
    assert hip.hipDeviceGetPCIBusId(text, 13, 0) == SUCCESS
    assert len(text.value) == 12
    assert hip.hipDeviceGetPCIBusId(text, 12, 0) == INVALID_VALUE
    assert hip.hipDeviceGetPCIBusId(None, 13, 0) == INVALID_VALUE
    assert hip.hipDeviceGetPCIBusId(text, 13, 1) == INVALID_DEVICE


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attributes_and_properties_say_the_same(hip: Library, name: str) -> None:
    number, kind, offset = ATTRIBUTES[name]
    assert attribute(hip, number) == struct.unpack_from(kind, properties(hip), offset)[0]


def test_the_device_is_an_mi300x(hip: Library) -> None:
    known = properties(hip)
    assert text_at(known, 1160).startswith("gfx942")
    assert attribute(hip, ATTRIBUTES["WarpSize"][0]) == 64
    assert attribute(hip, ATTRIBUTES["MaxThreadsPerBlock"][0]) == 1024
    assert attribute(hip, VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) == 1


def test_all_sources_agree_on_the_memory(hip: Library) -> None:
    total, free = ctypes.c_size_t(), ctypes.c_size_t()
    done(hip.hipMemGetInfo(byref(free), byref(total)))
    assert total_memory(hip) == total.value
    assert struct.unpack_from("Q", properties(hip), 288)[0] == total.value
    assert hip.hipDeviceTotalMem(None, 0) == INVALID_VALUE
    assert hip.hipDeviceTotalMem(byref(total), 5) == INVALID_DEVICE


def test_an_attribute_needs_a_place_a_device_and_a_meaning(hip: Library) -> None:
    value = ctypes.c_int()
    warp_size = ATTRIBUTES["WarpSize"][0]
    assert hip.hipDeviceGetAttribute(None, warp_size, 0) == INVALID_VALUE
    assert hip.hipDeviceGetAttribute(byref(value), warp_size, 1) == INVALID_DEVICE
    assert hip.hipDeviceGetAttribute(byref(value), warp_size, -1) == INVALID_DEVICE
    for meaningless in (-1, 5000, 1 << 30):
        assert hip.hipDeviceGetAttribute(byref(value), meaningless, 0) == INVALID_VALUE


def test_properties_need_a_place_and_a_device(hip: Library) -> None:
    room = ctypes.create_string_buffer(PROPERTIES_BYTES)
    assert hip.hipGetDevicePropertiesR0600(None, 0) == INVALID_VALUE
    assert hip.hipGetDevicePropertiesR0600(room, 1) == INVALID_DEVICE
    assert hip.hipGetDevicePropertiesR0600(room, -1) == INVALID_DEVICE


def test_properties_fill_their_structure_and_not_a_byte_more(hip: Library) -> None:
    room = ctypes.create_string_buffer(b"\xaa" * (PROPERTIES_BYTES + 64))
    done(hip.hipGetDevicePropertiesR0600(room, 0))
    assert room.raw[PROPERTIES_BYTES:-1] == b"\xaa" * 64
    old = ctypes.create_string_buffer(b"\xaa" * (OLD_PROPERTIES_BYTES + 64))
    done(hip.hipGetDevicePropertiesR0000(old, 0))
    assert old.raw[OLD_PROPERTIES_BYTES:-1] == b"\xaa" * 64


@pytest.mark.parametrize("name", ["hipGetDeviceProperties", "hipGetDevicePropertiesR0000"])
def test_programs_of_hip_5_get_the_old_structure(hip: Library, name: str) -> None:
    old = ctypes.create_string_buffer(OLD_PROPERTIES_BYTES)
    assert getattr(hip, name)(old, 0) == SUCCESS
    assert text_at(old.raw, 0) == text_at(properties(hip), 0)
    assert struct.unpack_from("Q", old.raw, 256)[0] == total_memory(hip)
    assert struct.unpack_from("i", old.raw, 276)[0] == 64
    assert text_at(old.raw, 396).startswith("gfx942")
    assert getattr(hip, name)(None, 0) == INVALID_VALUE
    assert getattr(hip, name)(old, 3) == INVALID_DEVICE


@pytest.mark.parametrize(
    "name", ["hipChooseDevice", "hipChooseDeviceR0000", "hipChooseDeviceR0600"]
)
def test_the_first_device_suits_any_wish(hip: Library, name: str) -> None:
    chosen, wish = ctypes.c_int(-1), ctypes.create_string_buffer(PROPERTIES_BYTES)
    assert getattr(hip, name)(byref(chosen), wish) == SUCCESS
    assert chosen.value == 0
    assert getattr(hip, name)(None, wish) == INVALID_VALUE
    assert getattr(hip, name)(byref(chosen), None) == INVALID_VALUE


def test_the_compute_capability_is_in_the_properties(hip: Library) -> None:
    major, minor = ctypes.c_int(), ctypes.c_int()
    assert hip.hipDeviceComputeCapability(byref(major), byref(minor), 0) == SUCCESS
    assert (major.value, minor.value) == struct.unpack_from("ii", properties(hip), 360)
    assert hip.hipDeviceComputeCapability(None, byref(minor), 0) == INVALID_VALUE
    assert hip.hipDeviceComputeCapability(byref(major), byref(minor), 9) == INVALID_DEVICE


def test_the_uuid_is_in_the_properties(hip: Library) -> None:
    uuid = ctypes.create_string_buffer(16)
    assert hip.hipDeviceGetUuid(uuid, 0) == SUCCESS
    assert uuid.raw == properties(hip)[256:272]
    assert any(uuid.raw)
    assert hip.hipDeviceGetUuid(None, 0) == INVALID_VALUE
    assert hip.hipDeviceGetUuid(uuid, 1) == INVALID_DEVICE


def test_greatest_priority_is_the_smallest_number(hip: Library) -> None:
    least, greatest = ctypes.c_int(), ctypes.c_int()
    assert hip.hipDeviceGetStreamPriorityRange(byref(least), byref(greatest)) == SUCCESS
    assert (least.value, greatest.value) == (1, -1)
    assert hip.hipDeviceGetStreamPriorityRange(None, None) == SUCCESS


# --- settings


def test_flags_are_kept(hip: Library) -> None:
    flags = ctypes.c_uint()
    assert hip.hipSetDeviceFlags(4) == SUCCESS  # hipDeviceScheduleBlockingSync
    assert hip.hipGetDeviceFlags(byref(flags)) == SUCCESS
    assert flags.value == 4
    assert hip.hipSetDeviceFlags(0) == SUCCESS
    assert hip.hipSetDeviceFlags(1 | 2) == INVALID_VALUE  # spin and yield
    assert hip.hipSetDeviceFlags(1 << 20) == INVALID_VALUE
    assert hip.hipGetDeviceFlags(None) == INVALID_VALUE


@pytest.mark.parametrize("limit", [0, 2], ids=["stack", "heap"])
def test_limits_are_kept(hip: Library, limit: int) -> None:
    before, after = ctypes.c_size_t(), ctypes.c_size_t()
    assert hip.hipDeviceGetLimit(byref(before), limit) == SUCCESS
    assert hip.hipDeviceSetLimit(limit, 8192) == SUCCESS
    assert hip.hipDeviceGetLimit(byref(after), limit) == SUCCESS
    assert after.value == 8192
    done(hip.hipDeviceSetLimit(limit, before.value))


def test_a_limit_must_be_one(hip: Library) -> None:
    value = ctypes.c_size_t()
    assert hip.hipDeviceGetLimit(None, 0) == INVALID_VALUE
    assert hip.hipDeviceGetLimit(byref(value), 7) == Code.UNSUPPORTED_LIMIT
    assert hip.hipDeviceSetLimit(7, 1) == Code.UNSUPPORTED_LIMIT
    assert hip.hipDeviceGetLimit(byref(value), 1 << 20) == INVALID_VALUE
    assert hip.hipDeviceSetLimit(1 << 20, 1) == INVALID_VALUE


def test_hints_about_caches_and_banks_that_make_no_sense(hip: Library) -> None:
    assert hip.hipDeviceGetCacheConfig(None) == INVALID_VALUE
    assert hip.hipDeviceGetSharedMemConfig(None) == INVALID_VALUE
    assert hip.hipDeviceSetCacheConfig(9) == INVALID_VALUE
    assert hip.hipDeviceSetSharedMemConfig(9) == INVALID_VALUE


# --- peers


def peers() -> dict[str, list[int]]:
    hip = hip_library()
    can, has = ctypes.c_int(-1), ctypes.c_int(-1)
    done(hip.hipDeviceCanAccessPeer(byref(can), 0, 1))
    done(hip.hipDeviceGetP2PAttribute(byref(has), 1, 0, 1))
    return {
        "can": [can.value, has.value],
        "self": [
            hip.hipDeviceCanAccessPeer(byref(can), 0, 0),
            can.value,
            hip.hipDeviceEnablePeerAccess(0, 0),
            hip.hipDeviceGetP2PAttribute(byref(has), 1, 1, 1),
        ],
        "twice": [hip.hipDeviceEnablePeerAccess(1, 0), hip.hipDeviceEnablePeerAccess(1, 0)],
        "undone": [hip.hipDeviceDisablePeerAccess(1), hip.hipDeviceDisablePeerAccess(1)],
        "wrong": [
            hip.hipDeviceEnablePeerAccess(1, 1),
            hip.hipDeviceEnablePeerAccess(2, 0),
            hip.hipDeviceDisablePeerAccess(2),
            hip.hipDeviceCanAccessPeer(byref(can), 0, 2),
            hip.hipDeviceCanAccessPeer(None, 0, 1),
        ],
    }


def test_peer_access_is_switched_on_and_off_once() -> None:
    assert answer_of(peers, GRETA_SIM_DEVICES="2") == {
        "can": [1, 1],
        "self": [SUCCESS, 0, INVALID_DEVICE, INVALID_DEVICE],
        "twice": [SUCCESS, Code.PEER_ALREADY_ENABLED],
        "undone": [SUCCESS, Code.PEER_NOT_ENABLED],
        "wrong": [INVALID_VALUE, INVALID_DEVICE, INVALID_DEVICE, INVALID_DEVICE, INVALID_VALUE],
    }


# --- waiting and resetting


@pytest.mark.parametrize("flags", [0, NON_BLOCKING])
def test_the_host_waits_for_every_stream_of_the_device(
    hip: Library, device: Borrowed, flags: int
) -> None:
    with held(device.stream(flags)) as hold:
        assert waits_for(hold, lambda: done(hip.hipDeviceSynchronize()))


def reset() -> dict[str, Any]:
    hip = hip_library()
    borrowed = Borrowed(hip)
    memory, pinned, stream = borrowed.memory(4096), borrowed.pinned(64), borrowed.stream()
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    code = hip.hipDeviceReset()
    done(hip.hipMemGetInfo(byref(free), byref(total)))
    return {
        "reset": code,
        "gone": [hip.hipFree(memory), hip.hipHostFree(pinned), hip.hipStreamSynchronize(stream)],
        "all free": free.value == total.value,
        "works": borrowed.read(borrowed.memory(b"again"), 5).decode(),
    }


def test_a_reset_frees_what_the_program_left() -> None:
    assert answer_of(reset) == {
        "reset": SUCCESS,
        "gone": [INVALID_VALUE, INVALID_VALUE, DESTROYED],
        "all free": True,
        "works": "again",
    }


def reset_with_pool_memory() -> list[int]:
    hip = hip_library()
    pointer, pool, used = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
    done(hip.hipMallocAsync(byref(pointer), 4096, None))
    done(hip.hipDeviceReset())
    done(hip.hipDeviceGetDefaultMemPool(byref(pool), 0))
    done(hip.hipMemPoolGetAttribute(pool, 7, byref(used)))
    again = hip.hipMallocAsync(byref(pointer), 4096, None)
    return [used.value, again, hip.hipMemset(pointer, 1, 4096), hip.hipFreeAsync(pointer, None)]


def test_a_reset_empties_the_pools_too() -> None:
    assert answer_of(reset_with_pool_memory) == [0, SUCCESS, SUCCESS, SUCCESS]
