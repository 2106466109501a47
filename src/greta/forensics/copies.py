"""The copies of a trace: which way each went, and how much it moved.

The one count of copies: coverage, the summary of a run and the exports all ask here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from greta.trace.trace import NONE, SAYS_SIZES, Kind, Memory, Role, Space, Table, Trace

_ON_DEVICE: Final = (Memory.DEVICE, Memory.POOL, Memory.SYMBOL, Memory.MANAGED)
UNKNOWN: Final = "?"
"""In place of a side: memory that may be the device's, where allocations are lost."""
ROWS: Final = 1 << 18
"""Of accesses that are looked at together."""
_LETTERS: Final = ("D", "H", UNKNOWN)
_DIRECTIONS: Final = np.array([[f"{one}2{other}" for other in _LETTERS] for one in _LETTERS])


@dataclass(frozen=True)
class CopyTable:
    """One row for each copy that ran, or was to run; those of a graph at each of its launches."""

    operation: Table
    way: Table
    """Of `direction`, as a number."""
    bytes: Table
    source: Table
    """Rows in accesses; NONE of an array, which is memory of the device without an address."""
    destination: Table

    @property
    def direction(self) -> Table:
        """Such as "D2H"."""
        return _DIRECTIONS.reshape(-1)[self.way]

    def to_host(self) -> CopyTable:
        is_wanted = np.isin(_DIRECTIONS.reshape(-1), ("D2H", f"D2{UNKNOWN}"))
        chosen = np.flatnonzero(is_wanted[self.way])
        return CopyTable(*(getattr(self, column.name)[chosen] for column in fields(self)))


def audited_copies(trace: Trace, unwaited: Table) -> tuple[int, int, int]:
    """Of copies to the host: how many, their bytes, and of how many it is seen that they are right.

    `unwaited`: rows of copies that nothing waits for.
    """
    parts = (one.to_host() for one in copies_by_parts(trace))
    counts = np.array([_counts_of(trace, part, unwaited) for part in parts])
    count, size, audited = counts.sum(axis=0).tolist()
    return count, size, audited


def _counts_of(trace: Trace, copies: CopyTable, unwaited: Table) -> tuple[int, int, int]:
    rows = copies.operation
    failed, finished = trace.column("failed")[rows], trace.column("finished")[rows]
    address, allocation = (
        trace.accesses[name][copies.source] for name in ("address", "allocation")
    )
    known = np.append(trace.allocations["known_bytes"], False)[allocation]
    audited = (failed | known) & finished & (address != 0)
    audited = np.where(copies.source == NONE, finished, audited)  # HIP knows how large an array is
    if copies.bytes.any():  # copies of nothing are understood, but show nothing
        audited |= finished & (copies.bytes == 0)
    audited &= ~np.isin(rows, unwaited)
    size = copies.bytes[~failed & finished]
    return len(rows), int(size.sum()), int(np.count_nonzero(audited))


def copies_in(trace: Trace) -> CopyTable:
    """All copies of which a side is known, but not those that only became nodes of graphs."""
    parts = list(copies_by_parts(trace))
    columns = ([getattr(part, name.name) for part in parts] for name in fields(CopyTable))
    return CopyTable(*(np.concatenate(column) for column in columns))


def copies_by_parts(trace: Trace) -> Iterator[CopyTable]:
    """The same, some after the other, so that they fit the memory; at least one part."""
    trace, first = trace.unchanging(), 0
    while first < len(trace.accesses) or first == 0:
        stop = min(first + ROWS, len(trace.accesses))
        # The sides of a copy, and those of a graph's nodes, stay together.
        last = int(trace.accesses["operation"][stop - 1]) if stop else NONE
        stop = max(stop, trace.access_rows(last).stop) if stop else 0
        yield _copies_in(trace, first, stop)
        first = stop or 1


def _copies_in(trace: Trace, first: int, stop: int) -> CopyTable:
    source, destination = _sides(trace, first, stop)
    either = np.where(source == NONE, destination, source)
    operation = trace.accesses["operation"][either]
    ran = ~trace.column("captured")[operation]
    source, destination, operation = source[ran], destination[ran], operation[ran]
    out_of, into = _letters(trace, source), _letters(trace, destination)
    if trace.source in SAYS_SIZES:  # its lines are of copies to the host, also where not to which
        into = np.where(destination == NONE, np.uint8(_LETTERS.index("H")), into)
    way = out_of * np.uint8(len(_LETTERS)) + into
    sized = np.where(destination == NONE, source, destination)
    bytes_ = bytes_in(*(trace.accesses[name][sized] for name in ("bytes", "pitch", "width")))
    return CopyTable(operation, way, bytes_, source, destination)


def unseen_copies(trace: Trace) -> int:
    """Copies of which no side is known: of arrays, and in lists."""
    copies = (trace.column("kind") == Kind.COPY) & ~trace.column("captured")
    for first in range(0, len(trace.accesses), ROWS):
        copies[trace.accesses["operation"][first : first + ROWS]] = False
    return int(np.count_nonzero(copies))


def _sides(trace: Trace, first: int, stop: int) -> tuple[Table, Table]:
    """Sources and destinations, paired: the sides of a copy are neighbours, in either order."""
    part = trace.accesses[first:stop]
    role = np.ascontiguousarray(part["role"])
    sources = np.flatnonzero(role == Role.SOURCE)
    last = len(role) - 1
    after, before = np.minimum(sources + 1, last), np.maximum(sources - 1, 0)
    follows = (role[after] == Role.DESTINATION) & _same(part, sources, after)
    precedes = (role[before] == Role.DESTINATION) & _same(part, sources, before)
    paired = np.where(follows, after, np.where(precedes, before, NONE))
    alone = _destinations_alone(trace, part, role, paired)
    none = np.full(len(alone), NONE)
    destinations = np.where(paired == NONE, NONE, paired + first)
    return np.concatenate([sources + first, none]), np.concatenate([destinations, alone + first])


def _destinations_alone(trace: Trace, part: Table, role: Table, paired: Table) -> Table:
    """Destinations of copies out of arrays; a memset has no source either."""
    is_alone = role == Role.DESTINATION
    is_alone[paired[paired != NONE]] = False
    rows = np.flatnonzero(is_alone)
    operation, origin = (part[name][rows] for name in ("operation", "origin"))
    kind = trace.operations["kind"][operation]
    of_nodes = np.flatnonzero(trace.operations["seq"][operation] != origin)
    origins, which = np.unique(origin[of_nodes], return_inverse=True)
    nodes = np.array([trace.row_of(int(one)) for one in origins], np.int64)[which]
    known = nodes != NONE
    kind[of_nodes[known]] = trace.operations["kind"][nodes[known]]
    return rows[kind == Kind.COPY]


def _same(part: Table, one: Table, other: Table) -> Table:
    """Whether they are of one copy: of one operation, and in a graph of one node."""
    operation, origin = part["operation"], part["origin"]
    return (operation[one] == operation[other]) & (origin[one] == origin[other])


def _letters(trace: Trace, side: Table) -> Table:
    """D or H: by what the call says, else by what the memory is; what HIP does not know is H.

    As places in _LETTERS.
    """
    if not len(trace.accesses):
        return np.zeros(len(side), np.uint8)
    space, allocation = (trace.accesses[name][side] for name in ("space", "allocation"))
    memory = np.append(trace.allocations["memory"], 0)[allocation]
    unsaid = space == Space.UNKNOWN
    on_device = (space == Space.DEVICE) | (unsaid & np.isin(memory, _ON_DEVICE))
    lost = unsaid & (memory == 0) & (trace.dropped > 0)
    return np.where(
        on_device | (side == NONE), np.uint8(0), np.where(lost, np.uint8(2), np.uint8(1))
    )


def bytes_in(bytes_: Table, pitch: Table, width: Table) -> Table:
    """What accesses are to: of a rectangle its rows without what lies between them."""
    apart = np.maximum(pitch, 1)
    rows = (bytes_ + apart - np.uint64(1)) // apart
    return np.where(pitch > 0, width * rows, bytes_)
