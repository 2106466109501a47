"""Tagged pieces of a line: writers without a common lock put several into one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from greta.trace.logs.lines import Line

_TAG: Final = re.compile(r"\[(D2H[ _A-Z]{1,20}|GRETA_TRACE_D2H|ROPE_DIAG|GUARD_RAIL[_A-Z]{0,20})\]")
_WORD: Final = re.compile(r"\b([A-Za-z_]\w{0,40})=([!-~]{1,256})")

Fields = dict[str, str]


class Segment(NamedTuple):
    """From a tag to the next one, or to the end of the line."""

    tag: str
    text: str
    line: Line
    cut: bool


def segments(line: Line) -> Iterator[Segment]:
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
