"""A page as Markdown."""

from __future__ import annotations

import re
from functools import singledispatch

from greta.reports.blocks import (
    Block,
    Bullets,
    Cell,
    Code,
    Facts,
    Figure,
    Page,
    Paragraph,
    Section,
    Table,
    Verdict,
)

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~])")


def render(page: Page) -> str:
    """The whole page."""
    parts = [f"# {_plain(page.title)}", _plain(page.subtitle), *map(_section, page.sections)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(section: Section) -> str:
    return "\n\n".join([f"## {_plain(section.title)}", *map(_block, section.blocks)])


@singledispatch
def _block(block: Block) -> str:
    raise TypeError(type(block))


@_block.register
def _(block: Paragraph) -> str:
    return _plain(block.text)


@_block.register
def _(block: Verdict) -> str:
    return f"**{_plain(block.word)}** — {_plain(block.sentence)}"


@_block.register
def _(block: Table) -> str:
    numbers = [cell.number for cell in block.rows[0]] if block.rows else [False] * len(block.header)
    rule = ["---:" if number else "---" for number in numbers]
    rows = [[_cell(cell) for cell in row] for row in block.rows]
    lines = [[_plain(one) for one in block.header], rule, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


@_block.register
def _(block: Facts) -> str:
    return "\n".join(f"- {_plain(name)}: {_cell(cell)}" for name, cell in block.rows)


@_block.register
def _(block: Bullets) -> str:
    marks = [f"{place}." if block.numbered else "-" for place in range(1, len(block.items) + 1)]
    return "\n".join(
        f"{mark} {_plain(item)}" for mark, item in zip(marks, block.items, strict=True)
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


def _cell(cell: Cell) -> str:
    if cell.code and cell.text and "`" not in cell.text:
        return f"`{_one_line(cell.text)}`".replace("|", "\\|")
    return _plain(cell.text)


def _plain(text: str) -> str:
    """Text that a Markdown reader shows as it is."""
    return _SPECIAL.sub(r"\\\1", _one_line(text))


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() or letter == "\u202f" else " " for letter in text)
