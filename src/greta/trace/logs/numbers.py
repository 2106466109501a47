"""Numbers and errors as logs spell them; what is no whole number is None, never a guess."""

from __future__ import annotations

import re
from typing import Final

from greta.recording import ERROR_NAMES, ERROR_TEXTS

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


UNKNOWN_ERROR: Final = 999
"""hipErrorUnknown: what stands for an error whose number nobody says."""
_LONGEST: Final = 400

_NUMBERS: Final = {name: code for code, name in ERROR_NAMES.items()}
# The longest first, so that a text that is part of another does not win.
_ORDERED: Final = sorted(
    ((code, text) for code, text in ERROR_TEXTS.items() if code), key=lambda item: -len(item[1])
)


def error_in(text: str) -> int | None:
    """The error that a sentence speaks of, by its name or its text."""
    start = text[:_LONGEST]
    at = start.find("hipError")
    if at >= 0:
        name = start[at:].replace("(", " ").replace(")", " ").split()[0].rstrip(".,:;'\"")
        if name in _NUMBERS:
            return _NUMBERS[name]
    return next((code for code, words in _ORDERED if words in start), None)


def number_of(name: str) -> int | None:
    """Of an error's name; 0 is hipSuccess."""
    return _NUMBERS.get(name)
