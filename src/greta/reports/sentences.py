"""Sentences, and names of facts such as environment.python, that more than one place needs."""

from __future__ import annotations

import re
from typing import Final

from greta.forensics.verdict import Alternative, BlamedCall, Cause, NearbyCall
from greta.lab.summary import ProgramEnding, RatedCause
from greta.reports.lang import Say, grouped
from greta.reports.reported import Reported
from greta.trace.trace import Where

_COUNT: Final = re.compile(r"\d{1,18}\b")
_HOST_TOUCH: Final = "greta_host_touch"  # a record, not a call of the program


def verdict_sentence(reported: Reported, say: Say) -> str:
    """What happened, in one sentence: the cause, or why there is none."""
    verdict = reported.verdict
    if verdict.cause:
        return cause_sentence(verdict.cause, say)
    code = verdict.reason.code if verdict.reason else ""
    stopped = stopped_sentence(reported, say)
    if verdict.word == "INCONCLUSIVE" and not code and stopped:
        return stopped
    if verdict.reason and code != "verdict_explained" and say.has(code):
        return say.saying(verdict.reason)
    if verdict.blamed and not verdict.blamed.is_last_call:
        return say("verdict_unexplained", call=call_of(verdict.blamed, say))
    return say(f"verdict_{verdict.word.value}")


def stopped_sentence(reported: Reported, say: Say) -> str:
    """Why an audit could not go on; nothing if it could, or if that says it all by its code."""
    problem = reported.summary.problem
    if problem is None or not say.has(problem.code) or reported.summary.partial != "failed":
        return ""
    text = say("audit_stopped", problem=say.saying(problem))
    return f"{text[:1].upper()}{text[1:]}."


def cause_sentence(cause: Cause | RatedCause, say: Say) -> str:
    """The finding in words, from its code and data."""
    if say.has(cause.code):
        return say.of(cause.code, cause.data)
    hypothesis = say(f"name_{cause.hypothesis}")
    if not (isinstance(cause, Cause) and cause.operation):
        return f"{hypothesis}."
    return say("cause_of_kind", hypothesis=hypothesis, call=call_of(cause, say))


def operation_of(call: BlamedCall | Cause | Alternative | NearbyCall, say: Say) -> str:
    """What was done, as a person names it: the kernel, the function, what the host did itself."""
    name = call.kernel or call.call or ""
    return say("host_touch") if name == _HOST_TOUCH else name


def call_of(call: BlamedCall | Cause | Alternative | ProgramEnding, say: Say) -> str:
    """An operation with its number."""
    name = (call.call or "") if isinstance(call, ProgramEnding) else operation_of(call, say)
    return f"{name} (#{call.seq})" if call.seq is not None else name


def gap_sentence(gap: tuple[str, str], say: Say) -> str:
    """What is missing, and how many of it where that is known."""
    name, detail = gap
    sentence = say(f"gap_{name.lower()}")
    count = _COUNT.match(detail)
    return f"{sentence} ({grouped(int(count[0]))})" if count else sentence


def place_of(where: Where) -> str:
    """file:line (function), as far as it is known."""
    place = f"{where.file}:{where.line}" if where.file and where.line else where.file or ""
    return (
        f"{place} ({where.function})" if place and where.function else place or where.function or ""
    )


_NOT_IN_A_CODE: Final = re.compile(r"[^a-z0-9]+")
_NAMED: Final = ("variable", "library")
_PARTS: Final = ("model", "program", "programs")
"""The name of a fact of these says nothing without them; those of the environment do."""


def fact_name(name: str, say: Say) -> str:
    """As a person would call it; a name that has no words is shown as it is."""
    for kind in _NAMED:
        if name.startswith(f"{kind} "):
            return say(f"fact_named_{kind}", name=name.partition(" ")[2])
    part, _, leaf = name.partition(".")
    if part == "environment":
        part, _, leaf = leaf.partition(".")
    if part == "variables" and leaf:
        return say("fact_named_variable", name=leaf)
    if part in _PARTS and leaf:
        return say("fact_of_part", part=say(f"part_{part}"), name=_one(leaf, say))
    return _one(leaf or part, say)


def fact_value(value: str, say: Say) -> str:
    """Values are data, but for a few that are words."""
    code = f"fact_value_{_code(value)}"
    return say(code) if say.has(code) else value


def _one(name: str, say: Say) -> str:
    code = f"fact_{_code(name)}"
    return say(code) if say.has(code) else name


def _code(text: str) -> str:
    return _NOT_IN_A_CODE.sub("_", text.lower()).strip("_")
