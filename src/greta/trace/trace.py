"""What a process did with its device, as tables: the one input of everything in forensics.

A trace has no opinion and no missing values that look like data. It is made from a recording
(greta.trace.reading) or from another tool's log (greta.trace.logs); what a source cannot know is
said in `gaps`.

    operations    one row for each call that matters, in the common order of all threads
    accesses      one row for each range of memory that an operation touches, by operation
    allocations   one row for each life of an address
    streams       one row for each life of a stream, the default ones first

Rows refer to each other by row number; -1 is "none".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

Seq: TypeAlias = int
"""The number of a call in its process, from 1, as `greta export` prints it; of a log, the line."""
Row: TypeAlias = int
Table: TypeAlias = npt.NDArray[Any]
"""An array of one of the dtypes below."""

NONE: Final = -1


class Kind(IntEnum):
    """What an operation is."""

    OTHER = 0
    """A call with no meaning here, kept because it failed, did not return, or builds a graph."""
    COPY = 1
    FILL = 2
    LAUNCH = 3
    GRAPH_LAUNCH = 4
    """All nodes of a graph as one operation; the accesses are those of its nodes."""
    HOST_FUNCTION = 5
    """A callback of the program that runs in its turn on a stream."""
    ALLOCATE = 6
    FREE = 7
    STREAM_CREATE = 8
    STREAM_DESTROY = 9
    EVENT_RECORD = 10
    STREAM_WAIT_EVENT = 11
    WAIT_STREAM = 12
    """The host waits; so do WAIT_EVENT and WAIT_DEVICE."""
    WAIT_EVENT = 13
    WAIT_DEVICE = 14
    QUERY_STREAM = 15
    """The host asks; a result of hipSuccess is as good as a wait. So is QUERY_EVENT."""
    QUERY_EVENT = 16
    HOST_TOUCH = 17
    """The host touched memory while a transfer to or from it was in flight (--watch-host)."""
    RESET = 18


class Waits(IntEnum):
    """Whether the host waits for what it enqueued before the call returns."""

    NO = 0
    FOR_IT = 1
    """The call returns when the operation is done."""
    FOR_DEVICE = 2
    """The call first waits for all streams of the device, as hipFree does."""


class Mode(IntEnum):
    """What is done to memory."""

    READ = 1
    WRITE = 2
    MAY_WRITE = 3
    """A kernel's pointer that is not const: taken for a write, and said so."""


class Role(IntEnum):
    """Which part of the call names the memory."""

    SOURCE = 1
    DESTINATION = 2
    ARGUMENT = 3
    """A pointer of a kernel; `argument` is its number."""
    STRUCT_WORD = 4
    """A word inside an argument that is passed by value, which looks like a pointer."""
    HOST = 5
    """Of a HOST_TOUCH."""
    FREED = 6
    """What a free was given. It is no access in the sense of a race with itself."""


class Space(IntEnum):
    """Whose memory an address is meant to be, by what the call says."""

    UNKNOWN = 0
    HOST = 1
    DEVICE = 2


class Memory(IntEnum):
    """Kinds of allocations."""

    DEVICE = 1
    PINNED = 2
    """hipHostMalloc."""
    REGISTERED = 3
    """hipHostRegister."""
    MANAGED = 4
    POOL = 5
    """hipMallocAsync: freed in stream order."""
    SYMBOL = 6
    """A __device__ variable."""


class StreamKind(IntEnum):
    """How a stream behaves towards the default stream."""

    LEGACY = 0
    """The default stream, handle NULL."""
    BLOCKING = 1
    NON_BLOCKING = 2
    PER_THREAD = 3
    """A thread's own default stream; blocking."""
    UNKNOWN = 4
    """Made before the recording began."""


OPERATION: Final = np.dtype(
    [
        ("seq", "<i8"),
        ("kind", "<u1"),
        ("waits", "<u1"),
        ("finished", "?"),
        ("failed", "?"),  # it returned an error of its own; NotReady is none
        ("captured", "?"),  # a node was made of it; it ran when its graph was launched
        ("device", "<i2"),
        ("result", "<i4"),
        ("thread", "<i4"),  # the number of the recorded thread, from 0
        ("stream", "<i4"),  # row in streams
        ("event", "<i4"),  # an event's identity: equal numbers are the same life of a handle
        ("allocation", "<i4"),  # ALLOCATE, FREE: row in allocations
        ("call", "<i4"),  # place in Trace.calls
        ("kernel", "<i4"),  # LAUNCH: place in Trace.kernels; -1 if it is not known
        ("begin", "<i8"),  # nanoseconds since the process started
        ("end", "<i8"),  # 0 if it has not returned
        ("first_access", "<i8"),  # its rows in accesses: first_access up to the next operation's
    ],
    align=True,
)

ACCESS: Final = np.dtype(
    [
        ("operation", "<i8"),
        ("origin", "<i8"),  # seq of the call that named it: for a graph the captured one
        ("address", "<u8"),
        ("bytes", "<u8"),  # from address to the last byte + 1; of a kernel's pointer an estimate
        ("pitch", "<u8"),  # 0, or bytes from row to row of a rectangle
        ("width", "<u8"),  # bytes of each row of a rectangle
        ("reach", "<u8"),  # of a kernel's pointer: the estimate before `bytes` was clipped
        ("allocation", "<i4"),  # the one that contains address at that time, or did last
        ("argument", "<i2"),
        ("element", "<u2"),  # bytes of what a kernel's pointer or a D16/D32 fill means; 0 unknown
        ("mode", "<u1"),
        ("role", "<u1"),
        ("space", "<u1"),
        ("estimated", "?"),  # bytes is an estimate from grid and integer arguments
        ("at_call", "?"),  # the host side of a copy that is over when the call returns (pageable)
    ],
    align=True,
)

ALLOCATION: Final = np.dtype(
    [
        ("address", "<u8"),
        ("bytes", "<u8"),
        ("known_bytes", "?"),
        ("memory", "<u1"),
        ("device", "<i2"),
        ("generation", "<i4"),
        ("made_by", "<i8"),  # seq; -1: before the recording began
        ("freed_by", "<i8"),  # seq; -1: never
        ("made_at", "<i8"),  # row in operations at which it begins to be live; -1: from the start
        ("freed_at", "<i8"),  # row in operations at which it stops; -1: never
        ("free_stream", "<i4"),  # hipFreeAsync: on which stream
    ],
    align=True,
)

STREAM: Final = np.dtype(
    [
        ("handle", "<u8"),
        ("kind", "<u1"),
        ("device", "<i2"),
        ("thread", "<i4"),  # PER_THREAD: whose
        ("generation", "<i4"),
    ],
    align=True,
)


class Gap(IntEnum):
    """Reasons why a trace is not all that happened."""

    CUT_SHORT = 1
    """The process was killed, or is still running: calls after the last one are not known."""
    OVERWRITTEN = 2
    """A ring kept only the last calls."""
    DROPPED = 3
    """The recorder had no space."""
    DAMAGED = 4
    """Files that cannot be read whole."""
    NO_SIZES = 5
    """The source does not know how much was copied or allocated."""
    NO_ADDRESSES = 6
    NO_ARGUMENTS = 7
    """Launches without the kernels' arguments."""
    NO_ORDER = 8
    """The source does not show synchronization."""
    NO_FAILURES = 9
    """The source keeps only calls that succeeded."""
    ONLY_MARKED = 10
    """The source shows only the transfers that a wrapper was used for."""
    UNKNOWN_KERNELS = 11
    """Kernels whose arguments nobody could read."""
    NO_RECORDING = 12
    """Nothing at all was recorded."""
    UNRECORDED = 13
    """The recorder was there and could not record."""
    UNSEEN = 14
    """A process that may have used HIP, of which there is no recording."""
    TWO_RUNTIMES = 15
    """Two HIP libraries were in the process: neither knows the memory and the work of the other."""
    BYPASSED = 16
    """Code of the process called HIP past the recorder, or may have."""


@dataclass(frozen=True)
class Where:
    """Where a call was made."""

    file: str | None = None
    line: int | None = None
    function: str | None = None


@dataclass(frozen=True)
class Call:
    """One call as a person wants to see it."""

    seq: Seq
    name: str
    result: int
    result_name: str | None
    arguments: dict[str, Any]
    where: Where
    kernel: str | None = None
    kernel_arguments: tuple[tuple[str, str, int | None], ...] = ()
    """Name, type and value of each argument of a kernel."""
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    annotations: tuple[str, ...] = ()


@dataclass(frozen=True)
class GraphNode:
    """A node of a graph that was launched."""

    rows: tuple[Row, ...]
    """The operations it runs, in turn: captured, or added to the graph."""
    after: tuple[int, ...]
    """The nodes that come before it, by their places, which are lower."""


@dataclass(frozen=True)
class BranchedGraph:
    """A graph whose nodes are no chain, as it was when it was launched."""

    launch: Row
    nodes: tuple[GraphNode, ...]


@dataclass(frozen=True)
class Trace:
    """All of it. `describe` looks up what the tables leave out; it may be slow."""

    operations: Table
    accesses: Table
    allocations: Table
    streams: Table
    calls: tuple[str, ...]
    """Names of calls, that operations refer to."""
    describe: Callable[[Seq], Call]
    gaps: dict[Gap, str] = field(default_factory=dict)
    """What is missing, with a word on how much."""
    kernels: tuple[str, ...] = ()
    """Names of kernels, that operations refer to."""
    branched_graphs: tuple[BranchedGraph, ...] = ()
    graphs_left_off: int = 0
    """Launches of such graphs that are not among those: too many, or nobody saw dependencies."""
    total_calls: int = 0
    """All calls that the source saw, those without a row too."""
    dropped: int = 0
    pid: int = 0
    different_launches: tuple[Seq, ...] | None = None
    """One launch of each kernel with each set of whole numbers it was given; None: not known."""
    signal: int | None = None
    """The signal that ended the process; None: it ended in another way, or that is not known."""
    source: str = "recording"

    def row_of(self, seq: Seq) -> Row:
        """The operation of a call; NONE if it has no row."""
        row = int(np.searchsorted(self.operations["seq"], seq))
        found = row < len(self.operations) and int(self.operations["seq"][row]) == seq
        return row if found else NONE

    def accesses_of(self, row: Row) -> Table:
        """What an operation touches."""
        return self.accesses[self.access_rows(row)]

    def access_rows(self, row: Row) -> slice:
        """The same as a slice of the table."""
        starts = self.operations["first_access"]
        stop = int(starts[row + 1]) if row + 1 < len(starts) else len(self.accesses)
        return slice(int(starts[row]), stop)
