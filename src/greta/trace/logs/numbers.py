"""Numbers as logs spell them. Anything else than a whole number is None, never a guess."""

from __future__ import annotations

import re
from typing import Final

_HEX: Final = re.compile(r"(?:0x){0,2}([0-9a-f]{1,16})")
_DECIMAL: Final = re.compile(r"-?[0-9]{1,20}")
_LARGEST: Final = (1 << 64) - 1


def address(text: str) -> int | None:
    """Hexadecimal, with one 0x, two (some printers double it) or none; null in three spellings.

    A program that set a locale groups digits: 0x7fb,bb5,821,380.
    """
    word = text.strip().lower()
    if word in ("(nil)", "nil", "<null>", "null", "nullptr"):
        return 0
    found = _HEX.fullmatch(word.replace(",", ""))
    return int(found[1], 16) if found else None


def count(text: str) -> int | None:
    """Decimal, or hexadecimal with 0x; digits may be grouped."""
    word = text.strip().lower().replace(",", "")
    if word.startswith("0x"):
        return address(word)
    if not _DECIMAL.fullmatch(word):
        return None
    value = int(word)
    return value if -_LARGEST <= value <= _LARGEST else None
