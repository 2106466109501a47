"""Pictures as SVG. Colours come from the page's style, so that they follow light and dark.

distribution   how a figure is spread over the iterations of each test: its cumulative curve
memory         device memory around an address: what lay there, and to scale where the access went
streams        the streams around the fault: who was given what and when, and what was in flight
evolution      the entries of a case by date: the verdict of each, and what was blamed
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from statistics import median
from typing import Final

from greta.reports.lang import figures, grouped, sized

_WIDTH = 860


class Drawing:
    def __init__(self, width: int, height: int, title: str) -> None:
        self._width, self._height, self._title = width, height, title
        self._shapes: list[str] = []

    def rectangle(
        self, x: float, y: float, width: float, height: float, kind: str, title: str = ""
    ) -> None:
        inner = f"<title>{escape(title)}</title>" if title else ""
        self._shapes.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" height="{height:.1f}" '
            f'rx="3" class="{escape(kind)}">{inner}</rect>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str = "line") -> None:
        ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        self._shapes.append(f'<line {ends} class="{escape(kind)}"/>')

    def path(self, points: list[tuple[float, float]], kind: str = "stroke") -> None:
        steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._shapes.append(f'<polyline points="{steps}" class="{escape(kind)}"/>')

    def text(
        self, x: float, y: float, text: str, kind: str = "", anchor: str = "start", full: str = ""
    ) -> None:
        """A line of text; `full` is what it is short for, where there is room for more."""
        whole = f' data-full="{escape(full)}"' if full else ""
        self._shapes.append(
            f'<text x="{x:.1f}" y="{y:.1f}" class="{escape(kind)}" '
            f'text-anchor="{anchor}"{whole}>{escape(text)}</text>'
        )

    def link(self, target: str, label: str) -> None:
        """What is drawn from here to `unlink` leads to a place of the page."""
        self._shapes.append(f'<a href="#{escape(target)}" aria-label="{escape(label)}">')

    def unlink(self) -> None:
        self._shapes.append("</a>")

    def done(self, kind: str = "") -> str:
        title = escape(self._title)
        named = f' class="{kind}"' if kind else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._width} {self._height}" '
            f'width="{self._width}" height="{self._height}"{named} role="img" '
            f'aria-label="{title}"><title>{title}</title>{"".join(self._shapes)}</svg>'
        )


def shortened(text: str, letters: int) -> str:
    """Cut in the middle, where names differ least."""
    if len(text) <= letters:
        return text
    head = (letters - 1) // 2
    return f"{text[:head]}…{text[len(text) - (letters - 1 - head) :]}"


_CURVE_HEIGHT, _CURVE_LEFT, _CURVE_BOTTOM = 190, 40, 34
_LEGEND_HEIGHT, _LEGEND_COLUMN = 20, 205
_SERIES: Final = 6
"""Kinds of lines that can be told apart."""


def draw_distribution(
    values: dict[str, list[float]], title: str, unit: str, median_word: str
) -> str:
    """One curve a test; to the left of a point lie as many of its iterations as its height says."""
    columns = (_WIDTH - _CURVE_LEFT) // _LEGEND_COLUMN
    legend = _LEGEND_HEIGHT * -(-len(values) // columns)
    top, bottom = legend + 12, legend + _CURVE_HEIGHT - _CURVE_BOTTOM
    drawing = Drawing(_WIDTH, legend + _CURVE_HEIGHT, title)
    low, high = _range([one for some in values.values() for one in some])
    for share in (0, 0.5, 1):
        y = bottom - share * (bottom - top)
        drawing.line(_CURVE_LEFT, y, _WIDTH - 10, y)
        drawing.text(_CURVE_LEFT - 6, y + 4, f"{share * 100:.0f}%", "faint", "end")
    for place, (name, some) in enumerate(values.items()):
        kind = f"stroke series{place % _SERIES}"
        drawing.path(_curve(sorted(some), low, high, bottom, top), kind)
        middle = median(some)
        x = _CURVE_LEFT + (middle - low) / (high - low) * (_WIDTH - 10 - _CURVE_LEFT)
        drawing.line(x, (top + bottom) / 2 - 7, x, (top + bottom) / 2 + 7, f"{kind} median")
        left = _CURVE_LEFT + place % columns * _LEGEND_COLUMN
        y = 12 + place // columns * _LEGEND_HEIGHT
        drawing.line(left, y - 4, left + 26, y - 4, kind)
        label = f"{shortened(name, 12)}, {median_word} {figures(middle)}"
        drawing.text(left + 32, y, label, full=f"{name}, {median_word} {figures(middle)}")
    for share in (0, 0.5, 1):
        x = _CURVE_LEFT + share * (_WIDTH - 10 - _CURVE_LEFT)
        anchor = ("start", "middle", "end")[int(share * 2)]
        text = figures(low + share * (high - low))
        drawing.text(x, bottom + 16, f"{text} {unit}" if share == 1 else text, "faint", anchor)
    return drawing.done()


def _range(values: list[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    span = (high - low) or abs(high) or 1.0
    return max(low - 0.05 * span, min(low, 0.0)), high + 0.05 * span


def _curve(
    ordered: list[float], low: float, high: float, bottom: float, top: float
) -> list[tuple[float, float]]:
    width = _WIDTH - 10 - _CURVE_LEFT
    points = []
    for place, value in enumerate(ordered):
        x = _CURVE_LEFT + (value - low) / (high - low) * width
        shares = (place / len(ordered), (place + 1) / len(ordered))
        points += [(x, bottom - share * (bottom - top)) for share in shares]
    return points


_TOP, _MEMORY_BAR, _LENS_GAP = 34, 30, 58


@dataclass(frozen=True)
class DrawnAllocation:
    """An allocation. Neighbours may lie far apart; gaps are drawn short and said in words."""

    address: int
    bytes: int
    name: str
    live: bool
    generation: int | None = None
    is_buffer: bool = False
    """The one that the fault is about."""

    @property
    def stop(self) -> int:
        return self.address + self.bytes

    @property
    def label(self) -> str:
        """Its name, and which of the allocations at its address it is."""
        return f"{self.name} ({self.generation})" if self.generation else self.name


@dataclass(frozen=True)
class DrawnAccess:
    address: int
    bytes: int
    """More than it accessed where only the page is known."""
    label: str
    beyond: str = ""
    """The distance to the buffer, in words."""


def draw_memory(blocks: list[DrawnAllocation], access: DrawnAccess | None, title: str) -> str:
    """Blocks side by side in the order of their addresses, and what surrounds the access to scale.

    Above, each block is as wide as its size's logarithm: sizes differ too much for one scale.
    """
    ordered = sorted(blocks, key=lambda one: one.address)
    buffer = next((one for one in ordered if one.is_buffer), None)
    scaled = access is not None and buffer is not None
    height = _TOP + _MEMORY_BAR + (_LENS_GAP + _MEMORY_BAR + 62 if scaled else 50)
    drawing = Drawing(_WIDTH, height, title)
    places = _places(ordered)
    for place, (block, (x, width)) in enumerate(zip(ordered, places, strict=True)):
        label = f"{block.label} {sized(block.bytes)}".strip()
        kind = ("live" if block.live else "freed") + (" meant" if block.is_buffer else "")
        drawing.rectangle(x, _TOP, width, _MEMORY_BAR, kind, f"0x{block.address:x} {label}")
        drawing.text(x + 4, _TOP + 19, shortened(label, int(width / 7)))
        drawing.text(x, _TOP + _MEMORY_BAR + 16 + place % 2 * 15, f"0x{block.address:x}", "faint")
    if access is not None and ordered:
        x = _x_of(access.address, ordered, places)
        drawing.rectangle(x, _TOP - 12, 3, _MEMORY_BAR + 24, "access")
        drawing.text(x, _TOP - 18, access.label, anchor="end" if x > _WIDTH / 2 else "start")
        if buffer is not None:
            _draw_to_scale(drawing, ordered, buffer, access, _TOP + _MEMORY_BAR + _LENS_GAP)
    return drawing.done()


def _draw_to_scale(
    drawing: Drawing,
    blocks: list[DrawnAllocation],
    buffer: DrawnAllocation,
    access: DrawnAccess,
    y: float,
) -> None:
    """The bytes from the buffer to the access, a byte as wide as any other."""
    low, high = _window(buffer, access)

    def x_of(address: int) -> float:
        return 10 + (min(max(address, low), high) - low) / (high - low) * (_WIDTH - 20)

    for block in blocks:
        if block.stop <= low or block.address >= high:
            continue
        left, right = x_of(block.address), x_of(block.stop)
        kind = ("live" if block.live else "freed") + (" meant" if block is buffer else "")
        drawing.rectangle(left, y, right - left, _MEMORY_BAR, kind, block.label)
        letters = int((right - left - 8) / 7)
        if letters >= 3:
            drawing.text(left + 4, y + 19, shortened(block.label or sized(block.bytes), letters))
    left, right = x_of(access.address), x_of(access.address + access.bytes)
    kind = "access" if right - left < 24 else "access range"
    drawing.rectangle(left, y - 6, max(right - left, 3), _MEMORY_BAR + 12, kind, access.label)
    ends = sorted((buffer.stop, access.address))
    if access.beyond and ends[1] > ends[0]:
        drawing.path([(x_of(end), y + _MEMORY_BAR + 12) for end in ends], "distance")
    if access.beyond:
        middle = (x_of(ends[0]) + x_of(ends[1])) / 2
        anchor = "start" if middle < 130 else "end" if middle > _WIDTH - 130 else "middle"
        drawing.text(middle, y + _MEMORY_BAR + 28, access.beyond, anchor=anchor)
    for address, anchor, x in ((low, "start", 10), (high, "end", _WIDTH - 10)):
        drawing.text(x, y + _MEMORY_BAR + 46, f"0x{address:x}", "faint", anchor)


def _window(buffer: DrawnAllocation, access: DrawnAccess) -> tuple[int, int]:
    """Which addresses are shown to scale: the access, and of the buffer what lies next to it."""
    stop = access.address + access.bytes
    gap = max(access.address - buffer.stop, buffer.address - stop, 0)
    most = max(4 * (gap + access.bytes), 64)
    if access.address >= buffer.stop:
        low, high = max(buffer.address, buffer.stop - most), stop
    elif stop <= buffer.address:
        low, high = access.address, min(buffer.stop, buffer.address + most)
    else:
        low, high = min(buffer.address, access.address), max(buffer.stop, stop)
    margin = max((high - low) // 20, 4)
    return max(0, low - margin), high + margin


def _places(blocks: list[DrawnAllocation]) -> list[tuple[float, float]]:
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
        if address >= block.stop:
            x = left + width + 6
    return x


STREAM_LEFT, _ROW, _CALL_BAR = 130, 38, 22
_LETTER_WIDTH = 7
"""Of the page's narrow fonts; of wide ones a letter more is cut by the box."""
_LEAST_COLUMN = 34
"""A narrower column has no room for its number."""


@dataclass(frozen=True)
class DrawnCall:
    """An operation: on which stream, in which order, and its role in the fault."""

    seq: int
    name: str
    stream: str
    role: str
    """cause, blamed, other or operation."""
    result: str = ""
    begin_ns: int | None = None
    took_ns: int | None = None
    done_by: int | None = None
    in_flight: bool = False
    whole: str = ""
    """The name with its types, where it has any."""

    @property
    def tip(self) -> str:
        took = f", {time_text(self.took_ns)}" if self.took_ns is not None else ""
        return f"#{self.seq} {self.whole or self.name} {self.result}".rstrip() + took


def time_text(nanoseconds: int) -> str:
    """In the unit in which it has few figures."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("µs", 10**3)):
        if nanoseconds >= size:
            return f"{figures(nanoseconds / size)} {unit}"
    return f"{grouped(nanoseconds)} ns"


def draw_streams(
    operations: list[DrawnCall],
    title: str,
    order: str,
    missing: tuple[int, int] | None = None,
    missing_word: str = "",
) -> str:
    """One row a stream, one box an operation, in the order of the calls; below it their times.

    Behind the boxes is a band as long as the host does not know the work to be done. `missing`:
    the numbers of two calls that nothing orders.
    """
    streams = list(dict.fromkeys(one.stream for one in operations))
    height = _ROW * len(streams) + 58
    drawing = Drawing(_WIDTH, height, title)
    step = (_WIDTH - STREAM_LEFT - 10) / max(1, len(operations))
    tops = {stream: 12.0 + row * _ROW for row, stream in enumerate(streams)}
    lefts = {one.seq: STREAM_LEFT + place * step for place, one in enumerate(operations)}
    for stream, y in tops.items():
        drawing.text(0, y + 15, shortened(stream, 16), full=stream)
        drawing.line(STREAM_LEFT, y + _CALL_BAR / 2, _WIDTH - 10, y + _CALL_BAR / 2)
    for one in operations:
        _draw_flight(drawing, one, operations, lefts, tops[one.stream])
    for one in operations:
        x, y = lefts[one.seq], tops[one.stream]
        drawing.link(f"call-{one.seq}", one.tip)
        drawing.rectangle(x, y, step - 3, _CALL_BAR, one.role, one.tip)
        letters = int((step - 8) / _LETTER_WIDTH)
        label = shortened(one.name, letters) if letters >= 3 else ""
        drawing.text(x + 5, y + 15, label, full=one.whole or one.name)
        drawing.unlink()
    if missing and all(seq in lefts for seq in missing):
        _draw_missing(drawing, operations, missing, (lefts, tops, step), missing_word)
    _draw_axis(drawing, operations, lefts, step, height)
    drawing.text(0, height - 26, order, "faint")
    return drawing.done("zooms")


def _draw_flight(
    drawing: Drawing, one: DrawnCall, all_: list[DrawnCall], lefts: dict[int, float], y: float
) -> None:
    """From the call to where its work is known to be done; dashed to the end if it never is."""
    if one.done_by is None and not one.in_flight:
        return
    end = float(_WIDTH - 10)
    if one.done_by is not None:
        if one.done_by <= one.seq:
            return  # its own call waited for it
        end = next((lefts[two.seq] for two in all_ if two.seq >= one.done_by), end)
    x = lefts[one.seq]
    kind = "flight open" if one.in_flight else "flight"
    drawing.rectangle(x, y - 5, end - x, _CALL_BAR + 10, kind)


def _draw_missing(
    drawing: Drawing,
    operations: list[DrawnCall],
    missing: tuple[int, int],
    places: tuple[dict[int, float], dict[str, float], float],
    word: str,
) -> None:
    """The edge that would have put the second call after the first."""
    lefts, tops, step = places
    first, second = (next(one for one in operations if one.seq == seq) for seq in missing)
    y1, y2 = (tops[one.stream] + _CALL_BAR / 2 for one in (first, second))
    x1, x2 = lefts[first.seq] + step - 3, lefts[second.seq]
    drawing.line(x1, y1, x2, y2, "missing")
    for turn in (-4, 4):
        drawing.line(x2 - 7, y2 + turn - (y2 > y1) * 3 + (y2 < y1) * 3, x2, y2, "missing tip")
    drawing.text((x1 + x2) / 2, (y1 + y2) / 2 - 6, word, "missing-word", "middle")


def _draw_axis(
    drawing: Drawing,
    operations: list[DrawnCall],
    lefts: dict[int, float],
    step: float,
    height: float,
) -> None:
    started = next((one.begin_ns for one in operations if one.begin_ns is not None), None)
    last = float("-inf")
    for place, one in enumerate(operations):
        told = one.role != "operation" or place == 0 or step >= _LEAST_COLUMN
        if not told:
            continue
        x = lefts[one.seq]
        drawing.text(x, height - 26, str(one.seq), "faint")
        if one.begin_ns is not None and started is not None and x - last >= 74:
            text = f"+{time_text(max(0, one.begin_ns - started))}" if place else "0"
            drawing.text(x, height - 10, text, "faint")
            last = x


_EVOLUTION_ROW, _EVOLUTION_STEP = 44, 130
_LETTER: Final = 7.5
"""How wide a letter is, about."""


@dataclass(frozen=True)
class DrawnEntry:
    date: str
    label: str
    """Where it came from: log, run, audit."""
    blamed: str
    """What it held to be at fault; the row it stands in."""
    tone: str


def draw_evolution(entries: list[DrawnEntry], title: str) -> str:
    """A row for each thing that was blamed, a dot for each entry, in the order of their days."""
    rows = list(dict.fromkeys(one.blamed for one in entries))
    left = 60 + int(_LETTER * max((len(shortened(name, 20)) for name in rows), default=0))
    # Few entries take no more room than they need: they then fit on a phone.
    width = min(_WIDTH, left + 60 + _EVOLUTION_STEP * (len(entries) - 1))
    drawing = Drawing(width, _EVOLUTION_ROW * len(rows) + 54, title)
    step = (width - left - 60) / max(1, len(entries) - 1)
    points = []
    for row, name in enumerate(rows):
        y = 24.0 + row * _EVOLUTION_ROW
        drawing.text(0, y + 4, shortened(name, 20), full=name)
        drawing.line(left - 20, y, width - 10, y)
    for place, one in enumerate(entries):
        row = rows.index(one.blamed)
        points.append((left + place * step, 24.0 + row * _EVOLUTION_ROW))
    drawing.path(points)
    shown = float("-inf")
    for one, (x, y) in zip(entries, points, strict=True):
        tip = f"{one.date} {one.label}: {one.blamed}"
        drawing.rectangle(x - 7, y - 7, 14, 14, f"dot-{one.tone}", tip)
        if x - shown >= 78:
            bottom = _EVOLUTION_ROW * len(rows)
            drawing.text(x, bottom + 26, one.date, "faint", "middle")
            drawing.text(x, bottom + 42, one.label, "faint", "middle")
            shown = x
    return drawing.done("small" if width < _WIDTH else "")
