"""tables.jsonl: what records refer to, read from lines that may be damaged or cut."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from greta.recording.files import Problems, opened

DEEPEST = 1024  # ranges within ranges; a chain that is longer is damage


@dataclass(frozen=True)
class ProcessEntry:
    """The program that was recorded. What is not known is empty."""

    pid: int = 0
    executable: str = ""
    arguments: tuple[str, ...] = ()
    folder: str = ""
    recorder: str = ""
    hip_library: str = ""
    hip_libraries: tuple[str, ...] = ()
    """All that were in the process, by their numbers; the first is hip_library."""
    bypassed_by: tuple[str, ...] = ()
    """Code whose calls may have gone past the recorder, or libraries whose calls may have."""


@dataclass(frozen=True)
class LibraryEntry:
    """Code that was loaded between two addresses; `base` is what to subtract from an address."""

    path: str
    begin: int
    end: int
    base: int
    build_id: str = ""
    since: int = 0  # ticks; before them something else may have been there


@dataclass(frozen=True)
class WordEntry:
    """One argument of a call: its name, its C type, and whether the call fills it."""

    name: str
    type: str
    out: bool = False
    holds: str = ""  # "struct", "array" or "text"


@dataclass(frozen=True)
class CallEntry:
    """A call, and how its words are to be read."""

    id: int
    name: str
    words: tuple[WordEntry, ...] = ()


@dataclass(frozen=True)
class ModuleEntry:
    """A code object that was loaded."""

    id: int
    handle: int
    bytes: int
    kind: str = ""
    targets: tuple[str, ...] = ()
    file: str = ""
    problem: str = ""


@dataclass(frozen=True)
class KernelParameter:
    """A parameter of a kernel, and where its value lies among the argument bytes."""

    offset: int
    bytes: int
    kind: str
    name: str = ""
    type: str = ""
    access: str = ""


@dataclass(frozen=True)
class KernelEntry:
    """A kernel of a module."""

    id: int
    module: int
    function: int
    name: str
    kernarg_bytes: int
    arguments: tuple[KernelParameter, ...] = ()


@dataclass(frozen=True)
class ScriptFrame:
    """A frame of a Python stack; `line_table` is CPython's, in hexadecimal."""

    file: str
    function: str
    first_line: int
    instruction: int
    line_table: str = ""


@dataclass(frozen=True)
class ScriptEntry:
    """A place in a Python program: its stack, innermost frame first."""

    id: int
    python: str
    frames: tuple[ScriptFrame, ...] = ()


@dataclass(frozen=True)
class AnnotationEntry:
    """A range that the program named; `parent` is the id of the one around it, 0 if none."""

    id: int
    text: str
    parent: int = 0


@dataclass
class Tables:
    """Everything tables.jsonl says."""

    process: ProcessEntry = field(default_factory=ProcessEntry)
    environment: dict[str, str] = field(default_factory=dict)
    libraries: list[LibraryEntry] = field(default_factory=list)
    calls: dict[int, CallEntry] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    modules: dict[int, ModuleEntry] = field(default_factory=dict)
    kernels: dict[int, KernelEntry] = field(default_factory=dict)
    scripts: dict[int, ScriptEntry] = field(default_factory=dict)
    annotations: dict[int, AnnotationEntry] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def call_name(self, call: int) -> str:
        """The name of a call, or its number if the tables do not name it."""
        entry = self.calls.get(call)
        return entry.name if entry else f"call {call}"

    def annotation_chain(self, annotation: int) -> tuple[AnnotationEntry, ...]:
        """An annotation and those around it, the outermost first."""
        chain: dict[int, AnnotationEntry] = {}
        while annotation in self.annotations and annotation not in chain and len(chain) < DEEPEST:
            chain[annotation] = self.annotations[annotation]
            annotation = chain[annotation].parent
        return tuple(reversed(chain.values()))


FILE = "tables.jsonl"
LONGEST_LINE = 4 << 20
LONGEST_SKIPPED = 64 << 20  # beyond this, what follows is not lines
CALL_LINE = b'{"t":"call",'
LONGEST_KEPT = 4096
LARGEST_ID = 0xFFFFFFFE
LARGEST_NUMBER = (1 << 64) - 1

Entry = TypeVar("Entry")


def read_tables(path: Path, problems: Problems, *, still_written: bool) -> Tables:
    """All lines that can be read. The last may be in the middle of being written."""
    tables = Tables()
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
    tables: Tables,
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
def _kept_call(line: bytes) -> CallEntry:
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


def _process(tables: Tables, fields: Fields) -> None:
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


def _environment(tables: Tables, fields: Fields) -> None:
    tables.environment[fields.text("name")] = fields.text("value")


def _library(tables: Tables, fields: Fields) -> None:
    addresses = {name: fields.address(name) for name in ("begin", "end", "base")}
    entry = LibraryEntry(
        path=fields.text("path"),
        build_id=fields.text("build_id", ""),
        since=fields.number("since", 0),
        **addresses,
    )
    tables.libraries.append(entry)


def _call(tables: Tables, fields: Fields) -> None:
    entry = _call_of(fields)
    _add(tables.calls, entry.id, entry)


def _call_of(fields: Fields) -> CallEntry:
    words = tuple(_word(text) for text in fields.texts("words"))
    return CallEntry(fields.id(), fields.text("name"), words)


def _word(text: str) -> WordEntry:
    parts = text.split(":")
    if len(parts) not in (3, 4):
        raise ValueError("has a word that is not name:type:direction")
    name, type_, direction, holds = [*parts, ""][:4]
    return WordEntry(name, type_, out=direction == "out", holds=holds)


def _text(tables: Tables, fields: Fields) -> None:
    _add(tables.texts, fields.id(), fields.text("text"))


def _module(tables: Tables, fields: Fields) -> None:
    entry = ModuleEntry(
        id=fields.id(),
        handle=fields.address("handle", "0x0"),
        bytes=fields.number("bytes", 0),
        targets=fields.texts("targets"),
        **{name: fields.text(name, "") for name in ("kind", "file", "problem")},
    )
    _add(tables.modules, entry.id, entry)


def _kernel(tables: Tables, fields: Fields) -> None:
    entry = KernelEntry(
        id=fields.id(),
        module=fields.number("module", 0),
        function=fields.address("function", "0x0"),
        name=fields.text("name", ""),
        kernarg_bytes=fields.number("kernarg_bytes", 0),
        arguments=tuple(_kernel_parameter(one) for one in fields.objects("arguments")),
    )
    _add(tables.kernels, entry.id, entry)


def _kernel_parameter(fields: Fields) -> KernelParameter:
    texts = {name: fields.text(name, "") for name in ("kind", "name", "type", "access")}
    return KernelParameter(fields.number("offset"), fields.number("bytes"), **texts)


def _script(tables: Tables, fields: Fields) -> None:
    frames = tuple(_frame(one) for one in fields.objects("frames"))
    entry = ScriptEntry(fields.id(), fields.text("python", ""), frames)
    _add(tables.scripts, entry.id, entry)


def _frame(fields: Fields) -> ScriptFrame:
    return ScriptFrame(
        file=fields.text("file", ""),
        function=fields.text("function", ""),
        first_line=fields.number("first_line", 0),
        instruction=fields.number("instruction", 0),
        line_table=fields.text("line_table", ""),
    )


def _annotation(tables: Tables, fields: Fields) -> None:
    entry = AnnotationEntry(fields.id(), fields.text("text"), fields.number("parent", 0))
    _add(tables.annotations, entry.id, entry)


def _note(tables: Tables, fields: Fields) -> None:
    tables.notes.append(fields.text("text"))


TAKE: dict[str, Callable[[Tables, Fields], None]] = {
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
