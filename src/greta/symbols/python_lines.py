"""From an instruction of a Python code object to its line, for the tables of each CPython version.

The recorder writes the tables as they are (recording.h, "script"); they are decoded here, where
time does not matter and where a table that makes no sense costs a line and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

# The recorder cuts a table here; what lies beyond is not known.
LINE_TABLE_LIMIT = 64 * 1024

# No source file has more lines than this; a larger number comes from a corrupt table.
_LINE_LIMIT = 1 << 31

# A run of instructions with one line: first byte, the byte after the last, the line if it has one.
LineRange = tuple[int, int, "int | None"]


def line_of_instruction(
    python: str, first_line: int, line_table: bytes, instruction: int
) -> int | None:
    """The line of the instruction at that byte offset; None if the table does not say.

    `python` is the version, such as "3.11".
    """
    if instruction < 0:
        return None
    for begin, end, line in line_ranges(python, first_line, line_table):
        if begin <= instruction < end:
            return line if line is not None and 0 <= line < _LINE_LIMIT else None
    return None


def line_ranges(python: str, first_line: int, line_table: bytes) -> Iterator[LineRange]:
    """The table as ranges of instructions, in order; nothing for a version that is not known."""
    match python:
        case "3.9":
            return _line_number_ranges(first_line, line_table)
        case "3.10":
            return _line_ranges(first_line, line_table)
        case "3.11" | "3.12" | "3.13" | "3.14":
            return _location_ranges(first_line, line_table)
        case _:
            return iter(())


def _signed_byte(value: int) -> int:
    return value - 256 if value >= 128 else value


def _line_number_ranges(first_line: int, table: bytes) -> Iterator[LineRange]:
    """3.9, co_lnotab: pairs of bytes, by how much the instruction and then the line go on.

    The last line holds to the end of the code, whose length is not in the table.
    """
    begin, line = 0, first_line
    address = 0
    for at in range(0, len(table) - 1, 2):
        address += table[at]
        if address > begin:
            yield begin, address, line
            begin = address
        line += _signed_byte(table[at + 1])
    if len(table) < LINE_TABLE_LIMIT:
        yield begin, _LINE_LIMIT, line


def _line_ranges(first_line: int, table: bytes) -> Iterator[LineRange]:
    """3.10, co_linetable: pairs of bytes, the length of a range and by how much the line goes on.

    -128 stands for a range without a line.
    """
    begin, line = 0, first_line
    for at in range(0, len(table) - 1, 2):
        end = begin + table[at]
        delta = _signed_byte(table[at + 1])
        if delta != -128:
            line += delta
        yield begin, end, None if delta == -128 else line
        begin = end


def _location_ranges(first_line: int, table: bytes) -> Iterator[LineRange]:
    """3.11 and newer, co_linetable: entries of several bytes, the first of each with bit 7 set.

    CPython's Objects/locations.md draws them. Bits 0 to 2 of the first byte are the length in code
    units of two bytes, less one; bits 3 to 6 say what follows.
    """
    begin, line = 0, first_line
    at = 0
    while at < len(table):
        head = table[at]
        if head < 128:  # not the beginning of an entry: no sense can be made of the rest
            return
        kind = head >> 3 & 15
        if kind in (13, 14):
            delta = _signed_varint(table, at + 1)
            if delta is None:
                return
            line += delta
        elif 10 <= kind <= 12:
            line += kind - 10
        end = begin + 2 * ((head & 7) + 1)
        yield begin, end, None if kind == 15 else line
        begin = end
        at += 1
        while at < len(table) and table[at] < 128:
            at += 1


def _signed_varint(table: bytes, at: int) -> int | None:
    """Six bits a byte, lowest first, bit 6 where another follows; the lowest bit is the sign."""
    value = 0
    for shift in range(0, 36, 6):
        if at >= len(table) or table[at] >= 128:
            return None
        value |= (table[at] & 63) << shift
        if not table[at] & 64:
            return -(value >> 1) if value & 1 else value >> 1
        at += 1
    return None
