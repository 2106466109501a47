"""What the lines about transfers say, one record a line."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from greta.trace.logs.lines import LogLine

_TAG: Final = re.compile(r"\[(D2H[ _A-Z]{1,20}|GRETA_TRACE_D2H|ROPE_DIAG|GUARD_RAIL[_A-Z]{0,20})\]")
_WORD: Final = re.compile(r"\b([A-Za-z_]\w{0,40})=([!-~]{1,256})")

Fields = dict[str, str]


class Segment(NamedTuple):
    """From a tag to the next one, or to the end of the line."""

    tag: str
    text: str
    line: LogLine
    cut: bool


def segments(line: LogLine) -> Iterator[Segment]:
    """The tagged pieces of a line, from left to right."""
    tags = list(_TAG.finditer(line.text))
    for found, following in itertools.zip_longest(tags, tags[1:]):
        end = following.start() if following else len(line.text)
        text = line.text[found.end() : end]
        # A piece that another writer broke into ends without its blank or its end of line.
        cut = line.cut if following is None else not text.endswith(" ")
        yield Segment(found[1], text.strip(), line, cut)


def fields(segment: Segment) -> Fields:
    """Words "name=value". The last one of a cut line is left out: half a number is a number too."""
    found = list(_WORD.finditer(segment.text))
    if segment.cut and found and found[-1].end() == len(segment.text):
        found.pop()
    return {word[1]: word[2] for word in found}


class AuditStart(NamedTuple):
    """GCORE_D2H_AUDIT, before the copy."""

    line: LogLine
    op_id: str
    ns: int
    stream: int
    source: int
    target: int
    bytes: int
    tensor: str
    step: int
    layer: int


class AuditEnd(NamedTuple):
    """And after it."""

    line: LogLine
    op_id: str
    ns: int
    stream: int
    result: str
    tensor: str


class CheckLine(NamedTuple):
    """GRETA_D2H_DEBUG; its numbers are read when the whole file has said what base they have."""

    line: LogLine
    fields: Fields


class BoundsLine(NamedTuple):
    """The wrapper refused the copy."""

    line: LogLine
    fields: Fields


class CopyOutcome(NamedTuple):
    """How the last checked copy ended; `error` is 0 for success."""

    line: LogLine
    tensor: str | None
    error: int
    text: str
    call: str = "hipMemcpyAsync"
    """The one that returned it: the copy, or a synchronization around it."""


class TracedRange(NamedTuple):
    """Early builds: a transfer with the allocation that it is in."""

    line: LogLine
    tensor: str
    step: int
    layer: int
    origin: int
    alloc: int
    offset: int
    bytes: int


class TraceBefore(NamedTuple):
    """GRETA_TRACE_MEMCPY, before the copy."""

    line: LogLine
    tensor: str
    source: int
    bytes: int
    stream: int


class TraceAfter(NamedTuple):
    """And after it."""

    line: LogLine
    tensor: str
    target: int
    bytes: int


class TraceFatal(NamedTuple):
    """Or when it failed."""

    line: LogLine
    tensor: str
    source: int | None
    """None, like the others: its line is missing."""
    target: int | None
    bytes: int | None
    error: int
    text: str


Record = (
    AuditStart
    | AuditEnd
    | CheckLine
    | BoundsLine
    | CopyOutcome
    | TracedRange
    | TraceBefore
    | TraceAfter
    | TraceFatal
)
