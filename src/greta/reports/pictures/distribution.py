"""How a figure is spread over the iterations of each test: its cumulative curve."""

from __future__ import annotations

from greta.reports.lang import figures
from greta.reports.pictures.svg import Drawing

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 860, 190, 40, 34
_LETTER = 13
"""Its height: what stands higher is cut off."""


def draw(values: dict[str, list[float]], title: str, unit: str) -> str:
    """One curve a test; to the left of a point lie as many of its iterations as its height says."""
    drawing = Drawing(_WIDTH, _HEIGHT, title)
    everything = [one for some in values.values() for one in some]
    low, high = min(everything), max(everything)
    span = (high - low) or abs(high) or 1.0
    low = max(low - 0.05 * span, min(low, 0.0))
    high += 0.05 * span
    bottom = _HEIGHT - _BOTTOM
    for share in (0, 0.5, 1):
        y = bottom - share * (bottom - 12)
        drawing.line(_LEFT, y, _WIDTH - 10, y)
        drawing.text(_LEFT - 6, y + 4, f"{share * 100:.0f}%", "faint", "end")
    for place, (name, some) in enumerate(values.items()):
        points = _curve(sorted(some), low, high, bottom)
        drawing.path(points, f"stroke series{place}")
        drawing.text(*_label(points, place), name)
    for share in (0, 0.5, 1):
        x = _LEFT + share * (_WIDTH - 10 - _LEFT)
        anchor = ("start", "middle", "end")[int(share * 2)]
        text = figures(low + share * (high - low))
        drawing.text(x, bottom + 16, f"{text} {unit}" if share == 1 else text, "faint", anchor)
    return drawing.done()


def _curve(
    ordered: list[float], low: float, high: float, bottom: float
) -> list[tuple[float, float]]:
    width = _WIDTH - 10 - _LEFT
    points = []
    for place, value in enumerate(ordered):
        x = _LEFT + (value - low) / (high - low) * width
        shares = (place / len(ordered), (place + 1) / len(ordered))
        points += [(x, bottom - share * (bottom - 12)) for share in shares]
    return points


def _label(points: list[tuple[float, float]], place: int) -> tuple[float, float]:
    """Beside the curve, each a little higher than the one before."""
    x, y = points[min(len(points) - 1, len(points) * (place + 2) // 5)]
    return x + 6, max(y - 4, _LETTER)
