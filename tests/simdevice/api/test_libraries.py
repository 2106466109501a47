"""Kernels by library instead of by module."""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path
from typing import Any

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.codes import INVALID_HANDLE, INVALID_VALUE, Code
from tests.simdevice.library import Library, byref, done

NO_OPTIONS = (None, None, 0, None, None, 0)


@pytest.fixture
def library(hip: Library, image: bytes) -> Any:
    handle = c_void_p()
    done(hip.hipLibraryLoadData(byref(handle), image, *NO_OPTIONS))
    yield handle
    done(hip.hipLibraryUnload(handle))


def test_a_kernel_of_a_library_is_launched(
    hip: Library, device: Borrowed, library: c_void_p
) -> None:
    kernel, function, memory = c_void_p(), c_void_p(), device.memory(bytes(4))
    done(hip.hipLibraryGetKernel(byref(kernel), library, b"add"))
    done(hip.hipKernelGetFunction(byref(function), kernel))
    arguments = (c_void_p(memory), c_int(5))
    pointers = (c_void_p * 2)(*map(ctypes.addressof, arguments))
    done(hip.hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, pointers, None))
    assert device.read(memory, 1) == b"\x05"


def test_what_a_library_and_its_kernels_say(hip: Library, library: c_void_p) -> None:
    count, kernel, owner, name = c_uint(), c_void_p(), c_void_p(), c_char_p()
    done(hip.hipLibraryGetKernelCount(byref(count), library))
    kernels = (c_void_p * count.value)()
    done(hip.hipLibraryEnumerateKernels(kernels, count.value, library))
    assert len({*kernels}) == count.value > 5
    done(hip.hipLibraryGetKernel(byref(kernel), library, b"add"))
    assert kernel.value in list(kernels)
    done(hip.hipKernelGetLibrary(byref(owner), kernel))
    done(hip.hipKernelGetName(byref(name), kernel))
    assert (owner.value, name.value) == (library.value, b"add")
    offset, size = c_size_t(), c_size_t()
    done(hip.hipKernelGetParamInfo(kernel, 1, byref(offset), byref(size)))
    assert (offset.value, size.value) == (8, 4)
    assert hip.hipKernelGetParamInfo(kernel, 2, byref(offset), byref(size)) == INVALID_VALUE
    value, address = c_int(), c_void_p()
    done(hip.hipKernelGetAttribute(byref(value), 0, kernel, 0))
    assert value.value == 1024
    done(hip.hipKernelSetAttribute(8, 1024, kernel, 0))
    done(hip.hipLibraryGetGlobal(byref(address), byref(size), library, b"counter"))
    assert (bool(address.value), size.value) == (True, 4)


def test_libraries_that_are_not_there(hip: Library, library: c_void_p, tmp_path: Path) -> None:
    new, missing = c_void_p(), str(tmp_path / "missing").encode()
    count, nobody = c_uint(), 0x123
    for name, arguments, code in (
        ("hipLibraryLoadData", (None, b"x", *NO_OPTIONS), INVALID_VALUE),
        ("hipLibraryLoadFromFile", (byref(new), missing, *NO_OPTIONS), Code.FILE_NOT_FOUND),
        ("hipLibraryGetKernel", (byref(new), library, b"nobody"), Code.NOT_FOUND),
        ("hipLibraryGetKernelCount", (byref(count), nobody), INVALID_HANDLE),
        ("hipLibraryGetKernelCount", (None, library), INVALID_VALUE),
        ("hipLibraryEnumerateKernels", (None, 1, library), INVALID_VALUE),
        ("hipLibraryGetGlobal", (byref(new), None, library, b"nobody"), Code.NOT_FOUND),
        ("hipKernelGetFunction", (byref(new), nobody), INVALID_HANDLE),
        ("hipKernelGetLibrary", (byref(new), nobody), INVALID_HANDLE),
        ("hipKernelGetName", (None, nobody), INVALID_VALUE),
        ("hipKernelGetParamInfo", (nobody, 0, byref(c_size_t()), None), INVALID_HANDLE),
        ("hipModuleGetFunctionCount", (None, library), INVALID_VALUE),
        ("hipModuleGetFunctionCount", (byref(count), nobody), INVALID_HANDLE),
    ):
        assert getattr(hip, name)(*arguments) == code, name


def test_a_library_of_a_file_and_a_fat_binary(hip: Library, image: bytes, tmp_path: Path) -> None:
    path, handle, module, count = tmp_path / "kernels.co", c_void_p(), c_void_p(), c_uint()
    path.write_bytes(image)
    done(hip.hipLibraryLoadFromFile(byref(handle), str(path).encode(), *NO_OPTIONS))
    done(hip.hipLibraryUnload(handle))
    done(hip.hipModuleLoadFatBinary(byref(module), image))
    done(hip.hipModuleGetFunctionCount(byref(count), module))
    assert count.value > 5
    done(hip.hipModuleUnload(module))
