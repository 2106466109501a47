"""How throughput and latency are spread over A, B and C."""

from __future__ import annotations

from statistics import quantiles

from greta.reports.blocks import Block, Cell, Figure, Section, Table
from greta.reports.document import Document
from greta.reports.lang import Say, figures
from greta.reports.pictures.distribution import draw

_FIGURES = (
    ("tokens_per_second", "caption_throughput", "unit_tokens_per_second"),
    ("first_token_seconds", "caption_latency", "unit_seconds"),
    ("seconds", "caption_duration", "unit_seconds"),
)


def section(document: Document, say: Say) -> Section | None:
    """None without iterations that were timed."""
    iterations = document.parts("iterations")
    blocks: list[Block] = []
    for name, caption, unit in _FIGURES:
        values = _by_test(iterations, name)
        if values:
            legend = "" if blocks else say("legend_speed")
            blocks.append(_figure(values, say(caption), say(unit), legend, say))
    return Section(say("section_speed"), tuple(blocks), "speed") if blocks else None


def _by_test(iterations: list[Document], name: str) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for one in iterations:
        number = one.number(name)
        if number is not None and one.text("test"):
            found.setdefault(one.text("test"), []).append(number)
    return {test: numbers for test, numbers in sorted(found.items()) if len(numbers) >= 2}


def _figure(
    values: dict[str, list[float]], caption: str, unit: str, legend: str, say: Say
) -> Figure:
    header = (say("test"), say("quarter"), say("median"), say("three_quarters"), say("unit"))
    rows = []
    for test, numbers in values.items():
        cuts = [
            Cell(figures(cut), number=True) for cut in quantiles(numbers, n=4, method="inclusive")
        ]
        rows.append((Cell(test), *cuts, Cell(unit)))
    table = Table(header, tuple(rows))
    return Figure(draw(values, caption, unit), caption, table, legend)
