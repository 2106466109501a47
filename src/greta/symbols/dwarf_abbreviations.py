"""Abbreviations of .debug_abbrev: what entries are made of, and how to step over them.

Most entries of a unit are types and variables that nobody asks about. What an entry takes is
worked out once for its abbreviation, so that stepping over it is one addition or a few.
"""

from __future__ import annotations

from dataclasses import dataclass

from greta.symbols.dwarf_bytes import Deadline, DwarfBytes, DwarfError

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
    """What entries with one code are made of."""

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
        """Where an entry ends whose values begin there."""
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
