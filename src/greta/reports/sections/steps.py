"""What to do next."""

from __future__ import annotations

from greta.reports.blocks import Bullets, Section
from greta.reports.document import Document
from greta.reports.lang import Say


def section(document: Document, say: Say) -> Section | None:
    """None if there is nothing left to do."""
    steps = next_steps(document, say)
    if not steps:
        return None
    return Section(say("section_steps"), (Bullets(tuple(steps), numbered=True),), "steps")


def next_steps(document: Document, say: Say) -> list[str]:
    """From codes where there are any, so that every language has its own sentence."""
    coded = [
        say(step.text("code"), **dict(step.part("data").items()))
        for step in document.parts("next_step_codes")
    ]
    return coded or document.texts("next_steps")
