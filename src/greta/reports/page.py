"""A report: its sections in order. The next section is a file in sections/ and a line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from greta.reports.blocks import Page, Section
from greta.reports.document import Document
from greta.reports.lang import Language, Say
from greta.reports.sections import (
    cause,
    coverage,
    environment,
    hypotheses,
    matrix,
    memory,
    observer,
    overview,
    repeat,
    speed,
    steps,
    streams,
)

SectionMaker: TypeAlias = "Callable[[Document, Say], Section | None]"

SECTIONS: Final[tuple[SectionMaker, ...]] = (
    overview.section,
    cause.section,
    streams.section,
    memory.section,
    matrix.section,
    hypotheses.section,
    speed.section,
    observer.section,
    coverage.section,
    environment.section,
    repeat.section,
    steps.section,
)


def compose(document: Document, lang: Language) -> Page:
    """The report in a language; sections that have nothing to show are left out."""
    say = Say(lang)
    made = (make(document, say) for make in SECTIONS)
    return Page(
        title=say("title", case=document.text("case") or say("title_run")),
        subtitle=say("subtitle", date=document.text("started")[:16].replace("T", " ") or "?"),
        lang=lang,
        sections=tuple(section for section in made if section is not None),
    )
