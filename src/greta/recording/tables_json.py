"""tables.jsonl: what records refer to, read from lines that may be damaged or cut."""

from __future__ import annotations

import functools
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, field, is_dataclass, replace
from dataclasses import fields as fields_in
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from greta.recording.files import Problems, opened

Id = Annotated[int, "by which others refer to the entry"]
Address = Annotated[int, "written as text"]

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
    begin: Address
    end: Address
    base: Address
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

    id: Id
    name: str
    words: tuple[WordEntry, ...] = ()


@dataclass(frozen=True)
class ModuleEntry:
    """A code object that was loaded."""

    id: Id
    handle: Address = 0
    bytes: int = 0
    kind: str = ""
    targets: tuple[str, ...] = ()
    file: str = ""
    problem: str = ""


@dataclass(frozen=True)
class KernelParameter:
    """A parameter of a kernel, and where its value lies among the argument bytes."""

    offset: int
    bytes: int
    kind: str = ""
    name: str = ""
    type: str = ""
    access: str = ""


@dataclass(frozen=True)
class KernelEntry:
    """A kernel of a module."""

    id: Id
    module: int = 0
    function: Address = 0
    name: str = ""
    kernarg_bytes: int = 0
    arguments: tuple[KernelParameter, ...] = ()


@dataclass(frozen=True)
class ScriptFrame:
    """A frame of a Python stack; `line_table` is CPython's, in hexadecimal."""

    file: str = ""
    function: str = ""
    first_line: int = 0
    instruction: int = 0
    line_table: str = ""


@dataclass(frozen=True)
class ScriptEntry:
    """A place in a Python program: its stack, innermost frame first."""

    id: Id
    python: str = ""
    frames: tuple[ScriptFrame, ...] = ()


@dataclass(frozen=True)
class StackEntry:
    """Who made a call: return addresses, innermost first, then the Python frames of `script`."""

    id: Id
    call: int = 0
    script: int = 0
    frames: tuple[Address, ...] = ()
    cut: int = 0


@dataclass(frozen=True)
class AnnotationEntry:
    """A range that the program named; `parent` is the id of the one around it, 0 if none."""

    id: Id
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
    stacks: dict[int, StackEntry] = field(default_factory=dict)
    annotations: dict[int, AnnotationEntry] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def script(self, stack: int) -> ScriptEntry | None:
        """The Python frames of what a record calls its stack, which may be a script itself."""
        found = self.stacks.get(stack)
        return self.scripts.get(found.script if found else stack)

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
    read_lines(path, lambda line: _take(tables, line), problems, still_written=still_written)
    return tables


def read_lines(
    path: Path,
    take: Callable[[bytes], None],
    problems: Problems,
    *,
    still_written: bool,
    largest: int = sys.maxsize,
) -> None:
    """Gives each line to `take`, which raises ValueError that says what is wrong with it."""
    try:
        for number, offset, line in _lines_of(path, problems, largest):
            if wrong := _wrong_with(line, take, still_written):
                problems.add(path.name, offset, f"line {number} {wrong}; left out")
    except OSError as error:
        problems.add(path.name, None, f"cannot be read: {error.strerror or error}")


def _wrong_with(line: bytes, take: Callable[[bytes], None], still_written: bool) -> str:
    try:
        take(line)
    except RecursionError:
        return "is nested too deeply"
    except json.JSONDecodeError:
        if line.endswith(b"\n"):
            return "is not JSON"
        return "" if still_written else "is cut off"
    except ValueError as error:
        return str(error)
    return ""


def _lines_of(path: Path, problems: Problems, largest: int) -> Iterator[tuple[int, int, bytes]]:
    """Lines with number and offset; one that is too long is passed over."""
    with opened(path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
        if os.fstat(descriptor).st_size > largest:
            problems.add(path.name, largest, "is too large; what follows is left out")
        number, offset = 0, 0
        while offset <= largest and (line := file.readline(LONGEST_LINE)):
            number += 1
            length = len(line)
            if length < LONGEST_LINE or line.endswith(b"\n"):
                yield number, offset, line
            else:
                what = f"line {number} is longer than {LONGEST_LINE} bytes"
                problems.add(path.name, offset, what)
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


def _take(tables: Tables, line: bytes) -> None:
    if line.startswith(CALL_LINE) and len(line) <= LONGEST_KEPT:
        call = _kept_call(line)
        _add(tables.calls, call.id, call)
        return
    fields = fields_of(line)
    match kind := fields.text("t"):
        case "annotation" | "call" | "kernel" | "module" | "script" | "stack":
            entries, entry_kind = getattr(tables, f"{kind}s"), _WITH_ID[kind]
            _add(entries, fields.id(), entry_kind(**given(entry_kind, fields)))
        case "environment":
            tables.environment[fields.text("name")] = fields.text("value")
        case "library":
            tables.libraries.append(LibraryEntry(**given(LibraryEntry, fields)))
        case "note":
            tables.notes.append(fields.text("text"))
        case "process":
            tables.process = replace(tables.process, **given(ProcessEntry, fields))
        case "text":
            _add(tables.texts, fields.id(), fields.text("text"))
        case _:
            raise ValueError(f"is of an unknown kind, {kind[:40]!r}")


_WITH_ID: dict[str, Any] = {
    "annotation": AnnotationEntry,
    "call": CallEntry,
    "kernel": KernelEntry,
    "module": ModuleEntry,
    "script": ScriptEntry,
    "stack": StackEntry,
}


def _add(entries: dict[int, Entry], id_: int, entry: Entry) -> None:
    known = entries.setdefault(id_, entry)
    if known is not entry and known != entry:
        raise ValueError(f"gives the id {id_} a second meaning")


@functools.lru_cache(maxsize=4096)
def _kept_call(line: bytes) -> CallEntry:
    """The call of one line; every process of a run has the same few hundred."""
    fields = fields_of(line)
    if fields.text("t") != "call":
        raise ValueError("names its kind twice")
    return CallEntry(**given(CallEntry, fields))


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


def _address(text: str, name: str) -> int:
    if not text.startswith("0x") or len(text) > 18:
        raise ValueError(f"has no address {name!r}")
    try:
        return int(text[2:], 16)
    except ValueError:
        raise ValueError(f"has no address {name!r}") from None


class Fields:
    """The fields of an object, each checked for its type."""

    def __init__(self, value: dict[str, Any]) -> None:
        self._value = value

    def has(self, name: str) -> bool:
        """Whether there is such a field."""
        return name in self._value

    def text(self, name: str) -> str:
        """A text."""
        value = self._value.get(name)
        if not isinstance(value, str):
            raise ValueError(f"has no text {name!r}")
        return value

    def number(self, name: str) -> int:
        """A whole number, of 64 bits and not negative."""
        value = self._value.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"has no number {name!r}")
        if not 0 <= value <= LARGEST_NUMBER:
            raise ValueError(f"has a number {name!r} out of range")
        return value

    def id(self, name: str = "id") -> int:
        """The number by which others refer to the entry."""
        value = self.number(name)
        if not 1 <= value <= LARGEST_ID:
            raise ValueError("has an id out of range")
        return value

    def address(self, name: str) -> int:
        """An address, written as text."""
        return _address(self.text(name), name)

    def addresses(self, name: str) -> tuple[int, ...]:
        """A list of addresses."""
        return tuple(_address(text, name) for text in self.texts(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; empty if there is none."""
        values = self._value.get(name, [])
        if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
            raise ValueError(f"has no list of texts {name!r}")
        return tuple(values)

    def numbers(self, name: str, count: int | None = None) -> list[int]:
        """A list of whole numbers, so many of them; empty if there is none."""
        values = self._value.get(name, [])
        if not isinstance(values, list) or not all(type(v) is int and v >= 0 for v in values):
            raise ValueError(f"has no list of numbers {name!r}")
        if any(value > LARGEST_NUMBER for value in values):
            raise ValueError(f"has a number in {name!r} out of range")
        if count not in (None, len(values)):
            raise ValueError(f"has no {count} numbers {name!r}")
        return values

    def choice(self, name: str, known: Sequence[str]) -> str:
        """One of these texts."""
        if (value := self.text(name)) not in known:
            raise ValueError(f"has an unknown {name}")
        return value

    def code(self, name: str) -> Path:
        """The name of a code object that lies beside: in this folder and no other."""
        if not re.fullmatch(r"code\.[0-9a-f]{16}", text := self.text(name), re.ASCII):
            raise ValueError("names a code object that is not one of the recording")
        return Path(text)

    def entries(self, name: str, kind: type[Entry]) -> tuple[Entry, ...]:
        """A list of objects, each an entry of this kind."""
        values = self._value[name]
        if not isinstance(values, list) or not all(isinstance(v, dict) for v in values):
            raise ValueError(f"has no list of objects {name!r}")
        return tuple(kind(**given(kind, Fields(value))) for value in values)


def given(kind: Any, fields: Fields) -> dict[str, Any]:
    """What a line says of the fields of a dataclass; those with a default may be missing."""
    return {
        name: read(fields, name)
        for name, (read, has_default) in _readers(kind).items()
        if fields.has(name) or not has_default
    }


@functools.cache
def _readers(kind: Any) -> dict[str, tuple[Reader, bool]]:
    hints = get_type_hints(kind, include_extras=True)
    return {
        one.name: (reader_of(hints[one.name]), one.default is not MISSING)
        for one in fields_in(kind)
    }


def reader_of(kind: Any) -> Reader:
    """How a field of that type is read; one that may be None is read as if it may not."""
    if kind in READERS:
        return READERS[kind]
    kinds = get_args(kind)
    if get_origin(kind) in (UnionType, Union):
        return reader_of(kinds[0])
    if get_origin(kind) is Literal:
        return lambda fields, name: fields.choice(name, kinds)
    if is_dataclass(kinds[0]):
        return lambda fields, name: fields.entries(name, kinds[0])
    return lambda fields, name: tuple(fields.numbers(name, len(kinds)))


def _words(fields: Fields, name: str) -> tuple[WordEntry, ...]:
    words = []
    for text in fields.texts(name):
        parts = text.split(":")
        if len(parts) not in (3, 4):
            raise ValueError("has a word that is not name:type:direction")
        word, type_, direction, holds = [*parts, ""][:4]
        words.append(WordEntry(word, type_, out=direction == "out", holds=holds))
    return tuple(words)


Reader = Callable[[Fields, str], Any]
READERS: dict[Any, Reader] = {
    Id: Fields.id,
    Address: Fields.address,
    int: Fields.number,
    bool: lambda fields, name: fields.number(name) != 0,
    str: Fields.text,
    Path: Fields.code,
    tuple[str, ...]: Fields.texts,
    tuple[Address, ...]: Fields.addresses,
    tuple[WordEntry, ...]: _words,
}
