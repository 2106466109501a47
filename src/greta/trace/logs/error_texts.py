"""From what hipGetErrorString says to the number of the error."""

from __future__ import annotations

from typing import Final

from greta.recording import ERROR_NAMES, ERROR_TEXTS

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
