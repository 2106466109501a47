"""Which source line an address of a program file belongs to, by its DWARF information.

.debug_aranges leads from an address to its unit. Compilers that leave it out (clang) make us look
through the units once. Only the line programs (DWARF 2 to 5) and entries of units that are asked
about are read: here, not by pyelftools, because a program comes from a file that may be anything,
and every loop is to be bounded by the bytes there are, and by a deadline.
"""

from __future__ import annotations

import bisect
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from greta.symbols.dwarf_entries import DebugInfo, Specification, Widths, ranges_of, read_value
from greta.symbols.elf_file import Deadline, DwarfBytes, DwarfError, ElfFile
from greta.symbols.inlined_wrappers import InlinedWrappers

OPCODES_BETWEEN_LOOKS_AT_THE_CLOCK = 65536

# By their names without ".debug_"; version 5 keeps names of files in line_str and str.
Sections = Mapping[str, bytes]


@dataclass
class Sequence:
    """Rows of ascending addresses; the code ends where the next sequence may begin."""

    addresses: list[int] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    end: int = 0


class LineTable:
    def __init__(self, sequences: list[Sequence], files: list[str]) -> None:
        # A function that the linker left out begins at 0 or at the end of all addresses.
        kept = [s for s in sequences if s.addresses and 0 < s.addresses[0] < s.end]
        self._sequences = sorted(kept, key=lambda sequence: sequence.addresses[0])
        self._starts = [sequence.addresses[0] for sequence in self._sequences]
        self._files = files

    def ranges(self) -> list[tuple[int, int]]:
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


@dataclass(frozen=True)
class SourceFile:
    path: str
    md5: bytes | None = None
    """The hash of its content when it was compiled; few compilers note it."""


@dataclass(frozen=True)
class CompiledUnit:
    main: str
    """The file that the compiler was given."""
    files: tuple[SourceFile, ...]
    """All that it names, headers too."""


@dataclass
class _Header:
    version: int
    minimum_instruction: int
    line_base: int
    line_range: int
    opcode_lengths: bytes  # of opcodes 1 and up
    files: list[SourceFile]


def read_line_table(
    section: bytes, offset: int, folder: str, strings: Sections, deadline: Deadline
) -> LineTable:
    """The program at that offset of .debug_line; `folder` is the one the compiler ran in."""
    unit, header = _opened(section, offset, folder, strings)
    return LineTable(_run(unit, header, deadline), [file.path for file in header.files])


def _opened(
    section: bytes, offset: int, folder: str, strings: Sections
) -> tuple[DwarfBytes, _Header]:
    unit = DwarfBytes(section, offset)
    length, wide = unit.length()
    if length > unit.end - unit.at:
        raise DwarfError("cut short")
    unit.end = unit.at + length
    return unit, _read_header(unit, wide, folder, strings)


def _read_header(unit: DwarfBytes, wide: int, folder: str, strings: Sections) -> _Header:
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


def _read_files(unit: DwarfBytes, _wide: int, folder: str, _strings: Sections) -> list[SourceFile]:
    """Versions 2 to 4: both lists end with an empty name, and files count from 1."""
    folders = [folder]
    while name := unit.text():
        folders.append(_path(folder, _decode(name)))
    files = [SourceFile("")]
    while name := unit.text():
        index = unit.uleb()
        unit.uleb()  # time
        unit.uleb()  # size
        path = _path(folders[index] if index < len(folders) else "", _decode(name))
        files.append(SourceFile(path))
    return files


_CONTENT_PATH, _CONTENT_FOLDER, _CONTENT_MD5 = 1, 2, 5
_STRP, _LINE_STRP = 0x0E, 0x1F


def _read_files_5(unit: DwarfBytes, wide: int, folder: str, strings: Sections) -> list[SourceFile]:
    """Version 5: each list says what its entries are made of, and both count from 0."""
    folders = [_path(folder, name) for name, _, _ in _read_entries(unit, wide, strings)]
    return [
        SourceFile(_path(folders[index] if index < len(folders) else "", name), md5)
        for name, index, md5 in _read_entries(unit, wide, strings)
    ]


def _read_entries(
    unit: DwarfBytes, wide: int, strings: Sections
) -> list[tuple[str, int, bytes | None]]:
    formats = [(unit.uleb(), unit.uleb()) for _ in range(unit.unsigned(1))]
    count = unit.uleb()
    if count > unit.end - unit.at or (count and not formats):  # each takes a byte at least
        raise DwarfError("more files than there can be")
    entries = []
    for _ in range(count):
        name, index, md5 = "", 0, None
        for content, form in formats:
            value = read_value(unit, Specification(content, form), Widths(5, wide, 8))
            if isinstance(value, int) and form in (_STRP, _LINE_STRP):
                table = strings["line_str" if form == _LINE_STRP else "str"]
                value = DwarfBytes(table, value).text()
            if content == _CONTENT_PATH and isinstance(value, bytes):
                name = _decode(value)
            elif content == _CONTENT_FOLDER and isinstance(value, int):
                index = value
            elif content == _CONTENT_MD5 and isinstance(value, int):
                md5 = value.to_bytes(16, "little")
        entries.append((name, index, md5))
    return entries


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


# What looking through the units of one file, or one line program, may take.
SECONDS_LIMIT = 30.0

# Those that lead from an address to a unit, and to the name of the folder it was compiled in.
NEEDED_SECTIONS = ("info", "abbrev", "str", "ranges", "addr", "str_offsets", "line_str", "rnglists")

_NAME, _LINE_PROGRAM, _COMPILED_IN = 0x03, 0x10, 0x1B

UnitOffset = int


class AddressRanges:
    def __init__(self, ranges: NDArray[np.uint64]) -> None:
        """`ranges` has a row for each: begin, end, unit."""
        useful = ranges[(ranges[:, 0] > 0) & (ranges[:, 1] > ranges[:, 0])]
        self._ranges = useful[np.argsort(useful[:, 0], kind="stable")]

    def find(self, address: int) -> UnitOffset | None:
        begins = self._ranges[:, 0]
        index = int(np.searchsorted(begins, np.uint64(address), side="right")) - 1
        if index < 0 or address >= int(self._ranges[index, 1]):
            return None
        return int(self._ranges[index, 2])


class DwarfLines:
    """The lines of one file. Its methods raise all that can go wrong with a damaged file."""

    def __init__(self, file: ElfFile) -> None:
        self._line = file.section(".debug_line")
        self._declared = AddressRanges(_declared_ranges(file.section(".debug_aranges")))
        self._searched: AddressRanges | None = None
        self._tables: dict[UnitOffset, LineTable | None] = {}
        self._info = DebugInfo({name: file.section(f".debug_{name}") for name in NEEDED_SECTIONS})
        self._wrappers = InlinedWrappers(self._info, self._file_of)

    def __bool__(self) -> bool:
        return bool(self._line)

    def find(self, address: int) -> tuple[str, int] | None:
        found = self._find(address)
        return found[1] if found else None

    def units(self, deadline: Deadline) -> Iterator[CompiledUnit]:
        for offset in self._info.unit_starts(deadline):
            deadline.check()
            root = self._info.unit(offset, deadline).root
            folder, program = _decode(root.text(_COMPILED_IN) or b""), root.number(_LINE_PROGRAM)
            files: list[SourceFile] = []
            if program is not None:
                files = _opened(self._line, program, folder, self._info.sections)[1].files
            yield CompiledUnit(_path(folder, _decode(root.text(_NAME) or b"")), tuple(files))

    def find_around_wrappers(self, address: int) -> tuple[str, int] | None:
        """File and line that a wrapper of HIP was called from, if the address is within one."""
        found = self._find(address)
        call = self._wrappers.find(found[0], address, found[1][0]) if found else None
        table = self._table(found[0]) if found else None
        return table.place(call.file, call.line) if table and call else None

    def _find(self, address: int) -> tuple[UnitOffset, tuple[str, int]] | None:
        for unit in self._units_at(address):
            table = self._table(unit)
            place = table.find(address) if table else None
            if place:
                return unit, place
        return None

    def _units_at(self, address: int) -> Iterator[UnitOffset]:
        """As declared and, for who goes on to ask, as found by looking through the units."""
        declared = self._declared.find(address)
        if declared is not None:
            yield declared
        if not self:
            return
        if self._searched is None:
            self._searched = AddressRanges(np.empty((0, 3), np.uint64))  # should the search fail
            self._searched = AddressRanges(_searched_ranges(self._info))
        other = self._searched.find(address)
        if other is not None and other != declared:
            yield other

    def _file_of(self, unit: UnitOffset, number: int) -> str:
        table = self._table(unit)
        return table.file(number) if table else ""

    def _table(self, unit: UnitOffset) -> LineTable | None:
        if unit not in self._tables:
            self._tables[unit] = None  # should it fail, it is not tried again
            self._tables[unit] = self._read_table(unit)
        return self._tables[unit]

    def _read_table(self, unit: UnitOffset) -> LineTable | None:
        deadline = Deadline(SECONDS_LIMIT)
        root = self._info.unit(unit, deadline).root
        program = root.number(_LINE_PROGRAM)
        if program is None:
            return None
        folder = _decode(root.text(_COMPILED_IN) or b"")
        return read_line_table(self._line, program, folder, self._info.sections, deadline)


def _declared_ranges(aranges: bytes) -> NDArray[np.uint64]:
    """.debug_aranges: a set for each unit, of pairs of address and length."""
    parts = [np.empty((0, 3), np.uint64)]
    at = 0
    while at + 16 <= len(aranges):
        length, version, unit, address_bytes, segment_bytes = struct.unpack_from(
            "<IHIBB", aranges, at
        )
        end = at + 4 + length
        if version != 2 or address_bytes != 8 or segment_bytes or end > len(aranges):
            break
        pairs = (end - (at + 16)) // 16
        table = np.frombuffer(aranges, np.uint64, 2 * max(pairs, 0), at + 16).reshape(-1, 2)
        rows = np.empty((len(table), 3), np.uint64)
        rows[:, 0] = table[:, 0]
        rows[:, 1] = table[:, 0] + table[:, 1]
        rows[:, 2] = unit
        parts.append(rows)
        at = end
    return np.concatenate(parts)


def _searched_ranges(info: DebugInfo) -> NDArray[np.uint64]:
    deadline = Deadline(SECONDS_LIMIT)
    rows: list[tuple[int, int, int]] = []
    for offset in info.unit_starts(deadline):
        deadline.check()
        pieces = ranges_of(info.unit(offset, deadline).root)
        rows.extend((begin, end, offset) for begin, end in pieces)
    return np.array(rows, np.uint64).reshape(-1, 3)
