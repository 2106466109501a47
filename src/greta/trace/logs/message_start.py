"""Where a program's own words begin in a line, behind what loggers put before them.

A line that merely quotes an error, such as a sentence or a string in source code, does not begin
with it; a line of a log does, behind timestamps, levels, tags and names that end in a colon.
"""

from __future__ import annotations

import re
from typing import Final

_MOST: Final = 12
_MONTHS: Final = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
# One prefix each; no repetition is nested, and each takes at least one character.
_PREFIX: Final = re.compile(
    rf"\s{{1,200}}"
    rf"|(?:{_MONTHS}) {{1,2}}\d{{1,2}} \d\d:\d\d:\d\d[.\d]{{0,10}} [\w.-]{{1,80}} "
    r"|\d{4}-\d\d-\d\dT[\d:.,+-]{1,40}Z? [\w.-]{1,80} (?=[\w./@-]{1,80}\[\d{1,10}\]: )"
    r"|\d[\d:.,T/+Z-]{0,40}(?=\s)"
    r"|\[[^\]]{0,80}\]:?"
    r"|\([^)]{0,60}\)"
    r"|(?:std(?:err|out))(?: [FP])?(?=\s)"
    r"|(?:trace|debug|info|notice|warn|warning|error|critical|fatal|[iwedf])(?=[\s:|])[:|]?"
    r"|[\w./@-]{1,80}(?:\[\d{1,10}\])?:(?=\s)"
    r"|[\w.-]{1,80} {0,20}\|(?=\s)",
    re.IGNORECASE,
)
_QUOTATION: Final = re.compile(r'"[^"]{12,2000}"|`[^`]{12,2000}`|“[^“”]{12,2000}”|«[^«»]{12,2000}»')
_DENIED: Final = re.compile(
    r"\b(?:not|never|didn't|no longer)\b.{0,40}\b(?:occur|happen|reproduc|appear|seen|observed)"
    r"|\bno (?:se |fue |ha )?.{0,20}(?:ocurri|reproduc|apareci|sucedi)",
    re.IGNORECASE,
)


def message_of(text: str, known: tuple[str, ...] = ()) -> str:
    """The line without prefixes; `known` messages begin like one themselves."""
    at = 0
    for _ in range(_MOST):
        found = _PREFIX.match(text, at)
        if found is None or text.startswith(known, at):
            break
        at = found.end()
    return text[at:]


def without_quotations(text: str) -> str:
    """What a sentence says itself. A logger that writes JSON puts everything in quotes."""
    if text.lstrip().startswith("{"):
        return text
    return _QUOTATION.sub(" ", text) if any(mark in text for mark in '"`“«') else text


def denies(text: str) -> bool:
    """Whether a sentence says that something did not happen."""
    return _DENIED.search(text) is not None
