"""Reads the lines of greta.engine.d2h to the letter, for what greta.trace.logs would forgive.

Nothing is guessed: a line in another spelling, order or number base is an error that names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from greta.engine.d2h.transfer import OpId


class LineError(ValueError):
    """A line that is not in the format; `line` is its number, counted from 1."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(line, problem)
        self.line = line
        self.problem = problem

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem}"


class AuditStart(NamedTuple):
    """A copy is about to be queued; `ts` is in microseconds since 1970."""

    line: int
    op_id: OpId
    ts: int
    stream: int
    dev_ptr: int
    host_ptr: int
    bytes: int
    tensor: str
    step: int
    layer: int


class AuditEnd(NamedTuple):
    """The same copy has arrived or failed."""

    line: int
    op_id: OpId
    ts: int
    stream: int
    result: str
    tensor: str


class Engaged(NamedTuple):
    """Debug mode looks at a transfer."""

    line: int
    tensor: str


class Check(NamedTuple):
    """What debug mode knows about it."""

    line: int
    tensor: str
    step: int
    layer: int
    src_ptr: int
    dst_ptr: int
    offset: int
    size: int
    alloc: int


class Bounds(NamedTuple):
    """Refused: the bytes are not all in the allocation."""

    line: int
    tensor: str
    offset: int
    size: int
    alloc: int


class CopySucceeded(NamedTuple):
    """Debug mode saw it arrive."""

    line: int
    result: str


class CopyFailed(NamedTuple):
    """Debug mode saw it fail."""

    line: int
    tensor: str
    error: str


class SyncFailed(NamedTuple):
    """Debug mode found that the stream had failed before it."""

    line: int
    tensor: str
    error: str


class Failed(NamedTuple):
    """What D2HError said."""

    line: int
    message: str


class TraceBefore(NamedTuple):
    """Traced: a copy is about to be queued."""

    line: int
    tensor: str
    src_ptr: int
    bytes: int
    stream: int


class TraceAfter(NamedTuple):
    """Traced: it has arrived."""

    line: int
    tensor: str
    dst_ptr: int
    bytes: int


class TraceFatal(NamedTuple):
    """Traced: it failed, and the process aborted."""

    line: int
    tensor: str
    src_ptr: int
    dst_ptr: int
    bytes: int
    error: str


Record = (
    AuditStart
    | AuditEnd
    | Engaged
    | Check
    | Bounds
    | CopySucceeded
    | CopyFailed
    | SyncFailed
    | Failed
    | TraceBefore
    | TraceAfter
    | TraceFatal
)


class Pair(NamedTuple):
    """One transfer; `end` is None if the process ended first."""

    start: AuditStart
    end: AuditEnd | None


class _Kind(NamedTuple):
    """How a value is spelled."""

    what: str
    pattern: re.Pattern[str]
    read: Callable[[str], int | str]


_ADDRESS = _Kind(
    "hexadecimal with 0x",
    re.compile(r"0x(0|[1-9a-f][0-9a-f]{0,15})|\(nil\)"),
    lambda text: 0 if text == "(nil)" else int(text, 16),
)
_COUNT = _Kind("decimal", re.compile(r"0|[1-9][0-9]{0,19}"), int)
_SIGNED = _Kind("decimal", re.compile(r"-?[1-9][0-9]{0,19}|0"), int)
_INDEX = _Kind("decimal, or -1", re.compile(r"-1|0|[1-9][0-9]{0,9}"), int)
_TIME = _Kind(
    "seconds with six decimals",
    re.compile(r"(?:0|[1-9][0-9]{0,11})\.[0-9]{6}"),
    lambda text: int(text.replace(".", "")),
)
_WORD = _Kind("one word", re.compile(r"[!-~]+"), str)
_RESULT = _Kind("the name of a HIP error", re.compile(r"hip[A-Z][A-Za-z0-9]*"), str)
_TEXT = _Kind("a text", re.compile(r"[ -~]+"), str)

_Fields = tuple[tuple[str, _Kind], ...]
_Make = Callable[..., Record]

# Lines of words "name=value", in this order.
_WORDS: dict[str, tuple[_Make, _Fields]] = {
    "[D2H_AUDIT_START] ": (
        AuditStart,
        (
            ("op_id", _COUNT),
            ("ts", _TIME),
            ("stream", _ADDRESS),
            ("dev_ptr", _ADDRESS),
            ("host_ptr", _ADDRESS),
            ("bytes", _COUNT),
            ("tensor", _WORD),
            ("step", _INDEX),
            ("layer", _INDEX),
        ),
    ),
    "[D2H_AUDIT_END] ": (
        AuditEnd,
        (
            ("op_id", _COUNT),
            ("ts", _TIME),
            ("stream", _ADDRESS),
            ("result", _RESULT),
            ("tensor", _WORD),
        ),
    ),
    "[D2H_CHECK] ": (
        Check,
        (
            ("tensor", _WORD),
            ("step", _INDEX),
            ("layer", _INDEX),
            ("src_ptr", _ADDRESS),
            ("dst_ptr", _ADDRESS),
            ("offset", _COUNT),
            ("size", _COUNT),
            ("alloc", _COUNT),
        ),
    ),
    "[D2H_BOUNDS] ": (
        Bounds,
        (("tensor", _WORD), ("offset", _SIGNED), ("size", _SIGNED), ("alloc", _COUNT)),
    ),
}

# A line that names the tensor, and lines "  name=value" below it, in this order.
_BLOCKS: dict[tuple[str, str], tuple[_Make, _Fields]] = {
    ("[D2H TRACE] ", ":before"): (
        TraceBefore,
        (("src_ptr", _ADDRESS), ("bytes", _COUNT), ("stream", _ADDRESS)),
    ),
    ("[D2H TRACE] ", ":after"): (TraceAfter, (("dst_ptr", _ADDRESS), ("bytes", _COUNT))),
    ("[D2H FATAL] ", ":FAILED"): (
        TraceFatal,
        (
            ("src_ptr", _ADDRESS),
            ("dst_ptr", _ADDRESS),
            ("bytes", _COUNT),
            ("hipError", _TEXT),
        ),
    ),
}

# Sentences.
_SENTENCES: tuple[tuple[_Make, re.Pattern[str]], ...] = (
    (Engaged, re.compile(r"\[D2H(?: SAFE|_SAFE_WRAPPER)\] engaged for tensor=([!-~]+)")),
    (CopySucceeded, re.compile(r"\[D2H SAFE\] async copy succeeded: (hipSuccess)")),
    (CopyFailed, re.compile(r"\[D2H SAFE\] Async copy failed ([!-~]+): ([ -~]+)")),
    (SyncFailed, re.compile(r"\[D2H SAFE\] Stream sync failed before ([!-~]+): ([ -~]+)")),
    (Failed, re.compile(r"\[D2H_ERROR\] ([ -~]+)")),
)

_OURS = re.compile(r"\[D2H[ _][A-Z_]+\]")


def parse_log(text: str, *, skip_others: bool = False) -> list[Record]:
    """The records of a log; with `skip_others`, lines that are not of [D2H are passed over."""
    lines = text.split("\n")
    if lines.pop() != "":
        raise LineError(len(lines) + 1, "it is cut short: the end of the line is missing")
    return list(_records(lines, skip_others))


def pairs(records: Iterable[Record]) -> list[Pair]:
    """START and END by op_id, in the order of the starts."""
    found: dict[int, Pair] = {}
    open_line: dict[OpId, int] = {}
    for record in records:
        if isinstance(record, AuditStart):
            if record.op_id in open_line:
                earlier = open_line[record.op_id]
                raise LineError(record.line, f"op_id={record.op_id} is open since line {earlier}")
            open_line[record.op_id] = record.line
            found[record.line] = Pair(record, None)
        elif isinstance(record, AuditEnd):
            if record.op_id not in open_line:
                raise LineError(record.line, f"op_id={record.op_id} ends, but was not started")
            line = open_line.pop(record.op_id)
            found[line] = _joined(found[line].start, record)
    return list(found.values())


def _joined(start: AuditStart, end: AuditEnd) -> Pair:
    for field in ("tensor", "stream"):
        if getattr(start, field) != getattr(end, field):
            raise LineError(end.line, f"{field} is not that of line {start.line}, which it ends")
    return Pair(start, end)


def _records(lines: list[str], skip_others: bool) -> Iterator[Record]:
    at = 0
    while at < len(lines):
        if skip_others and not _OURS.match(lines[at]):
            at += 1
            continue
        record, used = _record(lines, at)
        yield record
        at += used


def _record(lines: list[str], at: int) -> tuple[Record, int]:
    line = lines[at]
    for tag, (make, fields) in _WORDS.items():
        if line.startswith(tag):
            return make(at + 1, *_words(line[len(tag) :], fields, at + 1)), 1
    for (tag, suffix), (make, fields) in _BLOCKS.items():
        if line.startswith(tag) and line.endswith(suffix):
            name = _value(line[len(tag) : -len(suffix)], "tensor", _WORD, at + 1)
            return make(at + 1, name, *_below(lines, at + 1, fields)), 1 + len(fields)
    for make, pattern in _SENTENCES:
        if match := pattern.fullmatch(line):
            return make(at + 1, *match.groups()), 1
    raise LineError(at + 1, f"{_shown(line)} is no line of a D2H log")


def _words(text: str, fields: _Fields, line: int) -> Iterator[int | str]:
    words = text.split(" ")
    for index, (name, kind) in enumerate(fields):
        if index >= len(words):
            raise LineError(line, f"{name}= is missing")
        yield _field(words[index], name, kind, line)
    if len(words) > len(fields):
        raise LineError(line, f"{_shown(words[len(fields)])} is one word too many")


def _below(lines: list[str], at: int, fields: _Fields) -> Iterator[int | str]:
    for index, (name, kind) in enumerate(fields, start=at):
        if index >= len(lines) or not lines[index].startswith("  "):
            raise LineError(index + 1, f"'  {name}=' is missing below line {at}")
        yield _field(lines[index][2:], name, kind, index + 1)


def _field(word: str, name: str, kind: _Kind, line: int) -> int | str:
    if not word.startswith(f"{name}="):
        raise LineError(line, f"expected {name}=, found {_shown(word)}")
    return _value(word[len(name) + 1 :], name, kind, line)


def _value(text: str, name: str, kind: _Kind, line: int) -> int | str:
    if not kind.pattern.fullmatch(text):
        raise LineError(line, f"{name} must be {kind.what}, not {_shown(text)}")
    return kind.read(text)


def _shown(text: str) -> str:
    return ascii(text if len(text) <= 60 else text[:57] + "...")
