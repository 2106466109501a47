"""Reading tables.jsonl: one JSON object a line, of which any may be damaged or cut."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from greta.recording import entries as e
from greta.recording.files import opened
from greta.recording.problems import Problems

FILE = "tables.jsonl"
LONGEST_LINE = 4 << 20
LONGEST_SKIPPED = 64 << 20  # beyond this, what follows is not lines
CALL_LINE = b'{"t":"call",'
LONGEST_KEPT = 4096
LARGEST_ID = 0xFFFFFFFE
LARGEST_NUMBER = (1 << 64) - 1

Entry = TypeVar("Entry")


def read_tables(path: Path, problems: Problems, *, still_written: bool) -> e.Tables:
    """All lines that can be read. The last may be in the middle of being written."""
    tables = e.Tables()
    try:
        for number, offset, line in lines_of(path, problems):
            _take(tables, line, f"line {number}", offset, problems, still_written)
    except OSError as error:
        problems.add(FILE, None, f"cannot be read: {error.strerror or error}")
    return tables


def lines_of(path: Path, problems: Problems) -> Iterator[tuple[int, int, bytes]]:
    """Lines with number and offset; one that is too long is passed over."""
    with opened(path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
        number, offset = 0, 0
        while line := file.readline(LONGEST_LINE):
            number += 1
            length = len(line)
            if length < LONGEST_LINE or line.endswith(b"\n"):
                yield number, offset, line
            else:
                problems.add(
                    path.name, offset, f"line {number} is longer than {LONGEST_LINE} bytes"
                )
                length += _skip_line(file)
            offset += length


def _skip_line(file: Any) -> int:
    """To the next line, or to the end if there is none within reason; how many bytes that was."""
    skipped = 0
    while skipped < LONGEST_SKIPPED:
        part = file.readline(LONGEST_LINE)
        skipped += len(part)
        if not part or part.endswith(b"\n"):
            return skipped
    file.seek(0, os.SEEK_END)
    return skipped


def _take(
    tables: e.Tables,
    line: bytes,
    name: str,
    offset: int,
    problems: Problems,
    still_written: bool,
) -> None:
    try:
        if line.startswith(CALL_LINE) and len(line) <= LONGEST_KEPT:
            entry = _kept_call(line)
            _add(tables.calls, entry.id, entry)
        else:
            fields = _fields_of(line)
            TAKE[fields.text("t")](tables, fields)
    except RecursionError:
        problems.add(FILE, offset, f"{name} is nested too deeply; left out")
    except json.JSONDecodeError:
        if line.endswith(b"\n"):
            problems.add(FILE, offset, f"{name} is not JSON; left out")
        elif not still_written:
            problems.add(FILE, offset, f"{name} is cut off; left out")
    except ValueError as error:
        problems.add(FILE, offset, f"{name} {error}; left out")


@functools.lru_cache(maxsize=4096)
def _kept_call(line: bytes) -> e.CallEntry:
    """Of one line; every process of a run has the same few hundred."""
    fields = _fields_of(line)
    if fields.text("t") != "call":
        raise ValueError("names its kind twice")
    return _call_of(fields)


def _fields_of(line: bytes) -> Fields:
    fields = fields_of(line)
    kind = fields.text("t")
    if kind not in TAKE:
        raise ValueError(f"is of an unknown kind, {kind[:40]!r}")
    return fields


def fields_of(line: bytes) -> Fields:
    """The object of a line; ValueError if it is none."""
    value = json.loads(line.decode("utf-8", "surrogateescape"), parse_int=_small_number)
    if not isinstance(value, dict):
        raise ValueError("is not an object")
    return Fields(value)


def _small_number(digits: str) -> int:
    """Numbers with a million digits take a long time to read."""
    if len(digits) > 20:
        raise ValueError("has a number that is too large")
    return int(digits)


class Fields:
    """The fields of an object, each checked for its type."""

    def __init__(self, value: dict[str, Any]) -> None:
        self._value = value

    def has(self, name: str) -> bool:
        """Whether there is such a field."""
        return self._value.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        """A text."""
        value = self._value.get(name, default)
        if not isinstance(value, str):
            raise ValueError(f"has no text {name!r}")
        return value

    def number(self, name: str, default: int | None = None) -> int:
        """A whole number, of 64 bits and not negative."""
        value = self._value.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"has no number {name!r}")
        if not 0 <= value <= LARGEST_NUMBER:
            raise ValueError(f"has a number {name!r} out of range")
        return value

    def id(self) -> int:
        """The number by which others refer to the entry."""
        value = self.number("id")
        if not 1 <= value <= LARGEST_ID:
            raise ValueError("has an id out of range")
        return value

    def address(self, name: str, default: str | None = None) -> int:
        """An address, written as text."""
        text = self.text(name, default)
        if not text.startswith("0x") or len(text) > 18:
            raise ValueError(f"has no address {name!r}")
        try:
            return int(text[2:], 16)
        except ValueError:
            raise ValueError(f"has no address {name!r}") from None

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; empty if there is none."""
        values = self._value.get(name, [])
        if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
            raise ValueError(f"has no list of texts {name!r}")
        return tuple(values)

    def numbers(self, name: str) -> list[int]:
        """A list of whole numbers; empty if there is none."""
        values = self._value.get(name, [])
        if not isinstance(values, list) or not all(type(v) is int and v >= 0 for v in values):
            raise ValueError(f"has no list of numbers {name!r}")
        if any(value > LARGEST_NUMBER for value in values):
            raise ValueError(f"has a number in {name!r} out of range")
        return values

    def objects(self, name: str) -> list[Fields]:
        """A list of objects; empty if there is none."""
        values = self._value.get(name, [])
        if not isinstance(values, list) or not all(isinstance(v, dict) for v in values):
            raise ValueError(f"has no list of objects {name!r}")
        return [Fields(value) for value in values]


def _add(entries: dict[int, Entry], id_: int, entry: Entry) -> None:
    known = entries.setdefault(id_, entry)
    if known is not entry and known != entry:
        raise ValueError(f"gives the id {id_} a second meaning")


def _process(tables: e.Tables, fields: Fields) -> None:
    known = tables.process
    texts = ("executable", "folder", "recorder", "hip_library")
    tables.process = replace(
        known,
        pid=fields.number("pid", known.pid),
        arguments=_texts(fields, "arguments", known.arguments),
        hip_libraries=_texts(fields, "hip_libraries", known.hip_libraries),
        bypassed_by=_texts(fields, "bypassed_by", known.bypassed_by),
        **{name: fields.text(name, getattr(known, name)) for name in texts},
    )


def _texts(fields: Fields, name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    return fields.texts(name) if fields.has(name) else known


def _environment(tables: e.Tables, fields: Fields) -> None:
    tables.environment[fields.text("name")] = fields.text("value")


def _library(tables: e.Tables, fields: Fields) -> None:
    addresses = {name: fields.address(name) for name in ("begin", "end", "base")}
    entry = e.LibraryEntry(
        path=fields.text("path"),
        build_id=fields.text("build_id", ""),
        since=fields.number("since", 0),
        **addresses,
    )
    tables.libraries.append(entry)


def _call(tables: e.Tables, fields: Fields) -> None:
    entry = _call_of(fields)
    _add(tables.calls, entry.id, entry)


def _call_of(fields: Fields) -> e.CallEntry:
    words = tuple(_word(text) for text in fields.texts("words"))
    return e.CallEntry(fields.id(), fields.text("name"), words)


def _word(text: str) -> e.WordEntry:
    parts = text.split(":")
    if len(parts) not in (3, 4):
        raise ValueError("has a word that is not name:type:direction")
    name, type_, direction, holds = [*parts, ""][:4]
    return e.WordEntry(name, type_, out=direction == "out", holds=holds)


def _text(tables: e.Tables, fields: Fields) -> None:
    _add(tables.texts, fields.id(), fields.text("text"))


def _module(tables: e.Tables, fields: Fields) -> None:
    entry = e.ModuleEntry(
        id=fields.id(),
        handle=fields.address("handle", "0x0"),
        bytes=fields.number("bytes", 0),
        targets=fields.texts("targets"),
        **{name: fields.text(name, "") for name in ("kind", "file", "problem")},
    )
    _add(tables.modules, entry.id, entry)


def _kernel(tables: e.Tables, fields: Fields) -> None:
    entry = e.KernelEntry(
        id=fields.id(),
        module=fields.number("module", 0),
        function=fields.address("function", "0x0"),
        name=fields.text("name", ""),
        kernarg_bytes=fields.number("kernarg_bytes", 0),
        arguments=tuple(_kernel_parameter(one) for one in fields.objects("arguments")),
    )
    _add(tables.kernels, entry.id, entry)


def _kernel_parameter(fields: Fields) -> e.KernelParameter:
    texts = {name: fields.text(name, "") for name in ("kind", "name", "type", "access")}
    return e.KernelParameter(fields.number("offset"), fields.number("bytes"), **texts)


def _script(tables: e.Tables, fields: Fields) -> None:
    frames = tuple(_frame(one) for one in fields.objects("frames"))
    entry = e.ScriptEntry(fields.id(), fields.text("python", ""), frames)
    _add(tables.scripts, entry.id, entry)


def _frame(fields: Fields) -> e.ScriptFrame:
    return e.ScriptFrame(
        file=fields.text("file", ""),
        function=fields.text("function", ""),
        first_line=fields.number("first_line", 0),
        instruction=fields.number("instruction", 0),
        line_table=fields.text("line_table", ""),
    )


def _annotation(tables: e.Tables, fields: Fields) -> None:
    entry = e.AnnotationEntry(fields.id(), fields.text("text"), fields.number("parent", 0))
    _add(tables.annotations, entry.id, entry)


def _note(tables: e.Tables, fields: Fields) -> None:
    tables.notes.append(fields.text("text"))


TAKE: dict[str, Callable[[e.Tables, Fields], None]] = {
    "annotation": _annotation,
    "call": _call,
    "environment": _environment,
    "kernel": _kernel,
    "library": _library,
    "module": _module,
    "note": _note,
    "process": _process,
    "script": _script,
    "text": _text,
}
