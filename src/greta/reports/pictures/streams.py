"""The streams around the fault: who was given what, and when."""

from __future__ import annotations

from dataclasses import dataclass

from greta.reports.pictures.svg import Drawing, shortened

_WIDTH, _LEFT, _ROW, _BAR = 860, 130, 34, 20
_LETTER = 8
"""Its width; most are narrower."""


@dataclass(frozen=True)
class Shown:
    """An operation: on which stream, in which order, and what it is in the story."""

    seq: int
    name: str
    stream: str
    role: str
    """cause, blamed or operation."""
    result: str = ""


def draw(operations: list[Shown], title: str, order: str) -> str:
    """One row a stream, one box an operation, in the order of the calls."""
    streams = list(dict.fromkeys(one.stream for one in operations))
    height = _ROW * len(streams) + 44
    drawing = Drawing(_WIDTH, height, title)
    step = (_WIDTH - _LEFT - 10) / max(1, len(operations))
    for row, stream in enumerate(streams):
        y = 10 + row * _ROW
        drawing.text(0, y + 15, shortened(stream, 16))
        drawing.line(_LEFT, y + _BAR / 2, _WIDTH - 10, y + _BAR / 2)
    for place, one in enumerate(operations):
        y = 10 + streams.index(one.stream) * _ROW
        x = _LEFT + place * step
        drawing.rectangle(x, y, step - 3, _BAR, one.role, f"{one.seq} {one.name} {one.result}")
        letters = int((step - 8) / _LETTER)
        if letters >= 3:
            drawing.text(x + 4, y + 14, shortened(one.name, letters))
    _axis(drawing, operations, step, height - 12)
    drawing.text(0, height - 12, order, "faint")
    return drawing.done()


def _axis(drawing: Drawing, operations: list[Shown], step: float, y: float) -> None:
    for place, one in enumerate(operations):
        if one.role != "operation" or place == 0:
            drawing.text(_LEFT + place * step, y, str(one.seq), "faint")
