"""Sentences that more than one place needs."""

from __future__ import annotations

import re
from typing import Final

from greta.reports.document import Document
from greta.reports.lang import Say, grouped

_COUNT: Final = re.compile(r"\d{1,18}\b")
_HOST_TOUCH: Final = "greta_host_touch"  # a record, not a call of the program


def verdict_sentence(document: Document, say: Say) -> str:
    """What happened, in one sentence: the cause, or why there is none."""
    cause = document.part("cause")
    if cause:
        return cause_sentence(cause, say)
    code = document.text("reason_code")
    if document.text("verdict") == "INCONCLUSIVE" and not code and stopped_sentence(document, say):
        return stopped_sentence(document, say)
    if code != "verdict_explained" and say.has(code):
        return say(code, **dict(document.part("reason_data").items()))
    if "blamed" in document and not is_last_call(document.part("blamed")):
        return say("verdict_unexplained", call=call_of(document.part("blamed"), say))
    return say(f"verdict_{document.text('verdict')}")


def stopped_sentence(document: Document, say: Say) -> str:
    """Why an audit could not go on; nothing if it could, or if that says it all by its code."""
    code = document.text("problem_code")
    if not say.has(code) or document.text("partial") != "failed":
        return ""
    problem = say(code, **dict(document.part("problem_data").items()))
    text = say("audit_stopped", problem=problem)
    return f"{text[:1].upper()}{text[1:]}."


def cause_sentence(cause: Document, say: Say) -> str:
    """The finding in words, from its code and data."""
    code = cause.text("code")
    if say.has(code):
        return say(code, **dict(cause.part("data").items()))
    hypothesis = say(f"name_{cause.text('hypothesis')}")
    if not (cause.text("kernel") or cause.text("call")):
        return f"{hypothesis}."
    return say("cause_of_kind", hypothesis=hypothesis, call=call_of(cause, say))


def operation_of(call: Document, say: Say) -> str:
    """What was done, as a person names it: the kernel, the function, what the host did itself."""
    name = call.text("kernel") or call.text("call")
    return say("host_touch") if name == _HOST_TOUCH else name


def call_of(call: Document, say: Say) -> str:
    """An operation with its number."""
    name = operation_of(call, say)
    return f"{name} (#{call.whole('seq')})" if "seq" in call else name


def is_last_call(blamed: Document) -> bool:
    """Whether the blamed call reported nothing: it is only the last one before the end."""
    return blamed.text("by") in ("end", "report")


def gap_sentence(gap: Document, say: Say) -> str:
    """What is missing, and how many of it where the document says so."""
    sentence = say(f"gap_{gap.text('code').lower()}")
    count = _COUNT.match(gap.text("detail"))
    return f"{sentence} ({grouped(int(count[0]))})" if count else sentence


def place_of(where: Document) -> str:
    """file:line (function), as far as it is known."""
    file, line = where.text("file"), where.whole("line")
    place = f"{file}:{line}" if file and line else file
    function = where.text("function")
    return f"{place} ({function})" if place and function else place or function
