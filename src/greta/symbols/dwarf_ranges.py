"""The code that an entry of .debug_info stands for: from an address to an address, or a list."""

from __future__ import annotations

from greta.symbols.dwarf_bytes import DwarfBytes, DwarfError
from greta.symbols.dwarf_entries import Entry

RANGES_LIMIT = 10_000  # of one entry

_LOW_PC, _HIGH_PC, _RANGES, _RANGE_LISTS_BASE = 0x11, 0x12, 0x55, 0x74
_FORM_RANGE_LIST_INDEX = 0x23

Range = tuple[int, int]


def ranges_of(entry: Entry) -> list[Range]:
    """Begin and end of each piece; empty if there is no code."""
    if _RANGES in entry.attributes:
        base = entry.unit.root.address(_LOW_PC) or 0
        read = _range_list if entry.unit.widths.version < 5 else _range_list_5
        return read(entry, base)
    low, high = entry.address(_LOW_PC), entry.address(_HIGH_PC)
    if low is None or high is None:
        return []
    return [(low, high if entry.is_address(_HIGH_PC) else low + high)]


def _range_list(entry: Entry, base: int) -> list[Range]:
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


def _range_list_5(entry: Entry, base: int) -> list[Range]:
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


def _address(entry: Entry, place: DwarfBytes, is_index: bool) -> int:
    if is_index:
        return entry.indexed_address(place.uleb())
    return place.unsigned(entry.unit.widths.address)


def _offset_5(entry: Entry) -> int:
    """Where the list is: written as an offset, or as an index of a table of them."""
    offset = entry.number(_RANGES) or 0
    if entry.attributes[_RANGES].form != _FORM_RANGE_LIST_INDEX:
        return offset
    unit = entry.unit
    base = unit.root.number(_RANGE_LISTS_BASE) or 0
    return base + unit.indexed("rnglists", _RANGE_LISTS_BASE, offset, unit.widths.offset)
