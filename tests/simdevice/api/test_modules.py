"""Code objects: loading them, the kernels and variables in them."""

from __future__ import annotations

import ctypes
import struct
from pathlib import Path

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.codes import INVALID_HANDLE, INVALID_VALUE, SUCCESS, Code
from tests.simdevice.library import Library, byref, done
from tests.simdevice.offload_bundle import OURS, bundle
from tests.simdevice.streams import held, waits_for
from tests.simdevice.structures import DEVICE, FunctionAttributes, PointerAttributes

MOST_THREADS, SHARED, CONSTANT, LOCAL, REGISTERS = 0, 1, 2, 3, 4
MOST_DYNAMIC_SHARED, CARVEOUT = 8, 9
SHARED_BYTES = 65536


def attribute(hip: Library, number: int, function: int) -> int:
    value = ctypes.c_int(-1)
    done(hip.hipFuncGetAttribute(byref(value), number, function))
    return value.value


def attributes(hip: Library, function: int) -> FunctionAttributes:
    filled = FunctionAttributes()
    done(hip.hipFuncGetAttributes(byref(filled), function))
    return filled


def read_int(device: Borrowed, address: int) -> int:
    return int(struct.unpack("i", device.read(address, 4))[0])


def variable(hip: Library, module: int, name: bytes) -> tuple[int, int]:
    address, size = ctypes.c_void_p(), ctypes.c_size_t()
    done(hip.hipModuleGetGlobal(byref(address), byref(size), module, name))
    return address.value or 0, size.value


def launch(hip: Library, function: int) -> None:
    done(hip.hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, None, None))


# --- loading


def test_an_image_is_loaded_from_memory(hip: Library, image: bytes) -> None:
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    assert hip.hipModuleLoadData(byref(module), image) == SUCCESS
    assert module.value
    assert hip.hipModuleGetFunction(byref(function), module, b"nothing") == SUCCESS
    assert function.value
    assert hip.hipModuleUnload(module) == SUCCESS


def test_options_of_the_loader_are_accepted(hip: Library, image: bytes) -> None:
    module = ctypes.c_void_p()
    assert hip.hipModuleLoadDataEx(byref(module), image, 0, None, None) == SUCCESS
    done(hip.hipModuleUnload(module))
    options, values = (ctypes.c_int * 1)(7), (ctypes.c_void_p * 1)(3)
    assert hip.hipModuleLoadDataEx(byref(module), image, 1, options, values) == SUCCESS
    done(hip.hipModuleUnload(module))
    assert hip.hipModuleLoadDataEx(None, image, 0, None, None) == INVALID_VALUE
    assert hip.hipModuleLoadDataEx(byref(module), None, 0, None, None) == INVALID_VALUE


def test_an_image_is_loaded_from_a_file(hip: Library, image: bytes, tmp_path: Path) -> None:
    file, module = tmp_path / "kernels.co", ctypes.c_void_p()
    file.write_bytes(image)
    assert hip.hipModuleLoad(byref(module), str(file).encode()) == SUCCESS
    file.unlink()
    function = ctypes.c_void_p()
    assert hip.hipModuleGetFunction(byref(function), module, b"add") == SUCCESS
    assert hip.hipModuleUnload(module) == SUCCESS


def test_a_file_must_be_there_and_hold_an_image(hip: Library, tmp_path: Path) -> None:
    module, empty = ctypes.c_void_p(), tmp_path / "empty"
    empty.touch()
    missing = str(tmp_path / "missing").encode()
    assert hip.hipModuleLoad(byref(module), missing) == Code.FILE_NOT_FOUND
    assert hip.hipModuleLoad(byref(module), str(empty).encode()) == Code.INVALID_IMAGE
    assert hip.hipModuleLoad(byref(module), b"") == INVALID_VALUE
    assert hip.hipModuleLoad(byref(module), None) == INVALID_VALUE
    assert hip.hipModuleLoad(None, str(empty).encode()) == INVALID_VALUE


def test_an_image_must_be_given(hip: Library, image: bytes) -> None:
    module = ctypes.c_void_p()
    assert hip.hipModuleLoadData(byref(module), None) == INVALID_VALUE
    assert hip.hipModuleLoadData(None, image) == INVALID_VALUE
    assert hip.hipModuleLoadData(byref(module), bytes(256)) == Code.INVALID_IMAGE


def test_an_image_is_found_in_a_bundle(hip: Library, image: bytes, device: Borrowed) -> None:
    foreign = ("hipv4-amdgcn-amd-amdhsa--gfx90a", b"not for us")
    function = device.kernel(bundle(foreign, (OURS, image)), b"nothing")
    launch(hip, function)
    done(hip.hipDeviceSynchronize())


def test_a_bundle_of_other_devices_code_is_no_binary(hip: Library) -> None:
    foreign = bundle(("hipv4-amdgcn-amd-amdhsa--gfx90a", b"not for us" * 20))
    assert hip.hipModuleLoadData(byref(ctypes.c_void_p()), foreign) == Code.NO_BINARY


def test_each_load_has_variables_of_its_own(hip: Library, image: bytes, device: Borrowed) -> None:
    first, second = device.module(image), device.module(image)
    counter, size = variable(hip, first, b"counter")
    other, _ = variable(hip, second, b"counter")
    assert size == 4
    assert counter != other
    device.write(counter, struct.pack("i", 77))
    assert read_int(device, other) == 5


# --- unloading


def test_a_module_is_unloaded_once(hip: Library, image: bytes, device: Borrowed) -> None:
    module = device.module(image)
    assert hip.hipModuleUnload(module) == SUCCESS
    assert hip.hipModuleUnload(module) == Code.NOT_FOUND
    assert hip.hipModuleUnload(None) == INVALID_HANDLE


def test_unloading_waits_for_the_kernels(hip: Library, image: bytes, device: Borrowed) -> None:
    module = device.module(image)
    with held(device.stream()) as hold:
        assert waits_for(hold, lambda: done(hip.hipModuleUnload(module)))


def test_what_was_in_the_module_is_gone_with_it(
    hip: Library, image: bytes, device: Borrowed
) -> None:
    module, function = device.module(image), ctypes.c_void_p()
    done(hip.hipModuleGetFunction(byref(function), module, b"nothing"))
    counter, _ = variable(hip, module, b"counter")
    done(hip.hipModuleUnload(module))
    shape = (1, 1, 1, 1, 1, 1)
    launched = hip.hipModuleLaunchKernel(function, *shape, 0, None, None, None)
    assert launched == INVALID_HANDLE
    assert hip.hipFuncGetAttribute(byref(ctypes.c_int()), 0, function) == INVALID_HANDLE
    assert hip.hipMemGetAddressRange(None, None, counter) == Code.NOT_FOUND
    found = hip.hipModuleGetFunction(byref(function), module, b"nothing")
    assert found == Code.NOT_FOUND
    assert hip.hipModuleGetGlobal(byref(function), None, module, b"counter") == Code.NOT_FOUND


# --- finding kernels and variables


def test_a_kernel_has_one_handle(hip: Library, image: bytes, device: Borrowed) -> None:
    module = device.module(image)
    first, second, other = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    assert hip.hipModuleGetFunction(byref(first), module, b"add") == SUCCESS
    assert hip.hipModuleGetFunction(byref(second), module, b"add") == SUCCESS
    assert hip.hipModuleGetFunction(byref(other), module, b"where") == SUCCESS
    assert first.value == second.value != other.value


def test_a_kernel_must_be_there(hip: Library, image: bytes, device: Borrowed) -> None:
    module, function = device.module(image), ctypes.c_void_p()
    for name in (b"missing", b"ad", b"add ", b"counter"):
        assert hip.hipModuleGetFunction(byref(function), module, name) == Code.NOT_FOUND
    assert hip.hipModuleGetFunction(byref(function), module, None) == INVALID_VALUE
    assert hip.hipModuleGetFunction(byref(function), module, b"") == INVALID_VALUE
    assert hip.hipModuleGetFunction(None, module, b"add") == INVALID_VALUE
    assert hip.hipModuleGetFunction(byref(function), None, b"add") == INVALID_HANDLE


def test_a_variable_is_device_memory(hip: Library, image: bytes, device: Borrowed) -> None:
    module, known = device.module(image), PointerAttributes()
    table, size = variable(hip, module, b"table")
    assert size == 64
    done(hip.hipPointerGetAttributes(byref(known), table + 4))
    assert (known.type, known.device_pointer) == (DEVICE, table + 4)
    assert hip.hipMemcpy(table, bytes(64), 64, 1) == SUCCESS
    assert hip.hipMemcpy(table, bytes(65), 65, 1) == INVALID_VALUE
    assert hip.hipFree(table) == INVALID_VALUE


def test_a_kernel_reads_and_writes_the_variables(
    hip: Library, image: bytes, device: Borrowed
) -> None:
    module, function = device.module(image), ctypes.c_void_p()
    counter, _ = variable(hip, module, b"counter")
    assert read_int(device, counter) == 5
    done(hip.hipModuleGetFunction(byref(function), module, b"count"))
    launch(hip, function.value or 0)
    assert read_int(device, counter) == 6
    device.write(counter, struct.pack("i", 100))
    launch(hip, function.value or 0)
    assert read_int(device, counter) == 101


def test_either_answer_about_a_variable_may_be_left_out(
    hip: Library, image: bytes, device: Borrowed
) -> None:
    module, address, size = device.module(image), ctypes.c_void_p(), ctypes.c_size_t()
    assert hip.hipModuleGetGlobal(byref(address), None, module, b"counter") == SUCCESS
    assert hip.hipModuleGetGlobal(None, byref(size), module, b"counter") == SUCCESS
    assert (address.value is not None, size.value) == (True, 4)
    assert hip.hipModuleGetGlobal(None, None, module, b"counter") == INVALID_VALUE


def test_a_variable_must_be_there(hip: Library, image: bytes, device: Borrowed) -> None:
    module, address = device.module(image), ctypes.c_void_p()
    for name in (b"missing", b"add"):
        code = hip.hipModuleGetGlobal(byref(address), None, module, name)
        assert code == Code.NOT_FOUND
    assert hip.hipModuleGetGlobal(byref(address), None, module, None) == INVALID_VALUE
    assert hip.hipModuleGetGlobal(byref(address), None, module, b"") == INVALID_VALUE
    assert hip.hipModuleGetGlobal(byref(address), None, None, b"counter") == INVALID_HANDLE


# --- attributes of kernels


def test_attributes_are_those_of_the_source(hip: Library, image: bytes, device: Borrowed) -> None:
    plain, shared = device.kernel(image, b"add"), device.kernel(image, b"with_shared")
    bounded = device.kernel(image, b"bounded")
    assert attribute(hip, SHARED, plain) == 0
    assert attribute(hip, SHARED, shared) == 1024
    assert attribute(hip, MOST_THREADS, plain) == 1024
    assert attribute(hip, MOST_THREADS, bounded) == 64
    assert attribute(hip, MOST_DYNAMIC_SHARED, plain) == SHARED_BYTES
    assert attribute(hip, MOST_DYNAMIC_SHARED, shared) == SHARED_BYTES - 1024
    for number in (CONSTANT, LOCAL, REGISTERS):
        assert attribute(hip, number, plain) >= 0


def test_one_by_one_or_all_at_once(hip: Library, image: bytes, device: Borrowed) -> None:
    for name in (b"add", b"with_shared", b"bounded"):
        function = device.kernel(image, name)
        together = attributes(hip, function)
        assert together.shared_bytes == attribute(hip, SHARED, function)
        assert together.most_threads == attribute(hip, MOST_THREADS, function)
        assert together.local_bytes == attribute(hip, LOCAL, function)
        assert together.registers == attribute(hip, REGISTERS, function)
        assert together.most_dynamic_shared_bytes == attribute(hip, MOST_DYNAMIC_SHARED, function)
        assert together.binary_version > 0


def test_attributes_need_a_place_a_kernel_and_a_meaning(
    hip: Library, image: bytes, device: Borrowed
) -> None:
    function, value = device.kernel(image, b"add"), ctypes.c_int()
    assert hip.hipFuncGetAttribute(None, SHARED, function) == INVALID_VALUE
    assert hip.hipFuncGetAttribute(byref(value), SHARED, None) == INVALID_HANDLE
    assert hip.hipFuncGetAttribute(byref(value), SHARED, 0x1234) == INVALID_HANDLE
    for meaningless in (-1, 16, 1000):
        assert hip.hipFuncGetAttribute(byref(value), meaningless, function) == INVALID_VALUE
    filled = FunctionAttributes()
    assert hip.hipFuncGetAttributes(None, function) == INVALID_VALUE
    no_function = Code.INVALID_DEVICE_FUNCTION
    assert hip.hipFuncGetAttributes(byref(filled), None) == no_function
    assert hip.hipFuncGetAttributes(byref(filled), 0x1234) == no_function


@pytest.mark.parametrize("name", [b"add", b"with_shared"])
def test_dynamic_shared_memory_can_be_limited(
    hip: Library, image: bytes, device: Borrowed, name: bytes
) -> None:
    function = device.kernel(image, name)
    most = attribute(hip, MOST_DYNAMIC_SHARED, function)
    assert hip.hipFuncSetAttribute(function, MOST_DYNAMIC_SHARED, 4096) == SUCCESS
    assert attributes(hip, function).most_dynamic_shared_bytes == 4096
    assert hip.hipFuncSetAttribute(function, MOST_DYNAMIC_SHARED, most) == SUCCESS
    assert hip.hipFuncSetAttribute(function, MOST_DYNAMIC_SHARED, most + 1) == INVALID_VALUE
    assert hip.hipFuncSetAttribute(function, MOST_DYNAMIC_SHARED, -1) == INVALID_VALUE


def test_setting_needs_a_kernel_and_a_meaning(hip: Library, image: bytes, device: Borrowed) -> None:
    function = device.kernel(image, b"add")
    no_function = Code.INVALID_DEVICE_FUNCTION
    assert hip.hipFuncSetAttribute(None, MOST_DYNAMIC_SHARED, 0) == no_function
    assert hip.hipFuncSetAttribute(0x1234, MOST_DYNAMIC_SHARED, 0) == no_function
    assert hip.hipFuncSetAttribute(function, CARVEOUT, 50) == SUCCESS
    for value in (-2, 101):
        assert hip.hipFuncSetAttribute(function, CARVEOUT, value) == INVALID_VALUE
    for meaningless in (-1, 1000):
        assert hip.hipFuncSetAttribute(function, meaningless, 0) == INVALID_VALUE


def test_hints_about_caches_and_banks_are_accepted(
    hip: Library, image: bytes, device: Borrowed
) -> None:
    function = device.kernel(image, b"add")
    for name in ("hipFuncSetCacheConfig", "hipFuncSetSharedMemConfig"):
        assert getattr(hip, name)(function, 1) == SUCCESS
        assert getattr(hip, name)(function, 9) == INVALID_VALUE
        assert getattr(hip, name)(None, 1) == Code.INVALID_DEVICE_FUNCTION
