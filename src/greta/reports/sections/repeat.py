"""How to run exactly this again."""

from __future__ import annotations

from greta.reports.blocks import Code, Paragraph, Section
from greta.reports.commands import again
from greta.reports.document import Document
from greta.reports.lang import Say
from greta.reports.shell import quoted


def section(document: Document, say: Say) -> Section | None:
    """None if the command is not known."""
    command = " ".join(again(document))
    if not command:
        return None
    folder = document.part("rerun").text("folder")
    there = f"cd {quoted([folder])[0]}\n" if folder else ""
    return Section(
        say("section_repeat"), (Paragraph(say("repeat")), Code(there + command)), "repeat"
    )
