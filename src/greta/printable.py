"""Texts that came out of a file, made fit to stand in a message or on a terminal.

A name in a model's file can hold anything: an escape sequence that clears the screen, a new line
that looks like our own, a mark that turns the rest of the line around.
"""

from __future__ import annotations

import re

_LONGEST = 2000
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """One line without control and format characters: each is written as Python writes it.

    >>> printable("a\\nb\\x1b[2J")
    'a\\\\nb\\\\x1b[2J'
    """
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"
    return text if text.isprintable() else "".join(map(_shown, text))


def without_controls(text: str) -> str:
    """A text of many lines for a terminal: control characters but new lines and tabs are shown.

    Marks that join letters or turn the direction of writing belong to a text, and stay.
    """
    return _CONTROLS.sub(lambda found: _shown(found[0]), text)


def plain(text: str) -> str:
    r"""A text that can be encoded: a byte that was not UTF-8 is shown as \udc80 to \udcff."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")
