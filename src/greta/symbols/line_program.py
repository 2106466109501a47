"""Line number programs of DWARF 2 to 5: the part of .debug_line that belongs to one unit.

Written here and not taken from pyelftools because a program comes from a file that may be anything:
every loop is bounded by the bytes there are, and by a deadline.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field

from greta.symbols.dwarf_bytes import Deadline, DwarfBytes, DwarfError

OPCODES_BETWEEN_LOOKS_AT_THE_CLOCK = 65536


@dataclass(frozen=True)
class LineStrings:
    """The sections that version 5 keeps file names in."""

    line_str: bytes = b""
    str: bytes = b""


@dataclass
class Sequence:
    """Rows of ascending addresses; the code ends where the next sequence may begin."""

    addresses: list[int] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    end: int = 0


class LineTable:
    """What a program says: from an address to a file and a line."""

    def __init__(self, sequences: list[Sequence], files: list[str]) -> None:
        # A function that the linker left out begins at 0 or at the end of all addresses.
        kept = [s for s in sequences if s.addresses and 0 < s.addresses[0] < s.end]
        self._sequences = sorted(kept, key=lambda sequence: sequence.addresses[0])
        self._starts = [sequence.addresses[0] for sequence in self._sequences]
        self._files = files

    def ranges(self) -> list[tuple[int, int]]:
        """The code it speaks of."""
        return [(sequence.addresses[0], sequence.end) for sequence in self._sequences]

    def find(self, address: int) -> tuple[str, int] | None:
        """File and line of the instruction there; None if it belongs to no line."""
        index = bisect.bisect_right(self._starts, address) - 1
        if index < 0 or address >= self._sequences[index].end:
            return None
        sequence = self._sequences[index]
        row = bisect.bisect_right(sequence.addresses, address) - 1
        return self.place(sequence.files[row], sequence.lines[row])

    def place(self, file: int, line: int) -> tuple[str, int] | None:
        """A line of the file with that number; None if there is no such file or line."""
        name = self.file(file)
        return (name, line) if name and line > 0 else None

    def file(self, number: int) -> str:
        """The file with that number; empty if there is none."""
        return self._files[number] if 0 <= number < len(self._files) else ""


@dataclass
class _Header:
    version: int
    minimum_instruction: int
    line_base: int
    line_range: int
    opcode_lengths: bytes  # of opcodes 1 and up
    files: list[str]


def read_line_table(
    section: bytes, offset: int, folder: str, strings: LineStrings, deadline: Deadline
) -> LineTable:
    """The program at that offset of .debug_line; `folder` is the one the compiler ran in."""
    unit = DwarfBytes(section, offset)
    length, wide = unit.length()
    if length > unit.end - unit.at:
        raise DwarfError("cut short")
    unit.end = unit.at + length
    header = _read_header(unit, wide, folder, strings)
    return LineTable(_run(unit, header, deadline), header.files)


def _read_header(unit: DwarfBytes, wide: int, folder: str, strings: LineStrings) -> _Header:
    version = unit.unsigned(2)
    if not 2 <= version <= 5:
        raise DwarfError(f"version {version}")
    if version == 5:
        unit.take(2)  # sizes of addresses and segments
    header_bytes = unit.unsigned(wide)
    program = unit.at + header_bytes
    minimum_instruction = unit.unsigned(1)
    if version >= 4:
        unit.take(1)  # operations an instruction: more than one on machines we do not have
    unit.take(1)  # is_stmt, which debuggers need
    line_base = int.from_bytes(unit.take(1), "little", signed=True)
    line_range = unit.unsigned(1)
    opcode_base = unit.unsigned(1)
    if line_range == 0 or opcode_base == 0:
        raise DwarfError("a header that makes no sense")
    lengths = unit.take(opcode_base - 1)
    read_files = _read_files_5 if version == 5 else _read_files
    files = read_files(unit, wide, folder, strings)
    if not unit.at <= program <= unit.end:
        raise DwarfError("a header that makes no sense")
    unit.at = program
    return _Header(version, minimum_instruction, line_base, line_range, lengths, files)


def _path(folder: str, name: str) -> str:
    return name if name.startswith("/") or not folder else f"{folder}/{name}"


def _decode(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _read_files(unit: DwarfBytes, _wide: int, folder: str, _strings: LineStrings) -> list[str]:
    """Versions 2 to 4: both lists end with an empty name, and files count from 1."""
    folders = [folder]
    while name := unit.text():
        folders.append(_path(folder, _decode(name)))
    files = [""]
    while name := unit.text():
        index = unit.uleb()
        unit.uleb()  # time
        unit.uleb()  # size
        files.append(_path(folders[index] if index < len(folders) else "", _decode(name)))
    return files


_CONTENT_PATH, _CONTENT_FOLDER = 1, 2
_FORM_WIDTHS = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1E: 16}  # data1 to data16


def _read_files_5(unit: DwarfBytes, wide: int, folder: str, strings: LineStrings) -> list[str]:
    """Version 5: each list says what its entries are made of, and both count from 0."""
    folders = [_path(folder, name) for name, _ in _read_entries(unit, wide, strings)]
    return [
        _path(folders[index] if index < len(folders) else "", name)
        for name, index in _read_entries(unit, wide, strings)
    ]


def _read_entries(unit: DwarfBytes, wide: int, strings: LineStrings) -> list[tuple[str, int]]:
    """Name and folder of each entry."""
    formats = [(unit.uleb(), unit.uleb()) for _ in range(unit.unsigned(1))]
    count = unit.uleb()
    if count > unit.end - unit.at or (count and not formats):  # each takes a byte at least
        raise DwarfError("more files than there can be")
    entries = []
    for _ in range(count):
        name, index = "", 0
        for content, form in formats:
            value = _read_form(unit, form, wide, strings)
            if content == _CONTENT_PATH and isinstance(value, bytes):
                name = _decode(value)
            elif content == _CONTENT_FOLDER and isinstance(value, int):
                index = value
        entries.append((name, index))
    return entries


def _read_form(unit: DwarfBytes, form: int, wide: int, strings: LineStrings) -> bytes | int:
    match form:
        case 0x08:  # DW_FORM_string
            return unit.text()
        case 0x1F | 0x0E:  # line_strp, strp
            table = strings.line_str if form == 0x1F else strings.str
            return DwarfBytes(table, unit.unsigned(wide)).text()
        case 0x0F:  # udata
            return unit.uleb()
        case 0x09:  # block
            return unit.take(unit.uleb())
        case _ if form in _FORM_WIDTHS:
            return unit.unsigned(_FORM_WIDTHS[form])
        case _:
            raise DwarfError(f"form {form:#x}")


def _run(unit: DwarfBytes, header: _Header, deadline: Deadline) -> list[Sequence]:
    """Run the program. One long function: it is called for every opcode of large files."""
    content, end = unit.content, unit.end
    step, base, span = header.minimum_instruction, header.line_base, header.line_range
    first_special = len(header.opcode_lengths) + 1
    sequences: list[Sequence] = []
    sequence = Sequence()
    address, file, line = 0, 1, 1
    countdown = OPCODES_BETWEEN_LOOKS_AT_THE_CLOCK
    while unit.at < end:
        opcode = content[unit.at]
        unit.at += 1
        countdown -= 1
        if not countdown:
            deadline.check()
            countdown = OPCODES_BETWEEN_LOOKS_AT_THE_CLOCK
        if opcode >= first_special:
            adjusted = opcode - first_special
            address += adjusted // span * step
            line += base + adjusted % span
        elif opcode == 1:  # copy
            pass
        elif opcode == 0:
            kind, operand = _extended(unit)
            if kind == 1:  # end of sequence
                sequence.end = address
                sequences.append(sequence)
                sequence = Sequence()
                address, file, line = 0, 1, 1
            elif kind == 2:  # set address
                address = operand
            continue
        else:
            if opcode == 2:
                address += unit.uleb() * step
            elif opcode == 3:
                line += unit.sleb()
            elif opcode == 4:
                file = unit.uleb()
            elif opcode == 8:
                address += (255 - first_special) // span * step
            elif opcode == 9:
                address += unit.unsigned(2)
            else:
                for _ in range(header.opcode_lengths[opcode - 1]):
                    unit.uleb()
            continue
        if sequence.addresses and address < sequence.addresses[-1]:
            continue  # not allowed; what is left out is one row
        sequence.addresses.append(address)
        sequence.files.append(file)
        sequence.lines.append(line)
    return sequences


def _extended(unit: DwarfBytes) -> tuple[int, int]:
    """An extended opcode and, for those that set an address, the address."""
    length = unit.uleb()
    operands = unit.take(length)
    if not operands:
        return 0, 0
    return operands[0], int.from_bytes(operands[1:9], "little")
