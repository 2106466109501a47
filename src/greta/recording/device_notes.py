"""Reading device.jsonl: what a device that knows more than HIP tells has said of its work.

    for footprint in process.footprints():
        print(footprint.seq, footprint.kernel, footprint.written.ranges())

A recording has this file only if its device tells: the simulated one. What it does not tell of a
launch is not known; a launch without a footprint may have accessed anything.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, cast

import numpy as np
import numpy.typing as npt

from greta.recording.files import Problems, opened
from greta.recording.tables_json import Fields, fields_of, lines_of

FILE: Final = "device.jsonl"
LARGEST_FILE: Final = 1 << 30
MOST_RANGES: Final = 1 << 22
"""Of one kind and launch, once repeated ones are counted one by one."""

Access = Literal["read", "write", "atomic"]
ACCESSES: Final[tuple[Access, ...]] = ("read", "write", "atomic")
Event = Literal["illegal_access", "trap", "damage", "outside", "unwritten"]
EVENTS: Final = ("illegal_access", "trap", "damage", "outside", "unwritten")
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


@dataclass(frozen=True, eq=False)
class Footprint:
    """What one launch of a kernel accessed: all of it, unless `complete` is false."""

    call: CallPlace
    """That submitted it: a launch, of the kernel or of a graph."""
    node: CallPlace | None
    """In a graph: the call by which the node got what it launches."""
    kernel: str
    read: AccessedRanges
    written: AccessedRanges
    atomic: AccessedRanges
    stopped: bool = False
    """Whether a fault ended the launch."""
    seq: int | None = None
    """Of `call` among the events; None if its record is gone."""
    node_seq: int | None = None

    @property
    def complete(self) -> bool:
        """Whether there is nothing that it accessed beside what is here."""
        return not (self.stopped or self.read.cut or self.written.cut or self.atomic.cut)


@dataclass(frozen=True)
class DeviceNote:
    """Something that went wrong on the device, as the device knows it. None: it does not know."""

    event: Event
    call: CallPlace | None = None
    node: CallPlace | None = None
    stream: int = 0
    device: int = 0
    operation: str = ""
    kernel: str | None = None
    message: str = ""
    address: int | None = None
    bytes: int | None = None
    access: Access | None = None
    block: Triple | None = None
    thread: Triple | None = None
    allocation: int | None = None
    """Where the live allocation begins that the address is in or nearest to."""
    allocation_bytes: int = 0
    by_pattern: bool = False
    """Of unwritten bytes: they hold the pattern of fresh memory, and not every write is known."""
    code: Path | None = None
    """The code object, kept beside."""
    instruction: int = 0
    """Where in it."""
    seq: int | None = None
    node_seq: int | None = None

    @property
    def past_end(self) -> int | None:
        """Bytes between the end of the allocation and the address; negative: it is before that."""
        if self.address is None or self.allocation is None:
            return None
        return self.address - (self.allocation + self.allocation_bytes)


@dataclass
class DeviceNotes:
    """Everything device.jsonl says, in the order it was said."""

    footprints: list[Footprint] = field(default_factory=list)
    faults: list[DeviceNote] = field(default_factory=list)


def read_device_notes(folder: Path, problems: Problems, *, still_written: bool) -> DeviceNotes:
    """All lines that can be read; nothing if there is no such file."""
    notes, path = DeviceNotes(), folder / FILE
    if not os.path.lexists(path):
        return notes
    try:
        for number, offset, line in _bounded(path, problems):
            _take(notes, folder, line, (f"line {number}", offset), problems, still_written)
    except OSError as error:
        problems.add(FILE, None, f"cannot be read: {error.strerror or error}")
    return notes


def _bounded(path: Path, problems: Problems) -> Iterator[tuple[int, int, bytes]]:
    with opened(path) as descriptor:
        if os.fstat(descriptor).st_size > LARGEST_FILE:
            problems.add(FILE, LARGEST_FILE, "is too large; what follows is left out")
    for number, offset, line in lines_of(path, problems):
        if offset > LARGEST_FILE:
            return
        yield number, offset, line


def _take(
    notes: DeviceNotes,
    folder: Path,
    line: bytes,
    place: tuple[str, int],
    problems: Problems,
    still_written: bool,
) -> None:
    name, offset = place
    try:
        fields = fields_of(line)
        kind = fields.text("t")
        if kind == "footprint":
            notes.footprints.append(_footprint(fields))
        elif kind == "fault":
            notes.faults.append(_fault(fields, folder))
        else:
            raise ValueError(f"is of an unknown kind, {kind[:40]!r}")
    except RecursionError:
        problems.add(FILE, offset, f"{name} is nested too deeply; left out")
    except json.JSONDecodeError:
        if line.endswith(b"\n") or not still_written:
            problems.add(FILE, offset, f"{name} is not JSON; left out")
    except ValueError as error:
        problems.add(FILE, offset, f"{name} {error}; left out")


def _footprint(fields: Fields) -> Footprint:
    cut = fields.texts("cut")
    if not set(cut) <= set(ACCESSES):
        raise ValueError("has an unknown kind of access")
    read, written, atomic = (_ranges(fields, name, name in cut) for name in ACCESSES)
    call = _call(fields, "call")
    if call is None:
        raise ValueError("belongs to no call")
    stopped = fields.number("stopped", 0) != 0
    kernel = fields.text("kernel", "")
    return Footprint(call, _call(fields, "node"), kernel, read, written, atomic, stopped)


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


def _call(fields: Fields, name: str) -> CallPlace | None:
    if not fields.has(name):
        return None
    numbers = fields.numbers(name)
    if len(numbers) != 2:
        raise ValueError(f"has no call {name!r}")
    return numbers[0], numbers[1]


def _fault(fields: Fields, folder: Path) -> DeviceNote:
    event = fields.text("event")
    if event not in EVENTS:
        raise ValueError("has an unknown event")
    access = fields.text("access", "")
    if access and access not in ACCESSES:
        raise ValueError("has an unknown kind of access")
    return DeviceNote(
        event=cast("Event", event),
        call=_call(fields, "call"),
        node=_call(fields, "node"),
        stream=fields.address("stream", "0x0"),
        device=fields.number("device", 0),
        operation=fields.text("operation", ""),
        kernel=fields.text("kernel") if fields.has("kernel") else None,
        message=fields.text("message", ""),
        address=fields.address("address") if fields.has("address") else None,
        bytes=fields.number("bytes") if fields.has("bytes") else None,
        access=access or None,
        block=_triple(fields, "block"),
        thread=_triple(fields, "thread"),
        allocation=fields.address("allocation") if fields.has("allocation") else None,
        allocation_bytes=fields.number("allocation_bytes", 0),
        by_pattern=fields.number("by_pattern", 0) != 0,
        code=_code(fields.text("code", ""), folder),
        instruction=fields.address("instruction", "0x0"),
    )


def _triple(fields: Fields, name: str) -> Triple | None:
    if not fields.has(name):
        return None
    numbers = fields.numbers(name)
    if len(numbers) != 3 or any(number >= 1 << 32 for number in numbers):
        raise ValueError(f"has no three numbers {name!r}")
    return numbers[0], numbers[1], numbers[2]


def _code(name: str, folder: Path) -> Path | None:
    """A file of this folder and no other."""
    if not name:
        return None
    if not re.fullmatch(r"code\.[0-9a-f]{16}", name, re.ASCII):
        raise ValueError("names a code object that is not one of the recording")
    return folder / name
