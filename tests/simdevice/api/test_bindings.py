"""The same library through AMD's own Python bindings, as programs use it."""

from __future__ import annotations

import ctypes
import importlib
import struct
from typing import Any

import numpy as np
import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.codes import INVALID_HANDLE, INVALID_VALUE, NOT_READY, SUCCESS, Code
from tests.simdevice.library import Library
from tests.simdevice.streams import held

amd: Any = importlib.import_module("rocm.bindings.hip")  # its stubs say nothing of types
KINDS = amd.hipMemcpyKind

pytestmark = pytest.mark.usefixtures("hip")


def done(result: tuple[Any, ...]) -> Any:
    code, *rest = result
    assert int(code) == SUCCESS
    return rest[0] if len(rest) == 1 else tuple(rest)


def code_of(result: tuple[Any, ...]) -> int:
    return int(result[0])


def test_both_ways_lead_to_the_same_library(device: Borrowed) -> None:
    memory = device.memory(100)
    base, size = done(amd.hipMemGetAddressRange(memory + 5))
    assert (int(base), int(size)) == (memory, 100)


def test_arrays_go_to_the_device_and_back() -> None:
    there, back = np.arange(1000, dtype=np.float32), np.zeros(1000, dtype=np.float32)
    memory = done(amd.hipMalloc(there.nbytes))
    done(amd.hipMemcpy(memory, there, there.nbytes, KINDS.hipMemcpyHostToDevice))
    done(amd.hipMemcpy(back, memory, back.nbytes, KINDS.hipMemcpyDeviceToHost))
    np.testing.assert_array_equal(back, there)
    done(amd.hipFree(memory))


def test_a_fill_is_seen() -> None:
    memory, back = done(amd.hipMalloc(16)), np.zeros(4, dtype=np.int32)
    done(amd.hipMemsetD32(memory, 42, 4))
    done(amd.hipMemcpy(back, memory, 16, KINDS.hipMemcpyDeviceToHost))
    assert back.tolist() == [42] * 4
    done(amd.hipFree(memory))


def test_a_kernel_is_loaded_and_launched(device: Borrowed, image: bytes) -> None:
    module = done(amd.hipModuleLoadData(image))
    function = done(amd.hipModuleGetFunction(module, b"add"))
    memory = device.memory(struct.pack("4i", 1, 2, 3, 4))
    arguments = (ctypes.c_void_p(memory), ctypes.c_int(10))
    shape = (1, 1, 1, 4, 1, 1)
    done(amd.hipModuleLaunchKernel(function, *shape, 0, None, None, arguments))
    assert struct.unpack("4i", device.read(memory, 16)) == (11, 12, 13, 14)
    address, size = done(amd.hipModuleGetGlobal(module, b"counter"))
    assert (int(address) != 0, int(size)) == (True, 4)
    done(amd.hipModuleUnload(module))


def test_streams_and_events() -> None:
    stream, event = done(amd.hipStreamCreate()), done(amd.hipEventCreate())
    with held(int(stream)):
        done(amd.hipEventRecord(event, stream))
        assert code_of(amd.hipEventQuery(event)) == NOT_READY
        assert code_of(amd.hipStreamQuery(stream)) == NOT_READY
    done(amd.hipEventSynchronize(event))
    assert code_of(amd.hipEventQuery(event)) == SUCCESS
    done(amd.hipEventDestroy(event))
    done(amd.hipStreamDestroy(stream))


def test_the_device_describes_itself() -> None:
    properties = done(amd.hipGetDeviceProperties(0))
    assert "MI300X" in str(properties.name)
    assert properties.warpSize == 64
    assert properties.totalGlobalMem == int(done(amd.hipDeviceTotalMem(0)))
    attribute = amd.hipDeviceAttribute_t.hipDeviceAttributeWarpSize
    assert done(amd.hipDeviceGetAttribute(attribute, 0)) == 64
    assert done(amd.hipGetDeviceCount()) == 1


def test_pointers_describe_themselves(device: Borrowed) -> None:
    pinned = done(amd.hipPointerGetAttributes(device.pinned(64)))
    assert pinned.type == amd.hipMemoryType.hipMemoryTypeHost
    memory = done(amd.hipPointerGetAttributes(device.memory(64)))
    assert memory.type == amd.hipMemoryType.hipMemoryTypeDevice


def test_memory_in_stream_order() -> None:
    stream = done(amd.hipStreamCreate())
    memory = done(amd.hipMallocAsync(256, stream))
    done(amd.hipMemsetAsync(memory, 1, 256, stream))
    done(amd.hipFreeAsync(memory, stream))
    done(amd.hipStreamSynchronize(stream))
    done(amd.hipStreamDestroy(stream))


def test_errors_come_back_as_amd_s_own_codes(hip: Library) -> None:
    (failed,) = amd.hipFree(1234)
    assert failed == amd.hipError_t.hipErrorInvalidValue == INVALID_VALUE
    assert str(amd.hipGetErrorName(failed)[1]) == "hipErrorInvalidValue"
    assert hip.hipGetLastError() == INVALID_VALUE
    assert code_of(amd.hipEventDestroy(None)) == INVALID_HANDLE
    assert code_of(amd.hipGetLastError()) == INVALID_HANDLE


def test_every_code_of_amd_has_the_same_name_here(hip: Library) -> None:
    for error in amd.hipError_t:
        assert hip.hipGetErrorName(int(error)).decode() in error.__class__.__members__
        assert amd.hipError_t[hip.hipGetErrorName(int(error)).decode()] == error
    assert amd.hipError_t.hipErrorNotSupported == Code.NOT_SUPPORTED
