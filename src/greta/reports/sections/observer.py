"""What watching cost, so that nobody takes the watched program for the unwatched one."""

from __future__ import annotations

from greta.reports.blocks import Block, Paragraph, Section
from greta.reports.document import Document
from greta.reports.lang import Say, figures


def section(document: Document, say: Say) -> Section | None:
    """None if it was not measured."""
    observer = document.part("observer")
    sentences = [
        _sentence(code, ratio, low, high, say)
        for code, part in (
            ("observer_audit", observer),
            ("observer_recorder", observer.part("recorder")),
        )
        if (measured := _measured(part)) is not None
        for ratio, low, high in [measured]
    ]
    blocks: list[Block] = [Paragraph(sentence) for sentence in sentences]
    return Section(say("section_observer"), tuple(blocks), "observer") if blocks else None


def _sentence(code: str, ratio: float, low: float, high: float, say: Say) -> str:
    if low <= 1 <= high:
        return say(f"{code}_noise", low=figures(low), high=figures(high))
    return say(code, ratio=figures(ratio), low=figures(low), high=figures(high))


def _measured(part: Document) -> tuple[float, float, float] | None:
    ratio, interval = part.number("slowdown"), part.numbers("interval_95")
    return (ratio, interval[0], interval[1]) if ratio is not None and len(interval) == 2 else None
