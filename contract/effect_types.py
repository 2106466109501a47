"""What HIP calls do: the types of the `does` of contract/hip_api.toml, for all who read it.

These classes stand at the head of the generated greta.recording._contract, so that the contract and
its readers share one definition. A word is named as the recording's table of calls names it; `p@48`
is the 64-bit number at offset 48 of the struct that word p points to, `p@152:4` a 32-bit one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

Word: TypeAlias = str

UNKNOWN_STREAM: Final = "?"
"""Where the stream is in a list or was set by another call."""


class CallKind(Enum):
    """What a call is."""

    COPY = "copy"
    MEMSET = "memset"
    LAUNCH = "launch"
    GRAPH_LAUNCH = "graph_launch"
    HOST_FUNCTION = "host_function"
    PREFETCH = "prefetch"
    """Moves pages or gives them up; what is in them stays as it is for the program."""
    EVENT_RECORD = "event_record"
    STREAM_WAIT_EVENT = "stream_wait_event"
    STREAM_ORDER = "stream_order"
    """Orders work by numbers in memory or by other APIs."""
    WAIT_STREAM = "wait_stream"
    WAIT_EVENT = "wait_event"
    WAIT_DEVICE = "wait_device"
    QUERY_STREAM = "query_stream"
    """Asks; the answer hipSuccess is as good as a wait. So is QUERY_EVENT."""
    QUERY_EVENT = "query_event"
    ALLOCATE = "allocate"
    FREE = "free"
    MAP = "map"
    """Names memory that is not allocated by this call."""
    STREAM_CREATE = "stream_create"
    STREAM_DESTROY = "stream_destroy"
    """The work of the stream goes on."""
    EVENT_DESTROY = "event_destroy"
    SET_DEVICE = "set_device"
    RESET = "reset"
    HOST_ACCESS = "host_access"
    """The host accessed memory of a copy in flight; a record of the recorder's own."""
    BLOCK = "block"
    """The program announced a block inside an allocation, or its end."""
    GRAPH = "graph"
    GRAPH_NODE = "graph_node"
    """Adds or changes a node that has no memory of its own."""
    QUERY = "query"
    SETUP = "setup"
    HANDLE = "handle"
    """Lifetimes of things that no access names."""
    PLACEMENT = "placement"
    """Where memory is and what it is good for, not what is in it."""
    CODE = "code"
    ERROR = "error"


WORK: Final = frozenset(
    (
        *(CallKind.COPY, CallKind.MEMSET, CallKind.LAUNCH, CallKind.GRAPH_LAUNCH),
        *(CallKind.HOST_FUNCTION, CallKind.PREFETCH),
    )
)
"""What runs on a stream."""


class HostWait(Enum):
    """When the host waits before the call returns."""

    NO = ""
    UNLESS_D2D = "waits unless D2D"
    """As hipMemcpy: a copy within a device is only queued."""
    IF_PAGEABLE = "waits if H2H or to pageable"
    """As hipMemcpyAsync: pageable memory is staged, so a copy to it is complete at the return."""
    UNLESS_AT_START = "waits unless at start of device memory"
    """As hipMemset: queued if it sets device memory from the start of its allocation on."""
    FOR_DEVICE_UNLESS_POOL = "waits for device unless pool"
    """As hipFree: all streams of the device are waited for, but not for memory of a pool."""
    FOR_DEVICE = "waits for device"
    PERHAPS = "may wait for device"
    """Nobody knows for sure: no order can be built on it, and nobody blamed for its lack."""


class Missing(Enum):
    """What a recording does not keep of a call."""

    MEMORY = "memory"
    """It is in lists or arrays."""
    ORDER = "order"
    """It orders work by other means than events."""
    KERNELS = "kernels"
    """Kernels and arguments are in lists."""
    NODE = "node"
    """What a node of a graph is: it may have memory, or order work."""


class Sharing(Enum):
    """How other processes come to memory of this one, or this one to theirs."""

    GIVES = "gives memory"
    TAKES = "takes memory"


class Step(Enum):
    """What a call does to a graph; trace.reading.graphs follows them."""

    BEGIN_CAPTURE = "begin_capture"
    END_CAPTURE = "end_capture"
    CREATE = "create"
    CLONE = "clone"
    FIND_IN_CLONE = "find_in_clone"
    DESTROY = "destroy"
    ADD_NODE = "add_node"
    ADD_CHILD = "add_child"
    ADD_EDGES = "add_edges"
    REMOVE_EDGES = "remove_edges"
    CHANGE_NODE = "change_node"
    REMOVE_NODE = "remove_node"
    INSTANTIATE = "instantiate"
    UPDATE = "update"
    CHANGE_EXEC_NODE = "change_exec_node"
    CHANGE_EXEC_CHILD = "change_exec_child"
    ENABLE_EXEC_NODE = "enable_exec_node"
    LAUNCH = "launch"


NODE_STEPS: Final = frozenset((Step.ADD_NODE, Step.CHANGE_NODE, Step.CHANGE_EXEC_NODE))


@dataclass(frozen=True)
class MemoryRange:
    """`size` is bytes, or bytes of a row, rows, slices, the first times `unit`.

    The address is the first of some words that is not zero.
    """

    address: tuple[Word, ...]
    size: tuple[Word, ...]
    unit: Word | int = 1
    offset: Word = ""
    start: tuple[Word, ...] = ()
    """The first byte, row and slice."""
    pitch: Word = ""
    rows: Word = ""
    """Rows from one slice to the next."""


@dataclass(frozen=True)
class Created:
    """What is live after the call, a name of LiveKind; its bytes are a product of words."""

    what: str
    handle: Word
    bytes: tuple[Word, ...] = ()
    flags: Word = ""


@dataclass(frozen=True)
class Destroyed:
    """What is no longer live; gone when the call begins."""

    what: str
    handle: Word
    bytes: Word = ""
    """Of memory: all that begins in so many bytes from the handle on."""


@dataclass(frozen=True)
class Mapped:
    """Memory that the call names; `memory` is a name of trace.trace.Memory."""

    memory: str
    address: Word
    bytes: Word = ""
    alias_of: Word = ""
    """The word with another address of the same memory."""


@dataclass(frozen=True)
class Launch:
    """The sizes of a launch, and whose arguments are kept."""

    grid: tuple[Word, ...]
    block: tuple[Word, ...]
    grid_in_threads: bool = False
    function: str = ""
    params: str = ""
    extra: str = ""
    node: str = ""
    """The parameter that points to hipKernelNodeParams, in place of the three before."""


@dataclass(frozen=True)
class GraphEffect:
    """A step, and the words that hold its handles."""

    step: Step
    graph: Word = ""
    node: Word = ""
    other: Word = ""
    """The graph that is cloned, instantiated, taken in; the node that is looked for."""
    after: Word = ""
    """The array of nodes that come before the node; of edges, before each of `before`."""
    before: Word = ""


@dataclass(frozen=True)
class Effects:
    """Of a call. A twin NAME_spt has those of NAME, on the calling thread's own default stream."""

    kind: CallKind
    parameters: tuple[str, ...] = ()
    """All of the C function, in order, where something of the call is told by them."""
    widths: tuple[int, ...] = ()
    """Of each of them, in bytes."""
    stream: Word = ""
    event: tuple[Word, ...] = ()
    voids: Word = ""
    shares: Word = ""
    """An event that other processes may record and wait for."""
    sharing: Sharing | None = None
    reads: MemoryRange | None = None
    writes: MemoryRange | None = None
    writes_if: Word = ""
    """The word that says whether what is read is written instead."""
    direction: str = ""
    """Of a copy: H2D, D2H or D2D if the call says it; else see `copy_kind`, or the addresses do."""
    copy_kind: Word = ""
    host: HostWait = HostWait.NO
    creates: Created | None = None
    destroys: Destroyed | None = None
    maps: Mapped | None = None
    unmaps: Word = ""
    launch: Launch | None = None
    parts: tuple[Word, ...] = ()
    """The list of launches that the call is made of, each recorded by itself, and its length."""
    arrays: tuple[Word, ...] = ()
    """Words of structs that hold an array, or nothing."""
    graph: GraphEffect | None = None
    device: Word = ""
    code: str = ""
    missing: Missing | None = None

    @property
    def is_node(self) -> bool:
        """Whether it makes or changes a node of a graph, and runs when the graph is launched."""
        return (
            self.graph is not None and self.graph.step in NODE_STEPS and self.kind != CallKind.GRAPH
        )

    @property
    def enqueues(self) -> bool:
        """Whether it puts work on a stream that is known, the default one if it names none."""
        return self.kind in WORK and not self.is_node and self.stream != UNKNOWN_STREAM
