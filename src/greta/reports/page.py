"""A report: its sections in order. The next section is a file in sections/ and a line here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from greta.reports.blocks import Page, Section
from greta.reports.document import Document
from greta.reports.lang import Language, Say
from greta.reports.sections import (
    cause,
    causes,
    coverage,
    ending,
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
    ending.section,
    cause.section,
    causes.section,
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
        title=_title(document, say),
        subtitle=_subtitle(document.text("started"), say),
        lang=lang,
        sections=tuple(section for section in made if section is not None),
    )


def _subtitle(started: str, say: Say) -> str:
    date = started[:16].replace("T", " ")
    return say("subtitle", date=date) if date else say("subtitle_undated")


def _title(document: Document, say: Say) -> str:
    """The case by the name that somebody gave it, else what was audited."""
    case, model = document.text("case"), document.part("model").text("name")
    if document.text("source") == "log" and case:
        return say("title_log", case=case)
    if "tests" not in document:
        return say("title_run", case=case) if case else say("title_unnamed")
    asked = document.part("rerun").part("options")
    if asked and model and not asked.text("case") and not asked.texts("program"):
        return say("title_engine", model=Path(model).name)
    return say("title", case=case)
