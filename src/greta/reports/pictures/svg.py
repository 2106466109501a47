"""The little of SVG that the pictures need. Text is escaped here, and nowhere else."""

from __future__ import annotations

from html import escape


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
