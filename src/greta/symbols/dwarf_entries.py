"""Entries of .debug_info, a unit at a time, and of those only the ones that are asked about.

Written here and not taken from pyelftools for the reasons that line_program.py has, and for speed:
a unit of a C++ program has tens of thousands of entries, of which a few hundred matter.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from greta.symbols.dwarf_abbreviations import (
    BLOCK_FORMS,
    FORM_IMPLICIT,
    FORM_REFERENCE_ANYWHERE,
    LEB_FORMS,
    TEXT_FORM,
    Abbreviation,
    Specification,
    Widths,
    read_abbreviations,
)
from greta.symbols.dwarf_bytes import Deadline, DwarfBytes, DwarfError

BYTES_BETWEEN_LOOKS_AT_THE_CLOCK = 1 << 18

_STRING_OFFSETS_BASE, _ADDRESS_BASE = 0x72, 0x73
_STRX_FORMS = frozenset((0x1A, 0x25, 0x26, 0x27, 0x28))
_ADDRX_FORMS = frozenset((0x1B, 0x29, 0x2A, 0x2B, 0x2C))
_STRP, _LINE_STRP = 0x0E, 0x1F
_SDATA = 0x0D
_REFERENCES_WITHIN_UNIT = frozenset((0x11, 0x12, 0x13, 0x14, 0x15))
# What follows the header of a version 5 unit, by its type: a signature and an offset, or an id.
_TYPE_UNITS, _SPLIT_UNITS = (2, 6), (4, 5)


@dataclass(frozen=True)
class Attribute:
    """A value as it is written: what it means depends on the form."""

    form: int
    value: int | bytes


class DebugInfo:
    """The units of one file. All its methods raise DwarfError where a file makes no sense."""

    def __init__(self, sections: Mapping[str, bytes]) -> None:
        """`sections` by their names without ".debug_"."""
        self.sections = sections
        self._units: dict[int, Unit] = {}
        self._starts: list[int] = []

    def unit(self, offset: int, deadline: Deadline) -> Unit:
        """The unit whose header is at that offset."""
        if offset not in self._units:
            self._units[offset] = Unit(self, offset, deadline)
        return self._units[offset]

    def entry(self, offset: int, near: Unit, deadline: Deadline) -> Entry:
        """The entry at an offset: of this unit or, after optimization of the whole, of another."""
        if not near.begin <= offset < near.end:
            near = self._unit_around(offset, deadline)
        return near.entry(offset)

    def _unit_around(self, offset: int, deadline: Deadline) -> Unit:
        if not self._starts:
            self._starts = list(self._unit_starts(deadline))
        index = bisect.bisect_right(self._starts, offset) - 1
        if index < 0:
            raise DwarfError("an entry outside of all units")
        return self.unit(self._starts[index], deadline)

    def _unit_starts(self, deadline: Deadline) -> Iterator[int]:
        place = DwarfBytes(self.sections["info"], 0)
        while place.at < place.end:
            deadline.check()
            yield place.at
            length, _ = place.length()
            place.at += length


class Unit:
    """What one compilation left in .debug_info."""

    def __init__(self, info: DebugInfo, offset: int, deadline: Deadline) -> None:
        self.info, self.offset = info, offset
        header = DwarfBytes(info.sections["info"], offset)
        length, wide = header.length()
        if length > header.end - header.at:
            raise DwarfError("cut short")
        self.content, self.end = header.content, header.at + length
        self.widths, abbreviations = _read_header(header, wide)
        self.begin = header.at
        self._abbreviations = read_abbreviations(
            info.sections["abbrev"], abbreviations, self.widths, deadline
        )

    @cached_property
    def root(self) -> Entry:
        """The entry for the unit as a whole."""
        return self.entry(self.begin)

    def entry(self, offset: int) -> Entry:
        """The entry at an offset of .debug_info."""
        if not self.begin <= offset < self.end:
            raise DwarfError("an entry outside of its unit")
        place = DwarfBytes(self.content, offset, self.end)
        abbreviation = self._abbreviations.get(place.uleb())
        if abbreviation is None:
            raise DwarfError("an entry without abbreviation")
        return Entry(self, abbreviation.tag, _read_attributes(place, abbreviation, self.widths))

    def with_tag(self, tag: int, deadline: Deadline) -> Iterator[Entry]:
        """All entries of this tag, those outside before those inside of them."""
        content, at, end = self.content, self.begin, self.end
        look = at
        while at < end:
            if at >= look:
                deadline.check()
                look = at + BYTES_BETWEEN_LOOKS_AT_THE_CLOCK
            begin, code = at, content[at]
            at += 1
            if not code:
                continue  # the end of somebody's children
            if code >= 128:
                place = DwarfBytes(content, begin, end)
                code, at = place.uleb(), place.at
            abbreviation = self._abbreviations.get(code)
            if abbreviation is None:
                raise DwarfError("an entry without abbreviation")
            if abbreviation.tag == tag:
                yield self.entry(begin)
            at = abbreviation.end(content, at)

    def indexed(self, section: str, base: int, index: int, width: int) -> int:
        """Entry `index` of the table that this unit has in a section, where `base` says."""
        begin = self.root.number(base)
        if begin is None:
            raise DwarfError("a table that is not there")
        return DwarfBytes(self.info.sections[section], begin + index * width).unsigned(width)


def _read_header(header: DwarfBytes, wide: int) -> tuple[Widths, int]:
    """The widths of its values, and where its abbreviations are."""
    version = header.unsigned(2)
    if not 2 <= version <= 5:
        raise DwarfError(f"version {version}")
    if version < 5:
        abbreviations = header.unsigned(wide)
        return Widths(version, wide, header.unsigned(1)), abbreviations
    kind, address = header.unsigned(1), header.unsigned(1)
    abbreviations = header.unsigned(wide)
    header.take(8 + wide if kind in _TYPE_UNITS else 8 if kind in _SPLIT_UNITS else 0)
    return Widths(version, wide, address), abbreviations


class Entry:
    """One entry with its attributes, by their numbers in the standard."""

    def __init__(self, unit: Unit, tag: int, attributes: dict[int, Attribute]) -> None:
        self.unit, self.tag, self.attributes = unit, tag, attributes

    def number(self, attribute: int) -> int | None:
        """A number as it is written; None if there is none."""
        found = self.attributes.get(attribute)
        return found.value if found and isinstance(found.value, int) else None

    def reference(self, attribute: int) -> int | None:
        """The offset of another entry in .debug_info."""
        found = self.attributes.get(attribute)
        if found is None or isinstance(found.value, bytes):
            return None
        if found.form in _REFERENCES_WITHIN_UNIT:
            return self.unit.offset + found.value
        return found.value if found.form == FORM_REFERENCE_ANYWHERE else None

    def address(self, attribute: int) -> int | None:
        """An address, wherever it is kept."""
        found = self.attributes.get(attribute)
        if found is None or isinstance(found.value, bytes):
            return None
        return self.indexed_address(found.value) if found.form in _ADDRX_FORMS else found.value

    def indexed_address(self, index: int) -> int:
        """An address that the unit keeps in .debug_addr."""
        return self.unit.indexed("addr", _ADDRESS_BASE, index, self.unit.widths.address)

    def is_address(self, attribute: int) -> bool:
        """Whether it is an address and not, as it may be for an end, a length."""
        found = self.attributes.get(attribute)
        return found is not None and (found.form == 1 or found.form in _ADDRX_FORMS)

    def text(self, attribute: int) -> bytes | None:
        """A text, wherever it is kept."""
        found = self.attributes.get(attribute)
        if found is None:
            return None
        if isinstance(found.value, bytes):
            return found.value
        sections, offset = self.unit.info.sections, found.value
        if found.form in _STRX_FORMS:
            width = self.unit.widths.offset
            offset = self.unit.indexed("str_offsets", _STRING_OFFSETS_BASE, offset, width)
        elif found.form not in (_STRP, _LINE_STRP):
            return None
        section = sections["line_str" if found.form == _LINE_STRP else "str"]
        return DwarfBytes(section, offset).text()


def _read_attributes(
    place: DwarfBytes, abbreviation: Abbreviation, widths: Widths
) -> dict[int, Attribute]:
    return {
        each.attribute: Attribute(each.form, _read_value(place, each, widths))
        for each in abbreviation.specifications
    }


def _read_value(place: DwarfBytes, what: Specification, widths: Widths) -> int | bytes:
    form = what.form
    if form == FORM_IMPLICIT:
        return what.implicit
    width = widths.of(form)
    if width is not None:
        return place.unsigned(width)
    if form in LEB_FORMS:
        return place.sleb() if form == _SDATA else place.uleb()
    if form == TEXT_FORM:
        return place.text()
    if form not in BLOCK_FORMS:
        raise DwarfError(f"form {form:#x}")
    length = BLOCK_FORMS[form]
    return place.take(place.unsigned(length) if length else place.uleb())
