"""Entries of .debug_info, a unit at a time, and of those only the ones that are asked about.

Written here and not taken from pyelftools for the reasons that dwarf_lines.py has, and for speed:
a unit of a C++ program has tens of thousands of entries, of which a few hundred matter. What an
entry takes is worked out once for its abbreviation (.debug_abbrev), so that stepping over it is one
addition or a few. docs/decisions/own-dwarf-reader.md has the figures.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from greta.symbols.elf_file import Deadline, DwarfBytes, DwarfError

ATTRIBUTES_LIMIT = 1000  # of one abbreviation; compilers write a few dozen at most
ABBREVIATIONS_BETWEEN_LOOKS_AT_THE_CLOCK = 1024

FORM_ADDRESS, FORM_REFERENCE_ANYWHERE, FORM_IMPLICIT = 0x01, 0x10, 0x21
# Numbers of seven bits a byte: sdata, udata, ref_udata, strx, addrx, loclistx, rnglistx, and GNU's
# addr_index and str_index.
LEB_FORMS = frozenset((0x0D, 0x0F, 0x15, 0x1A, 0x1B, 0x22, 0x23, 0x1F01, 0x1F02))
TEXT_FORM = 0x08
# Bytes after their length, by the width of that length; 0 stands for one of seven bits a byte.
BLOCK_FORMS = {0x0A: 1, 0x03: 2, 0x04: 4, 0x09: 0, 0x18: 0}
_DATA_FORMS = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1E: 16}
_REFERENCE_FORMS = {0x11: 1, 0x12: 2, 0x13: 4, 0x14: 8, 0x20: 8, 0x1C: 4, 0x24: 8}
_FLAG_FORMS = {0x0C: 1, 0x19: 0}
_STRX_FORMS = {0x25: 1, 0x26: 2, 0x27: 3, 0x28: 4}
_ADDRX_FORMS = {0x29: 1, 0x2A: 2, 0x2B: 3, 0x2C: 4}
FIXED_FORMS = (
    _DATA_FORMS | _REFERENCE_FORMS | _FLAG_FORMS | _STRX_FORMS | _ADDRX_FORMS | {FORM_IMPLICIT: 0}
)
# strp, sec_offset, strp_sup, line_strp, and GNU's references to a file that several share.
OFFSET_FORMS = frozenset((0x0E, 0x17, 0x1D, 0x1F, 0x1F20, 0x1F21))


@dataclass(frozen=True)
class Widths:
    """What a unit's header says about the sizes of its values."""

    version: int
    offset: int
    address: int

    def of(self, form: int) -> int | None:
        """What a value of this form takes; None if the value itself says."""
        if form == FORM_ADDRESS or (form == FORM_REFERENCE_ANYWHERE and self.version == 2):
            return self.address
        if form == FORM_REFERENCE_ANYWHERE or form in OFFSET_FORMS:
            return self.offset
        return FIXED_FORMS.get(form)


@dataclass(frozen=True)
class Specification:
    """One attribute of an abbreviation: its number and form, and its value if that is implicit."""

    attribute: int
    form: int
    implicit: int = 0


class Abbreviation:
    def __init__(self, tag: int, specifications: list[Specification], widths: Widths) -> None:
        self.tag = tag
        self.specifications = specifications
        # Runs of bytes as their length, and between them forms whose values say what they take.
        steps = [0]
        forms: list[int] = []
        for specification in specifications:
            width = widths.of(specification.form)
            if width is None:
                forms.append(specification.form)
                steps.append(0)
            else:
                steps[-1] += width
        self.first_step = steps[0]
        self.further_steps = list(zip(forms, steps[1:], strict=True))

    def end(self, content: bytes, at: int) -> int:
        at += self.first_step
        try:
            for form, step in self.further_steps:
                at = _end_of_value(content, at, form) + step
        except (IndexError, ValueError) as error:
            raise DwarfError("cut short") from error
        return at


def _end_of_value(content: bytes, at: int, form: int) -> int:
    if form in LEB_FORMS:
        while content[at] >= 128:
            at += 1
        return at + 1
    if form == TEXT_FORM:
        return content.index(0, at) + 1
    width = BLOCK_FORMS.get(form)
    if width is None:
        raise DwarfError(f"form {form:#x}")
    if width:
        return at + width + int.from_bytes(content[at : at + width], "little")
    place = DwarfBytes(content, at)
    length = place.uleb()
    return place.at + length


def read_abbreviations(
    section: bytes, offset: int, widths: Widths, deadline: Deadline
) -> dict[int, Abbreviation]:
    """The abbreviations at that offset of .debug_abbrev, by their codes."""
    table = DwarfBytes(section, offset)
    found: dict[int, Abbreviation] = {}
    while code := table.uleb():
        if len(found) % ABBREVIATIONS_BETWEEN_LOOKS_AT_THE_CLOCK == 0:
            deadline.check()
        if code in found:
            raise DwarfError("two abbreviations with one code")
        tag = table.uleb()
        table.take(1)  # whether there are children, which follow their parent anyway
        found[code] = Abbreviation(tag, _read_specifications(table), widths)
    return found


def _read_specifications(table: DwarfBytes) -> list[Specification]:
    found: list[Specification] = []
    while True:
        attribute, form = table.uleb(), table.uleb()
        if not attribute and not form:
            return found
        if len(found) == ATTRIBUTES_LIMIT:
            raise DwarfError("more attributes than there can be")
        implicit = table.sleb() if form == FORM_IMPLICIT else 0
        found.append(Specification(attribute, form, implicit))


BYTES_BETWEEN_LOOKS_AT_THE_CLOCK = 1 << 18

_STRING_OFFSETS_BASE, _ADDRESS_BASE = 0x72, 0x73
_STRING_INDEX_FORMS = frozenset((0x1A, *_STRX_FORMS))
_ADDRESS_INDEX_FORMS = frozenset((0x1B, *_ADDRX_FORMS))
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
        if offset not in self._units:
            self._units[offset] = Unit(self, offset, deadline)
        return self._units[offset]

    def entry(self, offset: int, near: Unit, deadline: Deadline) -> DwarfEntry:
        """The entry at an offset: of this unit or, after optimization of the whole, of another."""
        if not near.begin <= offset < near.end:
            near = self._unit_around(offset, deadline)
        return near.entry(offset)

    def _unit_around(self, offset: int, deadline: Deadline) -> Unit:
        starts = self.unit_starts(deadline)
        index = bisect.bisect_right(starts, offset) - 1
        if index < 0:
            raise DwarfError("an entry outside of all units")
        return self.unit(starts[index], deadline)

    def unit_starts(self, deadline: Deadline) -> list[int]:
        place = DwarfBytes(self.sections["info"], 0)
        found: list[int] = []
        while not self._starts and place.at < place.end:
            deadline.check()
            found.append(place.at)
            length, _ = place.length()
            place.at += length
        self._starts = self._starts or found
        return self._starts


class Unit:
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
    def root(self) -> DwarfEntry:
        return self.entry(self.begin)

    def entry(self, offset: int) -> DwarfEntry:
        if not self.begin <= offset < self.end:
            raise DwarfError("an entry outside of its unit")
        place = DwarfBytes(self.content, offset, self.end)
        abbreviation = self._abbreviations.get(place.uleb())
        if abbreviation is None:
            raise DwarfError("an entry without abbreviation")
        attributes = {
            each.attribute: Attribute(each.form, read_value(place, each, self.widths))
            for each in abbreviation.specifications
        }
        return DwarfEntry(self, abbreviation.tag, attributes)

    def with_tag(self, tag: int, deadline: Deadline) -> Iterator[DwarfEntry]:
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


class DwarfEntry:
    def __init__(self, unit: Unit, tag: int, attributes: dict[int, Attribute]) -> None:
        self.unit, self.tag, self.attributes = unit, tag, attributes

    def number(self, attribute: int) -> int | None:
        found = self.attributes.get(attribute)
        return found.value if found and isinstance(found.value, int) else None

    def reference(self, attribute: int) -> int | None:
        found = self.attributes.get(attribute)
        if found is None or isinstance(found.value, bytes):
            return None
        if found.form in _REFERENCES_WITHIN_UNIT:
            return self.unit.offset + found.value
        return found.value if found.form == FORM_REFERENCE_ANYWHERE else None

    def address(self, attribute: int) -> int | None:
        found = self.attributes.get(attribute)
        if found is None or isinstance(found.value, bytes):
            return None
        return (
            self.indexed_address(found.value) if found.form in _ADDRESS_INDEX_FORMS else found.value
        )

    def indexed_address(self, index: int) -> int:
        return self.unit.indexed("addr", _ADDRESS_BASE, index, self.unit.widths.address)

    def is_address(self, attribute: int) -> bool:
        """Whether it is an address and not, as it may be for an end, a length."""
        found = self.attributes.get(attribute)
        return found is not None and (found.form == 1 or found.form in _ADDRESS_INDEX_FORMS)

    def text(self, attribute: int) -> bytes | None:
        found = self.attributes.get(attribute)
        if found is None:
            return None
        if isinstance(found.value, bytes):
            return found.value
        sections, offset = self.unit.info.sections, found.value
        if found.form in _STRING_INDEX_FORMS:
            width = self.unit.widths.offset
            offset = self.unit.indexed("str_offsets", _STRING_OFFSETS_BASE, offset, width)
        elif found.form not in (_STRP, _LINE_STRP):
            return None
        section = sections["line_str" if found.form == _LINE_STRP else "str"]
        return DwarfBytes(section, offset).text()


def read_value(place: DwarfBytes, what: Specification, widths: Widths) -> int | bytes:
    """As it is written there: a number, or the bytes of a text or block."""
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


RANGES_LIMIT = 10_000  # of one entry

_LOW_PC, _HIGH_PC, _RANGES, _RANGE_LISTS_BASE = 0x11, 0x12, 0x55, 0x74
_FORM_RANGE_LIST_INDEX = 0x23

Range = tuple[int, int]


def ranges_of(entry: DwarfEntry) -> list[Range]:
    """Begin and end of each piece; empty if there is no code."""
    if _RANGES in entry.attributes:
        base = entry.unit.root.address(_LOW_PC) or 0
        read = _range_list if entry.unit.widths.version < 5 else _range_list_5
        return read(entry, base)
    low, high = entry.address(_LOW_PC), entry.address(_HIGH_PC)
    if low is None or high is None:
        return []
    return [(low, high if entry.is_address(_HIGH_PC) else low + high)]


def _range_list(entry: DwarfEntry, base: int) -> list[Range]:
    """Versions up to 4: pairs of addresses, where a begin of all ones brings a new base."""
    width = entry.unit.widths.address
    place = DwarfBytes(entry.unit.info.sections["ranges"], entry.number(_RANGES) or 0)
    found: list[Range] = []
    for _ in range(RANGES_LIMIT):
        begin, end = place.unsigned(width), place.unsigned(width)
        if begin == (1 << 8 * width) - 1:
            base = end
        elif begin or end:
            found.append((base + begin, base + end))
        else:
            return found
    raise DwarfError("more ranges than there can be")


def _range_list_5(entry: DwarfEntry, base: int) -> list[Range]:
    place = DwarfBytes(entry.unit.info.sections["rnglists"], _offset_5(entry))
    found: list[Range] = []
    for _ in range(RANGES_LIMIT):
        kind = place.unsigned(1)
        if kind == 0:
            return found
        if kind in (1, 5):  # base_addressx, base_address
            base = _address(entry, place, kind == 1)
        elif kind == 4:  # offset_pair
            found.append((base + place.uleb(), base + place.uleb()))
        elif kind in (2, 3, 6, 7):  # start and end, or start and length
            begin = _address(entry, place, kind < 4)
            is_length = kind in (3, 7)
            end = begin + place.uleb() if is_length else _address(entry, place, kind == 2)
            found.append((begin, end))
        else:
            raise DwarfError(f"a range of kind {kind}")
    raise DwarfError("more ranges than there can be")


def _address(entry: DwarfEntry, place: DwarfBytes, is_index: bool) -> int:
    if is_index:
        return entry.indexed_address(place.uleb())
    return place.unsigned(entry.unit.widths.address)


def _offset_5(entry: DwarfEntry) -> int:
    """Where the list is: written as an offset, or as an index of a table of them."""
    offset = entry.number(_RANGES) or 0
    if entry.attributes[_RANGES].form != _FORM_RANGE_LIST_INDEX:
        return offset
    unit = entry.unit
    base = unit.root.number(_RANGE_LISTS_BASE) or 0
    return base + unit.indexed("rnglists", _RANGE_LISTS_BASE, offset, unit.widths.offset)
