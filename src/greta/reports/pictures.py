"""Pictures as SVG. Colours come from the page's style, so that they follow light and dark.

distribution   how a figure is spread over the iterations of each test: its cumulative curve
memory         device memory around an address: what lay there, and where the access went
streams        the streams around the fault: who was given what, and when
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from greta.reports.lang import figures, sized

_WIDTH = 860


class Drawing:
    """Shapes, in the order in which they are drawn."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self._width, self._height, self._title = width, height, title
        self._shapes: list[str] = []

    def rectangle(
        self, x: float, y: float, width: float, height: float, kind: str, title: str = ""
    ) -> None:
        """A box; `title` is shown by a pointer that rests on it."""
        inner = f"<title>{escape(title)}</title>" if title else ""
        self._shapes.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" height="{height:.1f}" '
            f'rx="2" class="{escape(kind)}">{inner}</rect>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str = "line") -> None:
        """A straight line."""
        ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        self._shapes.append(f'<line {ends} class="{escape(kind)}"/>')

    def path(self, points: list[tuple[float, float]], kind: str = "stroke") -> None:
        """A line through points."""
        steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._shapes.append(f'<polyline points="{steps}" class="{escape(kind)}"/>')

    def text(self, x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> None:
        """A line of text."""
        self._shapes.append(
            f'<text x="{x:.1f}" y="{y:.1f}" class="{escape(kind)}" '
            f'text-anchor="{anchor}">{escape(text)}</text>'
        )

    def done(self) -> str:
        """The whole."""
        title = escape(self._title)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._width} {self._height}" '
            f'width="{self._width}" height="{self._height}" role="img" aria-label="{title}">'
            f"<title>{title}</title>{''.join(self._shapes)}</svg>"
        )


def shortened(text: str, letters: int) -> str:
    """Cut in the middle, where names differ least."""
    if len(text) <= letters:
        return text
    head = (letters - 1) // 2
    return f"{text[:head]}…{text[len(text) - (letters - 1 - head) :]}"


_CURVE_HEIGHT, _CURVE_LEFT, _CURVE_BOTTOM = 190, 40, 34
_LETTER_HEIGHT = 13
"""Its height: what stands higher is cut off."""


def draw_distribution(values: dict[str, list[float]], title: str, unit: str) -> str:
    """One curve a test; to the left of a point lie as many of its iterations as its height says."""
    drawing = Drawing(_WIDTH, _CURVE_HEIGHT, title)
    everything = [one for some in values.values() for one in some]
    low, high = min(everything), max(everything)
    span = (high - low) or abs(high) or 1.0
    low = max(low - 0.05 * span, min(low, 0.0))
    high += 0.05 * span
    bottom = _CURVE_HEIGHT - _CURVE_BOTTOM
    for share in (0, 0.5, 1):
        y = bottom - share * (bottom - 12)
        drawing.line(_CURVE_LEFT, y, _WIDTH - 10, y)
        drawing.text(_CURVE_LEFT - 6, y + 4, f"{share * 100:.0f}%", "faint", "end")
    for place, (name, some) in enumerate(values.items()):
        points = _curve(sorted(some), low, high, bottom)
        drawing.path(points, f"stroke series{place}")
        # Beside the curve, each a little higher than the one before.
        x, y = points[min(len(points) - 1, len(points) * (place + 2) // 5)]
        drawing.text(x + 6, max(y - 4, _LETTER_HEIGHT), name)
    for share in (0, 0.5, 1):
        x = _CURVE_LEFT + share * (_WIDTH - 10 - _CURVE_LEFT)
        anchor = ("start", "middle", "end")[int(share * 2)]
        text = figures(low + share * (high - low))
        drawing.text(x, bottom + 16, f"{text} {unit}" if share == 1 else text, "faint", anchor)
    return drawing.done()


def _curve(
    ordered: list[float], low: float, high: float, bottom: float
) -> list[tuple[float, float]]:
    width = _WIDTH - 10 - _CURVE_LEFT
    points = []
    for place, value in enumerate(ordered):
        x = _CURVE_LEFT + (value - low) / (high - low) * width
        shares = (place / len(ordered), (place + 1) / len(ordered))
        points += [(x, bottom - share * (bottom - 12)) for share in shares]
    return points


_TOP, _MEMORY_BAR = 34, 30


@dataclass(frozen=True)
class DrawnAllocation:
    """An allocation. Neighbours may lie far apart; gaps are drawn short and said in words."""

    address: int
    bytes: int
    name: str
    live: bool


def draw_memory(
    blocks: list[DrawnAllocation], access: tuple[int, int] | None, title: str, reached: str
) -> str:
    """Blocks side by side in the order of their addresses, each as wide as its size's logarithm."""
    drawing = Drawing(_WIDTH, _TOP + _MEMORY_BAR + 50, title)
    ordered = sorted(blocks, key=lambda one: one.address)
    places = _places(ordered)
    for place, (block, (x, width)) in enumerate(zip(ordered, places, strict=True)):
        kind = "live" if block.live else "freed"
        label = f"{block.name} {sized(block.bytes)}"
        drawing.rectangle(x, _TOP, width, _MEMORY_BAR, kind, f"0x{block.address:x} {label}")
        drawing.text(x + 4, _TOP + 19, shortened(label, int(width / 7)))
        drawing.text(x, _TOP + _MEMORY_BAR + 16 + place % 2 * 15, f"0x{block.address:x}", "faint")
    if access is not None and ordered:
        x = _x_of(access[0], ordered, places)
        drawing.rectangle(x, _TOP - 12, 3, _MEMORY_BAR + 24, "access")
        anchor = "end" if x > _WIDTH / 2 else "start"
        drawing.text(x, _TOP - 18, reached, anchor=anchor)
    return drawing.done()


def _places(blocks: list[DrawnAllocation]) -> list[tuple[float, float]]:
    """Left edge and width of each."""
    gap = 26.0
    weights = [max(4, block.bytes.bit_length()) for block in blocks]
    unit = (_WIDTH - gap * (len(blocks) + 1)) / max(1, sum(weights))
    places, x = [], gap / 2
    for weight in weights:
        places.append((x, unit * weight))
        x += unit * weight + gap
    return places


def _x_of(address: int, blocks: list[DrawnAllocation], places: list[tuple[float, float]]) -> float:
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


_STREAM_LEFT, _ROW, _CALL_BAR = 130, 34, 20
_LETTER_WIDTH = 8
"""Its width; most are narrower."""


@dataclass(frozen=True)
class DrawnCall:
    """An operation: on which stream, in which order, and its role in the fault."""

    seq: int
    name: str
    stream: str
    role: str
    """cause, blamed or operation."""
    result: str = ""


def draw_streams(operations: list[DrawnCall], title: str, order: str) -> str:
    """One row a stream, one box an operation, in the order of the calls."""
    streams = list(dict.fromkeys(one.stream for one in operations))
    height = _ROW * len(streams) + 44
    drawing = Drawing(_WIDTH, height, title)
    step = (_WIDTH - _STREAM_LEFT - 10) / max(1, len(operations))
    for row, stream in enumerate(streams):
        y = 10 + row * _ROW
        drawing.text(0, y + 15, shortened(stream, 16))
        drawing.line(_STREAM_LEFT, y + _CALL_BAR / 2, _WIDTH - 10, y + _CALL_BAR / 2)
    for place, one in enumerate(operations):
        y = 10 + streams.index(one.stream) * _ROW
        x = _STREAM_LEFT + place * step
        drawing.rectangle(x, y, step - 3, _CALL_BAR, one.role, f"{one.seq} {one.name} {one.result}")
        letters = int((step - 8) / _LETTER_WIDTH)
        if letters >= 3:
            drawing.text(x + 4, y + 14, shortened(one.name, letters))
    for place, one in enumerate(operations):
        if one.role != "operation" or place == 0:
            drawing.text(_STREAM_LEFT + place * step, height - 12, str(one.seq), "faint")
    drawing.text(0, height - 12, order, "faint")
    return drawing.done()
