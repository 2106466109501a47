"""The copies of a trace: which way each went, and how much it moved.

The one count of copies: coverage, the summary of a run and the exports all ask here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from greta.trace.trace import NONE, Kind, Memory, Role, Space, Table, Trace

_ON_DEVICE: Final = (Memory.DEVICE, Memory.POOL, Memory.SYMBOL, Memory.MANAGED)
UNKNOWN: Final = "?"
"""In place of a side: memory that may be the device's, where allocations are lost."""


@dataclass(frozen=True)
class CopyTable:
    """One row for each copy that ran, or was to run; those of a graph at each of its launches."""

    operation: Table
    direction: Table
    """Such as "D2H"."""
    bytes: Table
    source: Table
    """Rows in accesses; NONE of an array, which is memory of the device without an address."""
    destination: Table

    def to_host(self) -> CopyTable:
        chosen = np.isin(self.direction, ("D2H", f"D2{UNKNOWN}"))
        columns = (self.operation, self.direction, self.bytes, self.source, self.destination)
        return CopyTable(*(column[chosen] for column in columns))


def copies_in(trace: Trace) -> CopyTable:
    """All copies of which a side is known, but not those that only became nodes of graphs."""
    source, destination = _sides(trace)
    either = np.where(source == NONE, destination, source)
    operation = trace.accesses["operation"][either]
    ran = ~trace.operations["captured"][operation]
    source, destination, operation = source[ran], destination[ran], operation[ran]
    out_of, into = _letters(trace, source), _letters(trace, destination)
    direction = np.char.add(np.char.add(out_of, "2"), into)
    sized = np.where(destination == NONE, source, destination)
    return CopyTable(operation, direction, _bytes(trace, sized), source, destination)


def unseen_copies(trace: Trace) -> int:
    """Copies of which no side is known: of arrays, and in lists."""
    operations = trace.operations
    copies = (operations["kind"] == Kind.COPY) & ~operations["captured"]
    copies[trace.accesses["operation"]] = False
    return int(np.count_nonzero(copies))


def _sides(trace: Trace) -> tuple[Table, Table]:
    """Sources and destinations, paired: the sides of a copy are neighbours, in either order."""
    role = np.ascontiguousarray(trace.accesses["role"])
    sources = np.flatnonzero(role == Role.SOURCE)
    last = len(role) - 1
    after, before = np.minimum(sources + 1, last), np.maximum(sources - 1, 0)
    follows = (role[after] == Role.DESTINATION) & _same(trace, sources, after)
    precedes = (role[before] == Role.DESTINATION) & _same(trace, sources, before)
    destinations = np.where(follows, after, np.where(precedes, before, NONE))
    alone = _destinations_alone(trace, role, destinations)
    none = np.full(len(alone), NONE)
    return np.concatenate([sources, none]), np.concatenate([destinations, alone])


def _destinations_alone(trace: Trace, role: Table, paired: Table) -> Table:
    """Destinations of copies out of arrays; a memset has no source either."""
    rows = np.setdiff1d(np.flatnonzero(role == Role.DESTINATION), paired)
    operation, origin = (trace.accesses[name][rows] for name in ("operation", "origin"))
    seqs = trace.operations["seq"]
    at = np.minimum(np.searchsorted(seqs, origin), max(len(seqs) - 1, 0))
    named = np.where(seqs[at] == origin, at, operation) if len(rows) else rows
    return rows[trace.operations["kind"][named] == Kind.COPY]


def _same(trace: Trace, one: Table, other: Table) -> Table:
    """Whether they are of one copy: of one operation, and in a graph of one node."""
    operation, origin = trace.accesses["operation"], trace.accesses["origin"]
    return (operation[one] == operation[other]) & (origin[one] == origin[other])


def _letters(trace: Trace, side: Table) -> Table:
    """D or H: by what the call says, else by what the memory is; what HIP does not know is H."""
    if not len(trace.accesses):
        return np.full(len(side), "D")
    space, allocation = (trace.accesses[name][side] for name in ("space", "allocation"))
    memory = np.append(trace.allocations["memory"], 0)[allocation]
    unsaid = space == Space.UNKNOWN
    on_device = (space == Space.DEVICE) | (unsaid & np.isin(memory, _ON_DEVICE))
    lost = unsaid & (memory == 0) & (trace.dropped > 0)
    return np.where(on_device | (side == NONE), "D", np.where(lost, UNKNOWN, "H"))


def _bytes(trace: Trace, side: Table) -> Table:
    """What is copied: of a rectangle its rows without what lies between them."""
    bytes_, pitch, width = (trace.accesses[name][side] for name in ("bytes", "pitch", "width"))
    apart = np.maximum(pitch, 1)
    rows = (bytes_ + apart - np.uint64(1)) // apart
    return np.where(pitch > 0, width * rows, bytes_)
