"""Which source line an address of a program file belongs to, by its DWARF information.

.debug_aranges leads from an address to its unit. Compilers that leave it out (clang) make us look
through the units once. Only the line programs and entries of units that are asked about are read.
"""

from __future__ import annotations

import inspect
import io
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
from elftools.dwarf.dwarfinfo import DebugSectionDescriptor, DwarfConfig, DWARFInfo
from elftools.dwarf.ranges import BaseAddressEntry, RangeEntry
from numpy.typing import NDArray

from greta.symbols.dwarf_bytes import Deadline
from greta.symbols.dwarf_entries import DebugInfo
from greta.symbols.elf_file import ElfFile
from greta.symbols.inlined_wrappers import InlinedWrappers
from greta.symbols.line_program import LineStrings, LineTable, read_line_table

# What looking through the units of one file, or one line program, may take.
SECONDS_LIMIT = 30.0

# Those that lead from an address to a unit, and to the name of the folder it was compiled in.
NEEDED_SECTIONS = ("info", "abbrev", "str", "ranges", "addr", "str_offsets", "line_str", "rnglists")

UnitOffset = int


class AddressRanges:
    """From addresses to the unit they belong to."""

    def __init__(self, ranges: NDArray[np.uint64]) -> None:
        """`ranges` has a row for each: begin, end, unit."""
        useful = ranges[(ranges[:, 0] > 0) & (ranges[:, 1] > ranges[:, 0])]
        self._ranges = useful[np.argsort(useful[:, 0], kind="stable")]

    def find(self, address: int) -> UnitOffset | None:
        """The unit of an address."""
        begins = self._ranges[:, 0]
        index = int(np.searchsorted(begins, np.uint64(address), side="right")) - 1
        if index < 0 or address >= int(self._ranges[index, 1]):
            return None
        return int(self._ranges[index, 2])


class DwarfLines:
    """The lines of one file. Its methods raise all that can go wrong with a damaged file."""

    def __init__(self, file: ElfFile) -> None:
        self._line = file.section(".debug_line")
        self._strings = LineStrings(file.section(".debug_line_str"), file.section(".debug_str"))
        self._dwarf = _dwarf_info(file)
        self._declared = AddressRanges(_declared_ranges(file.section(".debug_aranges")))
        self._searched: AddressRanges | None = None
        self._tables: dict[UnitOffset, LineTable | None] = {}
        entries = DebugInfo({name: file.section(f".debug_{name}") for name in NEEDED_SECTIONS})
        self._wrappers = InlinedWrappers(entries, self._file_of)

    def __bool__(self) -> bool:
        return bool(self._line)

    def find(self, address: int) -> tuple[str, int] | None:
        """File and line of an address."""
        found = self._find(address)
        return found[1] if found else None

    def find_around_wrappers(self, address: int) -> tuple[str, int] | None:
        """File and line that a wrapper of HIP was called from, if the address is within one."""
        found = self._find(address)
        call = self._wrappers.find(found[0], address) if found else None
        table = self._table(found[0]) if found else None
        return table.place(call.file, call.line) if table and call else None

    def _find(self, address: int) -> tuple[UnitOffset, tuple[str, int]] | None:
        """The unit of an address, and file and line."""
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
            self._searched = AddressRanges(_searched_ranges(self._dwarf))
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
        attributes = self._dwarf.get_CU_at(unit).get_top_DIE().attributes
        if "DW_AT_stmt_list" not in attributes:
            return None
        folder = attributes["DW_AT_comp_dir"].value if "DW_AT_comp_dir" in attributes else b""
        return read_line_table(
            self._line,
            attributes["DW_AT_stmt_list"].value,
            folder.decode("utf-8", "surrogateescape"),
            self._strings,
            Deadline(SECONDS_LIMIT),
        )


def _dwarf_info(file: ElfFile) -> Any:
    """pyelftools' view of the units."""

    def stream(name: str) -> DebugSectionDescriptor | None:
        content = file.section(name)
        if not content:
            return None
        return DebugSectionDescriptor(io.BytesIO(content), name, 0, len(content), 0)

    # Releases of pyelftools differ in the sections they know; those we leave out are None.
    known = [name for name in inspect.signature(DWARFInfo).parameters if name.endswith("_sec")]
    sections = dict.fromkeys(known) | {
        f"debug_{name}_sec": stream(f".debug_{name}") for name in NEEDED_SECTIONS
    }
    config = DwarfConfig(little_endian=True, default_address_size=8, machine_arch="x64")
    return DWARFInfo(config=config, **sections)


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


def _searched_ranges(dwarf: Any) -> NDArray[np.uint64]:
    """What each unit says about its own code."""
    deadline = Deadline(SECONDS_LIMIT)
    rows: list[tuple[int, int, int]] = []
    lists = dwarf.range_lists()
    for unit in dwarf.iter_CUs():
        deadline.check()
        rows.extend((begin, end, unit.cu_offset) for begin, end in _unit_ranges(unit, lists))
    return np.array(rows, np.uint64).reshape(-1, 3)


def _unit_ranges(unit: Any, lists: Any) -> list[tuple[int, int]]:
    attributes = unit.get_top_DIE().attributes
    low = attributes["DW_AT_low_pc"].value if "DW_AT_low_pc" in attributes else 0
    if "DW_AT_ranges" in attributes:
        if lists is None:
            return []
        entries = lists.get_range_list_at_offset(attributes["DW_AT_ranges"].value, unit)
        return _resolved_ranges(entries, low)
    if "DW_AT_high_pc" not in attributes:
        return []
    high = attributes["DW_AT_high_pc"]
    is_length = high.form != "DW_FORM_addr" and not high.form.startswith("DW_FORM_addrx")
    return [(low, low + high.value if is_length else high.value)]


def _resolved_ranges(entries: list[Any], base: int) -> list[tuple[int, int]]:
    found = []
    for entry in entries:
        if isinstance(entry, BaseAddressEntry):
            base = entry.base_address
        elif isinstance(entry, RangeEntry):
            start = 0 if entry.is_absolute else base
            found.append((start + entry.begin_offset, start + entry.end_offset))
    return found
