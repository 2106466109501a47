"""A report: its sections in order. The next section is a function in a file here and a line below.

Each makes blocks from what is reported, or None if there is nothing to show.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from greta.reports.blocks import Page, Section
from greta.reports.lang import Language, Say
from greta.reports.reported import Reported
from greta.reports.sections import fault, follow_up, matrix, verdict

SectionMaker: TypeAlias = "Callable[[Reported, Say], Section | None]"

SECTIONS: Final[tuple[SectionMaker, ...]] = (
    verdict.overview,
    follow_up.steps,
    fault.cause,
    fault.sources,
    matrix.ending,
    matrix.causes,
    matrix.devices,
    fault.streams,
    fault.memory,
    matrix.matrix,
    verdict.hypotheses,
    matrix.speed,
    matrix.observer,
    verdict.coverage,
    follow_up.repeat,
    follow_up.environment,
)
PAGE_WORDS: Final = ("contents", "copy", "copied", "zoom_in", "zoom_out", "zoom_reset")


def compose(reported: Reported, lang: Language) -> Page:
    """The report in a language; sections that have nothing to show are left out."""
    say = Say(lang)
    made = (make(reported, say) for make in SECTIONS)
    date = reported.summary.started[:16].replace("T", " ")
    return Page(
        title=_title(reported, say),
        subtitle=say("subtitle", date=date) if date else say("subtitle_undated"),
        lang=lang,
        sections=tuple(section for section in made if section is not None),
        words={name: say(name) for name in PAGE_WORDS},
    )


def _title(reported: Reported, say: Say) -> str:
    """The case by the name that somebody gave it, else what was audited."""
    case, model = reported.summary.case, reported.ran.model
    if reported.from_log and case:
        return say("title_log", case=case)
    if not reported.summary.tests:
        return say("title_run", case=case) if case else say("title_unnamed")
    asked = reported.rerun.options
    if asked and model and model.name and not asked.case and not asked.program:
        return say("title_engine", model=Path(model.name).name)
    return say("title", case=case)
