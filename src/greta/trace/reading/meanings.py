"""What a call does, by its entry in the contract, for the tables of a trace.

All that is said of a call is said in contract/hip_api.toml; here its words become the shapes, kinds
and roles of a trace. A shape is a run of bytes, a rectangle or a box; its words are named as the
call's entry names them; `p@48` is the 64-bit number at offset 48 of the struct that word p points
to, and `p@152:4` a 32-bit one. Whom a handle means is said in handles; what becomes of a call
whose stream is being captured, in graphs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from greta.recording import (
    UNKNOWN_STREAM,
    CallKind,
    Effects,
    GraphEffect,
    MemoryRange,
    effects_of,
)
from greta.trace.trace import Kind, Mode, Role, Space

WordName: TypeAlias = str
Numbers: TypeAlias = npt.NDArray[np.uint64]

# No range is longer; sums of two of these still fit 64 bits.
LONGEST = 1 << 62


class Words(Protocol):
    def word(self, name: WordName) -> Numbers: ...


class Ranges(NamedTuple):
    """One for each call. `pitch` is 0 where the bytes are one run."""

    address: Numbers
    bytes: Numbers
    pitch: Numbers
    width: Numbers


@dataclass(frozen=True)
class ByteRange:
    """`bytes` times `unit` bytes, or just `unit`, from an address or `offset` bytes behind it."""

    address: WordName
    bytes: WordName = ""
    unit: int = 1
    offset: WordName = ""

    @property
    def names(self) -> tuple[WordName, ...]:
        return tuple(filter(None, (self.address, self.bytes, self.offset)))

    def of(self, words: Words) -> Ranges:
        address = words.word(self.address)
        one = np.ones(len(address), np.uint64)
        count = words.word(self.bytes) if self.bytes else one
        if self.offset:
            address = address + words.word(self.offset)
        none = np.zeros(len(address), np.uint64)
        return Ranges(address, product(count, one * np.uint64(self.unit)), none, none)


@dataclass(frozen=True)
class Rectangle:
    """`height` rows of `width` times `unit` bytes, `pitch` bytes from one to the next."""

    address: WordName
    pitch: WordName
    width: WordName
    height: WordName
    unit: WordName | int = 1

    @property
    def names(self) -> tuple[WordName, ...]:
        unit = (self.unit,) if isinstance(self.unit, str) else ()
        return (self.address, self.pitch, self.width, self.height, *unit)

    def of(self, words: Words) -> Ranges:
        width, height = words.word(self.width), words.word(self.height)
        unit = words.word(self.unit) if isinstance(self.unit, str) else np.uint64(self.unit)
        width = product(width, np.broadcast_to(unit, width.shape))
        return _rows(words.word(self.address), words.word(self.pitch), width, height)


@dataclass(frozen=True)
class Box:
    """Part of a pitched block of memory: from x, y, z on, `width` by `height` by `depth`.

    The address is the first of some words that is not zero; none of them is where an array is used
    in place of memory.
    """

    address: tuple[WordName, ...]
    pitch: WordName
    slice_rows: WordName
    start: tuple[WordName, ...] = ()
    size: tuple[WordName, ...] = ()

    @property
    def names(self) -> tuple[WordName, ...]:
        rows = (self.slice_rows,) if self.slice_rows else ()
        return (*self.address, self.pitch, *rows, *self.start, *self.size)

    def of(self, words: Words) -> Ranges:
        address = words.word(self.address[0])
        for name in self.address[1:]:
            address = np.where(address == 0, words.word(name), address)
        pitch = words.word(self.pitch)
        one = np.ones(len(address), np.uint64)
        slice_rows = words.word(self.slice_rows) if self.slice_rows else one
        width, height, depth = (*(words.word(name) for name in self.size), one)[:3]
        # From the first row to the last, over all slices.
        height = np.where(depth > 1, product(depth - np.uint64(1), slice_rows) + height, height)
        height = np.where(depth == 0, np.uint64(0), height)
        return _rows(self._moved(address, pitch, slice_rows, words), pitch, width, height)

    def _moved(
        self, address: Numbers, pitch: Numbers, slice_rows: Numbers, words: Words
    ) -> Numbers:
        for name, step in zip(self.start, (None, pitch, product(pitch, slice_rows)), strict=False):
            by = words.word(name)
            moved = address + (by if step is None else product(by, step))
            address = np.where(address == 0, address, moved)
        return address


Shape: TypeAlias = ByteRange | Rectangle | Box


def _rows(address: Numbers, pitch: Numbers, width: Numbers, height: Numbers) -> Ranges:
    """Rows of a rectangle: from the first byte to the last."""
    one = np.uint64(1)
    some = (width > 0) & (height > 0)
    bytes_ = np.where(some, product(np.maximum(height, one) - one, pitch) + width, np.uint64(0))
    # Rows that are wider than the pitch are kept as they were asked for: HIP refuses them.
    several = some & (height > 1) & (pitch > 0) & (pitch != width)
    zero = np.uint64(0)
    return Ranges(address, bytes_, np.where(several, pitch, zero), np.where(several, width, zero))


def product(a: Numbers, b: Numbers) -> Numbers:
    """a times b; what does not fit is as long as anything can be."""
    fits = a.astype(np.float64) * b.astype(np.float64) < LONGEST
    result: Numbers = np.where(fits, a * b, np.uint64(LONGEST))
    return result


KINDS: Final = {
    CallKind.COPY: Kind.COPY,
    CallKind.MEMSET: Kind.FILL,
    CallKind.LAUNCH: Kind.LAUNCH,
    CallKind.GRAPH_LAUNCH: Kind.GRAPH_LAUNCH,
    CallKind.HOST_FUNCTION: Kind.HOST_FUNCTION,
    CallKind.PREFETCH: Kind.PREFETCH,
    CallKind.EVENT_RECORD: Kind.EVENT_RECORD,
    CallKind.STREAM_WAIT_EVENT: Kind.STREAM_WAIT_EVENT,
    CallKind.WAIT_STREAM: Kind.WAIT_STREAM,
    CallKind.WAIT_EVENT: Kind.WAIT_EVENT,
    CallKind.WAIT_DEVICE: Kind.WAIT_DEVICE,
    CallKind.QUERY_STREAM: Kind.QUERY_STREAM,
    CallKind.QUERY_EVENT: Kind.QUERY_EVENT,
    CallKind.ALLOCATE: Kind.ALLOCATE,
    CallKind.FREE: Kind.FREE,
    CallKind.STREAM_CREATE: Kind.STREAM_CREATE,
    CallKind.STREAM_DESTROY: Kind.STREAM_DESTROY,
    CallKind.RESET: Kind.RESET,
    CallKind.HOST_ACCESS: Kind.HOST_TOUCH,
    # Nothing orders by it; a program that hangs may wait for it.
    CallKind.STREAM_ORDER: Kind.OTHER,
    CallKind.BLOCK: Kind.OTHER,
}
"""The kinds of calls that a trace has rows for; of graphs it has those with a step."""

SPACES: Final = {"H": Space.HOST, "D": Space.DEVICE}
HOST_MEMORY: Final = ("HOST_MEMORY", "REGISTERED_MEMORY")


@dataclass(frozen=True)
class NamedRange:
    role: Role
    mode: Mode
    shape: Shape
    space: Space = Space.UNKNOWN
    writes_if: WordName = ""
    """The word that says whether it is written; otherwise it is read."""

    @property
    def names(self) -> tuple[WordName, ...]:
        return (*self.shape.names, *filter(None, (self.writes_if,)))

    @property
    def element(self) -> int:
        """Bytes that must be set together, of fills by numbers of 16 or 32 bits; 0 of others."""
        unit = 1 if isinstance(self.shape, Box) else self.shape.unit
        return unit if isinstance(unit, int) and unit > 1 else 0


@dataclass(frozen=True)
class Meaning:
    does: Effects

    @cached_property
    def kind(self) -> Kind:
        return KINDS.get(self.does.kind, Kind.OTHER)

    @property
    def event(self) -> WordName:
        """The event that is recorded or waited for; of several the last, which comes behind."""
        return self.does.event[-1] if self.does.event else ""

    @property
    def enqueues(self) -> bool:
        """Whether it puts something on a stream, the default one if it names none."""
        marks = (CallKind.EVENT_RECORD, CallKind.STREAM_WAIT_EVENT)
        return self.does.enqueues or (self.does.kind in marks and not self.does.is_node)

    @cached_property
    def ranges(self) -> tuple[NamedRange, ...]:
        return tuple(_ranges(self.does))

    @cached_property
    def names(self) -> set[WordName]:
        """The words it cannot be understood without; older recordings lack events of launches."""
        does = self.does
        shapes = [name for named in self.ranges for name in named.names]
        sizes = [*does.launch.grid, *does.launch.block] if does.launch else []
        events = [] if does.launch else [self.event]
        own = [does.stream, *events, does.copy_kind]
        return set(filter(None, [*own, *shapes, *sizes, *_handles(does.graph)]))


def _handles(graph: GraphEffect | None) -> tuple[WordName, ...]:
    if graph is None:
        return ()
    counts = "numDependencies" if graph.after else ""
    return (graph.graph, graph.node, graph.other, graph.after, graph.before, counts)


def _ranges(does: Effects) -> list[NamedRange]:
    if does.kind is CallKind.FREE:
        return [_freed(does)]
    if does.kind is CallKind.HOST_ACCESS and does.reads:
        shape = shape_of(does.reads)
        return [NamedRange(Role.HOST, Mode.READ, shape, Space.HOST, writes_if=does.writes_if)]
    from_, to = (SPACES[does.direction[0]], SPACES[does.direction[2]]) if does.direction else (0, 0)
    if does.kind is CallKind.MEMSET:
        to = Space.DEVICE
    found = []
    if does.writes:
        found.append(NamedRange(Role.DESTINATION, Mode.WRITE, shape_of(does.writes), Space(to)))
    if does.reads:
        found.append(NamedRange(Role.SOURCE, Mode.READ, shape_of(does.reads), Space(from_)))
    return found


def _freed(does: Effects) -> NamedRange:
    gone = does.destroys
    address = gone.handle if gone else does.unmaps
    space = Space.HOST if gone and gone.what in HOST_MEMORY else Space.DEVICE
    return NamedRange(Role.FREED, Mode.WRITE, ByteRange(address, unit=0), space)


def shape_of(memory: MemoryRange) -> Shape:
    if not memory.pitch:
        size = memory.size[0] if memory.size else ""
        unit = memory.unit if isinstance(memory.unit, int) else 1
        return ByteRange(memory.address[0], size, unit, memory.offset)
    if len(memory.address) == 1 and not memory.start and not memory.rows:
        width, height = memory.size
        return Rectangle(memory.address[0], memory.pitch, width, height, memory.unit)
    return Box(memory.address, memory.pitch, memory.rows, memory.start, memory.size)


@lru_cache(maxsize=1024)
def meaning_of(call: str) -> Meaning | None:
    """What the entry of a call means for a trace; None if it has no row there."""
    does = effects_of(call)
    if does is None or does.stream == UNKNOWN_STREAM:
        return None
    return Meaning(does) if does.kind in KINDS or does.graph else None
