"""Lines in as many columns as there are. What does not fit goes on below; nothing is cut.

    title   text that goes on
            under itself
    a title that is too long, or text with a word that does not fit beside its title
      has the text below it

A command goes on behind a backslash, so that it can still be pasted.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from greta.reports.blocks import Cell, Table, Tone

_LEAST: Final = 40
_WHOLE: Final = 1 << 20
_LEAST_COLUMN: Final = 8
_GAP: Final = "  "
_COMMAND: Final = "    "
_GOES_ON: Final = " \\"


@dataclass(frozen=True)
class TitledLine:
    """A title, what there is to say, and whether it is good news. An empty title continues."""

    title: str
    text: str
    tone: Tone = "plain"
    table: Table | None = None
    """In the place of text."""
    words: tuple[str, ...] = ()
    """The text is a command, and these are its words, quoted for a shell."""


def titled(title: str, texts: Iterable[str], tone: Tone = "plain") -> Iterator[TitledLine]:
    for place, text in enumerate(texts):
        yield TitledLine("" if place else title, text, tone)


def command_line(title: str, words: tuple[str, ...]) -> TitledLine:
    return TitledLine(title, " ".join(words), words=words)


@dataclass(frozen=True)
class ScreenRow:
    """One row of the screen: what stands left, with its spaces, and what stands right."""

    left: str
    right: str
    tone: Tone = "plain"


def screen_width() -> int:
    """COLUMNS, or what the terminal says; in a pipe lines are whole, for grep and the like."""
    told = os.environ.get("COLUMNS", "")
    in_pipe = not (told.isdecimal() and int(told)) and not sys.stdout.isatty()
    return _WHOLE if in_pipe else shutil.get_terminal_size((80, 24)).columns


def rows_of(lines: Sequence[TitledLine], width: int) -> list[ScreenRow]:
    width = max(width, _LEAST)
    titles = [len(line.title) for line in lines if len(line.title) <= width // 3]
    left = max(titles, default=0)
    return [row for line in lines for row in _placed(line, left + len(_GAP) if left else 0, width)]


def wrapped(text: str, width: int) -> list[str]:
    """In pieces that are no longer than that; words that are longer are broken."""
    # A column without any text has no width, which wrap() would refuse.
    return wrap(text, max(width, 1), break_on_hyphens=False) or [""]


def _placed(line: TitledLine, left: int, width: int) -> Iterator[ScreenRow]:
    title = printable(line.title)
    beside = len(title) <= max(0, left - len(_GAP)) and _needs(line) <= width - left
    if not beside:
        yield ScreenRow(title, "")
    lead = title.ljust(left) if beside else _GAP
    for piece, tone in _pieces(line, width - len(lead)):
        yield ScreenRow(lead, plain_spaces(piece), tone)
        lead = " " * len(lead)


def _needs(line: TitledLine) -> int:
    """The least room in which nothing has to be broken."""
    if line.table is not None:
        return _table_width(_widths(line.table))
    if line.words:
        longest = max(len(printable(word)) for word in line.words)
        return len(_COMMAND) + longest + len(_GOES_ON)
    return max((len(word) for word in printable(line.text).split(" ")), default=0)


def _pieces(line: TitledLine, room: int) -> list[tuple[str, Tone]]:
    if line.table is not None:
        return table_rows(line.table, room)
    if line.words:
        words = [printable(word) for word in line.words]
        pieces = [_COMMAND + piece for piece in _continued(words, room - len(_COMMAND))]
    else:
        pieces = wrapped(printable(line.text), room)
    return [(piece, line.tone) for piece in pieces]


def _continued(words: Sequence[str], room: int) -> Iterator[str]:
    """No word of a command may be broken."""
    piece = words[0]
    for place, word in enumerate(words[1:], start=2):
        last = place == len(words)
        if len(piece) + 1 + len(word) + (0 if last else len(_GOES_ON)) > room:
            yield piece + _GOES_ON
            piece = word
        else:
            piece += f" {word}"
    yield piece


def table_rows(table: Table, room: int) -> list[tuple[str, Tone]]:
    """A table as text; its widest columns of text become narrower until it fits.

    A row is told in the tone of its first cell that has one.

    Words are broken only where the columns would not fit with the longest word of each.
    """
    rows, widths = _texts(table), _widths(table)
    words = [
        max(len(word) for row in rows for word in row[place].split(" "))
        for place in range(len(widths))
    ]
    numbers = [cell.number for cell in table.rows[0]] if table.rows else [False] * len(widths)
    texts = [place for place, number in enumerate(numbers) if not number]
    while _table_width(widths) > room:
        wordy = [place for place in texts if widths[place] > words[place]]
        wide = [place for place in texts if widths[place] > _LEAST_COLUMN]
        place = max(wordy or wide, key=widths.__getitem__, default=None)
        if place is None:
            break
        widths[place] -= 1
    tones = ["plain", *(_tone(row) for row in table.rows)]
    told = zip(rows, tones, strict=True)
    return [(text, tone) for row, tone in told for text in _table_row(row, widths, numbers)]


def _tone(row: Sequence[Cell]) -> Tone:
    return next((cell.tone for cell in row if cell.tone != "plain"), "plain")


def _texts(table: Table) -> list[tuple[str, ...]]:
    rows = [table.header, *(tuple(cell.text for cell in row) for row in table.rows)]
    return [tuple(map(printable, row)) for row in rows]


def _widths(table: Table) -> list[int]:
    texts = _texts(table)
    return [max(len(row[place]) for row in texts) for place in range(len(table.header))]


def _table_width(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _table_row(row: Sequence[str], widths: list[int], numbers: list[bool]) -> Iterator[str]:
    cells = [wrapped(text, width) for text, width in zip(row, widths, strict=True)]
    for level in range(max(map(len, cells), default=0)):
        parts = [cell[level] if level < len(cell) else "" for cell in cells]
        yield _GAP.join(
            part.rjust(width) if number else part.ljust(width)
            for part, width, number in zip(parts, widths, numbers, strict=True)
        ).rstrip()


def printable(text: str) -> str:
    """Names come from the program, and might drive a terminal.

    Thin spaces stay: they hold a number together when a line is broken.
    """
    return "".join(letter if letter.isprintable() or letter == "\u202f" else "?" for letter in text)


def plain_spaces(text: str) -> str:
    """Not every terminal has a thin space."""
    return text.replace("\u202f", " ")
