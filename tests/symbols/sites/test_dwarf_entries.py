"""Entries that are not what a compiler would write."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greta.symbols.dwarf_entries import DebugInfo, ranges_of
from greta.symbols.elf_file import Deadline, DwarfError
from greta.symbols.inlined_wrappers import InlinedWrappers

INLINED = 0x1D
# A unit; an inlined copy: origin (ref4), begin (addr), length (data4), file, line (data1); and a
# function: name (string), file (data1).
ABBREVIATIONS = (
    b"\x01\x11\x01\x00\x00"
    b"\x02\x1d\x00\x31\x13\x11\x01\x12\x06\x58\x0b\x59\x0b\x00\x00"
    b"\x03\x2e\x00\x03\x08\x3a\x0b\x00\x00"
    b"\x00"
)
HEADER_BYTES = 11
HIP_HEADER, USERS_FILE = 1, 2


def unit(entries: bytes, *, length: int | None = None, version: int = 4) -> bytes:
    body = version.to_bytes(2, "little") + bytes(4) + b"\x08" + entries
    return (len(body) if length is None else length).to_bytes(4, "little") + body


def function(name: bytes, file: int = HIP_HEADER) -> bytes:
    return b"\x03" + name + b"\0" + bytes([file])


def inlined(origin: int, line: int, begin: int = 0x1000, size: int = 16) -> bytes:
    return b"\x02" + struct.pack("<IQIBB", origin, begin, size, USERS_FILE, line)


def info_of(info: bytes, abbreviations: bytes = ABBREVIATIONS) -> DebugInfo:
    names = ("str", "line_str", "str_offsets", "addr", "ranges", "rnglists")
    return DebugInfo({"info": info, "abbrev": abbreviations} | dict.fromkeys(names, b""))


def wrappers_of(info: DebugInfo) -> InlinedWrappers:
    files = {HIP_HEADER: "/x/include/hip/a.h", USERS_FILE: "/x/main.cpp"}
    return InlinedWrappers(info, lambda _, number: files.get(number, ""))


def line_of(entries: bytes, address: int) -> int | None:
    call = wrappers_of(info_of(unit(b"\x01" + entries + b"\0"))).find(0, address)
    return call.line if call else None


FIRST = HEADER_BYTES + 1  # the entry after the unit's


def test_the_line_is_the_outermost_wrappers() -> None:
    name = function(b"hipMalloc<float>")
    entries = name + inlined(FIRST, 7) + inlined(FIRST, 9, 0x1004, 4) + inlined(FIRST, 5, 0x2000)
    assert line_of(entries, 0x1005) == 7
    assert line_of(entries, 0x2005) == 5
    assert line_of(entries, 0x2010) is None


@pytest.mark.parametrize(
    ("name", "file", "expected"),
    [
        (b"hipMalloc", HIP_HEADER, 7),
        (b"hipMalloc", USERS_FILE, None),
        (b"hipster", HIP_HEADER, None),
        (b"__device_stub__scale", USERS_FILE, 7),
        (b"", HIP_HEADER, None),
    ],
)
def test_it_takes_the_name_and_the_header(name: bytes, file: int, expected: int | None) -> None:
    assert line_of(function(name, file) + inlined(FIRST, 7), 0x1000) == expected


@pytest.mark.parametrize(
    "info",
    [
        b"",
        b"\xff\xff\xff\xff",
        unit(b"\x01", length=1000),
        unit(b"\x01", version=6),
        unit(b"\x04"),  # no such abbreviation
        unit(b"\x01\x80\x80"),
        unit(b"\x01" + function(b"hipMalloc")[:-2]),
        unit(b"\x01" + inlined(FIRST, 7)[:-3]),
        unit(b"\x01" + inlined(0x7FFFFFFF, 7)),
    ],
)
def test_entries_that_make_no_sense_are_an_error(info: bytes) -> None:
    wrappers = wrappers_of(info_of(info))
    with pytest.raises(DwarfError):
        wrappers.find(0, 0x1000)
    assert wrappers.find(0, 0x1000) is None  # and are not read again


def test_an_entry_that_is_its_own_origin_ends() -> None:
    assert line_of(inlined(FIRST, 7), 0x1000) is None


def test_attributes_without_end_are_not_followed() -> None:
    endless = b"\x01\x11\x00" + b"\x03\x19" * 5000 + b"\x00\x00\x00"
    with pytest.raises(DwarfError):
        wrappers_of(info_of(unit(b"\x01"), endless)).find(0, 1)


def test_entries_that_take_too_long_are_given_up() -> None:
    info = info_of(unit(b"\x01" + bytes(100)))
    with pytest.raises(TimeoutError):
        list(info.unit(0, Deadline(10)).with_tag(INLINED, Deadline(-1)))


@given(st.binary(max_size=300), st.binary(max_size=100), st.binary(max_size=64))
def test_any_bytes_give_entries_or_an_error(info: bytes, table: bytes, other: bytes) -> None:
    for content, abbreviations in ((unit(info), ABBREVIATIONS), (unit(info), table), (info, table)):
        names = ("str", "line_str", "str_offsets", "addr", "ranges", "rnglists")
        sections = {"info": content, "abbrev": abbreviations} | dict.fromkeys(names, other)
        try:
            read = DebugInfo(sections).unit(0, Deadline(10))
            for tag in range(0x40):
                for entry in read.with_tag(tag, Deadline(10)):
                    for attribute in entry.attributes:
                        entry.text(attribute)
                        entry.address(attribute)
                    ranges_of(entry)
        except DwarfError:
            continue
