"""Whether the host waits in a call: HIP's rules, one function each, for recordings and for logs.

What a copy does depends on its host side. Pageable memory is staged: of a copy to the device it has
been read when the call returns, and a copy to it is complete then. Pinned memory is read or written
when the copy runs. A copy within a device is only queued, whatever the call is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from greta.recording import Effects, HostWait
from greta.trace.trace import Kind, Memory, Space, Waits

Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint8]

HOST_MEMORY = (Memory.PINNED, Memory.REGISTERED)
FILLED_WITHOUT_WAIT = (Memory.DEVICE, Memory.POOL, Memory.SYMBOL)

WAIT_AFTER = 2  # of AMD_SERIALIZE_KERNEL and AMD_SERIALIZE_COPY

# hipMemcpyKind: where to, where from. All others let the runtime find out.
SPACES = {
    0: (Space.HOST, Space.HOST),
    1: (Space.DEVICE, Space.HOST),
    2: (Space.HOST, Space.DEVICE),
    3: (Space.DEVICE, Space.DEVICE),
    1024: (Space.DEVICE, Space.DEVICE),
}


@dataclass(frozen=True)
class Side:
    """One side of calls: what they say it is, and the live memory that is there, or 0."""

    space: Codes
    memory: Codes
    device: npt.NDArray[np.int64]
    given: Flags
    """Whether it is not null."""

    @staticmethod
    def of_arrays(count: int) -> Side:
        """Arrays are memory of the device, whose addresses nobody sees."""
        device = np.full(count, Space.DEVICE, np.uint8)
        memory = np.full(count, Memory.DEVICE, np.uint8)
        return Side(device, memory, np.full(count, -1, np.int64), np.ones(count, bool))

    @cached_property
    def host(self) -> Flags:
        """Whether it is memory of the host: what is there counts more than what is said."""
        known: Flags = np.isin(self.memory, HOST_MEMORY)
        supposed: Flags = (self.memory == 0) & (self.space != Space.DEVICE)
        return known | supposed

    @cached_property
    def pageable(self) -> Flags:
        """Memory of the host that HIP knows nothing of."""
        unknown: Flags = self.memory == 0
        return self.host & unknown

    def staged(self, space: Codes) -> Flags:
        """Whether the call itself reads or fills it; `space`: where it is known to be by now."""
        host: Flags = space == Space.HOST
        return self.pageable & host


def said_spaces(kind: npt.NDArray[np.uint64]) -> tuple[Codes, Codes]:
    """The spaces of both sides of copies, by their hipMemcpyKind."""
    to, out_of = np.zeros((2, len(kind)), np.uint8)
    for value, (into, source) in SPACES.items():
        to[kind == value], out_of[kind == value] = into, source
    return to, out_of


def settled(
    rule: HostWait, to: Side, source: Side | None = None, at_start: Flags | None = None
) -> Codes:
    """What calls of one rule wait for. `to` is what they write or free, `source` what they read.

    `at_start`: whether `to` is the start of its allocation. A free of nothing waits for nothing.
    """
    waits, what = np.zeros(len(to.space), bool), Waits.FOR_IT
    if rule is HostWait.UNLESS_D2D and source is not None:
        between = (to.device != source.device) & (to.device >= 0) & (source.device >= 0)
        waits = to.host | source.host | between
    elif rule is HostWait.IF_PAGEABLE and source is not None:
        waits = (to.host & source.host) | to.pageable
    elif rule is HostWait.UNLESS_AT_START and at_start is not None:
        waits = (to.memory != 0) & ~(np.isin(to.memory, FILLED_WITHOUT_WAIT) & at_start)
    elif rule is HostWait.FOR_DEVICE_UNLESS_POOL:
        waits, what = to.given & (to.memory != Memory.POOL), Waits.FOR_DEVICE
    elif rule is HostWait.FOR_DEVICE:
        waits, what = ~waits, Waits.FOR_DEVICE
    elif rule is HostWait.PERHAPS:
        waits, what = to.given, Waits.PERHAPS
    return np.where(waits, what, Waits.NO).astype(np.uint8)


def by_name(does: Effects) -> Waits:
    """As far as the call alone says it, where nothing is known of its memory."""
    if does.host is HostWait.UNLESS_D2D and does.direction != "D2D":
        return Waits.FOR_IT
    pooled = does.destroys is not None and does.destroys.what == "POOL_MEMORY"
    if does.host in (HostWait.FOR_DEVICE, HostWait.FOR_DEVICE_UNLESS_POOL) and not pooled:
        return Waits.FOR_DEVICE
    return Waits.NO


def serialized(environment: Mapping[str, str]) -> frozenset[Kind]:
    """What the program's environment made wait for itself, whatever HIP's rules say."""
    kinds = set()
    serial_kernels = _number(environment, "AMD_SERIALIZE_KERNEL") & WAIT_AFTER
    if serial_kernels or _number(environment, "HIP_LAUNCH_BLOCKING"):
        kinds.add(Kind.LAUNCH)
    if _number(environment, "AMD_SERIALIZE_COPY") & WAIT_AFTER:
        kinds.add(Kind.COPY)
    return frozenset(kinds)


def _number(environment: Mapping[str, str], name: str) -> int:
    value = environment.get(name, "").strip()
    return int(value) if value.isdecimal() else 0
