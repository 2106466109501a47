"""How the program ended, where that is all that is known of a failure."""

from __future__ import annotations

from greta.reports.blocks import Block, Cell, Code, Facts, Paragraph, Section
from greta.reports.document import Document
from greta.reports.lang import Say, figures
from greta.reports.sentences import call_of

Rows = list[tuple[str, Cell]]


def section(document: Document, say: Say) -> Section | None:
    """None if something else explains the failure, or nothing failed."""
    seen = document.part("seen")
    if not seen:
        return None
    told = "blamed" in document  # with the signal, and where it was called
    blocks: list[Block] = [Facts((*([] if told else _end(seen, say)), *_kept(seen, say)))]
    lines = seen.texts("stderr")
    if lines:
        blocks += [Paragraph(say("last_words")), Code("\n".join(lines))]
    return Section(say("section_ending"), tuple(blocks), "ending")


def last_words(document: Document) -> list[str]:
    """The last lines of the program's stderr."""
    return document.part("seen").texts("stderr")


def _end(seen: Document, say: Say) -> Rows:
    rows: Rows = []
    if seen.text("signal"):
        rows.append((say("ended_by"), Cell(seen.text("signal"), code=True)))
    if "exit_code" in seen:
        rows.append((say("fact_exit_code"), Cell(str(seen.whole("exit_code")))))
    seconds = seen.number("seconds")
    if seconds is not None:
        rows.append((say("ended_after"), Cell(f"{figures(seconds)} {say('unit_seconds')}")))
    if seen.text("call"):
        title = say("blamed_last" if seen.truth("returned") else "call_under_way")
        rows.append((title, Cell(call_of(seen, say), code=True)))
    return rows


def _kept(seen: Document, say: Say) -> Rows:
    rows: Rows = [(say("seen_in"), Cell(seen.text("run"), code=True))]
    if seen.text("stacks"):
        path = f"{seen.text('run')}/{seen.text('stacks')}"
        rows.append((say("stacks_in"), Cell(path, code=True)))
    return rows
