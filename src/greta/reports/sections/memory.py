"""The picture of device memory around the address."""

from __future__ import annotations

from greta.reports.blocks import Cell, Figure, Section, Table
from greta.reports.document import Document
from greta.reports.lang import Say, sized
from greta.reports.pictures.memory import Block, draw


def section(document: Document, say: Say) -> Section | None:
    """None if no address is part of the story."""
    around = document.part("around")
    blocks = [block for one in around.parts("memory")[:12] if (block := _block(one)) is not None]
    if not blocks:
        return None
    address = _number(around.text("address"))
    access = (address, 1) if address is not None else None
    reached = say("reached", address=around.text("address"))
    header = (say("address"), say("size"), say("buffer"), say("state"))
    table = Table(header, tuple(_row(block, say) for block in blocks))
    svg = draw(blocks, access, say("section_memory"), reached)
    figure = Figure(svg, say("caption_memory"), table, say("legend_memory"))
    return Section(say("section_memory"), (figure,), "memory")


def _block(one: Document) -> Block | None:
    address = _number(one.text("address"))
    if address is None:
        return None
    size = min(max(0, one.whole("bytes")), 1 << 62)
    return Block(address, size, one.text("name"), one.text("state") != "freed")


def _row(block: Block, say: Say) -> tuple[Cell, ...]:
    return (
        Cell(f"0x{block.address:x}", code=True),
        Cell(sized(block.bytes), number=True),
        Cell(block.name, code=True),
        Cell(say("state_live" if block.live else "state_freed")),
    )


def _number(text: str) -> int | None:
    try:
        value = int(text, 16)
    except ValueError:
        return None
    return value if 0 <= value < 1 << 64 else None
