"""What a report is made of, whatever it is printed as."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

Tone: TypeAlias = Literal["plain", "good", "bad", "odd"]


@dataclass(frozen=True)
class Paragraph:
    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Headline:
    word: str
    """The same in every language."""
    sentence: str
    tone: Tone
    label: str = ""
    """The word for who does not know our codes."""


@dataclass(frozen=True)
class Cell:
    """Of a table: text, or a number that stands to the right."""

    text: str
    number: bool = False
    tone: Tone = "plain"
    code: bool = False
    anchor: str = ""
    """What links lead here by: call-13."""


@dataclass(frozen=True)
class Table:
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Facts:
    """Names and what there is to say. A row without a name goes on with the one before it."""

    rows: tuple[tuple[str, Cell], ...]


@dataclass(frozen=True)
class Bullets:
    items: tuple[str, ...]
    numbered: bool = False
    codes: tuple[str, ...] = ()
    """For each item text to be copied, or nothing; if there is one for any of them."""


@dataclass(frozen=True)
class Code:
    text: str


@dataclass(frozen=True)
class Listing:
    """Lines of a source file, one of which is meant."""

    caption: str
    first: int
    """The number of the first line."""
    lines: tuple[str, ...]
    meant: int
    """The number of that line."""


@dataclass(frozen=True)
class Folded:
    title: str
    blocks: tuple[Block, ...]
    is_open: bool = False
    """From the start."""


@dataclass(frozen=True)
class OpeningRow:
    """A row, and what it shows when it is opened."""

    cells: tuple[Cell, ...]
    inside: tuple[Block, ...]


@dataclass(frozen=True)
class OpeningTable:
    """A table whose rows can be opened; `table` is for where they cannot."""

    header: tuple[str, ...]
    rows: tuple[OpeningRow, ...]
    table: Table


@dataclass(frozen=True)
class Figure:
    """A picture, its caption, and the same as a table for where there are no pictures."""

    svg: str
    """Complete and safe: everything in it that came from outside is escaped."""
    caption: str
    """Of the picture and of the table."""
    table: Table
    legend: str = ""
    """How to read the picture."""
    keys: tuple[tuple[str, str], ...] = ()
    """The kinds of shapes in it that mean something, by their class, and what they mean."""
    table_title: str = ""
    zooms: bool = False
    """Whether there is more to see in it when it is wider."""


Block: TypeAlias = (
    "Paragraph | Headline | Table | Facts | Bullets | Code | Figure | Listing | Folded"
    " | OpeningTable"
)


@dataclass(frozen=True)
class Section:
    title: str
    blocks: tuple[Block, ...]
    name: str = ""
    """The same in every language: for links."""
    leads: bool = False
    """Whether it is part of the story, which comes before the table of contents."""


@dataclass(frozen=True)
class Page:
    title: str
    subtitle: str
    lang: str
    sections: tuple[Section, ...] = field(default_factory=tuple)
    words: Mapping[str, str] = field(default_factory=dict)
    """Of what the page itself says: contents, copy, copied, zoom_in ..."""


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
