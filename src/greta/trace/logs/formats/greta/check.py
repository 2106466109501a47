"""[D2H_CHECK] tensor=... step=0 layer=32 src_ptr=0x7f.. dst_ptr=... offset=0 size=4096 alloc=4096

Older builds left the stream in hexadecimal and wrote every number so, with no 0x, and -1 as
ffffffff: size=7d400 is 513024 bytes. A line alone may not tell (size=4096 in which base?), so the
base is decided once for all lines of a file that spell their addresses alike, from evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from greta.trace.logs.formats.greta.records import BoundsLine, CheckLine, Fields
from greta.trace.logs.lines import address

Base = Literal[10, 16]
_NUMBERS: Final = ("step", "layer", "offset", "size", "alloc")
_HEX_LETTERS: Final = re.compile(r"[0-9a-f]*[a-f][0-9a-f]*", re.IGNORECASE)
_HEX: Final = re.compile(r"[0-9a-f]{1,16}", re.IGNORECASE)
_DECIMAL: Final = re.compile(r"-?[0-9]{1,20}")
_NEGATIVE: Final = re.compile(r"-[0-9]+")
_MINUS_ONE: Final = ("ffffffff", "ffffffffffffffff")


class Decision(NamedTuple):
    """In which base numbers without 0x are, and what shows it; `sure` if nothing speaks against."""

    base: Base
    evidence: str
    sure: bool


class Checked(NamedTuple):
    """The numbers of a line. None: it has none, or what stands there is no number."""

    step: int
    layer: int
    source: int | None
    target: int | None
    offset: int | None
    size: int | None
    alloc: int | None


def is_bare(fields: Fields) -> bool:
    """Whether it spells its addresses without 0x; a line without addresses counts as bare."""
    return not any(fields.get(name, "").lower().startswith("0x") for name in ("src_ptr", "dst_ptr"))


def decide(records: Sequence[CheckLine | BoundsLine]) -> Decision:
    """For all lines of a file that are bare, or for all that are not."""
    letters = _first(records, _HEX_LETTERS)
    minus = _first(records, _NEGATIVE)
    if letters and not minus:
        return Decision(16, letters, True)
    if minus and not letters:
        return Decision(10, minus, True)
    bare = all(is_bare(record.fields) for record in records)
    if letters and minus:
        return Decision(16 if bare else 10, f"{letters}, but also {minus}", False)
    return _by_arithmetic(records, 16 if bare else 10)


def _first(records: Iterable[CheckLine | BoundsLine], spelling: re.Pattern[str]) -> str | None:
    """The first number that is spelled so."""
    for record in records:
        for name in _NUMBERS:
            value = record.fields.get(name, "")
            if spelling.fullmatch(value):
                return f"{name}={value} in line {record.line.number}"
    return None


def _by_arithmetic(records: Sequence[CheckLine | BoundsLine], usual: Base) -> Decision:
    """Digits only. Transfers from one allocation have one src_ptr - offset, in the right base."""
    if usual == 10:
        return Decision(10, "addresses carry 0x, other numbers do not", True)
    one = [base for base in (16, 10) if _share_an_origin(records, base)]
    if one == [10]:
        return Decision(10, "src_ptr - offset is the same in all lines only if decimal", True)
    if one == [16]:
        return Decision(16, "src_ptr - offset is the same in all lines only if hexadecimal", True)
    return Decision(16, "addresses are hexadecimal without 0x, as older builds write all", False)


def _share_an_origin(records: Sequence[CheckLine | BoundsLine], base: int) -> bool:
    origins: dict[tuple[str, str], set[int]] = {}
    offsets: dict[tuple[str, str], set[str]] = {}
    for record in records:
        words = record.fields
        source, offset = address(words.get("src_ptr", "")), words.get("offset", "")
        if source is None or not _HEX.fullmatch(offset):
            continue
        key = (words.get("tensor", ""), words.get("alloc", ""))
        origins.setdefault(key, set()).add(source - int(offset, base))
        offsets.setdefault(key, set()).add(offset)
    telling = [key for key, seen in offsets.items() if len(seen) > 1]
    return bool(telling) and all(len(origins[key]) == 1 for key in telling)


def numbers_of(fields: Fields, base: Base) -> Checked:
    """The numbers of a line in that base; those with 0x are hexadecimal in any case."""
    return Checked(
        step=_index(fields.get("step", ""), base),
        layer=_index(fields.get("layer", ""), base),
        source=address(fields["src_ptr"]) if "src_ptr" in fields else None,
        target=address(fields["dst_ptr"]) if "dst_ptr" in fields else None,
        offset=_number(fields.get("offset", ""), base),
        size=_number(fields.get("size", ""), base),
        alloc=_number(fields.get("alloc", ""), base),
    )


def _index(text: str, base: Base) -> int:
    if base == 16 and text.lower() in _MINUS_ONE:
        return -1
    value = _number(text, base)
    return -1 if value is None else value


def _number(text: str, base: Base) -> int | None:
    if text.lower().startswith("0x"):
        return address(text)
    spelling = _HEX if base == 16 else _DECIMAL
    return int(text, base) if spelling.fullmatch(text) else None
