"""Lines for a terminal: verdict, cause, evidence, next steps; all the reasoning on a hypothesis."""

from __future__ import annotations

import os
import re
import string
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from greta.forensics.verdict import Finding, Outcome, Ruling, Value, Verdict
from greta.lab.summary import Summary
from greta.reports.blocks import Facts, Figure, Paragraph, Section, Table, Tone
from greta.reports.lang import LANGUAGES, Say, shown
from greta.reports.layout import TitledLine, command_line, rows_of, screen_width, titled
from greta.reports.reported import Reported
from greta.reports.sections import fault, matrix, verdict
from greta.reports.sections.follow_up import next_steps
from greta.reports.sentences import (
    approximate_sentence,
    gap_sentence,
    story_sentence,
    without_quotes,
)

_NO_CALL: Final = "wrong_binary"
"""No call is its cause, so that nothing else would tell how it was found."""
_MOST_DOUBTS: Final = 8
_STYLES: dict[Tone, str] = {"plain": "", "good": "green", "odd": "yellow", "bad": "bold red"}


def audit_lines(summary: Summary, say: Say, folder: Path) -> list[TitledLine]:
    reported = Reported(summary, str(folder.resolve()))
    return [
        *_verdict(reported, say),
        *_facts(matrix.ending(reported, say)),
        *titled(say("last_words_here"), matrix.last_words(reported)),
        *_facts(fault.cause(reported, say)),
        *_table(_small(say("section_causes")), matrix.causes(reported, say)),
        *_table(_small(say("section_matrix")), matrix.matrix(reported, say)),
        *_paragraphs(matrix.matrix(reported, say)),
        *_table(_small(say("section_devices")), matrix.devices(reported, say)),
        *_paragraphs(matrix.devices(reported, say)),
        *_telling(reported, say),
        *_steps(reported, say),
        TitledLine(say("kept_in"), os.path.relpath(folder)),
    ]


def verdict_lines(reported: Reported, say: Say) -> list[TitledLine]:
    return [
        *_verdict(reported, say),
        *_facts(fault.cause(reported, say)),
        *_streams(reported, say),
        *_doubts(reported, say),
        *(_ruling(alike, say) for alike in verdict.told_together(reported.verdict.rulings)),
        *_coverage(reported, say),
        *_steps(reported, say),
    ]


def cause_lines(reported: Reported, say: Say) -> list[TitledLine]:
    return [
        *_verdict(reported, say),
        *_facts(fault.cause(reported, say)),
        *_doubts(reported, say),
        *_steps(reported, say),
    ]


def verdict_line(reported: Reported, say: Say) -> list[TitledLine]:
    """The story, as the page begins with it; what reported it has a line of its own."""
    word = reported.verdict.word
    told = without_quotes(story_sentence(reported, say))
    return [TitledLine(word.value, told, verdict.WORD_TONES[word])]


def _verdict(reported: Reported, say: Say) -> Iterator[TitledLine]:
    yield from verdict_line(reported, say)
    for paragraph in verdict.figures_told(reported, say):
        yield TitledLine("", paragraph.text)


def _small(title: str) -> str:
    """Of a page, as these lines are titled."""
    return f"{title[:1].lower()}{title[1:]}"


def _facts(section: Section | None) -> Iterator[TitledLine]:
    """Files below the working directory are named relative to it: shorter, and still right."""
    here = re.compile(rf"(?<!\S){re.escape(str(Path.cwd()).rstrip(os.sep) + os.sep)}(?=\S)")
    for block in section.blocks if section else ():
        if isinstance(block, Facts):
            for name, cell in block.rows:
                text = cell.text if cell.code else cell.text.replace("`", "")
                yield TitledLine(name, here.sub("", text), cell.tone)


def _table(title: str, section: Section | None) -> Iterator[TitledLine]:
    for block in section.blocks if section else ():
        table = block.table if isinstance(block, Figure) else block
        if isinstance(table, Table):
            yield TitledLine(title, "", table=table)


def _streams(reported: Reported, say: Say) -> Iterator[TitledLine]:
    """A result is told where it is not success: so that the table fits into sixty columns."""
    for line in _table(say("streams"), fault.streams(reported, say)):
        if table := line.table:
            seq, stream, operation, _, role = table.header
            rows = tuple(
                (one, two, replace(name, text=_with_error(name.text, result.text)), part)
                for one, two, name, result, part in table.rows
            )
            yield replace(line, table=Table((seq, stream, operation, role), rows))


def _with_error(name: str, result: str) -> str:
    return name if result in ("", "hipSuccess") else f"{name}: {result}"


def _paragraphs(section: Section | None) -> Iterator[TitledLine]:
    for block in section.blocks if section else ():
        if isinstance(block, Paragraph):
            yield TitledLine("", block.text)


def _telling(reported: Reported, say: Say) -> Iterator[TitledLine]:
    """What was confirmed, and what the audit leaves open: a good verdict must not hide that."""
    for one in reported.verdict.rulings:
        is_open = one.outcome is Outcome.INCONCLUSIVE and one.examined > 0 and not one.is_limited
        if is_open or (one.confirmed and one.hypothesis == _NO_CALL):
            yield _ruling([one], say)
        elif one.confirmed:  # the cause is told already
            name = say(f"name_{one.hypothesis}")
            yield TitledLine(one.outcome.value, name, verdict.TONES[one.outcome])


def _ruling(alike: Sequence[Ruling], say: Say) -> TitledLine:
    one = alike[0]
    text = f"{verdict.names_of(alike, say)}: {verdict.reason_together(alike, say)}"
    return TitledLine(one.outcome.value, text, verdict.tone_of(one))


def _doubts(reported: Reported, say: Say) -> Iterator[TitledLine]:
    """The first stands in the verdict's own sentence, where nothing worse does."""
    said = [say.of(f"doubt_{one.code}", one.data) for one in reported.verdict.doubts]
    reason = reported.verdict.reason
    others = said[1:] if reason and reason.code == "verdict_doubts" else said
    yield from titled(say("doubts"), others[:_MOST_DOUBTS], "odd")


def _coverage(reported: Reported, say: Say) -> Iterator[TitledLine]:
    seen = reported.verdict.coverage
    counts = {"calls": seen.calls, "launches": seen.launches, "d2h": seen.d2h_calls}
    line = say("coverage_line", audited=seen.d2h_audited, **counts)
    yield TitledLine(_small(say("section_coverage")), line)
    yield from (TitledLine("", gap_sentence(gap, say), "odd") for gap in seen.gaps)
    if seen.approximate:
        yield TitledLine("", approximate_sentence(seen.approximate, say))


def _steps(reported: Reported, say: Say) -> Iterator[TitledLine]:
    for place, step in enumerate(next_steps(reported, say, Path.cwd())):
        yield TitledLine(_small(say("section_steps")) if place == 0 else "", step.text)
        if step.command:
            yield command_line("", step.command)


def print_lines(lines: Sequence[TitledLine]) -> None:
    """To stdout: in colour in a terminal, plain in a pipe, where lines are whole."""
    if sys.stdout.isatty():
        print_in_colour(lines, Console(highlight=False))
        return
    for row in rows_of(lines, screen_width()):
        print(f"{row.left}{row.right}".rstrip())


def print_in_colour(lines: Sequence[TitledLine], console: Console) -> None:
    for row in rows_of(lines, console.width):
        text = Text.assemble((row.left, "bold"), (row.right, _STYLES[row.tone]))
        console.print(text, soft_wrap=True)


_MOST_FINDINGS: Final = 20
_CALLS: Final = ("allocated_by", "freed_by", "origin")
"""Their values are numbers of calls."""
UNTOLD: Final = frozenset(
    {"seq", "other", "stream", "other_stream", "user_stream", "parameter", "shared_estimated"}
)
"""The evidence shows the calls, and a stream's place in our tables means nothing to a reader."""
_THREADS: Final = ("thread", "other_thread")
"""Worth a word where it is not all the first thread."""
_OUR_CALLS: Final = "greta_"
"""What the recorder writes of the host is no call of HIP."""
_ONE_IS_USUAL: Final = ("fault_bytes", "repeats")
_NONE_IS_USUAL: Final = ("may_write", "refused", "past_end")


def explanation_lines(verdict: Verdict, hypothesis: str, say: Say) -> list[TitledLine]:
    one = next(one for one in verdict.rulings if one.hypothesis == hypothesis)
    return [
        TitledLine(say("hypothesis"), say(f"name_{hypothesis}")),
        TitledLine("", say(f"asks_{hypothesis}")),
        TitledLine(one.outcome.value, say.of(one.code, one.data)),
        *_findings(one, say),
        *titled(say("missing"), [_missing(name, say) for name in one.missing], "odd"),
    ]


def _findings(one: Ruling, say: Say) -> Iterator[TitledLine]:
    for place, finding in enumerate(one.findings[:_MOST_FINDINGS]):
        sentence = say.of(finding.code, finding.words)
        yield TitledLine(say("found") if place == 0 else "", sentence, "bad")
        yield from (TitledLine("", f"- {fact}") for fact in details(finding, say))
        if finding.data.get("remedy"):  # the synchronization that a race lacks
            yield TitledLine("", say.of(f"remedy_{finding.data['remedy']}", finding.words))
    if len(one.findings) > _MOST_FINDINGS:
        yield TitledLine("", say("more_findings", count=len(one.findings) - _MOST_FINDINGS))


def _missing(name: str, say: Say) -> str:
    codes = (f"gap_{name.lower()}", f"word_missing_{name.lower()}")
    return next((say(code) for code in codes if say.has(code)), name)


def details(finding: Finding, say: Say) -> list[str]:
    """`name: value`; none if the finding's own sentence says it all."""
    data = finding.words
    sentence = LANGUAGES["en"].get(finding.code, "")
    told = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
    said = {shown(data.get(name)) for name in told}
    if not any(data.get(name) for name in _THREADS):
        told.update(_THREADS)
    facts = []
    for name, value in data.items():
        if name in told or not _is_telling(name, value):
            continue
        word = f"word_{name}_{str(value).lower()}"
        text = say(word) if say.has(word) else shown(value)
        text = f"#{value}" if name in _CALLS else text
        text = say.argument(data) if name == "argument" else text
        if len(text) == 1 or text not in said:
            facts.append(f"{say(f'field_{name}')}: {text}")
    return facts


def _is_telling(name: str, value: Value) -> bool:
    if value is None or name in UNTOLD or name.startswith("remedy"):
        return False
    if name == "call" and str(value).startswith(_OUR_CALLS):
        return False
    if name in _ONE_IS_USUAL or name == "past_end_below":
        return isinstance(value, int) and value > 1
    if name in _NONE_IS_USUAL:
        return bool(value)
    return not (name == "side" and value == "argument") and value != -1
