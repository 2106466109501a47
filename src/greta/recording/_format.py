"""contract/recording.h as NumPy sees it; a test parses the header and compares."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final

import numpy as np

VERSION: Final = 1
HEADER_MAGIC: Final = 0x3144484154455247
LANE_MAGIC: Final = 0x314E4C4154455247
LIVE_MAGIC: Final = 0x31564C4154455247

RECORD_BYTES: Final = 128
RECORD_WORDS: Final = 10
MORE_BYTES: Final = 112
PAGE_BYTES: Final = 4096

# Of a record's flags and a slot's kind: the HIP library, by its place among hip_libraries.
RUNTIME_SHIFT: Final = 8
RUNTIME_MASK: Final = 0xF00
RUNTIME_OTHER: Final = 4

CALL_NONE: Final = 0  # nothing is here yet
CALL_MORE: Final = 0xFFFFFFFF


class End(IntEnum):
    """How a process ended."""

    OPEN = 0
    EXIT = 1
    SIGNAL = 2
    QUICK = 3


class HeaderFlags(IntFlag):
    """Flags of a header."""

    CLOCK_TSC = 1
    RING = 2
    INCOMPLETE = 4


class RecordFlags(IntFlag):
    """Flags of a record."""

    FINISHED = 1
    CUT = 2


class PayloadKind(IntEnum):
    """What the bytes of a continuation are."""

    FILLER = 0  # nothing: room that was not used
    WORDS = 1
    KERNARG = 2
    STRUCT = 3
    ARRAY = 4


class LiveKind(IntEnum):
    """What a handle or an address stands for."""

    FREE = 0
    DEVICE_MEMORY = 1
    HOST_MEMORY = 2
    REGISTERED_MEMORY = 3
    MANAGED_MEMORY = 4
    POOL_MEMORY = 5
    STREAM = 6
    EVENT = 7
    MODULE = 8
    GRAPH = 9
    GRAPH_EXEC = 10
    POOL = 11

    @property
    def is_memory(self) -> bool:
        """Whether it is an address with a size, and not a handle."""
        return LiveKind.DEVICE_MEMORY <= self <= LiveKind.POOL_MEMORY


HEADER: Final = np.dtype(
    [
        ("magic", "<u8"),
        ("version", "<u4"),
        ("flags", "<u4"),
        ("pid", "<u4"),
        ("parent_pid", "<u4"),
        ("ring_records", "<u8"),
        ("start_ticks", "<u8"),
        ("start_monotonic_ns", "<u8"),
        ("start_realtime_ns", "<u8"),
        ("latest_ticks", "<u8"),
        ("latest_monotonic_ns", "<u8"),
        ("end", "<u4"),
        ("end_code", "<i4"),
        ("end_ticks", "<u8"),
        ("dropped", "<u8"),
        ("lanes", "<u4"),
        ("reserved", "<u4", (999,)),
    ]
)

LANE: Final = np.dtype(
    [
        ("magic", "<u8"),
        ("version", "<u4"),
        ("lane", "<u4"),
        ("thread_id", "<u4"),
        ("reserved0", "<u4"),
        ("ring_records", "<u8"),
        ("written", "<u8"),
        ("start_ticks", "<u8"),
        ("thread_name", "S16"),
        ("reserved", "<u4", (1008,)),
    ]
)

RECORD: Final = np.dtype(
    [
        ("call", "<u4"),
        ("more", "<u2"),
        ("flags", "<u2"),
        ("begin", "<u8"),
        ("end", "<u8"),
        ("site", "<u8"),
        ("result", "<i4"),
        ("script", "<u4"),
        ("annotation", "<u4"),
        ("kernel", "<u4"),
        ("words", "<u8", (RECORD_WORDS,)),
    ]
)

# A continuation, in place of a record.
MORE: Final = np.dtype(
    [
        ("call", "<u4"),
        ("kind", "u1"),
        ("word", "u1"),
        ("used", "<u2"),
        ("offset", "<u4"),
        ("total", "<u4"),
        ("bytes", "u1", (MORE_BYTES,)),
    ]
)

LIVE_HEADER: Final = np.dtype(
    [
        ("magic", "<u8"),
        ("version", "<u4"),
        ("slot_bytes", "<u4"),
        ("slots", "<u8"),
        ("peak_device_bytes", "<u8"),
        ("device_bytes", "<u8"),
        ("reserved", "<u4", (1014,)),
    ]
)

LIVE: Final = np.dtype(
    [
        ("kind", "<u4"),
        ("flags", "<u4"),
        ("handle", "<u8"),
        ("bytes", "<u8"),
        ("number", "<u8"),
        ("since", "<u8"),
        ("site", "<u8"),
        ("script", "<u4"),
        ("annotation", "<u4"),
        ("call", "<u4"),
        ("device", "<i4"),
    ]
)
