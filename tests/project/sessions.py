"""Sessions in a document: indented lines, `$ ` before what is typed, under it what was printed.

    $ greta analyze rope
    REPRODUCED     rope (#11) reached 0x7ebc93882000, ...
    ...

A line `...` stands for any lines, `...` in a line for anything there. What differs from run to run
(addresses, times, dates, speeds, the folder) is not compared; neither are blank lines and how wide
a gap is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

_INDENT: Final = "    "
_PROMPT: Final = f"{_INDENT}$ "

_VOLATILE: Final = [
    (re.compile(r"0x[0-9a-f]+"), "ADDRESS"),
    (re.compile(r"\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?"), "DATE"),
    (re.compile(r"(?:/[\w.+-]+)+/(?=examples/|freed_buffer)"), ""),  # the folder of the reader
    (re.compile(r"(?<=greta: device).*|(?<=greta: dispositivo).*"), " DEVICE"),
    (re.compile(r"(?<= (?:PASS|FAIL)).*"), " SPEED"),
    (re.compile(r"\d+(?=/\d+, test)|(?<=test )[ABC](?=,)"), "N"),  # how far an audit has come
    (re.compile(r"\d+\.\d+|\d{3,}(?:[ ,]\d{3})*|\d+(?: \d{3})+|\d+(?= (?:s|ms|us|tokens)\b)"), "N"),
    (re.compile(r"-+"), "-"),
    (re.compile(r"\s+"), " "),
]


@dataclass
class Step:
    """One command of a session."""

    line: int
    command: str
    printed: list[str] = field(default_factory=list)
    page: str = ""


def steps(document: str, page: str = "") -> list[Step]:
    """All commands of a document, in order."""
    found: list[Step] = []
    open_step: Step | None = None
    for number, line in enumerate(document.splitlines(), start=1):
        if line.startswith(_PROMPT):
            open_step = Step(number, line.removeprefix(_PROMPT), page=page)
            found.append(open_step)
        elif not line.startswith(_INDENT) and line.strip():
            open_step = None
        elif open_step is not None and line.strip():
            open_step.printed.append(line.removeprefix(_INDENT))
    return found


def agrees(expected: Sequence[str], printed: str) -> bool:
    """Whether a command printed what the document shows."""
    lines = "".join(f"{line}\n" for line in comparable(printed.splitlines()))
    return re.fullmatch("".join(_patterns(expected)), lines) is not None


def comparable(lines: Sequence[str]) -> list[str]:
    """Without what differs from run to run."""
    return [_settled(line) for line in lines if line.strip()]


def _settled(line: str) -> str:
    for pattern, word in _VOLATILE:
        line = pattern.sub(word, line)
    return line.strip()


def _patterns(expected: Sequence[str]) -> Iterator[str]:
    for line in comparable(expected):
        if line == "...":
            yield "(?:.*\n)*?"
        else:
            yield ".*".join(re.escape(part) for part in line.split("...")) + "\n"
