"""What an allocator itself wrote down of the blocks that it carved out of its allocations.

    PyTorch's memory snapshot   torch.cuda.memory._dump_snapshot(path): a pickle
    HRR's region files          pid-N/regions/NAME.hrrr: HIP record and replay

Both say which blocks began and ended, and when, by a clock; a recording knows both clocks. What a
snapshot says of blocks without a time (no history was recorded, or an old PyTorch wrote it) is
their state at a moment that nobody knows: such blocks accuse nobody.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from greta.errors import UsageError
from greta.outside import open_outside, read_outside
from greta.printable import printable
from greta.trace.plain_pickle import NotPlainError, load

__all__ = ["DatedBlock", "MemoryHistory", "is_memory_history", "read_memory_history"]

LARGEST: Final = 256 << 20
"""Bytes of such a file."""
_REGIONS: Final = b"HRRR"
_PICKLE: Final = tuple(b"\x80" + bytes([version]) for version in range(2, 6))
MOST: Final = 4_000_000
"""Events and blocks of one: a small file may tell of one thing without end."""
_FRAMES: Final = 64
"""Frames kept of a stack; the innermost say whose block it is."""
_NS: Final = 1000
"""In a microsecond."""
_ACTIVE: Final = "active"
_OWN: Final = ("/torch/", "/site-packages/", "/dist-packages/", "<")
"""Frames of libraries: a block is called by the program's own line."""


_Thing = TypeVar("_Thing")


@dataclass(frozen=True)
class DatedBlock:
    """A block and when it was live, in nanoseconds by the history's clock."""

    base: int
    bytes: int
    name: str = ""
    begun: int = 0
    """From then on it was live. One that was there before has the time at which history begins."""
    ended: int | None = None
    """None: it did not end while the history was written."""
    is_dated: bool = True
    """Whether these times are known."""


@dataclass(frozen=True)
class MemoryHistory:
    path: Path
    clock: Literal["realtime", "monotonic"]
    blocks: tuple[DatedBlock, ...]


def is_memory_history(path: Path) -> bool:
    if path.is_dir():
        return False
    with open_outside(path) as file:
        start = file.read(4)
    return start == _REGIONS or start[:2] in _PICKLE


def read_memory_history(path: Path) -> MemoryHistory:
    """Raises UsageError, with what is wrong with the file."""
    data = read_outside(path, LARGEST)
    shown = printable(str(path))
    try:
        regions = data[:4] == _REGIONS
        blocks = _of_regions(data) if regions else _of_snapshot(load(data))
        found = tuple(one for one in blocks if one.base > 0 and one.bytes > 0)
    except NotPlainError as error:
        raise UsageError(f"{shown} {error}; it is not read") from None
    if not found:
        raise UsageError(f"{shown} tells of no block; {_HOW}")
    return MemoryHistory(path, "monotonic" if regions else "realtime", found)


_HOW: Final = (
    "call torch.cuda.memory._record_memory_history() before the work and "
    "torch.cuda.memory._dump_snapshot() after it"
)

# --- PyTorch's memory snapshot --------------------------------------------------------------------


def _of_snapshot(snapshot: Any) -> list[DatedBlock]:
    if not isinstance(snapshot, dict) or not isinstance(snapshot.get("segments"), list):
        raise NotPlainError("is no memory snapshot of PyTorch: it has no segments")
    traces = [one for one in _list(snapshot.get("device_traces")) if isinstance(one, list)]
    events = _bounded(entry for trace in traces for entry in trace if isinstance(entry, dict))
    state = _bounded(block for segment in snapshot["segments"] for block in _state_of(segment))
    told = sorted(map(_event, events), key=lambda event: event.time)
    if not told or told[0].time == 0:
        return _alone([*state, *_lifetimes(told, 0)])
    firsts = [trace[0] for trace in traces if trace and isinstance(trace[0], dict)]
    since = max((_event(one).time for one in firsts), default=0)
    dated = _lifetimes(told, since)
    known = {one.base for one in dated if one.ended is None}
    older = [replace(one, begun=since, is_dated=True) for one in state if one.base not in known]
    return [one for one in (*dated, *older) if one.is_dated]


@dataclass(frozen=True)
class _Event:
    begins: bool | None
    """None: it says nothing of a block."""
    base: int
    bytes: int
    name: str
    time: int


def _event(entry: dict[Any, Any]) -> _Event:
    begins = {"alloc": True, "free_requested": False}.get(_text(entry, "action"))
    time = _number(entry, "time_us") * _NS
    base, size = _number(entry, "addr"), _number(entry, "size")
    return _Event(begins, base, size, _line(entry.get("frames")), time)


def _lifetimes(events: Iterable[_Event], since: int) -> list[DatedBlock]:
    """Of blocks that began or ended in a history; `since`: when it begins."""
    live: dict[int, DatedBlock] = {}
    over: list[DatedBlock] = []
    for event in events:
        known = live.pop(event.base, None)
        if event.begins:
            if known is not None:  # its end is lost: the history was a ring, or was switched off
                over.append(replace(known, is_dated=False))
            begun = event.time or since
            live[event.base] = DatedBlock(event.base, event.bytes, event.name, begun)
        elif event.begins is False:
            older = DatedBlock(event.base, event.bytes, event.name, since)
            over.append(replace(known or older, ended=event.time))
        elif known is not None:
            live[event.base] = known
    return [*over, *live.values()]


def _state_of(segment: Any) -> Iterator[DatedBlock]:
    """The blocks that were in use. Older snapshots do not say where each begins."""
    if not isinstance(segment, dict):
        return
    at = _number(segment, "address")
    for block in _list(segment.get("blocks")):
        if not isinstance(block, dict):
            continue
        at = _number(block, "address") or at
        size = _number(block, "size")
        if _text(block, "state").startswith(_ACTIVE):
            asked = _number(block, "requested_size") or size
            yield DatedBlock(at, asked, _line(block.get("frames")), is_dated=False)
        at += size


def _alone(blocks: list[DatedBlock]) -> list[DatedBlock]:
    """Without times: those whose bytes were nobody else's, as far as is told, and did not end."""
    alone = {(one.base, one.bytes): replace(one, is_dated=False) for one in blocks}
    order = sorted(alone.values(), key=lambda one: one.base)
    furthest, kept = 0, []
    for place, one in enumerate(order):
        following = order[place + 1].base if place + 1 < len(order) else one.base + one.bytes
        if one.base >= furthest and following >= one.base + one.bytes:
            kept.append(one)
        furthest = max(furthest, one.base + one.bytes)
    ended = {one.base for one in blocks if one.ended is not None}
    return [one for one in kept if one.base not in ended]


def _line(frames: Any) -> str:
    """The program's own line among the frames of a stack, innermost first."""
    told = [one for one in _list(frames)[:_FRAMES] if isinstance(one, dict)]
    own = [one for one in told if not any(part in _text(one, "filename") for part in _OWN)]
    chosen = next(iter([*own, *told]), None)
    if chosen is None:
        return ""
    file = _text(chosen, "filename").rpartition("/")[2]
    return printable(f"{file}:{_number(chosen, 'line')} ({_text(chosen, 'name')})")[:200]


def _bounded(things: Iterator[_Thing]) -> list[_Thing]:
    found = list(islice(things, MOST + 1))
    if len(found) > MOST:
        raise NotPlainError(f"tells of more than {MOST:,} events or blocks")
    return found


def _text(entry: dict[Any, Any], name: str) -> str:
    """Nothing where it is not there, or is none; no name or path is longer."""
    value = entry.get(name)
    return value[:4096] if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(entry: dict[Any, Any], name: str) -> int:
    """0 where it is not there, or is none."""
    value = entry.get(name)
    return value if isinstance(value, int) and 0 < value < 1 << 62 else 0


# --- HRR's region files ---------------------------------------------------------------------------
#
#   "HRRR", u16 version, u16 0; then batches: a header of 32 bytes, u32 count, u32 flags, records
_FILE: Final = struct.Struct("<4sHH")
_BATCH: Final = struct.Struct("<HQQQI2xII")
_RECORD: Final = struct.Struct("<BBBBIQQq")
_VERSION: Final = 1
_EVENT: Final = 0xFFFD
_BLOCK: Final = 0


def _of_regions(data: bytes) -> list[DatedBlock]:
    _, version, _ = _FILE.unpack_from(data.ljust(_FILE.size, b"\0"))
    if version != _VERSION:
        raise NotPlainError(f"is a region file of version {version}; version {_VERSION} is read")
    told = list(_records(data))
    started = min((event.time for event, _ in told), default=0)
    since = max((written for event, written in told if not event.time), default=started)
    events = sorted((event for event, _ in told), key=lambda event: event.time)
    return [one for one in _lifetimes(events, since) if one.is_dated]


def _records(data: bytes) -> Iterator[tuple[_Event, int]]:
    """Those of blocks, and when they were written; time 0: it was live before that.

    The last batch of a process that died may be half there: it is left out.
    """
    at = _FILE.size
    while at + _BATCH.size <= len(data):
        kind, _, written, _, length, count, _ = _BATCH.unpack_from(data, at)
        if length < _BATCH.size or at + length > len(data):
            return
        if kind == _EVENT and length == _BATCH.size + count * _RECORD.size:
            rows = data[at + _BATCH.size : at + length]
            for operation, what, _, _, _, base, size, time in _RECORD.iter_unpack(rows):
                if what == _BLOCK and operation in (0, 1) and time >= 0 and base < 1 << 62:
                    event = _Event(operation == 0, base, min(size, 1 << 62), "", time)
                    yield event, min(written, 1 << 62)
        at += length
