"""Images that are no code objects, or no longer: an error each time, never a crash.

The loader is given images of every kind of damage, in a process of its own that must survive them
all and load the undamaged image at the end.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.child import answer_of
from tests.simdevice.codes import INVALID_VALUE, SUCCESS, Code
from tests.simdevice.library import Library, byref, hip_library
from tests.simdevice.offload_bundle import MAGIC, OURS, bundle

PROT_NONE = 0
AMDGPU = 224
MACHINE_AT = 18  # in the ELF header


class LastBytes:
    """Memory whose content ends where readable memory ends, as an image cut short would."""

    def __init__(self, content: bytes) -> None:
        whole = (len(content) + mmap.PAGESIZE - 1) // mmap.PAGESIZE * mmap.PAGESIZE
        self._pages = mmap.mmap(-1, whole + mmap.PAGESIZE)
        self._anchor = ctypes.c_char.from_buffer(self._pages)
        begin = ctypes.addressof(self._anchor)
        libc = ctypes.CDLL(None, use_errno=True)
        protect = libc.mprotect(
            ctypes.c_void_p(begin + whole), ctypes.c_size_t(mmap.PAGESIZE), PROT_NONE
        )
        assert protect == 0
        self._as_parameter_ = ctypes.c_void_p(begin + whole - len(content))
        ctypes.memmove(begin + whole - len(content), content, len(content))


def load(hip: Library, image: object) -> int:
    """The code; what was loaded is unloaded again."""
    module = ctypes.c_void_p()
    code = int(hip.hipModuleLoadData(byref(module), image))
    if code == SUCCESS:
        assert hip.hipModuleUnload(module) == SUCCESS
    else:
        assert module.value is None
    return code


def codes_of(images: Iterable[bytes], good: bytes) -> list[int]:
    """The different answers to these images, and after them the answer to the good one."""
    hip = hip_library()
    codes = {load(hip, LastBytes(image)) for image in images}
    return [*sorted(codes), load(hip, LastBytes(good))]


# --- damage


def truncations(image: bytes) -> Iterator[bytes]:
    short = range(1, 200)
    for length in (*short, *range(200, len(image), 37), len(image) - 1):
        yield image[:length]


def bit_flips(image: bytes) -> Iterator[bytes]:
    header = range(64 * 8)
    for bit in (*header, *range(64 * 8, 8 * len(image), 211)):
        damaged = bytearray(image)
        damaged[bit // 8] ^= 1 << bit % 8
        yield bytes(damaged)


def overwritten_spans(image: bytes) -> Iterator[bytes]:
    for begin in range(0, len(image), 256):
        for value in (b"\0", b"\xff"):
            yield image[:begin] + value * len(image[begin : begin + 64]) + image[begin + 64 :]


def load_truncated(path: str) -> list[int]:
    image = Path(path).read_bytes()
    return codes_of(truncations(image), image)


def load_flipped(path: str) -> list[int]:
    image = Path(path).read_bytes()
    return codes_of(bit_flips(image), image)


def load_overwritten(path: str) -> list[int]:
    image = Path(path).read_bytes()
    changed = (damaged for damaged in overwritten_spans(image) if damaged != image)
    return codes_of(changed, image)


def load_truncated_bundles(path: str) -> list[int]:
    """Cut short inside the code; a bundle that ends before it has no code at all."""
    image = Path(path).read_bytes()
    whole = bundle((OURS, image))
    code_at, last = whole.index(image), len(whole.rstrip(b"\0")) - 1
    lengths = range(code_at + 64, last, 97)
    return codes_of((whole[:length] for length in lengths), whole)


@pytest.fixture
def image_file(image: bytes, tmp_path: Path) -> str:
    path = tmp_path / "kernels.co"
    path.write_bytes(image)
    return str(path)


@pytest.mark.parametrize(
    "scenario", [load_truncated, load_flipped, load_overwritten, load_truncated_bundles]
)
def test_a_damaged_image_is_an_invalid_image(image_file: str, scenario: object) -> None:
    assert callable(scenario)
    assert answer_of(scenario, image_file) == [Code.INVALID_IMAGE, SUCCESS]


def load_truncated_files(path: str) -> list[int]:
    hip = hip_library()
    image, cut, module = Path(path).read_bytes(), Path(path + ".cut"), ctypes.c_void_p()
    codes = set()
    for length in (1, 4, 63, 64, 100, 4095, 4096, 4097, len(image) // 2, len(image) - 1):
        cut.write_bytes(image[:length])
        codes.add(hip.hipModuleLoad(byref(module), str(cut).encode()))
    return [*sorted(codes), hip.hipModuleLoad(byref(module), path.encode())]


def test_a_file_cut_short_is_an_invalid_image(image_file: str) -> None:
    assert answer_of(load_truncated_files, image_file) == [Code.INVALID_IMAGE, SUCCESS]


# --- what never was an image


def elf_header(machine: int) -> bytes:
    identity = b"\x7fELF\2\1\1" + bytes(9)
    rest = struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, 0, 0, 64, 56, 0, 64, 0, 0)
    return identity + rest


GARBAGE = {
    "zeros": bytes(8192),
    "ones": b"\xff" * 8192,
    "text": b"this is no code object\n" * 300,
    "only the magic of ELF": b"\x7fELF" + bytes(8192),
    "an ELF header and nothing else": elf_header(62) + bytes(8192),
    "a bundle header and nothing else": MAGIC + bytes(8192),
    "a bundle of a billion entries": MAGIC + struct.pack("<Q", 10**9) + bytes(8192),
    "an entry beyond the end": MAGIC + struct.pack("<QQQQ", 1, 1 << 60, 1 << 60, 8) + OURS.encode(),
    "an id of a terabyte": MAGIC + struct.pack("<QQQQ", 1, 0, 0, 1 << 40) + bytes(8192),
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_is_refused(hip: Library, name: str) -> None:
    expected = {Code.INVALID_IMAGE, Code.NO_BINARY}
    assert load(hip, LastBytes(GARBAGE[name])) in expected
    assert load(hip, GARBAGE[name] + bytes(65536)) in expected


@pytest.mark.parametrize("name", ["zeros", "text", "only the magic of ELF"])
def test_garbage_is_no_image(hip: Library, name: str, tmp_path: Path) -> None:
    path = tmp_path / "garbage"
    path.write_bytes(GARBAGE[name])
    assert load(hip, GARBAGE[name]) == Code.INVALID_IMAGE
    module = ctypes.c_void_p()
    assert hip.hipModuleLoad(byref(module), str(path).encode()) == Code.INVALID_IMAGE
    code = hip.hipModuleLoadDataEx(byref(module), GARBAGE[name], 0, None, None)
    assert code == Code.INVALID_IMAGE


def test_code_of_a_gpu_is_no_binary_for_this_device(hip: Library, image: bytes) -> None:
    for_gpu = bytearray(image)
    struct.pack_into("<H", for_gpu, MACHINE_AT, AMDGPU)
    assert load(hip, bytes(for_gpu)) == Code.NO_BINARY
    assert load(hip, elf_header(AMDGPU) + bytes(4096)) == Code.NO_BINARY
    assert load(hip, bundle((OURS, bytes(for_gpu)))) == Code.NO_BINARY


def test_a_compressed_bundle_is_no_binary(hip: Library) -> None:
    header = b"CCOB" + struct.pack("<HHIIQ", 2, 1, 4096, 4096, 0)
    assert load(hip, header + bytes(8192)) == Code.NO_BINARY


@pytest.mark.parametrize("path", [sys.executable, ctypes.__file__, __file__])
def test_other_files_are_no_images(hip: Library, path: str) -> None:
    assert hip.hipModuleLoad(byref(ctypes.c_void_p()), path.encode()) == Code.INVALID_IMAGE


def test_a_library_that_is_no_code_object_is_no_image(hip: Library) -> None:
    library = hip.path.encode()
    assert hip.hipModuleLoad(byref(ctypes.c_void_p()), library) == Code.INVALID_IMAGE


@pytest.mark.parametrize("address", [1, 0x1000, (1 << 47) - 4096, (1 << 64) - 16])
def test_an_image_at_an_address_that_cannot_be_read(hip: Library, address: int) -> None:
    assert load(hip, address) == Code.INVALID_IMAGE


def test_device_memory_is_no_image(hip: Library, device: Borrowed) -> None:
    freed = device.memory(4096)
    assert hip.hipFree(freed) == SUCCESS
    assert load(hip, freed) == Code.INVALID_IMAGE


# --- paths


def test_paths_that_lead_nowhere(hip: Library, tmp_path: Path) -> None:
    module = ctypes.c_void_p()
    for path in (str(tmp_path / "missing"), "/dev/null/x", str(tmp_path), "x" * 10_000, "\n"):
        code = hip.hipModuleLoad(byref(module), path.encode())
        assert code == Code.FILE_NOT_FOUND
        assert module.value is None
    assert hip.hipModuleLoad(byref(module), b"") == INVALID_VALUE


@pytest.mark.parametrize("name", [b"missing", b"x" * 100_000, b"\xff\xfe", b"add\n", b" "])
def test_names_that_are_not_in_the_module(
    hip: Library, device: Borrowed, image: bytes, name: bytes
) -> None:
    module, found = device.module(image), ctypes.c_void_p(1)
    assert hip.hipModuleGetFunction(byref(found), module, name) == Code.NOT_FOUND
    assert hip.hipModuleGetGlobal(byref(found), None, module, name) == Code.NOT_FOUND
