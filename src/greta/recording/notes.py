"""What is noted beside the calls: device.jsonl, and processes.jsonl, on processes not recorded.

In device.jsonl a device that knows more than HIP tells says of its work what it did:

    for footprint in process.footprints():
        print(footprint.seq, footprint.kernel, footprint.written.ranges())

A recording has that file only if its device tells: the simulated one. What it does not tell of a
launch is not known; a launch without a footprint may have accessed anything.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from greta.errors import OutsideError
from greta.recording.files import Problems
from greta.recording.tables_json import Address, Fields, fields_of, given, read_lines
from greta.typed_json import JsonField, decode

FILE: Final = "device.jsonl"
LARGEST_FILE: Final = 1 << 30
MOST_RANGES: Final = 1 << 22
"""Ranges of one kind in one launch, repeated ones counted one by one."""

Access = Literal["read", "write", "atomic"]
ACCESSES: Final[tuple[Access, ...]] = ("read", "write", "atomic")
Event = Literal[
    "illegal_access",
    "trap",
    "damage",
    "outside",
    "unwritten",
    "race",
    "barrier",
    "unwatched",
    "approximate",
    "brought",
    "heap",
    "graph_memory",
]
Triple = tuple[int, int, int]
CallPlace = tuple[int, int]
"""Lane and begin of a record: which call it is."""


@dataclass(frozen=True, eq=False)
class AccessedRanges:
    """Bytes that a launch accessed in one way: rows of begin, bytes, stride and count."""

    rows: npt.NDArray[np.uint64]
    cut: bool = False
    """Whether there are more than these."""

    def __bool__(self) -> bool:
        return bool(len(self.rows)) or self.cut

    def ranges(self) -> npt.NDArray[np.uint64]:
        """Begin and end of each range, ascending, no two of them overlapping."""
        begin, size, stride, count = self.rows.T
        repeated = count.astype(np.int64)
        first = np.repeat(np.cumsum(repeated) - repeated, repeated)
        number = (np.arange(len(first)) - first).astype(np.uint64)
        begins = np.repeat(begin, repeated) + number * np.repeat(stride, repeated)
        return np.stack([begins, begins + np.repeat(size, repeated)], axis=1)


_NOTHING: Final = AccessedRanges(np.empty((0, 4), np.uint64))


@dataclass(frozen=True, eq=False, kw_only=True)
class _Launched:
    call: CallPlace
    """That submitted it: a launch, of the kernel or of a graph."""
    node: CallPlace | None = None
    """In a graph: the call by which the node got what it launches."""
    kernel: str = ""
    stopped: bool = False
    """Whether a fault ended the launch."""
    seq: int | None = None
    """The number of `call` among the events; None if its record is gone."""
    node_seq: int | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Footprint(_Launched):
    """What one launch of a kernel accessed: all of it, unless `complete` is false."""

    read: AccessedRanges
    written: AccessedRanges
    atomic: AccessedRanges

    @property
    def complete(self) -> bool:
        """Whether there is nothing that it accessed beside what is here."""
        return not (self.stopped or self.read.cut or self.written.cut or self.atomic.cut)


@dataclass(frozen=True)
class NotedSide:
    """One of the two threads of a race or a barrier. None: not known, or it made no access."""

    access: Access | None = None
    block: Triple | None = None
    thread: Triple | None = None
    instruction: Address = 0


@dataclass(frozen=True)
class DeviceNote:
    """Something that went wrong on the device, as the device knows it. None: it does not know."""

    event: Event
    call: CallPlace | None = None
    node: CallPlace | None = None
    stream: Address = 0
    device: int = 0
    operation: str = ""
    kernel: str | None = None
    message: str = ""
    address: Address | None = None
    bytes: int | None = None
    access: Access | None = None
    block: Triple | None = None
    thread: Triple | None = None
    allocation: Address | None = None
    """Where the live allocation begins that the address is in or nearest to."""
    allocation_bytes: int = 0
    variable: str = ""
    """Of a code object, if that is what begins there."""
    space: Literal["shared", "private"] | None = None
    """The address counts from the begin of a block's shared or a thread's private memory."""
    by_pattern: bool = False
    """Unwritten bytes: they hold the pattern of fresh memory, and not every write is known."""
    code: Path | None = None
    """The code object, kept beside."""
    instruction: Address = 0
    """Where in it."""
    sides: tuple[NotedSide, ...] = ()
    """Of a race, in the order of the accesses; of a barrier, who waits there and who does not."""
    count: int = 0
    """Of the heap: blocks that the kernel allocated there and that are not freed by now.

    Of memory of a graph: 1 where a launch made it the program's, 0 where it was freed.
    """
    seq: int | None = None
    node_seq: int | None = None

    @property
    def past_end(self) -> int | None:
        """Bytes between the end of the allocation and the address; negative: it is before that."""
        if self.address is not None and self.space is not None:
            return self.address - self.allocation_bytes
        if self.address is None or self.allocation is None:
            return None
        return self.address - (self.allocation + self.allocation_bytes)


@dataclass(frozen=True)
class DeviceVariable:
    """A variable of loaded code, where it lies on the device."""

    address: Address
    bytes: int
    symbol: Address = 0
    """By which the program names it; 0: by no address of its own."""
    call: CallPlace | None = None
    """That loaded the code."""
    node: CallPlace | None = None
    seq: int | None = None


@dataclass
class DeviceNotes:
    """Everything device.jsonl says, in the order it was said."""

    footprints: list[Footprint] = field(default_factory=list)
    faults: list[DeviceNote] = field(default_factory=list)
    variables: list[DeviceVariable] = field(default_factory=list)


def read_device_notes(folder: Path, problems: Problems, *, still_written: bool) -> DeviceNotes:
    """All lines that can be read; nothing if there is no such file."""
    notes, path = DeviceNotes(), folder / FILE

    def take(line: bytes) -> None:
        fields = fields_of(line)
        kind = fields.text("t")
        if kind == "footprint":
            notes.footprints.append(_footprint(fields))
        elif kind == "fault":
            notes.faults.append(_fault(fields, folder))
        elif kind == "variable":
            notes.variables.append(_variable(fields))
        else:
            raise ValueError(f"is of an unknown kind, {kind[:40]!r}")

    if os.path.lexists(path):
        read_lines(path, take, problems, still_written=still_written, largest=LARGEST_FILE)
    return notes


def _footprint(fields: Fields) -> Footprint:
    cut = fields.texts("cut")
    if not set(cut) <= set(ACCESSES):
        raise ValueError("has an unknown kind of access")
    read, written, atomic = (_ranges(fields, name, name in cut) for name in ACCESSES)
    launched = given(_Launched, fields)
    return Footprint(read=read, written=written, atomic=atomic, **launched)


def _ranges(fields: Fields, name: str, cut: bool) -> AccessedRanges:
    """Rows that ascend, stay in the address space and do not overlap."""
    numbers = fields.numbers(name)
    if not numbers:
        return replace(_NOTHING, cut=cut)
    if len(numbers) % 4:
        raise ValueError(f"has ranges {name!r} that are cut off")
    end, total = 0, 0
    for at in range(0, len(numbers), 4):
        begin, size, stride, count = numbers[at : at + 4]
        repeats = count > 1
        if begin < end or not size or not count or (repeats and stride < size):
            raise ValueError(f"has ranges {name!r} that are in no order")
        end = begin + (count - 1) * stride + size
        total += count
        if end >= 1 << 64 or total > MOST_RANGES:
            raise ValueError(f"has ranges {name!r} that are too large")
    return AccessedRanges(np.array(numbers, np.uint64).reshape(-1, 4), cut)


def _variable(fields: Fields) -> DeviceVariable:
    variable = DeviceVariable(**given(DeviceVariable, fields))
    if not variable.address or variable.address + variable.bytes >= 1 << 64:
        raise ValueError("has a variable that is nowhere")
    return variable


def _fault(fields: Fields, folder: Path) -> DeviceNote:
    note = DeviceNote(**given(DeviceNote, fields))
    places = [place for one in note.sides for place in (one.block, one.thread)]
    places += [note.block, note.thread]
    if any(number >> 32 for place in places for number in place or ()):
        raise ValueError("has a block or a thread out of range")
    return replace(note, code=folder / note.code) if note.code else note


_PROCESSES: Final = "processes.jsonl"
_MOST_BYTES: Final = 4 << 20
"""GRETA_MOST_PROCESSES_BYTES: the recorder writes no more lines then."""
_LONGEST_LINE: Final = 4096


@dataclass(frozen=True)
class StartNote:
    """A line of the file; contract/recording.h says what each kind has."""

    pid: int
    """0 where it is not known."""
    kind: str = ""
    name: str = ""
    """The folder of a recorded process."""
    by_pid: int = 0
    asked: int = 0
    """Whether its environment asked for the recorder."""
    file: str = ""
    folder: str = ""
    """The working folder."""
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Started:
    """What the file says; nothing where there is none."""

    recorded: tuple[tuple[int, str], ...] = ()
    """Pid, and the name of the folder."""
    unfollowed: tuple[StartNote, ...] = ()
    """Programs that were started where the recorder cannot be."""
    is_full: bool = False
    """Later processes are not in it."""


def read_started(path: Path) -> Started:
    """Of a run, or of a recording; lines that are damaged are left out."""
    inner = path / "recording"
    file = (inner if inner.is_dir() else path) / _PROCESSES
    if not file.is_file():
        return Started()
    with file.open(encoding="utf-8", errors="surrogateescape") as text:
        content = text.read(_MOST_BYTES + _LONGEST_LINE)
    recorded: list[tuple[int, str]] = []
    starts: list[StartNote] = []
    for note in filter(None, (_note(line, file) for line in content.splitlines())):
        if note.kind == "recorded":
            recorded.append((note.pid, note.name))
        elif note.kind == "unfollowed":
            starts.append(note)
        elif note.kind == "not_started":
            last = next((start for start in reversed(starts) if start.pid == note.pid), None)
            if last:
                starts.remove(last)
    return Started(tuple(recorded), tuple(starts), file.stat().st_size >= _MOST_BYTES)


def _note(line: str, file: Path) -> StartNote | None:
    try:
        return decode(StartNote, json.loads(line), JsonField(file))
    except (ValueError, RecursionError, OutsideError):
        return None
