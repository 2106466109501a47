"""A page as one HTML file that needs nothing else: no network, no script."""

from __future__ import annotations

from functools import cache, singledispatch
from importlib.resources import files

from jinja2 import Environment
from markupsafe import Markup, escape

from greta.reports.blocks import (
    Block,
    Bullets,
    Cell,
    Code,
    Facts,
    Figure,
    Headline,
    Page,
    Paragraph,
    Table,
    spans_of,
)


def render(page: Page) -> str:
    """The whole page."""
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(_resource("page.html"))
    return template.render(page=page, style=Markup(_resource("style.css")), block=_block)  # noqa: S704


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
    return Markup('<div class="verdict {}"><strong>{}</strong><span>{}</span></div>').format(
        block.tone, block.word, _words(block.sentence)
    )


@_block.register
def _(block: Table) -> Markup:
    first = block.rows[0] if block.rows else ()
    kinds = [cell.number for cell in first] + [False] * (len(block.header) - len(first))
    head = Markup("").join(
        Markup('<th class="{}">{}</th>').format("number" if number else "", one)
        for one, number in zip(block.header, kinds, strict=False)
    )
    rows = Markup("\n").join(
        Markup("<tr>{}</tr>").format(Markup("").join(map(_cell, row))) for row in block.rows
    )
    return Markup(
        '<div class="wide"><table><thead><tr>{}</tr></thead><tbody>\n{}\n</tbody></table></div>'
    ).format(head, rows)


@_block.register
def _(block: Facts) -> Markup:
    rows = Markup("\n").join(
        Markup("<dt>{}</dt><dd>{}</dd>").format(name, _inner(cell)) for name, cell in block.rows
    )
    return Markup("<dl>\n{}\n</dl>").format(rows)


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
    return Markup("<pre><code>{}</code></pre>").format(block.text)


@_block.register
def _(block: Figure) -> Markup:
    picture = Markup(block.svg)  # noqa: S704  its maker has escaped what came from outside
    caption = f"{block.caption} {block.legend}".rstrip()
    return Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(picture, caption)


def _cell(cell: Cell) -> Markup:
    number = " number" if cell.number else ""
    return Markup('<td class="{}{}">{}</td>').format(cell.tone, number, _inner(cell))


def _inner(cell: Cell) -> Markup:
    return Markup("<code>{}</code>").format(cell.text) if cell.code else _words(cell.text)


def _words(text: str) -> Markup:
    """A sentence; what stands in backticks in it is code."""
    parts = spans_of(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part.text) if part.code else escape(part.text)
        for part in parts
    )
