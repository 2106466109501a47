"""What a call's entry in the contract means for the tables of a trace.

All that is said of a call is said in contract/hip_api.toml; here its words become the shapes, kinds
and roles of a trace. Whom a handle means is not said here, nor what becomes of a call whose stream
is being captured: see streams and graphs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from greta.recording import (
    UNKNOWN_STREAM,
    CallKind,
    Effects,
    GraphEffect,
    HostWait,
    Launch,
    MemoryRange,
    effects_of,
)
from greta.trace.reading.ranges import Box, Rectangle, Run, Shape, WordName
from greta.trace.trace import Kind, Mode, Role, Space

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
}
"""The kinds of calls that a trace has rows for; of graphs it has those with a step."""

SPACES: Final = {"H": Space.HOST, "D": Space.DEVICE}
HOST_MEMORY: Final = ("HOST_MEMORY", "REGISTERED_MEMORY")


@dataclass(frozen=True)
class Touch:
    """A range of memory that the call names."""

    role: Role
    mode: Mode
    shape: Shape
    space: Space = Space.UNKNOWN
    writes_if: WordName = ""
    """The word that says whether it is written; otherwise it is read."""

    @property
    def names(self) -> tuple[WordName, ...]:
        """The words it needs."""
        return (*self.shape.names, *filter(None, (self.writes_if,)))

    @property
    def element(self) -> int:
        """Bytes that must be set together, of fills by numbers of 16 or 32 bits; 0 of others."""
        unit = 1 if isinstance(self.shape, Box) else self.shape.unit
        return unit if isinstance(unit, int) and unit > 1 else 0


@dataclass(frozen=True)
class Meaning:
    """Of a call."""

    does: Effects

    @cached_property
    def kind(self) -> Kind:
        """In a trace."""
        return KINDS.get(self.does.kind, Kind.OTHER)

    @property
    def stream(self) -> WordName:
        """The word that holds the stream."""
        return self.does.stream

    @property
    def event(self) -> WordName:
        """The event that is recorded or waited for; of several the last, which comes behind."""
        return self.does.event[-1] if self.does.event else ""

    @property
    def copy_kind(self) -> WordName:
        """The word that holds the hipMemcpyKind."""
        return self.does.copy_kind

    @property
    def wait(self) -> HostWait:
        """When the host waits; reading.waits has the rules."""
        return self.does.host

    @property
    def grid(self) -> Launch | None:
        """Where a launch says how many threads it has."""
        return self.does.launch

    @property
    def graph(self) -> GraphEffect | None:
        """What the call does to a graph."""
        return self.does.graph

    @property
    def node_only(self) -> bool:
        """Whether it runs when a graph is launched."""
        return self.does.is_node

    @property
    def enqueues(self) -> bool:
        """Whether it puts something on a stream, the default one if it names none."""
        marks = (CallKind.EVENT_RECORD, CallKind.STREAM_WAIT_EVENT)
        return self.does.enqueues or self.does.kind in marks

    @cached_property
    def touches(self) -> tuple[Touch, ...]:
        """The memory that the call names."""
        return tuple(_touches(self.does))

    @cached_property
    def names(self) -> set[WordName]:
        """The words it cannot be understood without; older recordings lack events of launches."""
        does = self.does
        shapes = [name for touch in self.touches for name in touch.names]
        sizes = [*does.launch.grid, *does.launch.block] if does.launch else []
        events = [] if does.launch else [self.event]
        own = [self.stream, *events, self.copy_kind]
        return set(filter(None, [*own, *shapes, *sizes, *_handles(does.graph)]))


def _handles(graph: GraphEffect | None) -> tuple[WordName, ...]:
    if graph is None:
        return ()
    counts = "numDependencies" if graph.after else ""
    return (graph.graph, graph.node, graph.other, graph.after, graph.before, counts)


def _touches(does: Effects) -> list[Touch]:
    if does.kind is CallKind.FREE:
        return [_freed(does)]
    if does.kind is CallKind.HOST_ACCESS and does.reads:
        shape = shape_of(does.reads)
        return [Touch(Role.HOST, Mode.READ, shape, Space.HOST, writes_if=does.writes_if)]
    from_, to = (SPACES[does.direction[0]], SPACES[does.direction[2]]) if does.direction else (0, 0)
    if does.kind is CallKind.MEMSET:
        to = Space.DEVICE
    touches = []
    if does.writes:
        touches.append(Touch(Role.DESTINATION, Mode.WRITE, shape_of(does.writes), Space(to)))
    if does.reads:
        touches.append(Touch(Role.SOURCE, Mode.READ, shape_of(does.reads), Space(from_)))
    return touches


def _freed(does: Effects) -> Touch:
    gone = does.destroys
    address = gone.handle if gone else does.unmaps
    space = Space.HOST if gone and gone.what in HOST_MEMORY else Space.DEVICE
    return Touch(Role.FREED, Mode.WRITE, Run(address, unit=0), space)


def shape_of(memory: MemoryRange) -> Shape:
    """The shape of memory that a call names."""
    if not memory.pitch:
        size = memory.size[0] if memory.size else ""
        unit = memory.unit if isinstance(memory.unit, int) else 1
        return Run(memory.address[0], size, unit, memory.offset)
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
