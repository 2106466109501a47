"""The lines of a log, whatever is in them, and numbers as logs spell them.

Memory is bounded by the longest line that is kept, time by the length of the file: what is longer
is cut, and says so. Colours, carriage returns and bytes that are no UTF-8 do not matter below.
"""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from greta.errors import OutsideError
from greta.outside import open_outside

LONGEST: Final = 16 << 10
_CHUNK: Final = 1 << 20
# Real escapes, and two ways in which pagers and mail write them. No repetition is nested.
_ESCAPES: Final = re.compile(r"(?:\x1b|\^\[|ESC)\[[0-9;?]{0,32}[A-Za-z]")


class LogLine(NamedTuple):
    """One line; `cut` if its end is missing, so that its last word may be half a word."""

    number: int
    offset: int
    """Where it begins in the file."""
    text: str
    cut: bool


_MARKED: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
"""By what Windows' tools put at the beginning of a file."""
_TOLD: Final = (
    *(
        "data",
        "log",
        "message",
        "msg",
        "MESSAGE",
        "textPayload",
        "fields.message",
        "jsonPayload.message",
    ),
    *("text", "event", "line", "Body", "body"),
)
"""The field of a logger that writes JSON, Docker's and journald's too, in which the message is; a
point leads to a field of a field."""
_OF_OTHERS_TOO: Final = ("text", "event", "line", "Body", "body")
"""Data sets and chats have these fields; a logger tells a time or a level beside them."""
_OF_A_STREAM: Final = "data"
"""What a program wrote, where its launcher says beside it to which stream."""
_STREAMS: Final = frozenset(("stdout", "stderr"))
_STAMPS: Final = frozenset(
    (
        *("time", "timestamp", "@timestamp", "ts", "asctime", "level", "levelname", "severity"),
        *("record", "Timestamp", "SeverityText"),
    )
)
_ALSO_TOLD: Final = (
    *("exception", "exc_info", "stack", "traceback", "error.stack_trace", "exception.stacktrace"),
    *("error", "err", "error.message", "err.message", "fields.error", "exception.message"),
)
_ARE_ERRORS: Final = ("error", "err", "error.message", "err.message", "fields.error")
"""Their names say that what is in them failed."""
_CALLS: Final = ("call", "op", "api", "function", "fields.call", "fields.op", "fields.api")
"""The fields that may name the call which failed."""
_IS_CALL: Final = re.compile(r"hip[A-Z]\w{1,60}(?:\(\))?")
_LEVELS: Final = (
    *("level", "severity", "levelname", "level_name", "log.level", "lvl", "loglevel", "log_level"),
    *("SeverityText", "severityText", "severity_text", "@l", "fields.level", "record.level.name"),
)
"""The fields in which loggers put how bad it is."""
_WORDS_OF_LEVELS: Final = {
    "debug": ("trace", "debug", "verbose", "fine", "finer", "finest"),
    "info": ("info", "information", "informational", "notice", "success"),
    "warn": ("warn", "warning"),
    "error": (
        *("err", "error", "severe", "fatal", "crit", "critical", "alert", "emerg", "emergency"),
        *("panic", "dpanic"),
    ),
}
_LEVEL_OF: Final = {word: level for level, words in _WORDS_OF_LEVELS.items() for word in words}
_NUMBERS_OF_LEVELS: Final = dict(
    zip((10, 20, 30, 40, 50, 60), ("debug", "debug", "info", "warn", "error", "error"), strict=True)
)
"""As loggers of Node.js count. Lower numbers mean something else to each logger."""


def _wide(start: bytes) -> tuple[str, int] | None:
    """The encoding of UTF-16, and how long its mark is; English in it has every second byte 0."""
    if found := _MARKED.get(start[:2]):
        return found, 2
    even, odd = start[::2], start[1::2]
    for zeros, others, name in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if len(zeros) > 8 and zeros.count(0) * 10 > 9 * len(zeros) and not others.count(0):
            return name, 0
    return None


def first_bytes(path: Path) -> bytes:
    """By which it can be told what a file is; UTF-16 as UTF-8. Raises OSError."""
    with open_outside(path) as file:
        start = file.read(LONGEST)
    wide = _wide(start[:256])
    return start[wide[1] :].decode(wide[0], "replace").encode() if wide else start


def read_lines(path: Path) -> Iterator[LogLine]:
    """All lines of a file; raises OSError, and OutsideError of what is no regular file.

    A message of a logger that writes JSON may have several lines; they have one number.
    """
    with open_outside(path) as file:
        start = file.read(LONGEST)
        wide = _wide(start[:256])
        file.seek(wide[1] if wide else 0)
        labelled = not wide and _is_labelled(start)
        found = _wide_lines(file, *wide) if wide else _raw_lines(file)
        for number, (offset, raw, cut) in enumerate(found, start=1):
            text = clean(raw)
            text = _LABEL.sub(r"[rank\1]: ", text, count=1) if labelled else text
            if "\n" not in text:
                yield LogLine(number, offset, text, cut)
            else:
                for part in text.split("\n"):
                    yield LogLine(number, offset, part, cut)


_LABEL: Final = re.compile(r"^ {0,5}(\d{1,5}): ?")
_CTEST: Final = re.compile(
    rb"^(?:UpdateCTestConfiguration\b| {0,5}(?:\d{1,5}: )?Test command: "
    rb"| {0,8}Start {1,6}\d{1,6}: )",
    re.MULTILINE,
)
"""Its numbers before lines are those of tests."""


def _is_labelled(start: bytes) -> bool:
    """Whether lines begin with the number of their task, as `srun --label` writes.

    Numbers of lines look alike, but none of them comes twice.
    """
    if _CTEST.search(start):
        return False
    lines = [line for line in start.decode("utf-8", "replace").split("\n") if line.strip()]
    found = [label[1] for line in lines if (label := _LABEL.match(line))]
    return len(found) * 2 > len(lines) and 1 < len(set(found)) < len(found)


def line_at(path: Path, offset: int) -> str:
    """The line that begins there; empty if the file is gone."""
    try:
        with open_outside(path) as file:
            wide = _wide(file.read(256))
            file.seek(offset)
            if wide:
                text = file.read(2 * LONGEST).decode(wide[0], "replace")
                return clean(text.partition("\n")[0].encode()).replace("\n", " ")
            return clean(file.readline(LONGEST)).replace("\n", " ")
    except (OSError, OutsideError):
        return ""


def clean(raw: bytes) -> str:
    """As text, without colours and without the end of the line."""
    text = raw.decode("utf-8", "replace").lstrip("\ufeff").rstrip("\r\n")
    text = _unwrapped(text) if text.startswith("{") and text.endswith("}") else text
    text = _without_values(text) if 'msg="' in text or 'message="' in text else text
    # What a progress bar has overwritten is not what it ended with.
    text = text.rpartition("\r")[2] if "\r" in text else text
    return _ESCAPES.sub("", text) if "[" in text else text


_VALUES: Final = re.compile(
    r'(?:[\w.]{1,40}=(?:"(?:[^"\\]|\\.)*"|[^\s"]*) ){1,20}(?:msg|message)="((?:[^"\\]|\\.)*)"( .*)?'
)
_STAMP: Final = re.compile(r"(?:^| )((?:time|ts|t|level|lvl|severity)=[^ \"]{1,80})(?= )")
_ESCAPED: Final = re.compile(r'\\([nt"\\])')
_UNESCAPED: Final = {"n": "\n", "t": "\t"}


def _without_values(text: str) -> str:
    """The message of a logger that writes key="value", its time and level before each line."""
    found = _VALUES.fullmatch(text)
    if found is None:
        return text
    stamps = " ".join(_STAMP.findall(text[: found.start(1)]))
    told = _ESCAPED.sub(lambda one: _UNESCAPED.get(one[1], one[1]), found[1])
    return "\n".join(f"{stamps} {one}" for one in told.split("\n")) + (found[2] or "")


def _unwrapped(text: str) -> str:
    """What a logger that writes JSON was given; of other JSON nothing is a program's own word."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(found, dict):
        return text
    told = next((_field(found, key) for key in _TOLD if _is_told(found, key)), None)
    level, call = _level(found), _call(found)
    more = [
        f"{level}: {call}{part}" if level and key in _ARE_ERRORS else part
        for key in _ALSO_TOLD
        if (part := _field(found, key))
    ]
    parts = [part for part in (told, *more) if part]
    return "\n".join(parts).replace("\r", "").rstrip("\n") if parts else text


def _call(found: dict[str, object]) -> str:
    named = (one for key in _CALLS if (one := _field(found, key)) and _IS_CALL.fullmatch(one))
    return next((f"{one}: " for one in named), "")


def _level(found: dict[str, object]) -> str | None:
    """What a word says is surer than a number, which loggers count differently."""
    values = [_value(found, key) for key in _LEVELS]
    words = (_LEVEL_OF.get(one.strip().lower()) for one in values if isinstance(one, str))
    numbers = (_NUMBERS_OF_LEVELS.get(one) for one in values if isinstance(one, int))
    return next((one for one in (*words, *numbers) if one), None)


def _is_told(found: dict[str, object], key: str) -> bool:
    if key == _OF_A_STREAM:
        values = (one for one in found.values() if isinstance(one, str))
        return any(one in _STREAMS for one in values) and _field(found, key) is not None
    is_loggers = key not in _OF_OTHERS_TOO or not _STAMPS.isdisjoint(found)
    return is_loggers and _field(found, key) is not None


def _field(found: dict[str, object], key: str) -> str | None:
    value = _value(found, key)
    return value if isinstance(value, str) else None


def _value(found: dict[str, object], key: str) -> object:
    value = found.get(key)
    outer, _, inner = key.partition(".")
    if value is None and inner and isinstance(within := found.get(outer), dict):
        return _value(within, inner)
    return value


def _wide_lines(file: BinaryIO, encoding: str, offset: int) -> Iterator[tuple[int, bytes, bool]]:
    """The same of UTF-16; the rest of a long line counts as a line that is cut."""
    text = io.TextIOWrapper(file, encoding, "replace", newline="\n")
    try:
        while line := text.readline(LONGEST):
            yield offset, line.encode("utf-8", "replace"), not line.endswith("\n")
            offset += len(line.encode(encoding, "replace"))
    finally:
        text.detach()  # the file is its opener's to close


def _raw_lines(file: BinaryIO) -> Iterator[tuple[int, bytes, bool]]:
    """Offset, the first LONGEST bytes, whether more is missing."""
    offset, begin, kept, skipping = 0, 0, b"", False
    while chunk := file.read(_CHUNK):
        at = 0
        while (end := chunk.find(b"\n", at)) >= 0:
            if skipping:
                yield begin, kept, True
            else:
                whole = kept + chunk[at : min(end, at + LONGEST + 1)]
                yield begin, whole[:LONGEST], len(whole) > LONGEST
            at, kept, skipping = end + 1, b"", False
            begin = offset + at
        if not skipping:
            kept += chunk[at : at + LONGEST + 1]
            skipping = len(kept) > LONGEST
            kept = kept[:LONGEST]
        offset += len(chunk)
    if kept:
        yield begin, kept, True


_MOST: Final = 12
_MONTHS: Final = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_LEVEL: Final = "trace|debug|info|notice|warn|warning|error|critical|fatal"
# One prefix each; no repetition is nested, and each takes at least one character.
_PREFIX: Final = re.compile(
    rf"\s{{1,200}}"
    rf"|(?:{_MONTHS}) {{1,2}}\d{{1,2}} \d\d:\d\d:\d\d[.\d]{{0,10}} [\w.-]{{1,80}} "
    r"|\d{4}-\d\d-\d\dT[\d:.,+-]{1,40}Z? [\w.-]{1,80} (?=[\w./@-]{1,80}\[\d{1,10}\]: )"
    r"|\d[\d:.,T/+Z-]{0,40}(?=\s)"
    r"|(?:time|ts|t|level|lvl|severity)=\S{1,80}(?=\s)"
    r"|\[\d{1,6},\d{1,6}\]<\w{1,10}>:"
    r"|[IWEF]\d{4} [\d:.]{8,18} {1,6}\d{1,10} \S{1,200}:\d{1,7}\]"
    rf"|(?:- [\w.]{{1,80}} )?- (?:{_LEVEL}) -|\| (?:{_LEVEL}) {{1,10}}\| [\w.:<>]{{1,120}} -"
    r"|\[[^\]]{0,80}\]:?"
    r"|\([^)]{0,60}\)"
    r"|(?:std(?:err|out))(?: [FP])?(?=\s)"
    rf"|(?:{_LEVEL}):[\w.]{{1,80}}:(?=\S)"
    rf"|(?:{_LEVEL}|[iwedf])(?=[\s:|])[:|]?"
    r"|[\w./@-]{1,80}(?:\[\d{1,10}\])?:(?=\s)"
    r"|[\w.-]{1,80} {0,20}\|(?=\s)",
    re.IGNORECASE,
)


def message_of(text: str, known: tuple[str, ...] = (), most: int = _MOST) -> str:
    """The line without prefixes; `known` messages begin like one themselves."""
    return text[prefixes(text, known, most)[1] :]


def prefixes(text: str, known: tuple[str, ...] = (), most: int = _MOST) -> tuple[int, int]:
    """How many there are, and where they end."""
    at = count = 0
    while count < most and (found := _PREFIX.match(text, at)) and not text.startswith(known, at):
        at, count = found.end(), count + 1
    return count, at


_PROCESS: Final = re.compile(r"\([^()]{0,80}\bpid=(\d{1,9})\b[^()]{0,80}\)")
_RANK: Final = re.compile(
    r"\[(?:rank ?|default|PG[^\[\]]{1,60} Rank |Rank )(\d{1,6})\]|\[\d{1,6},(\d{1,6})\]<std"
    r"|[ (_]TP(\d{1,4})[\])_ ]|\([^()]{0,60}\brank=(\d{1,6})\b|\[(\d{1,6})\]PETSC ERROR"
    r"|\bERROR on proc (\d{1,6}):|\bAbort::(\d{1,6})::"
)


class Speaker(NamedTuple):
    """Who printed a line, as its launcher or logger put before it; 0 and None: not said."""

    pid: int = 0
    rank: int | None = None
    test: int = 0
    """The number of one of CTest's."""


def speaker_of(text: str) -> Speaker:
    start = text[:200]
    process = _PROCESS.search(start) if "pid=" in start else None
    rank = _RANK.search(start)
    named = next((int(one) for one in rank.groups() if one), None) if rank else None
    return Speaker(int(process[1]) if process else 0, named)


# --- numbers as logs spell them; what is no whole number is None, never a guess -------------------

_HEX: Final = re.compile(r"(?:0x){0,2}([0-9a-f]{1,16})")
_DECIMAL: Final = re.compile(r"-?[0-9]{1,20}")
_LARGEST: Final = (1 << 64) - 1


def address(text: str) -> int | None:
    """Hexadecimal, with one 0x, two (some printers double it) or none; null in three spellings.

    A program that set a locale groups digits: 0x7fb,bb5,821,380.
    """
    word = text.strip().lower()
    if word in ("(nil)", "nil", "<null>", "null", "nullptr"):
        return 0
    found = _HEX.fullmatch(word.replace(",", ""))
    return int(found[1], 16) if found else None


def count(text: str) -> int | None:
    """Decimal, or hexadecimal with 0x; digits may be grouped."""
    word = text.strip().lower().replace(",", "")
    if word.startswith("0x"):
        return address(word)
    if not _DECIMAL.fullmatch(word):
        return None
    value = int(word)
    return value if -_LARGEST <= value <= _LARGEST else None
