"""How to run exactly this again."""

from __future__ import annotations

import shlex

from greta.reports.blocks import Block, Code, Paragraph, Section
from greta.reports.document import Document
from greta.reports.lang import Say


def section(document: Document, say: Say) -> Section | None:
    """None if the command is not known."""
    rerun = document.part("rerun")
    command = rerun.texts("command")
    if not command:
        return None
    # A name cannot be quoted, and whoever reads the report will paste this into a shell.
    environment = [
        f"{name}={shlex.quote(str(value))}"
        for name, value in rerun.part("environment").items()
        if name.isidentifier()
    ]
    blocks: list[Block] = [
        Paragraph(say("repeat")),
        Code(" ".join([*environment, shlex.join(command)])),
    ]
    if folder := rerun.text("folder"):
        blocks.insert(1, Paragraph(say("repeat_folder", folder=folder)))
    return Section(say("section_repeat"), tuple(blocks), "repeat")
