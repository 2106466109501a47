"""A page as one HTML file that needs nothing else: no network, and no script to be readable."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import fields, is_dataclass
from functools import cache, singledispatch
from importlib.resources import files
from typing import Final

from jinja2 import Environment
from markupsafe import Markup, escape

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
    Table,
    spans_of,
)

_CALL: Final = re.compile(r"#(\d{1,18})\b")
_UNBROKEN: Final = 40
_CALLS: Final[ContextVar[frozenset[str]]] = ContextVar("calls", default=frozenset())
"""The numbers of the calls that the page has a row of: where they are named, they are links."""


def render(page: Page) -> str:
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(_resource("page.html"))
    anchors = (cell.anchor for cell in _cells(page.sections) if cell.anchor)
    token = _CALLS.set(frozenset(one.removeprefix("call-") for one in anchors))
    words = json.dumps(dict(page.words), ensure_ascii=False).replace("<", "\\u003c")
    try:
        return template.render(
            page=page,
            style=Markup(_resource("style.css")),  # noqa: S704  ours
            script=Markup(_resource("page.js")),  # noqa: S704  ours
            words=Markup(words),  # noqa: S704  no tag can begin in it
            block=_block,
        )
    finally:
        _CALLS.reset(token)


def _cells(part: object) -> Iterator[Cell]:
    """Every cell in blocks, whatever holds them."""
    if isinstance(part, Cell):
        yield part
    elif isinstance(part, tuple):
        for one in part:
            yield from _cells(one)
    elif is_dataclass(part):
        for one in fields(part):
            yield from _cells(getattr(part, one.name))


@cache
def _resource(name: str) -> str:
    return files("greta.reports").joinpath(name).read_text(encoding="utf-8")


@singledispatch
def _block(block: Block) -> Markup:
    raise TypeError(type(block))


@_block.register
def _(block: Paragraph) -> Markup:
    return Markup('<p class="{}">{}</p>').format(block.tone, _words(block.text))


@_block.register
def _(block: Headline) -> Markup:
    code = Markup("<code>{}</code>").format(block.word)
    label = Markup("<strong>{}</strong> {}").format(block.label, code) if block.label else code
    return Markup(
        '<div class="verdict {}"><p class="word">{}</p><p class="story">{}</p></div>'
    ).format(block.tone, label, _words(block.sentence))


@_block.register
def _(block: Table) -> Markup:
    first = block.rows[0] if block.rows else ()
    kinds = [cell.number for cell in first] + [False] * (len(block.header) - len(first))
    head = Markup("").join(
        Markup('<th scope="col" class="{}">{}</th>').format("number" if number else "", one)
        for one, number in zip(block.header, kinds, strict=False)
    )
    rows = Markup("\n").join(
        Markup("<tr>{}</tr>").format(Markup("").join(map(_cell, row))) for row in block.rows
    )
    return Markup(
        '<div class="wide" tabindex="0"><table><thead><tr>{}</tr></thead><tbody>\n{}\n</tbody>'
        "</table></div>"
    ).format(head, rows)


@_block.register
def _(block: OpeningTable) -> Markup:
    def row(cells: tuple[Cell, ...]) -> Markup:
        return Markup("").join(
            Markup('<span class="{}{}">{}</span>').format(
                one.tone, " number" if one.number else "", _inner(one)
            )
            for one in cells
        )

    head = Markup("").join(Markup("<span>{}</span>").format(one) for one in block.header)
    rows = Markup("\n").join(
        Markup("<details><summary>{}</summary><div>{}</div></details>").format(
            row(one.cells), Markup("\n").join(map(_block, one.inside))
        )
        for one in block.rows
    )
    return Markup('<div class="opening"><div class="head">{}</div>\n{}\n</div>').format(head, rows)


@_block.register
def _(block: Folded) -> Markup:
    inside = Markup("\n").join(map(_block, block.blocks))
    opened = Markup(" open") if block.is_open else ""
    return Markup('<details class="fold"{}><summary>{}</summary>\n{}\n</details>').format(
        opened, _words(block.title), inside
    )


@_block.register
def _(block: Listing) -> Markup:
    lines = Markup("").join(
        Markup('<span class="row{}"><span class="no">{}</span>{}\n</span>').format(
            " meant" if number == block.meant else "", number, line
        )
        for number, line in enumerate(block.lines, start=block.first)
    )
    return Markup(
        '<figure class="listing"><figcaption>{}</figcaption><pre tabindex="0"><code>{}</code></pre>'
        "</figure>"
    ).format(block.caption, lines)


@_block.register
def _(block: Facts) -> Markup:
    groups: list[list[Markup]] = []
    for name, cell in block.rows:
        if name or not groups:
            groups.append([Markup("<dt>{}</dt>").format(name)])
        groups[-1].append(Markup('<dd class="{}">{}</dd>').format(cell.tone, _inner(cell)))
    rows = (Markup("<div>{}</div>").format(Markup("").join(parts)) for parts in groups)
    return Markup("<dl>\n{}\n</dl>").format(Markup("\n").join(rows))


@_block.register
def _(block: Bullets) -> Markup:
    tag = "ol" if block.numbered else "ul"
    codes = block.codes or ("",) * len(block.items)
    items = Markup("\n").join(
        Markup("<li>{}{}</li>").format(_words(item), _block(Code(code)) if code else "")
        for item, code in zip(block.items, codes, strict=True)
    )
    return Markup("<{0}>\n{1}\n</{0}>").format(tag, items)


@_block.register
def _(block: Code) -> Markup:
    # A browser would break behind each hyphen of an option.
    words = (
        Markup("<span>{}</span>").format(one)
        if "-" in one and len(one) <= _UNBROKEN
        else escape(one)
        for one in re.split(r"(\s)", block.text)
    )
    return Markup('<pre class="copied" tabindex="0"><code>{}</code></pre>').format(
        Markup("").join(words)
    )


@_block.register
def _(block: Figure) -> Markup:
    picture = Markup(block.svg)  # noqa: S704  its maker has escaped what came from outside
    caption = f"{block.caption} {block.legend}".rstrip()
    kind = "picture zooms" if block.zooms else "picture"
    table = Folded(block.table_title, (block.table,), block.zooms)
    keys = Markup("").join(
        Markup('<li><span class="key {}"></span>{}</li>').format(kind, text)
        for kind, text in block.keys
    )
    listed = Markup('<ul class="keys">{}</ul>').format(keys) if keys else ""
    return Markup(
        '<figure class="{}"><div class="pan" tabindex="0">{}</div><figcaption>{}{}</figcaption>'
        "</figure>\n{}"
    ).format(kind, picture, listed, caption, _block(table))


def _cell(cell: Cell) -> Markup:
    number = " number" if cell.number else ""
    anchor = Markup(' id="{}" tabindex="-1"').format(cell.anchor) if cell.anchor else ""
    return Markup('<td class="{}{}"{}>{}</td>').format(cell.tone, number, anchor, _inner(cell))


def _inner(cell: Cell) -> Markup:
    linked = escape(cell.text) if cell.anchor else _linked(cell.text)
    return Markup("<code>{}</code>").format(linked) if cell.code else _words(cell.text)


def _words(text: str) -> Markup:
    parts = spans_of(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part.text) if part.code else _linked(part.text)
        for part in parts
    )


def _linked(text: str) -> Markup:
    """Numbers of calls lead to their rows."""
    pieces = _CALL.split(text)  # words, number, words, number ... words
    return Markup("").join(
        escape(piece)
        if place % 2 == 0
        else Markup('<a href="#call-{0}">#{0}</a>').format(piece)
        if piece in _CALLS.get()
        else f"#{piece}"
        for place, piece in enumerate(pieces)
    )
