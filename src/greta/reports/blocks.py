"""What a report is made of, whatever it is printed as."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

Tone: TypeAlias = Literal["plain", "good", "bad", "odd"]


@dataclass(frozen=True)
class Paragraph:
    """A few sentences."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Headline:
    """The word that everything else explains."""

    word: str
    sentence: str
    tone: Tone


@dataclass(frozen=True)
class Cell:
    """Of a table: text, or a number that stands to the right."""

    text: str
    number: bool = False
    tone: Tone = "plain"
    code: bool = False


@dataclass(frozen=True)
class Table:
    """Rows below a header."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Facts:
    """Pairs of a name and what it is."""

    rows: tuple[tuple[str, Cell], ...]


@dataclass(frozen=True)
class Bullets:
    """A list; numbered if the order counts."""

    items: tuple[str, ...]
    numbered: bool = False
    codes: tuple[str, ...] = ()
    """For each item text to be copied, or nothing; if there is one for any of them."""


@dataclass(frozen=True)
class Code:
    """Text to be copied."""

    text: str


@dataclass(frozen=True)
class Figure:
    """A picture, its caption, and the same as a table for where there are no pictures."""

    svg: str
    """Complete and safe: everything in it that came from outside is escaped."""
    caption: str
    """Of the picture and of the table."""
    table: Table
    legend: str = ""
    """How to read the picture: lines, colours."""


Block: TypeAlias = "Paragraph | Headline | Table | Facts | Bullets | Code | Figure"


@dataclass(frozen=True)
class Section:
    """Blocks under a title."""

    title: str
    blocks: tuple[Block, ...]
    name: str = ""
    """The same in every language: for links."""


@dataclass(frozen=True)
class Page:
    """A whole report."""

    title: str
    subtitle: str
    lang: str
    sections: tuple[Section, ...] = field(default_factory=tuple)


_SPAN: Final = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Span:
    """Of a sentence: words, or code."""

    text: str
    code: bool


def spans_of(text: str) -> list[Span]:
    """In order; code stands between backticks. One without another is a letter like any."""
    pieces = _SPAN.split(text)  # words, code, words, code ... words
    return [Span(piece, place % 2 == 1) for place, piece in enumerate(pieces) if piece]
