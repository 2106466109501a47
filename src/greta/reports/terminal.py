"""What a tired engineer sees in a terminal: verdict, cause, evidence, what to do next."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from greta.reports.blocks import Facts, Paragraph, Table, Tone
from greta.reports.document import Document
from greta.reports.lang import Say
from greta.reports.sections import cause, hypotheses, matrix, overview, streams
from greta.reports.sections.steps import next_steps
from greta.reports.sentences import gap_sentence

_STYLES: dict[Tone, str] = {"plain": "", "good": "green", "odd": "yellow", "bad": "bold red"}


@dataclass(frozen=True)
class Line:
    """A title, what there is to say, and whether it is good news. An empty title continues."""

    title: str
    text: str
    tone: Tone = "plain"


def audit_lines(document: Document, say: Say, folder: Path) -> list[Line]:
    """Of a matrix."""
    return [
        *_verdict(document, say),
        *_facts(cause.section(document, say)),
        *_table(say("section_matrix"), matrix.section(document, say)),
        *_paragraphs(matrix.section(document, say)),
        *_confirmed(document, say),
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
    verdict, *paragraphs = overview.section(document, say).blocks
    word, sentence, tone = verdict.word, verdict.sentence, verdict.tone  # type: ignore[union-attr]
    yield Line(word, sentence, tone)
    # What the word means in general is for readers of a report.
    yield from (Line("", one.text) for one in paragraphs[1:])  # type: ignore[union-attr]


def _facts(section: object) -> Iterator[Line]:
    for block in getattr(section, "blocks", ()):
        if isinstance(block, Facts):
            yield from (Line(name, cell.text, cell.tone) for name, cell in block.rows)


def _table(title: str, section: object) -> Iterator[Line]:
    for block in getattr(section, "blocks", ()):
        table = getattr(block, "table", block)
        if isinstance(table, Table):
            rows = [table.header, *(tuple(cell.text for cell in row) for row in table.rows)]
            widths = [max(len(row[place]) for row in rows) for place in range(len(table.header))]
            numbers = [cell.number for cell in table.rows[0]] if table.rows else []
            for place, row in enumerate(rows):
                yield Line(title if place == 0 else "", _aligned(row, widths, numbers))


def _paragraphs(section: object) -> Iterator[Line]:
    for block in getattr(section, "blocks", ()):
        if isinstance(block, Paragraph):
            yield Line("", block.text)


def _aligned(row: tuple[str, ...], widths: list[int], numbers: list[bool]) -> str:
    cells = [
        text.rjust(width) if number else text.ljust(width)
        for text, width, number in zip(row, widths, numbers, strict=True)
    ]
    return "  ".join(cells).rstrip()


def _confirmed(document: Document, say: Say) -> Iterator[Line]:
    for one in document.parts("hypotheses"):
        if one.text("verdict") == "CONFIRMED":
            yield Line(one.text("verdict"), say(f"name_{one.text('id')}"), "bad")


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
    for place, step in enumerate(next_steps(document, say)):
        yield Line(say("section_steps") if place == 0 else "", step)


def print_lines(lines: list[Line]) -> None:
    """To stdout: a table in a terminal, plain lines in a pipe."""
    if sys.stdout.isatty():
        table = RichTable(box=None, show_header=False, pad_edge=False)
        for line in lines:
            title = Text(printable(line.title), "bold")
            table.add_row(title, Text(printable(line.text), _STYLES[line.tone]))
        Console().print(table)
        return
    width = max((len(line.title) for line in lines), default=0)
    for line in lines:
        print(f"{printable(line.title):<{width}}  {printable(line.text)}".rstrip())


def printable(text: str) -> str:
    """Names come from the program, and might drive a terminal."""
    return "".join(
        letter if letter.isprintable() else "?" for letter in text.replace("\u202f", " ")
    )
