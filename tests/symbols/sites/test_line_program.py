"""Line number programs that are not what a compiler would write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greta.symbols.dwarf_lines import LineTable, Sections, read_line_table
from greta.symbols.elf_file import Deadline, DwarfError

OPCODE_LENGTHS = bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])


def program(files: bytes, opcodes: bytes, version: int = 4) -> bytes:
    """A unit of .debug_line with these file lists and opcodes."""
    fixed = bytes([1, *([1] if version >= 4 else []), 1, 0xFB, 14, 13]) + OPCODE_LENGTHS
    header = fixed + files
    sizes = bytes([8, 0]) if version == 5 else b""
    content = version.to_bytes(2, "little") + sizes + len(header).to_bytes(4, "little") + header
    return (len(content) + len(opcodes)).to_bytes(4, "little") + content + opcodes


def table_of(unit: bytes, strings: Sections | None = None, seconds: float = 10) -> LineTable:
    return read_line_table(
        unit, 0, "/src", strings or {"line_str": b"", "str": b""}, Deadline(seconds)
    )


def set_address(address: int) -> bytes:
    return b"\x00\x09\x02" + address.to_bytes(8, "little")


END = b"\x00\x01\x01"
FILES_4 = b"include\0\0a.c\0\0\0\0b.h\0\x01\0\0\0"


def test_special_and_standard_opcodes_move_address_and_line() -> None:
    opcodes = (
        set_address(0x1000) + b"\x01" + b"\x03\x0a\x02\x04\x01" + b"\x04\x02\x21" + b"\x02\x10"
    )
    table = table_of(program(FILES_4, opcodes + END))
    assert table.ranges() == [(0x1000, 0x1015)]
    assert table.find(0x0FFF) is None
    assert table.find(0x1003) == ("/src/a.c", 1)
    assert table.find(0x1004) == ("/src/a.c", 11)
    assert table.find(0x1014) == ("/src/include/b.h", 12)
    assert table.find(0x1015) is None


def test_version_5_names_files_as_its_format_says() -> None:
    folders = b"\x01\x01\x1f\x02" + (0).to_bytes(4, "little") + (5).to_bytes(4, "little")
    files = (
        b"\x03\x01\x08\x02\x0b\x05\x1e\x02" + b"a.c\0\x00" + bytes(16) + b"b.h\0\x01" + bytes(16)
    )
    opcodes = set_address(0x1000) + b"\x01\x02\x04" + END
    strings = {"line_str": b"/src\0/usr/include\0"}
    assert table_of(program(folders + files, opcodes, 5), strings).find(0x1000) == (
        "/usr/include/b.h",
        1,
    )


def test_functions_that_the_linker_left_out_are_not_found() -> None:
    opcodes = set_address(0) + b"\x01\x02\x40" + END + set_address(0x1000) + b"\x01\x02\x04" + END
    table = table_of(program(FILES_4, opcodes))
    assert table.ranges() == [(0x1000, 0x1004)]


@pytest.mark.parametrize(
    "unit",
    [
        b"",
        b"\xff\xff\xff\x7f",
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        program(FILES_4, END)[:-8],
        program(FILES_4, END, version=4)[:4] + b"\x06\x00" + program(FILES_4, END)[6:],
        program(b"\x00" + b"\xff\xff\xff\xff\xff\x7f", END, version=5),  # countless empty folders
        program(b"\x01\x01\x0f" + b"\xff\xff\xff\xff\xff\x7f", END, version=5),
        program(b"\x01\x01\x1f\x01\xff\xff\x00\x00", END, version=5),  # no such string
        program(FILES_4, b"\x02" + b"\xff" * 40),
        program(FILES_4, b"\x00\xff\x7f"),
    ],
)
def test_a_program_that_makes_no_sense_is_an_error(unit: bytes) -> None:
    with pytest.raises(DwarfError):
        table_of(unit)


def test_a_program_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(TimeoutError):
        table_of(program(FILES_4, set_address(1) + b"\x20" * 300_000 + END), seconds=-1)


@given(st.binary(max_size=300), st.binary(max_size=300), st.sampled_from([2, 3, 4, 5]))
def test_any_bytes_give_a_table_or_an_error(files: bytes, opcodes: bytes, version: int) -> None:
    for unit in (program(files, opcodes, version), program(FILES_4, opcodes, version), opcodes):
        try:
            table = table_of(unit)
        except DwarfError:
            continue
        for begin, end in table.ranges():
            table.find(begin)
            table.find(end - 1)
