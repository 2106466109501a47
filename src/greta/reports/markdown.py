"""A page as Markdown."""

from __future__ import annotations

import re
import textwrap
from functools import singledispatch

from greta.reports.blocks import (
    Block,
    Bullets,
    Cell,
    Code,
    Facts,
    Figure,
    Folded,
    Headline,
    Listing,
    OpeningTable,
    Page,
    Paragraph,
    Span,
    Table,
    spans_of,
)

_SPECIAL = re.compile(r"([\\`*\[\]<>|~]|(?<![^\W_])_|_(?![^\W_]))")
"""An underscore inside a word and a number sign inside a line mean nothing in Markdown: left alone,
so that NOT_REPRODUCED and call #13 can also be read as they are."""
_OF_A_TITLE = re.compile(r"^#|#$")


def render(page: Page) -> str:
    title, subtitle = _line(page.title), _line(page.subtitle)
    parts = [f"# {title}", subtitle]
    for section in page.sections:
        parts += [f"## {_line(section.title)}", *map(_block, section.blocks)]
    return "\n\n".join(part for part in parts if part) + "\n"


@singledispatch
def _block(block: Block) -> str:
    raise TypeError(type(block))


@_block.register
def _(block: Paragraph) -> str:
    return _words(block.text)


@_block.register
def _(block: Headline) -> str:
    label = f"**{_plain(block.label)}** ({block.word})" if block.label else f"**{block.word}**"
    return f"{label} — {_words(block.sentence)}"


@_block.register
def _(block: Table) -> str:
    numbers = [cell.number for cell in block.rows[0]] if block.rows else [False] * len(block.header)
    rule = ["---:" if number else "---" for number in numbers]
    rows = [[_cell(cell) for cell in row] for row in block.rows]
    lines = [[_plain(one) for one in block.header], rule, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


@_block.register
def _(block: Facts) -> str:
    return "\n".join(
        f"- {_plain(name)}: {_joined(_parts(cell))}" if name else f"  - {_joined(_parts(cell))}"
        for name, cell in block.rows
    )


@_block.register
def _(block: Bullets) -> str:
    marks = [f"{place}." if block.numbered else "-" for place in range(1, len(block.items) + 1)]
    codes = block.codes or ("",) * len(block.items)
    return "\n".join(
        f"{mark} {_words(item)}"
        + (f"\n\n{textwrap.indent(_block(Code(code)), ' ' * (len(mark) + 1))}\n" if code else "")
        for mark, item, code in zip(marks, block.items, codes, strict=True)
    )


@_block.register
def _(block: Code) -> str:
    text = "\n".join(map(_one_line, block.text.split("\n")))
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


@_block.register
def _(block: Figure) -> str:
    return f"*{_plain(block.caption)}*\n\n{_block(block.table)}"


@_block.register
def _(block: Listing) -> str:
    numbers = range(block.first, block.first + len(block.lines))
    marks = [">" if number == block.meant else " " for number in numbers]
    rows = zip(marks, numbers, block.lines, strict=True)
    text = "\n".join(f"{mark} {number}  {line}".rstrip() for mark, number, line in rows)
    return f"*{_plain(block.caption)}*\n\n{_block(Code(text))}"


@_block.register
def _(block: Folded) -> str:
    return "\n\n".join([_words(block.title), *map(_block, block.blocks)])


@_block.register
def _(block: OpeningTable) -> str:
    return str(_block(block.table))


def _cell(cell: Cell) -> str:
    """In a table, which takes a bar for its own even inside of code."""
    parts = _parts(cell)
    return "".join(
        _code(part.text).replace("|", "\\|") if part.code else _plain(part.text) for part in parts
    )


def _parts(cell: Cell) -> list[Span]:
    return [Span(cell.text, True)] if cell.code and cell.text.strip() else spans_of(cell.text)


def _words(text: str) -> str:
    return _OF_A_TITLE.sub(r"\\#", _joined(spans_of(text)))


def _line(text: str) -> str:
    return _OF_A_TITLE.sub(r"\\#", _plain(text))


def _joined(parts: list[Span]) -> str:
    return "".join(_code(part.text) if part.code else _plain(part.text) for part in parts)


def _code(text: str) -> str:
    """Between more backticks than there are in it."""
    text = _one_line(text)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", _one_line(text))


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() or letter == "\u202f" else " " for letter in text)
