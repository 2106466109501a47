"""The full reasoning on one hypothesis."""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import Final

from greta.forensics.verdict import Finding, Ruling, Value, Verdict
from greta.reports.lang import LANGUAGES, Say, shown
from greta.reports.layout import TitledLine

_MOST = 20
_CALLS: Final = ("allocated_by", "freed_by", "origin")
"""Their values are numbers of calls."""
UNTOLD: Final = frozenset({"seq", "other", "stream", "other_stream", "user_stream"})
"""The evidence shows the calls, and a stream's place in our tables means nothing to a reader."""
_THREADS: Final = ("thread", "other_thread")
"""Worth a word where it is not all the first thread."""
_OUR_CALLS: Final = "greta_"
"""What the recorder writes of the host is no call of HIP."""
_ONE_IS_USUAL: Final = ("fault_bytes", "repeats")
_NONE_IS_USUAL: Final = ("may_write", "refused", "past_end")


def explanation_lines(verdict: Verdict, hypothesis: str, say: Say) -> list[TitledLine]:
    """What was asked, what was looked at, what was found, what is missing."""
    one = next(one for one in verdict.rulings if one.hypothesis == hypothesis)
    return [
        TitledLine(say("hypothesis"), say(f"name_{hypothesis}")),
        TitledLine("", say(f"asks_{hypothesis}")),
        TitledLine(one.outcome.value, say.of(one.code, one.data)),
        *_findings(one, say),
        *_missing(one, say),
    ]


def _findings(one: Ruling, say: Say) -> Iterator[TitledLine]:
    for place, finding in enumerate(one.findings[:_MOST]):
        sentence = say.of(finding.code, finding.words)
        yield TitledLine(say("found") if place == 0 else "", sentence, "bad")
        yield from (TitledLine("", f"- {fact}") for fact in details(finding, say))
        yield from _remedy(finding, say)
    if len(one.findings) > _MOST:
        yield TitledLine("", say("more_findings", count=len(one.findings) - _MOST))


def _remedy(finding: Finding, say: Say) -> Iterator[TitledLine]:
    """The synchronization that a race lacks; other findings have none."""
    if finding.data.get("remedy"):
        yield TitledLine("", say.of(f"remedy_{finding.data['remedy']}", finding.words))


def _missing(one: Ruling, say: Say) -> Iterator[TitledLine]:
    for place, name in enumerate(one.missing):
        codes = (f"gap_{name.lower()}", f"word_missing_{name.lower()}")
        text = next((say(code) for code in codes if say.has(code)), name)
        yield TitledLine(say("missing") if place == 0 else "", text, "odd")


def details(finding: Finding, say: Say) -> list[str]:
    """`name: value`; none if the finding's own sentence says it all."""
    return [f"{say(f'field_{name}')}: {text}" for name, text in _facts(finding, say)]


def _facts(finding: Finding, say: Say) -> Iterator[tuple[str, str]]:
    data = finding.words
    told = _placeholders(finding.code)
    said = {shown(data.get(name)) for name in told}
    for name, value in data.items():
        if name in told or not _is_telling(name, value):
            continue
        if name in _THREADS and not any(data.get(one) for one in _THREADS):
            continue
        text = f"#{value}" if name in _CALLS else _value(name, value, say)
        if len(text) == 1 or text not in said:
            yield name, text


def _placeholders(code: str) -> set[str]:
    sentence = LANGUAGES["en"].get(code, "")
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


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


def _value(name: str, value: Value, say: Say) -> str:
    word = f"word_{name}_{str(value).lower()}"
    return say(word) if say.has(word) else shown(value)
