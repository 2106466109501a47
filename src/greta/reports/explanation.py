"""The full reasoning on one hypothesis."""

from __future__ import annotations

from collections.abc import Iterator

from greta.reports.details import details
from greta.reports.document import Document
from greta.reports.lang import Say
from greta.reports.lines import Line

_MOST = 20


def explanation_lines(document: Document, hypothesis: str, say: Say) -> list[Line]:
    """What was asked, what was looked at, what was found, what is missing."""
    one = next(part for part in document.parts("hypotheses") if part.text("id") == hypothesis)
    return [
        Line(say("hypothesis"), say(f"name_{hypothesis}")),
        Line("", say(f"asks_{hypothesis}")),
        Line(one.text("verdict"), say(one.text("code"), **dict(one.part("data").items()))),
        *_findings(one, say),
        *_missing(one, say),
    ]


def _findings(one: Document, say: Say) -> Iterator[Line]:
    findings = one.parts("findings")
    for place, finding in enumerate(findings[:_MOST]):
        sentence = say(finding.text("code"), **dict(finding.part("data").items()))
        yield Line(say("found") if place == 0 else "", sentence, "bad")
        yield from (Line("", f"- {fact}") for fact in details(finding, say))
        yield from _remedy(finding.part("data"), say)
    if len(findings) > _MOST:
        yield Line("", say("more_findings", count=len(findings) - _MOST))


def _remedy(data: Document, say: Say) -> Iterator[Line]:
    """The synchronization that a race lacks; other findings have none."""
    if data.text("remedy"):
        yield Line("", say(f"remedy_{data.text('remedy')}", **dict(data.items())))


def _missing(one: Document, say: Say) -> Iterator[Line]:
    for place, name in enumerate(one.texts("missing")):
        codes = (f"gap_{name.lower()}", f"word_missing_{name.lower()}")
        text = next((say(code) for code in codes if say.has(code)), name)
        yield Line(say("missing") if place == 0 else "", text, "odd")
