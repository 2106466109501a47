"""Finding calls and names at run time."""

from __future__ import annotations

import ctypes

import pytest

from contract import model
from tests.simdevice.borrowed import Borrowed
from tests.simdevice.codes import INVALID_VALUE, SUCCESS, Code
from tests.simdevice.library import Library, byref

FOUND, NOT_FOUND = 0, 1
DEFAULT, LEGACY_STREAM, PER_THREAD_STREAM = 0, 1, 2
VERSION = 71526333
# Names that mean another call since HIP 6.
RENAMED = {name: f"{name}R0600" for name in ("hipGetDeviceProperties", "hipChooseDevice")}


def exported(hip: Library, name: str) -> int:
    function = getattr(ctypes.CDLL(hip.path), name)
    return ctypes.cast(function, ctypes.c_void_p).value or 0


@pytest.mark.parametrize("name", ["hipMalloc", "hipGraphLaunch", "hipGetDevicePropertiesR0600"])
def test_a_call_is_found_by_its_name(hip: Library, name: str) -> None:
    address, status = ctypes.c_void_p(), ctypes.c_int(-1)
    found = hip.hipGetProcAddress(name.encode(), byref(address), VERSION, 0, byref(status))
    assert found == SUCCESS
    assert (address.value, status.value) == (exported(hip, name), FOUND)
    entry = hip.hipGetDriverEntryPoint(name.encode(), byref(address), DEFAULT, byref(status))
    assert entry == SUCCESS
    assert (address.value, status.value) == (exported(hip, name), FOUND)


def test_every_exported_call_is_found(hip: Library) -> None:
    address = ctypes.c_void_p()
    for call in model.load().calls:
        if call.name.startswith("hip") and call.supported:
            found = hip.hipGetProcAddress(call.name.encode(), byref(address), VERSION, 0, None)
            assert found == SUCCESS, call.name
            name = RENAMED.get(call.name, call.name)
            assert address.value == exported(hip, name), call.name


def twin_of_memcpy(hip: Library, call: str, *arguments: int) -> int | None:
    address = ctypes.c_void_p()
    assert getattr(hip, call)(b"hipMemcpy", byref(address), *arguments, None) == SUCCESS
    return address.value


def test_the_twin_is_found_on_request(hip: Library) -> None:
    twin = exported(hip, "hipMemcpy_spt")
    assert twin_of_memcpy(hip, "hipGetProcAddress", VERSION, PER_THREAD_STREAM) == twin
    assert twin_of_memcpy(hip, "hipGetProcAddress_spt", VERSION, DEFAULT) == twin
    assert twin_of_memcpy(hip, "hipGetDriverEntryPoint", PER_THREAD_STREAM) == twin
    assert twin_of_memcpy(hip, "hipGetDriverEntryPoint_spt", DEFAULT) == twin
    for plain in (DEFAULT, LEGACY_STREAM):
        assert twin_of_memcpy(hip, "hipGetDriverEntryPoint", plain) != twin


def test_a_call_without_a_twin_is_found_all_the_same(hip: Library) -> None:
    address = ctypes.c_void_p()
    found = hip.hipGetProcAddress(b"hipMalloc", byref(address), VERSION, PER_THREAD_STREAM, None)
    assert found == SUCCESS
    assert address.value == exported(hip, "hipMalloc")


def test_a_call_found_can_be_called(hip: Library) -> None:
    address = ctypes.c_void_p()
    assert hip.hipGetProcAddress(b"hipInit", byref(address), VERSION, 0, None) == SUCCESS
    init = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint)(address.value or 0)
    assert init(0) == SUCCESS
    assert init(1) == INVALID_VALUE


def search(hip: Library, call: str, name: bytes, *numbers: int) -> tuple[int, int | None, int]:
    """The code, the address and the status."""
    address, status = ctypes.c_void_p(1), ctypes.c_int(-1)
    code = getattr(hip, call)(name, byref(address), *numbers, byref(status))
    return code, address.value, status.value


def test_a_call_that_is_not_there(hip: Library) -> None:
    unknown = b"hipNoSuchThing"
    found = search(hip, "hipGetProcAddress", unknown, VERSION, 0)
    assert found == (Code.NOT_FOUND, None, NOT_FOUND)
    entry = search(hip, "hipGetDriverEntryPoint", unknown, DEFAULT)
    assert entry == (INVALID_VALUE, None, NOT_FOUND)


def test_the_search_needs_a_name_and_a_place(hip: Library) -> None:
    address = ctypes.c_void_p()
    assert hip.hipGetProcAddress(None, byref(address), VERSION, 0, None) == INVALID_VALUE
    assert hip.hipGetProcAddress(b"hipMalloc", None, VERSION, 0, None) == INVALID_VALUE
    assert hip.hipGetDriverEntryPoint(None, byref(address), 0, None) == INVALID_VALUE
    assert hip.hipGetDriverEntryPoint(b"hipMalloc", None, 0, None) == INVALID_VALUE
    assert hip.hipGetDriverEntryPoint(b"", byref(address), 0, None) == INVALID_VALUE
    assert hip.hipGetDriverEntryPoint(b"hipMalloc", byref(address), 7, None) == INVALID_VALUE


def test_every_number_has_a_name(hip: Library) -> None:
    names = {hip.hipApiName(number) for number in range(50)}
    assert len(names) == 50
    assert all(name.startswith((b"hip", b"__hip")) for name in names)
    assert hip.hipApiName(1 << 31) == b"unknown"


def test_a_kernel_knows_its_name(hip: Library, device: Borrowed, image: bytes) -> None:
    assert hip.hipKernelNameRef(device.kernel(image, b"add")) == b"add"
    assert hip.hipKernelNameRef(None) is None
    assert hip.hipKernelNameRef(0x1234) is None


def test_the_profiler_can_be_told_to_start_and_stop(hip: Library) -> None:
    assert hip.hipProfilerStart() == SUCCESS
    assert hip.hipProfilerStop() == SUCCESS
