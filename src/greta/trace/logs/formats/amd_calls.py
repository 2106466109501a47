"""What the calls in AMD's log do: the contract's entry of each, read from printed arguments.

The log prints the arguments of a call in the order of its parameters, but not what is in structs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from greta.recording import CallKind, Effects, LiveKind, MemoryRange, Step, effects_of
from greta.trace import waits
from greta.trace.logs.lines import address, count
from greta.trace.logs.logged import LoggedAccess, LoggedAllocation, LoggedOperation
from greta.trace.reading.allocations import MEMORY_OF
from greta.trace.reading.handles import PER_THREAD_STREAM
from greta.trace.reading.meanings import KINDS, SPACES
from greta.trace.trace import Kind, Mode, Role, Space, StreamKind, Waits

Words = list[str]
Spaces = tuple[Space, Space]

_DIM3: Final = re.compile(r"\{(\d{1,10}),(\d{1,10}),(\d{1,10})\}")
_COPY_KINDS: Final = {
    "hipMemcpyHostToHost": 0,
    "hipMemcpyHostToDevice": 1,
    "hipMemcpyDeviceToHost": 2,
    "hipMemcpyDeviceToDevice": 3,
    "hipMemcpyDeviceToDeviceNoCU": 1024,
}
"""As waits.SPACES numbers them; older releases print the number."""
_NAMED_ELSEWHERE: Final = ("SYMBOL", "PINNED", "MANAGED")
"""Memory that is mapped and that other calls made known, or the program's loader."""


def pointer(word: str) -> int | None:
    """An argument that is an address or a handle: 0x7f.., stream:0x7f.., char array:<null>."""
    return address(word.rpartition(":")[2])


@dataclass(frozen=True)
class LoggedCall:
    kind: Kind = Kind.OTHER
    waits: Waits = Waits.NO
    """As far as the name alone says it."""
    does: Effects | None = None
    """To be read from the arguments; None if there is nothing to read, or nobody can."""
    unread: bool = False
    """It accesses or allocates memory which the log does not print: a gap."""
    step: Step | None = None
    """What it does to a graph."""

    @property
    def goes_on_a_stream(self) -> bool:
        """Whether it is captured with its stream: work, and events."""
        does = self.does
        return does is not None and (does.enqueues or does.kind is CallKind.EVENT_RECORD)


@lru_cache(maxsize=1024)
def logged_call(name: str) -> LoggedCall:
    """By its name, which may end in _spt."""
    does = effects_of(name)
    if does is None or does.is_node:
        return LoggedCall()
    kind = KINDS.get(does.kind, Kind.OTHER)
    if kind is Kind.OTHER or not _is_printed(does):
        step = does.graph.step if does.graph else None
        return LoggedCall(unread=_has_memory(does), step=step)
    return LoggedCall(kind, waits.by_name(does), does)


def kind_if_refused(name: str) -> Kind:
    """Of a call whose arguments are not read: nobody tries copies, so one that failed is a loss."""
    does = effects_of(name)
    kind = KINDS.get(does.kind, Kind.OTHER) if does and not does.is_node else Kind.OTHER
    return kind if kind in (Kind.COPY, Kind.FILL) else Kind.OTHER


class CallReader:
    """The calls of one process, in their order, by their arguments."""

    def __init__(self, *, answered: bool = False) -> None:
        self.unread = 0
        """Calls that access or allocate memory which the source does not tell."""
        self._answered = answered
        """Whether parameters that a call fills hold what it answered, not where to."""
        self._capturing: set[int] = set()

    def read(self, line: int, offset: int, name: str, words: Words | None) -> LoggedOperation:
        """`words`: one for each parameter; None where the source has no arguments."""
        plain = name.removesuffix("_spt")  # whose default stream is the thread's own
        call = logged_call(plain)
        operation = LoggedOperation(line, offset, plain, call.kind, call.waits)
        self.unread += call.unread
        if words is not None and call.does:
            _Arguments(call.does, words, self._answered).read(operation)
        if plain != name and operation.stream == 0:
            operation.stream = PER_THREAD_STREAM
        if words is not None:
            self._follow_capture(operation, call, words)
        return operation

    def is_captured(self, stream: int) -> bool:
        return stream in self._capturing

    def _follow_capture(self, operation: LoggedOperation, call: LoggedCall, words: Words) -> None:
        """A stream whose work goes into a graph; the calls that say so have it as first word."""
        stream = pointer(words[0]) if words else None
        if call.step is Step.BEGIN_CAPTURE and stream is not None:
            self._capturing.add(stream)
        elif call.step is Step.END_CAPTURE and stream is not None:
            self._capturing.discard(stream)
        elif call.goes_on_a_stream:
            operation.captured = operation.stream in self._capturing


def _is_printed(does: Effects) -> bool:
    """Whether all that matters of it is an argument of its own."""
    if does.kind in (CallKind.COPY, CallKind.MEMSET):
        sides = [side for side in (does.reads, does.writes) if side]
        return does.missing is None and all(_is_plain(does, side) for side in sides)
    if does.kind is CallKind.ALLOCATE:
        return does.creates is not None and does.creates.handle in does.parameters
    return does.kind is not CallKind.FREE or does.destroys is not None


def _is_plain(does: Effects, side: MemoryRange) -> bool:
    """A symbol is told by an address of the program's, which the log does not explain."""
    names = [*side.address, *side.size, *filter(None, (side.pitch,))]
    return not side.offset and all(name in does.parameters for name in names)


def _has_memory(does: Effects) -> bool:
    if does.kind in (CallKind.COPY, CallKind.MEMSET):
        return True
    maps_new = does.maps is not None and does.maps.memory not in _NAMED_ELSEWHERE
    return maps_new or (does.kind is CallKind.ALLOCATE and does.creates is not None)


class _Arguments:
    def __init__(self, does: Effects, words: Words, answered: bool) -> None:
        self._does, self._words, self._answered = does, words, answered

    def read(self, operation: LoggedOperation) -> None:
        does = self._does
        self._read_stream(operation)
        if does.event and does.launch is None:
            operation.event = self._pointer(does.event[-1])
        if does.kind is CallKind.ALLOCATE:
            self._read_made(operation)
        elif does.kind is CallKind.FREE:
            self._read_freed(operation)
        elif does.kind in (CallKind.COPY, CallKind.MEMSET):
            self._read_sides(operation)
        elif does.launch is not None:
            self._read_grid(operation)
        elif does.kind is CallKind.STREAM_CREATE:
            self._read_stream_kind(operation)

    def _read_stream(self, operation: LoggedOperation) -> None:
        """The default stream, if the call works on one and names none."""
        does = self._does
        if does.stream in does.parameters:
            handle = self._pointer(does.stream)
            default = operation.stream if does.kind in (CallKind.ALLOCATE, CallKind.FREE) else 0
            operation.stream = default if handle is None else handle
        elif does.enqueues and not does.stream:
            operation.stream = 0

    def _read_made(self, operation: LoggedOperation) -> None:
        """In a log the address comes with the line that says what the call returned."""
        created = self._does.creates
        if created is None:
            return
        size = self._size(created.bytes[0]) if len(created.bytes) == 1 else None
        told = self._answered or created.what == "REGISTERED_MEMORY"
        start = self._pointer(created.handle) if told else 0
        if start is not None and (start or not told):
            operation.allocated = LoggedAllocation(
                start, size or 1, MEMORY_OF[LiveKind[created.what]], size is not None
            )

    def _read_freed(self, operation: LoggedOperation) -> None:
        gone = self._does.destroys
        operation.host = self._does.host
        operation.freed = self._pointer(gone.handle) if gone else None
        if operation.freed:
            access = LoggedAccess(operation.freed, 0, Mode.WRITE, Role.FREED, Space.UNKNOWN)
            operation.accesses = (access,)

    def _read_sides(self, operation: LoggedOperation) -> None:
        does, spaces = self._does, self._spaces()
        accesses = [
            *self._touch(does.reads, Mode.READ, Role.SOURCE, spaces[0]),
            *self._touch(does.writes, Mode.WRITE, Role.DESTINATION, spaces[1]),
        ]
        operation.accesses, operation.host = tuple(accesses), does.host

    def _spaces(self) -> Spaces:
        does = self._does
        if does.kind is CallKind.MEMSET:
            return Space.UNKNOWN, Space.DEVICE
        if does.direction:
            return SPACES[does.direction[0]], SPACES[does.direction[2]]
        word = self._word(does.copy_kind).strip()
        kind = _COPY_KINDS.get(word, count(word))
        to, source = waits.SPACES.get(-1 if kind is None else kind, (Space.UNKNOWN, Space.UNKNOWN))
        return source, to

    def _touch(
        self, side: MemoryRange | None, mode: Mode, role: Role, space: Space
    ) -> tuple[LoggedAccess, ...]:
        start = self._pointer(side.address[0]) if side else None
        if side is None or start is None:
            return ()
        unit = side.unit if isinstance(side.unit, int) else 1
        width, *rows = (self._size(name) or 0 for name in side.size)
        width *= unit
        if not side.pitch:
            return (LoggedAccess(start, width, mode, role, space),)
        pitch, height = self._size(side.pitch) or 0, rows[0]
        span = pitch * (height - 1) + width if height and width else 0
        return (LoggedAccess(start, span, mode, role, space, pitch=pitch, width=width),)

    def _read_grid(self, operation: LoggedOperation) -> None:
        launch = self._does.launch
        grid = self._three(launch.grid) if launch else None
        block = self._three(launch.block) if launch else None
        if launch is None or grid is None or block is None:
            return
        operation.grid, operation.block = grid, block
        if launch.grid_in_threads:
            x, y, z = (-(-all_ // (one or 1)) for all_, one in zip(grid, block, strict=True))
            operation.grid = (x, y, z)

    def _three(self, names: tuple[str, ...]) -> tuple[int, int, int] | None:
        """Three arguments, or one that is a dim3: {64,1,1}."""
        parameter, _, field = names[0].partition(".")
        if field:
            found = _DIM3.fullmatch(self._word(parameter).replace(" ", ""))
            return (int(found[1]), int(found[2]), int(found[3])) if found else None
        sizes = [self._size(name) for name in names]
        if any(size is None for size in sizes):
            return None
        x, y, z = (size or 1 for size in sizes)
        return x, y, z

    def _read_stream_kind(self, operation: LoggedOperation) -> None:
        created = self._does.creates
        flags = self._size(created.flags) if created and created.flags else 0
        kinds = {0: StreamKind.BLOCKING, 1: StreamKind.NON_BLOCKING}
        operation.stream_kind = kinds.get(-1 if flags is None else flags, StreamKind.UNKNOWN)
        if created and self._answered:
            operation.stream = self._pointer(created.handle) or operation.stream

    def _word(self, name: str) -> str:
        """An argument, by the name of its parameter; empty if the line has none."""
        parameters = self._does.parameters
        at = parameters.index(name) if name in parameters else len(self._words)
        return self._words[at] if at < len(self._words) else ""

    def _pointer(self, name: str) -> int | None:
        return pointer(self._word(name))

    def _size(self, name: str) -> int | None:
        value = count(self._word(name))
        return value if value is not None and value >= 0 else None
