"""Sentences, and names of facts such as environment.python, that more than one place needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from greta.forensics.verdict import Alternative, BlamedCall, Cause, NearbyCall
from greta.lab.summary import ProgramEnding, RatedCause
from greta.reports.lang import Say, grouped, sized
from greta.reports.pictures import shortened
from greta.reports.reported import Reported
from greta.symbols.sites import short_name
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


_LONGEST_NAME: Final = 60
_HEXADECIMAL: Final = re.compile(r"(?: (?:at|en))? ?\(?0x[0-9a-fA-F]+\)?")
_SAME_STORY: Final = re.compile(
    "^(kernel|transfer)_(?=.*(unfinished|in_use|over_write)$)|(?<=^misaligned)_set$"
)


def story_sentence(reported: Reported, say: Say) -> str:
    """What went wrong as one would tell it: names, bytes and places, no addresses."""
    cause = reported.verdict.cause
    if cause is None:
        reason = reported.verdict.reason
        if reason and reason.code in ("verdict_fault_reported", "verdict_fault_unexplained"):
            alone = reason.data.get("suspects") == 0
            return say.of(
                "story_fault_alone" if alone else "verdict_fault_unexplained", reason.data
            )
        return _HEXADECIMAL.sub("", verdict_sentence(reported, say))
    code = f"story_{_SAME_STORY.sub('', cause.code)}"
    if not say.has(code):
        told = cause_sentence(cause, say)
        if _HEXADECIMAL.search(told):
            told = f"{say(f'name_{cause.hypothesis}')}: {call_of(cause, say)}."
        return told
    access, data = cause.access, cause.data
    whose = {
        "who": _who(cause, say),
        "memory": _memory(cause, say),
        "does": say(f"story_does_{access.kind if access and access.kind else 'reach'}"),
        "count": _count(cause, say),
        "others": _name_of(_other_name(cause)),
    }
    parts = [say.of(code, {**data, **whose}), *_thread(cause, say), *_places(cause, say)]
    return ", ".join(parts) + "."


_STAGE: Final = re.compile(r"(iteration|step|layer|tensor)=(.{1,60})")


def stage_of(call: BlamedCall | Cause | Alternative, say: Say) -> str:
    """prefill, layer 0, tensor rope; nothing if the program did not say where it was."""
    texts = []
    for one in call.stage or ():
        found = _STAGE.fullmatch(one)
        told = say(f"stage_{found[1]}", name=found[2]) if found else shortened(one, _LONGEST_NAME)
        texts.append(told)
    return ", ".join(texts)


def _who(cause: Cause, say: Say) -> str:
    name = _name_of(operation_of(cause, say))
    return say("story_kernel", name=name) if cause.kernel else name


def _other_name(cause: Cause) -> str:
    """The other side of a race; whole where only its types tell it from the first."""
    name = str(cause.data.get("other_kernel") or cause.data.get("other_call") or "?")
    short, own = short_name(name), cause.kernel or ""
    return name if short == short_name(own) and name != own else short


def _name_of(name: object) -> str:
    """A name with 400 letters is told whole further down."""
    return as_code(shortened(str(name or "?"), _LONGEST_NAME))


_ONE_WORD: Final = re.compile(r"`([^` ]+)`")


def without_quotes(text: str) -> str:
    """For a terminal: code of one word needs no quotes there; a command does."""
    return _ONE_WORD.sub(r"\1", text)


def as_code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"


def _memory(cause: Cause, say: Say) -> str:
    buffer, known = cause.buffer, cause.data.get("buffer_bytes")
    count = buffer.bytes if buffer and buffer.bytes is not None else known
    size = sized(count) if isinstance(count, int) else say("size_unknown")
    if buffer and buffer.name:
        return say("story_named", name=_name_of(buffer.name), size=size)
    return say("story_unnamed", size=size)


def _count(cause: Cause, say: Say) -> str:
    """How many bytes, where the device told of this access; of others it is an estimate."""
    access = cause.access
    told = access is not None and access.kind and access.bytes
    return say("story_bytes", bytes=told) if told else ""


def _thread(cause: Cause, say: Say) -> list[str]:
    access = cause.access
    if access is None:
        return []
    parts = []
    if access.thread and access.block:
        thread, block = (place_in(one) for one in (access.thread, access.block))
        parts.append(say("story_thread", thread=thread, block=block))
    return [*parts, _basename(access.line)] if access.line else parts


def place_in(place: tuple[int, int, int]) -> str:
    """12, not 12,0,0."""
    used = max((axis + 1 for axis, one in enumerate(place) if one), default=1)
    return ",".join(map(str, place[:used]))


def _places(cause: Cause, say: Say) -> list[str]:
    place = short_place(cause.where, say)
    by_host = "accessed" if cause.call == _HOST_TOUCH else "called"
    how = "launched" if cause.kernel else by_host
    stage = stage_of(cause, say)
    if cause.turn and cause.kernel:
        how = "launched_alike"
    told = say(f"story_{how}", place=place, count=cause.turn.count if cause.turn else 1)
    return [
        *([told] if place else []),
        *([say("story_stage", stage=stage)] if stage else []),
    ]


def _basename(path: str) -> str:
    return PurePath(path).name


def without_types(where: Where) -> Where:
    """With the function as people name it; Python's <locals> are no types."""
    function = where.function or ""
    return replace(where, function=short_name(function)) if "(" in function else where


def short_place(where: Where, say: Say) -> str:
    """model.py:79 in `forward`; nothing if it is not known."""
    where = without_types(where)
    if not where.file:
        return _name_of(where.function) if where.function else ""
    line = f"{_basename(where.file)}:{where.line}" if where.line else _basename(where.file)
    if not where.function or where.function == "<module>":
        return line
    return say("story_in_function", place=line, function=_name_of(where.function))


def surfaced_sentence(reported: Reported, say: Say) -> str:
    """Where the program heard of it, if that is not where it happened."""
    blamed, cause = reported.verdict.blamed, reported.verdict.cause
    if not blamed or not cause or blamed.seq == cause.seq or blamed.is_last_call or not blamed.call:
        return ""
    name = f"{_name_of(operation_of(blamed, say))} (#{blamed.seq})"
    place = short_place(blamed.where, say)
    error = f"`{blamed.error}`" if blamed.error else "?"
    where = say("story_at", place=place) if place else ""
    code = "story_failed_apart" if blamed.apart else "story_surfaced"
    return say(code, call=name, where=where, error=error)


def stopped_sentence(reported: Reported, say: Say) -> str:
    """Why an audit could not go on; nothing if it could, or if that says it all by its code."""
    problem = reported.summary.problem
    if problem is None or not say.has(problem.code) or reported.summary.partial != "failed":
        return ""
    text = say("audit_stopped", problem=say.saying(problem))
    return f"{text[:1].upper()}{text[1:]}."


def cause_sentence(cause: Cause | RatedCause, say: Say) -> str:
    if say.has(cause.code):
        return say.of(cause.code, cause.data)
    hypothesis = say(f"name_{cause.hypothesis}")
    if not (isinstance(cause, Cause) and cause.operation):
        return f"{hypothesis}."
    return say("cause_of_kind", hypothesis=hypothesis, call=call_of(cause, say))


def operation_of(call: BlamedCall | Cause | Alternative | NearbyCall, say: Say) -> str:
    """What was done, as a person names it: the kernel, the function, what the host did itself."""
    if call.kernel:
        return short_name(call.kernel)
    return say("host_touch") if call.call == _HOST_TOUCH else call.call or ""


def call_of(call: BlamedCall | Cause | Alternative | ProgramEnding, say: Say) -> str:
    name = (call.call or "") if isinstance(call, ProgramEnding) else operation_of(call, say)
    return f"{name} (#{call.seq})" if call.seq is not None else name


def gap_sentence(gap: tuple[str, str], say: Say) -> str:
    name, detail = gap
    sentence = say(f"gap_{name.lower()}")
    count = _COUNT.match(detail)
    return f"{sentence} ({grouped(int(count[0]))})" if count else sentence


def approximate_sentence(kernels: Iterable[tuple[str, Sequence[str]]], say: Say) -> str:
    """Where the simulated device's arithmetic is not hardware's to the last bit."""
    found: dict[str, dict[str, None]] = {}  # instances of a template are one place
    for kernel, names in kernels:
        found.setdefault(short_name(kernel), {}).update(dict.fromkeys(names))
    near = [f"{kernel} ({', '.join(names)})" for kernel, names in found.items()]
    more = [f"+{len(near) - _MOST_KERNELS}"] if len(near) > _MOST_KERNELS else []
    return say("approximate", places="; ".join([*near[:_MOST_KERNELS], *more]))


_MOST_KERNELS: Final = 8
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
