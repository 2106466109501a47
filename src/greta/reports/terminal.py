"""What a tired engineer sees in a terminal: verdict, cause, evidence, what to do next."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from greta.reports.blocks import Facts, Figure, Paragraph, Section, Table, Tone, Verdict
from greta.reports.document import Document
from greta.reports.lang import Say
from greta.reports.layout import rows_of, screen_width
from greta.reports.lines import Line, command_line
from greta.reports.sections import cause, causes, ending, hypotheses, matrix, overview, streams
from greta.reports.sections.steps import next_steps
from greta.reports.sentences import gap_sentence

_NO_CALL: Final = "wrong_binary"
"""No call is its cause, so that nothing else would tell how it was found."""
_STYLES: dict[Tone, str] = {"plain": "", "good": "green", "odd": "yellow", "bad": "bold red"}


def audit_lines(document: Document, say: Say, folder: Path) -> list[Line]:
    """Of a matrix."""
    document = Document({**dict(document.items()), "kept": str(folder.resolve())})
    return [
        *_verdict(document, say),
        *_ending(document, say),
        *_facts(cause.section(document, say)),
        *_table(say("section_causes"), causes.section(document, say)),
        *_table(say("section_matrix"), matrix.section(document, say)),
        *_paragraphs(matrix.section(document, say)),
        *_telling(document, say),
        *_steps(document, say),
        Line(say("kept_in"), os.path.relpath(folder)),
    ]


def verdict_lines(document: Document, say: Say) -> list[Line]:
    """Of one run."""
    return [
        *_verdict(document, say),
        *_facts(cause.section(document, say)),
        *_table(say("section_streams"), streams.section(document, say)),
        *_hypotheses(document, say),
        *_coverage(document, say),
        *_steps(document, say),
    ]


def cause_lines(document: Document, say: Say) -> list[Line]:
    """The least that helps: verdict, blamed call, cause, and what to do."""
    return [
        *_verdict(document, say),
        *_facts(cause.section(document, say)),
        *_steps(document, say),
    ]


def _verdict(document: Document, say: Say) -> Iterator[Line]:
    found = overview.section(document, say)
    for block in found.blocks:
        if isinstance(block, Verdict):
            yield Line(block.word, block.sentence, block.tone)
    _, *others = _paragraphs(found)  # what the word means in general is for readers of a report
    yield from others


def _ending(document: Document, say: Say) -> Iterator[Line]:
    yield from _facts(ending.section(document, say))
    for place, line in enumerate(ending.last_words(document)):
        yield Line(say("last_words_here") if place == 0 else "", line)


def _facts(section: Section | None) -> Iterator[Line]:
    for block in section.blocks if section else ():
        if isinstance(block, Facts):
            yield from (Line(name, cell.text, cell.tone) for name, cell in block.rows)


def _table(title: str, section: Section | None) -> Iterator[Line]:
    for block in section.blocks if section else ():
        table = block.table if isinstance(block, Figure) else block
        if isinstance(table, Table):
            yield Line(title, "", table=table)


def _paragraphs(section: Section | None) -> Iterator[Line]:
    for block in section.blocks if section else ():
        if isinstance(block, Paragraph):
            yield Line("", block.text)


def _telling(document: Document, say: Say) -> Iterator[Line]:
    """What was confirmed, and what the audit leaves open: a good verdict must not hide that."""
    for one in document.parts("hypotheses"):
        verdict, name = one.text("verdict"), say(f"name_{one.text('id')}")
        tone = hypotheses.TONES.get(verdict, "plain")
        is_open = verdict == "INCONCLUSIVE" and one.whole("examined") > 0
        if is_open or (verdict, one.text("id")) == ("CONFIRMED", _NO_CALL):
            yield Line(verdict, f"{name}: {hypotheses.reason_of(one, say)}", tone)
        elif verdict == "CONFIRMED":  # the cause is told already
            yield Line(verdict, name, tone)


def _hypotheses(document: Document, say: Say) -> Iterator[Line]:
    for one in document.parts("hypotheses"):
        verdict = one.text("verdict")
        name = say(f"name_{one.text('id')}")
        text = f"{name}: {hypotheses.reason_of(one, say)}"
        yield Line(verdict, text, hypotheses.TONES.get(verdict, "plain"))


def _coverage(document: Document, say: Say) -> Iterator[Line]:
    coverage = document.part("coverage")
    transfers = coverage.part("d2h")
    counts = {name: coverage.whole(name) for name in ("calls", "launches")}
    audited = transfers.whole("audited")
    line = say("coverage_line", d2h=transfers.whole("calls"), audited=audited, **counts)
    yield Line(say("section_coverage"), line)
    yield from (Line("", gap_sentence(gap, say), "odd") for gap in coverage.parts("gaps"))


def _steps(document: Document, say: Say) -> Iterator[Line]:
    for place, step in enumerate(next_steps(document, say, Path.cwd())):
        yield Line(say("section_steps") if place == 0 else "", step.text)
        if step.command:
            yield command_line("", step.command)


def print_lines(lines: Sequence[Line]) -> None:
    """To stdout: in colour in a terminal, plain in a pipe; as wide as there is room."""
    if sys.stdout.isatty():
        print_in_colour(lines, Console(highlight=False))
        return
    for row in rows_of(lines, screen_width()):
        print(f"{row.left}{row.right}".rstrip())


def print_in_colour(lines: Sequence[Line], console: Console) -> None:
    """To a terminal."""
    for row in rows_of(lines, console.width):
        text = Text.assemble((row.left, "bold"), (row.right, _STYLES[row.tone]))
        console.print(text, soft_wrap=True)
