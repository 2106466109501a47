"""What to do next."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from greta.reports.blocks import Bullets, Section
from greta.reports.commands import Words, command_of
from greta.reports.document import Document
from greta.reports.lang import Say


@dataclass(frozen=True)
class Step:
    """A sentence, and the command that does it, if there is one: its words, quoted."""

    text: str
    command: Words = ()


def section(document: Document, say: Say) -> Section | None:
    """None if there is nothing left to do."""
    steps = next_steps(document, say)
    if not steps:
        return None
    texts = tuple(step.text for step in steps)
    codes = tuple(" ".join(step.command) for step in steps)
    return Section(say("section_steps"), (Bullets(texts, numbered=True, codes=codes),), "steps")


def next_steps(document: Document, say: Say, reader: Path | None = None) -> list[Step]:
    """From codes where there are any, so that every language has its own sentence."""
    coded = [
        Step(
            say(step.text("code"), **dict(step.part("data").items())),
            command_of(step.text("code"), document, reader),
        )
        for step in document.parts("next_step_codes")
    ]
    return coded or [Step(text) for text in document.texts("next_steps")]
