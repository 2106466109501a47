"""Several causes, each with how many runs it made fail."""

from __future__ import annotations

from typing import Final

from greta.reports.blocks import Cell, Paragraph, Section, Table
from greta.reports.document import Document
from greta.reports.lang import Say, grouped, percent
from greta.reports.sentences import cause_sentence

_MOST: Final = 12


def section(document: Document, say: Say) -> Section | None:
    """None if all failures had one cause: its rate is that of all."""
    causes = document.parts("causes")
    if len(causes) < 2:
        return None
    header = (say("cause_seen"), say("failed_runs"), say("rate"), say("interval"))
    rows = tuple(_row(one, say) for one in causes[:_MOST])
    count = Paragraph(say("causes_several", count=len(causes)))
    return Section(say("section_causes"), (count, Table(header, rows)), "causes")


def _row(one: Document, say: Say) -> tuple[Cell, ...]:
    low, high = (*one.numbers("rate_interval_95"), 0.0, 1.0)[:2]
    return (
        Cell(cause_sentence(one, say)),
        Cell(grouped(one.whole("runs")), number=True),
        Cell(percent(one.number("rate") or 0.0), number=True),
        Cell(say("from_to", low=percent(low), high=percent(high))),
    )
