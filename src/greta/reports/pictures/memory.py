"""Device memory around an address: what lay there, and where the access went."""

from __future__ import annotations

from dataclasses import dataclass

from greta.reports.lang import sized
from greta.reports.pictures.svg import Drawing, shortened

_WIDTH, _TOP, _BAR = 860, 34, 30


@dataclass(frozen=True)
class Block:
    """An allocation. Neighbours may lie far apart; gaps are drawn short and said in words."""

    address: int
    bytes: int
    name: str
    live: bool


def draw(blocks: list[Block], access: tuple[int, int] | None, title: str, reached: str) -> str:
    """Blocks side by side in the order of their addresses, each as wide as its size's logarithm."""
    drawing = Drawing(_WIDTH, _TOP + _BAR + 50, title)
    ordered = sorted(blocks, key=lambda one: one.address)
    places = _places(ordered)
    for place, (block, (x, width)) in enumerate(zip(ordered, places, strict=True)):
        kind = "live" if block.live else "freed"
        label = f"{block.name} {sized(block.bytes)}"
        drawing.rectangle(x, _TOP, width, _BAR, kind, f"0x{block.address:x} {label}")
        drawing.text(x + 4, _TOP + 19, shortened(label, int(width / 7)))
        drawing.text(x, _TOP + _BAR + 16 + place % 2 * 15, f"0x{block.address:x}", "faint")
    if access is not None and ordered:
        x = _x_of(access[0], ordered, places)
        drawing.rectangle(x, _TOP - 12, 3, _BAR + 24, "access")
        anchor = "end" if x > _WIDTH / 2 else "start"
        drawing.text(x, _TOP - 18, reached, anchor=anchor)
    return drawing.done()


def _places(blocks: list[Block]) -> list[tuple[float, float]]:
    """Left edge and width of each."""
    gap = 26.0
    weights = [max(4, block.bytes.bit_length()) for block in blocks]
    unit = (_WIDTH - gap * (len(blocks) + 1)) / max(1, sum(weights))
    places, x = [], gap / 2
    for weight in weights:
        places.append((x, unit * weight))
        x += unit * weight + gap
    return places


def _x_of(address: int, blocks: list[Block], places: list[tuple[float, float]]) -> float:
    """Inside a block to scale; between blocks just past the one before it."""
    x = 4.0
    for block, (left, width) in zip(blocks, places, strict=True):
        if address < block.address:
            break
        inside = min(1.0, (address - block.address) / max(1, block.bytes))
        x = left + width * inside
        if address >= block.address + block.bytes:
            x = left + width + 6
    return x
