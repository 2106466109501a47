"""Random programs, as data that hypothesis can draw and shrink.

A command says what is wanted, with small numbers in place of handles and sizes; the machine finds
out what they mean when it gets there, and adds the synchronization that makes the program correct.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hypothesis import strategies as st

MOST_STREAMS = 8
SEGMENTS = 4  # of every buffer: the pieces that commands name


class Kind(Enum):
    """What a command does. The first is what the others shrink to."""

    NOTHING = "nothing"
    FILL = "fill"
    ADD = "add a number, in a kernel"
    PATTERN = "write a pattern, in a kernel"
    MIX = "mix one buffer into another, in a kernel"
    COPY = "copy from buffer to buffer"
    COPY_2D = "copy a rectangle"
    COPY_3D = "copy a box"
    GRAPH = "a graph with a node of each kind"
    UPLOAD = "copy from pageable memory"
    DOWNLOAD = "copy to pageable memory and look at it"
    BLOCKING_COPY = "hipMemcpy"
    HOST_WRITE = "the host writes to pinned memory"
    HOST_READ = "the host looks at pinned memory"
    RECORD = "record an event"
    WAIT = "wait for an event, needed or not"
    SYNCHRONIZE = "the host waits"
    DELAY = "a host function that takes its time"
    ALLOCATE = "allocate"
    FREE = "free"
    NEW_STREAM = "destroy a stream, with what is queued in it, and make another"


class Memory(Enum):
    DEVICE = "hipMalloc"
    PINNED = "hipHostMalloc"
    POOL = "hipMallocAsync"
    MANAGED = "hipMallocManaged"
    MAPPED = "hipMemMap, in two pieces"


class StreamKind(Enum):
    NON_BLOCKING = "non-blocking"
    BLOCKING = "blocking"
    DEFAULT = "default"
    PER_THREAD = "per-thread"


@dataclass(frozen=True)
class Command:
    kind: Kind
    stream: int = 0
    target: int = 0  # a buffer
    source: int = 0  # another
    first: int = 0  # segment of the target
    source_first: int = 0  # and of the source
    segments: int = 1
    number: int = 0  # a byte, a size, a duration: whatever the command has use for


@dataclass(frozen=True)
class Program:
    streams: tuple[StreamKind, ...]
    buffers: tuple[tuple[Memory, int], ...]  # kind and segment size
    commands: tuple[Command, ...]


# More of what makes data flow than of what stops it.
WEIGHTED_KINDS = [
    *Kind,
    *(Kind.ADD, Kind.MIX, Kind.MIX, Kind.COPY, Kind.COPY, Kind.FILL, Kind.PATTERN),
    *(
        Kind.COPY_2D,
        Kind.COPY_3D,
        Kind.GRAPH,
        Kind.UPLOAD,
        Kind.DELAY,
        Kind.DELAY,
        Kind.ALLOCATE,
        Kind.FREE,
        Kind.FREE,
    ),
]
SEGMENT_SIZES = [1, 3, 16, 100, 257, 1024, 4096, 10_000, 300_000]  # the last: too large to stage


def numbers(most: int) -> st.SearchStrategy[int]:
    return st.integers(0, most)


COMMANDS = st.builds(
    Command,
    kind=st.sampled_from(WEIGHTED_KINDS),
    stream=numbers(MOST_STREAMS - 1),
    target=numbers(7),
    source=numbers(7),
    first=numbers(SEGMENTS - 1),
    source_first=numbers(SEGMENTS - 1),
    segments=st.integers(1, SEGMENTS),
    number=numbers(255),
)

PROGRAMS = st.builds(
    Program,
    streams=st.lists(st.sampled_from(StreamKind), min_size=1, max_size=MOST_STREAMS).map(tuple),
    buffers=st.lists(
        st.tuples(st.sampled_from(Memory), st.sampled_from(SEGMENT_SIZES)), min_size=2, max_size=5
    ).map(tuple),
    commands=st.lists(COMMANDS, min_size=16, max_size=64).map(tuple),
)
