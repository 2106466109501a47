"""Virtual memory management: addresses, memory, mappings and access rights."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_void_p
from typing import Any

import pytest

from tests.simdevice.child import answer_of, run_in_child
from tests.simdevice.codes import INVALID_DEVICE, INVALID_VALUE, OUT_OF_MEMORY, Code
from tests.simdevice.kernels import SOURCE
from tests.simdevice.launching import Kernels
from tests.simdevice.library import Library, MemLocation, byref, compile_kernels, done, hip_library
from tests.simdevice.structures import (
    NO_ACCESS,
    ON_DEVICE,
    PINNED,
    READ,
    READ_WRITE,
    AccessDescription,
    AllocationProperties,
)

ON_HOST, NOWHERE = 2, 0
UNCACHED = 0x40000000
FILE, WIN32, FABRIC = 1, 2, 8
LEAST, RECOMMENDED = 0, 1
PAGE, CHUNK = 4096, 2 << 20
ILLEGAL_ADDRESS, UNKNOWN = 700, 999
H2D, D2H = 1, 2
MANY = {"GRETA_SIM_DEVICES": "2"}


def properties(
    kind: int = PINNED, handle_type: int = 0, where: int = ON_DEVICE, id_: int = 0
) -> Any:
    return AllocationProperties(
        type=kind, handle_type=handle_type, location=MemLocation(where, id_)
    )


def reserve(size: int, alignment: int = 0, wanted: int = 0) -> int:
    base = c_void_p()
    done(hip_library().hipMemAddressReserve(byref(base), size, alignment, wanted, 0))
    return base.value or 0


def create(size: int, wanted: Any = None) -> int:
    handle = c_void_p()
    done(hip_library().hipMemCreate(byref(handle), size, byref(wanted or properties()), 0))
    return handle.value or 0


def allow(address: int, size: int, rights: int = READ_WRITE, device: int = 0) -> int:
    wanted = AccessDescription(MemLocation(ON_DEVICE, device), rights)
    return int(hip_library().hipMemSetAccess(address, size, byref(wanted), 1))


def access(address: int, device: int = 0) -> int:
    flags = ctypes.c_ulonglong()
    done(
        hip_library().hipMemGetAccess(byref(flags), byref(MemLocation(ON_DEVICE, device)), address)
    )
    return flags.value


@contextmanager
def mapped(sizes: tuple[int, ...] = (CHUNK,), rights: int = READ_WRITE) -> Iterator[int]:
    """Memory of these sizes, one behind the other in one reservation that is one chunk longer."""
    hip, total = hip_library(), sum(sizes)
    base = reserve(total + CHUNK)
    for place, size in enumerate(sizes):
        handle = create(size)
        done(hip.hipMemMap(base + sum(sizes[:place]), size, 0, handle, 0))
        done(hip.hipMemRelease(handle))  # the mapping keeps it
    done(allow(base, total, rights))
    yield base
    done(hip.hipMemUnmap(base, total))
    done(hip.hipMemAddressFree(base, total + CHUNK))


def write(address: int, content: bytes) -> int:
    return int(hip_library().hipMemcpy(address, content, len(content), H2D))


def read(address: int, size: int) -> bytes:
    seen = ctypes.create_string_buffer(size)
    done(hip_library().hipMemcpy(seen, address, size, D2H))
    return seen.raw


def free_bytes(hip: Library) -> int:
    free = ctypes.c_size_t()
    done(hip.hipMemGetInfo(byref(free), None))
    return free.value


def test_mapped_memory_is_written_and_read_across_its_pieces(hip: Library) -> None:
    with mapped((CHUNK, PAGE, CHUNK)) as base:
        content = bytes(range(256)) * 64
        done(write(base + CHUNK - 4096, content))
        assert read(base + CHUNK - 4096, len(content)) == content
        done(hip.hipMemset(base, 7, 2 * CHUNK + PAGE))
        assert set(read(base, 2 * CHUNK + PAGE)) == {7}
        assert write(base + 2 * CHUNK + PAGE - 1, b"xx") == INVALID_VALUE
        done(write(base + 2 * CHUNK + PAGE - 1, b"x"))


def test_memory_keeps_its_bytes_at_another_address(hip: Library) -> None:
    handle, first, second = create(PAGE), reserve(PAGE), reserve(PAGE)
    for base in (first, second):
        done(hip.hipMemMap(base, PAGE, 0, handle, 0))
        done(allow(base, PAGE))
    done(write(first, b"the same"))
    assert read(second, 8) == b"the same"
    done(hip.hipMemUnmap(first, PAGE))
    assert write(first, b"gone") == INVALID_VALUE  # nothing that HIP knows
    assert read(second, 8) == b"the same"
    done(hip.hipMemUnmap(second, PAGE))
    done(hip.hipMemRelease(handle))
    for base in (first, second):
        done(hip.hipMemAddressFree(base, PAGE))


def test_memory_counts_until_nobody_has_it(hip: Library) -> None:
    before, base = free_bytes(hip), reserve(CHUNK)
    assert free_bytes(hip) == before  # addresses are free of charge
    handle, again = create(CHUNK), c_void_p()
    assert free_bytes(hip) == before - CHUNK
    done(hip.hipMemMap(base, CHUNK, 0, handle, 0))
    done(hip.hipMemRetainAllocationHandle(byref(again), base + 5))
    assert again.value == handle
    done(hip.hipMemRelease(handle))
    done(hip.hipMemRelease(handle))
    assert hip.hipMemRelease(handle) == INVALID_VALUE
    assert free_bytes(hip) == before - CHUNK
    done(hip.hipMemUnmap(base, CHUNK))
    assert free_bytes(hip) == before
    done(hip.hipMemAddressFree(base, CHUNK))


def test_reservations_are_aligned_and_go_where_they_are_wanted(hip: Library) -> None:
    first = reserve(PAGE, alignment=64 << 20)
    assert first % (64 << 20) == 0
    done(hip.hipMemAddressFree(first, PAGE))
    assert reserve(PAGE, wanted=first) == first
    assert reserve(PAGE, wanted=first) != first  # taken
    done(hip.hipMemAddressFree(first, PAGE))


def test_what_memory_and_addresses_say_of_themselves(hip: Library) -> None:
    size = ctypes.c_size_t()
    for option, expected in ((LEAST, PAGE), (RECOMMENDED, CHUNK)):
        done(hip.hipMemGetAllocationGranularity(byref(size), byref(properties()), option))
        assert size.value == expected
    handle, found = create(PAGE, properties(UNCACHED)), AllocationProperties()
    done(hip.hipMemGetAllocationPropertiesFromHandle(byref(found), handle))
    assert (found.type, found.location.type, found.location.id) == (UNCACHED, ON_DEVICE, 0)
    done(hip.hipMemRelease(handle))
    value = ctypes.c_int()
    done(hip.hipDeviceGetAttribute(byref(value), virtual_memory_attribute(), 0))
    assert value.value == 1
    with mapped((CHUNK, PAGE)) as base:
        begin = c_void_p()
        done(hip.hipMemGetAddressRange(byref(begin), byref(size), base + CHUNK + 1))
        assert (begin.value, size.value) == (base + CHUNK, PAGE)
        assert hip.hipFree(base) == INVALID_VALUE


def virtual_memory_attribute() -> int:
    from pathlib import Path

    from contract.c_headers import CHeaders

    folder = Path(__file__).parents[3] / "native/simdevice/include/hip"
    values = CHeaders(list(folder.glob("*.h"))).enumerators("hipDeviceAttribute_t")
    return values["hipDeviceAttributeVirtualMemoryManagementSupported"]


def test_rights_are_kept_for_each_mapping(hip: Library) -> None:
    with mapped((PAGE, PAGE)) as base:
        done(allow(base + PAGE, PAGE, READ))
        assert (access(base), access(base + PAGE + 9)) == (READ_WRITE, READ)
        done(allow(base, 2 * PAGE, NO_ACCESS))
        assert access(base) == NO_ACCESS


def test_memory_on_the_host_is_the_hosts(hip: Library) -> None:
    before, base, handle = free_bytes(hip), reserve(PAGE), create(PAGE, properties(where=ON_HOST))
    assert free_bytes(hip) == before
    done(hip.hipMemMap(base, PAGE, 0, handle, 0))
    both = (AccessDescription * 2)(
        AccessDescription(MemLocation(ON_DEVICE, 0), READ_WRITE),
        AccessDescription(MemLocation(ON_HOST, 0), READ_WRITE),
    )
    done(hip.hipMemSetAccess(base, PAGE, both, 2))
    ctypes.memset(base, 3, PAGE)
    done(hip.hipMemset(base, 4, 1))
    assert ctypes.string_at(base, 2) == b"\x04\x03"
    done(hip.hipMemUnmap(base, PAGE))
    done(hip.hipMemRelease(handle))
    done(hip.hipMemAddressFree(base, PAGE))


Errors = list[tuple[str, tuple[Any, ...], int]]


def refusals(base: int, handle: int, shared: int) -> Errors:
    """A mapping of one page at `base`, of two that are reserved; what must not be done with it."""
    out, props = byref(c_void_p()), byref(properties())
    rights = byref(AccessDescription(MemLocation(ON_DEVICE, 0), READ_WRITE))
    here = byref(MemLocation(ON_DEVICE, 0))
    bad_rights = byref(AccessDescription(MemLocation(ON_DEVICE, 0), 2))
    elsewhere = byref(AccessDescription(MemLocation(ON_DEVICE, 9), READ_WRITE))
    nowhere = byref(AccessDescription(MemLocation(NOWHERE, 0), READ_WRITE))
    one = INVALID_VALUE
    return [
        *(("hipMemAddressReserve", (where, size, align, None, flags), one)
          for where, size, align, flags in ((None, PAGE, 0, 0), (out, 0, 0, 0), (out, 5, 0, 0),
                                            (out, PAGE, 3, 0), (out, PAGE, 0, 1))),
        ("hipMemAddressReserve", (out, 1 << 60, 0, None, 0), OUT_OF_MEMORY),
        *(("hipMemAddressFree", arguments, one)
          for arguments in ((None, PAGE), (base, 0), (base + PAGE, PAGE), (0x1000, PAGE))),
        ("hipMemAddressFree", (base, 2 * PAGE), UNKNOWN),  # something is mapped there
        *(("hipMemCreate", arguments, one)
          for arguments in ((None, PAGE, props, 0), (out, 0, props, 0), (out, PAGE, None, 0),
                            (out, PAGE, props, 1), (out, 5, props, 0),
                            (out, PAGE, byref(properties(0)), 0),
                            (out, PAGE, byref(properties(where=NOWHERE)), 0))),
        ("hipMemCreate", (out, PAGE, byref(properties(id_=9)), 0), INVALID_DEVICE),
        ("hipMemCreate", (out, PAGE, byref(properties(id_=-1)), 0), INVALID_DEVICE),
        ("hipMemCreate", (out, PAGE, byref(properties(handle_type=WIN32)), 0), Code.NOT_SUPPORTED),
        ("hipMemCreate", (out, PAGE, byref(properties(handle_type=FABRIC)), 0), Code.NOT_SUPPORTED),
        ("hipMemCreate", (out, 1 << 60, props, 0), OUT_OF_MEMORY),
        *(("hipMemRelease", (wrong,), one) for wrong in (None, 0x1234)),
        *(("hipMemRetainAllocationHandle", arguments, one)
          for arguments in ((None, base), (out, None), (out, base + PAGE))),
        *(("hipMemMap", arguments, one)
          for arguments in ((None, PAGE, 0, handle, 0), (base + PAGE, 0, 0, handle, 0),
                            (base + PAGE, PAGE, PAGE, handle, 0), (base + PAGE, PAGE, 0, None, 0),
                            (base + PAGE, PAGE, 0, handle, 1), (base + PAGE, 5, 0, handle, 0),
                            (base + PAGE, 2 * PAGE, 0, handle, 0), (base, PAGE, 0, handle, 0),
                            (base + PAGE + 8, PAGE, 0, handle, 0), (0x1000, PAGE, 0, handle, 0))),
        *(("hipMemUnmap", arguments, one)
          for arguments in ((None, PAGE), (base, 0), (base, 2 * PAGE), (base + PAGE, PAGE),
                            (base + 8, PAGE - 8))),
        *(("hipMemSetAccess", arguments, one)
          for arguments in ((None, PAGE, rights, 1), (base, 0, rights, 1), (base, PAGE, None, 1),
                            (base, PAGE, rights, 0), (base, 2 * PAGE, rights, 1),
                            (base + PAGE, PAGE, rights, 1), (base, PAGE, bad_rights, 1),
                            (base, PAGE, elsewhere, 1), (base, PAGE, nowhere, 1))),
        *(("hipMemGetAccess", arguments, one)
          for arguments in ((None, here, base), (out, None, base), (out, here, None),
                            (out, here, base + PAGE), (out, byref(MemLocation(ON_HOST, 0)), base))),
        *(("hipMemGetAllocationGranularity", arguments, one)
          for arguments in ((None, props, 0), (out, None, 0), (out, props, 2),
                            (out, byref(properties(id_=9)), 0), (out, byref(properties(0)), 0))),
        *(("hipMemGetAllocationPropertiesFromHandle", arguments, one)
          for arguments in ((None, handle), (out, None), (out, 0x1234))),
        *(("hipMemExportToShareableHandle", arguments, one)
          for arguments in ((None, shared, FILE, 0), (out, None, FILE, 0), (out, shared, FILE, 1),
                            (out, shared, 0, 0), (out, handle, FILE, 0))),
        *(("hipMemImportFromShareableHandle", arguments, one)
          for arguments in ((None, 3, FILE), (out, None, FILE), (out, 99_999, FILE), (out, 1, 0))),
    ]  # fmt: skip


def test_what_makes_no_sense_is_refused(hip: Library) -> None:
    base = reserve(2 * PAGE)
    handle, shared = create(PAGE), create(PAGE, properties(handle_type=FILE))
    done(hip.hipMemMap(base, PAGE, 0, handle, 0))
    for name, arguments, expected in refusals(base, handle, shared):
        assert getattr(hip, name)(*arguments) == expected, (name, arguments)
    done(hip.hipMemUnmap(base, PAGE))
    for one in (handle, shared):
        done(hip.hipMemRelease(one))
    done(hip.hipMemAddressFree(base, 2 * PAGE))


def test_a_file_that_is_no_device_memory_is_not_imported(hip: Library) -> None:
    file, handle = os.memfd_create("something else"), c_void_p()
    assert hip.hipMemImportFromShareableHandle(byref(handle), file, FILE) == INVALID_VALUE
    os.close(file)


def test_exported_memory_is_the_same_memory(hip: Library) -> None:
    handle, other, file = create(PAGE, properties(handle_type=FILE)), c_void_p(), ctypes.c_int()
    done(hip.hipMemExportToShareableHandle(byref(file), handle, FILE, 0))
    done(hip.hipMemImportFromShareableHandle(byref(other), file.value, FILE))
    os.close(file.value)  # neither side needs it any more
    bases = [reserve(PAGE), reserve(PAGE)]
    for base, one in zip(bases, (handle, other.value or 0), strict=True):
        done(hip.hipMemMap(base, PAGE, 0, one, 0))
        done(allow(base, PAGE))
        done(hip.hipMemRelease(one))
    done(write(bases[0], b"shared"))
    assert read(bases[1], 6) == b"shared"
    for base in bases:
        done(hip.hipMemUnmap(base, PAGE))
        done(hip.hipMemAddressFree(base, PAGE))


def touch(where: str) -> list[int]:
    """A kernel writes the first number of what is mapped, or past it; what the device says then."""
    hip, kernels = hip_library(), Kernels(compile_kernels(SOURCE))
    base = reserve(3 * PAGE)
    done(hip.hipMemMap(base, PAGE, 0, create(PAGE), 0))
    rights = {"read-only": READ, "no access": NO_ACCESS}.get(where, READ_WRITE)
    if where != "never allowed":
        done(allow(base, PAGE, rights))
    if where == "unmapped again":
        done(hip.hipMemUnmap(base, PAGE))
    launched = kernels.launch("wild", base, 2 * PAGE // 4 if where == "reserved only" else 0)
    return [launched, hip.hipDeviceSynchronize()]


WORDS = {
    "read-only": "mapped, but for this device read-only",
    "no access": "given this device no access",
    "never allowed": "given this device no access",
    "reserved only": "nothing is mapped there",
    "unmapped again": "nothing is mapped there",
}


@pytest.mark.parametrize("placement", ["paged", "strict"])
@pytest.mark.parametrize("where", WORDS)
def test_a_kernel_without_the_right_faults_and_it_is_told_why(where: str, placement: str) -> None:
    child = run_in_child(touch, where, GRETA_SIM_PLACEMENT=placement)
    assert child.answer == [0, ILLEGAL_ADDRESS]
    assert WORDS[where] in child.stderr
    assert "hipMemAddressReserve" in child.stderr


def test_a_kernel_with_the_right_does_not_fault() -> None:
    assert answer_of(touch, "allowed") == [0, 0]


def touch_on_the_second_device(rights: int) -> list[int]:
    hip, kernels = hip_library(), Kernels(compile_kernels(SOURCE))
    base = reserve(PAGE)
    done(hip.hipMemMap(base, PAGE, 0, create(PAGE), 0))
    done(allow(base, PAGE))
    done(allow(base, PAGE, rights, device=1))
    seen = [access(base, 0), access(base, 1)]
    done(hip.hipSetDevice(1))
    elsewhere = Kernels(compile_kernels(SOURCE))
    del kernels
    return [*seen, elsewhere.launch("wild", base, 0), hip.hipDeviceSynchronize()]


def test_another_device_needs_a_right_of_its_own() -> None:
    faults = [READ_WRITE, NO_ACCESS, 0, ILLEGAL_ADDRESS]
    assert answer_of(touch_on_the_second_device, NO_ACCESS, **MANY) == faults
    assert answer_of(touch_on_the_second_device, READ_WRITE, **MANY) == [3, 3, 0, 0]
