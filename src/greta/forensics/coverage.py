"""How much of a run the evidence shows: no verdict is better than this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from greta.forensics.unwaited import copies_never_waited_for
from greta.trace.evidence import Evidence
from greta.trace.trace import NONE, Gap, Kind, Memory, Role, Space, Table, Trace

_HARMLESS: Final = frozenset({Gap.UNKNOWN_KERNELS})
"""Gaps that say what kind of thing was not looked at, not that something was lost."""
_ON_DEVICE: Final = (Memory.DEVICE, Memory.POOL, Memory.SYMBOL, Memory.MANAGED)
_ON_HOST: Final = (Memory.PINNED, Memory.REGISTERED)


@dataclass(frozen=True)
class Coverage:
    """Counts of what ran and was seen."""

    calls: int = 0
    d2h_calls: int = 0
    d2h_bytes: int = 0
    d2h_audited: int = 0
    """Copies to the host of which everything is known: end, sizes, the source's allocation."""
    launches: int = 0
    dropped: int = 0
    complete: bool = False
    gaps: tuple[tuple[str, str], ...] = field(default=())
    """Name and a word on how much."""


def coverage_of(evidence: Sequence[Evidence]) -> Coverage:
    """Of all processes of a run together."""
    parts = [_of_trace(one.trace) for one in evidence]
    return Coverage(
        calls=sum(part.calls for part in parts),
        d2h_calls=sum(part.d2h_calls for part in parts),
        d2h_bytes=sum(part.d2h_bytes for part in parts),
        d2h_audited=sum(part.d2h_audited for part in parts),
        launches=sum(part.launches for part in parts),
        dropped=sum(part.dropped for part in parts),
        complete=bool(parts) and all(part.complete for part in parts),
        gaps=tuple(gap for part in parts for gap in part.gaps),
    )


def _of_trace(trace: Trace) -> Coverage:
    copies, size, audited = _copies_to_host(trace)
    kinds, captured = trace.operations["kind"], trace.operations["captured"]
    launched = ((kinds == Kind.LAUNCH) | (kinds == Kind.GRAPH_LAUNCH)) & ~captured
    return Coverage(
        calls=max(trace.total_calls, len(trace.operations)) - int((kinds == Kind.HOST_TOUCH).sum()),
        d2h_calls=copies,
        d2h_bytes=size,
        d2h_audited=audited,
        launches=int(np.count_nonzero(launched)),
        dropped=trace.dropped,
        complete=not set(trace.gaps) - _HARMLESS,
        gaps=tuple((gap.name, text) for gap, text in sorted(trace.gaps.items())),
    )


class _Sides:
    """Columns of one side of some copies, the source's or the destination's."""

    def __init__(self, trace: Trace, rows: Table) -> None:
        self._table, self._rows, self._trace = trace.accesses, rows, trace

    def __getitem__(self, column: str) -> Table:
        values: Table = self._table[column][self._rows]
        return values

    def of_allocation(self, column: str) -> Table:
        """A column of their allocations; 0 where there is none."""
        allocation = self["allocation"]
        values: Table = np.append(self._trace.allocations[column], 0)[allocation]
        return values

    @property
    def is_device(self) -> Table:
        """By what the call says, else by what the memory is."""
        space = self["space"]
        by_memory = (space == Space.UNKNOWN) & np.isin(self.of_allocation("memory"), _ON_DEVICE)
        found: Table = (space == Space.DEVICE) | by_memory
        return found

    @property
    def is_host(self) -> Table:
        """The same; memory that HIP does not know is the host's."""
        space, memory = self["space"], self.of_allocation("memory")
        by_memory = (space == Space.UNKNOWN) & ((memory == 0) | np.isin(memory, _ON_HOST))
        found: Table = (space == Space.HOST) | by_memory
        return found


def _copies_to_host(trace: Trace) -> tuple[int, int, int]:
    """Count, bytes and audited ones. The sides of a copy are neighbours, in either order."""
    role = np.ascontiguousarray(trace.accesses["role"])
    sources = np.flatnonzero(role == Role.SOURCE)
    sources, destinations = _paired(trace, role, sources)
    source, destination = _Sides(trace, sources), _Sides(trace, destinations)
    to_host = source.is_device & destination.is_host
    return _counted(trace, sources[to_host], destinations[to_host])


def _paired(trace: Trace, role: Table, sources: Table) -> tuple[Table, Table]:
    """Sources with their destinations; a side that stands alone is left out."""
    last = len(role) - 1
    after, before = np.minimum(sources + 1, last), np.maximum(sources - 1, 0)
    follows = (role[after] == Role.DESTINATION) & _same(trace, sources, after)
    other = np.where(follows, after, before)
    fits = follows | ((role[before] == Role.DESTINATION) & _same(trace, sources, before))
    return sources[fits], other[fits]


def _same(trace: Trace, one: Table, other: Table) -> Table:
    """Whether they are of one copy: of one operation, and in a graph of one node."""
    operation, origin = trace.accesses["operation"], trace.accesses["origin"]
    same: Table = (operation[one] == operation[other]) & (origin[one] == origin[other])
    return same


def _counted(trace: Trace, sources: Table, destinations: Table) -> tuple[int, int, int]:
    source, destination = _Sides(trace, sources), _Sides(trace, destinations)
    rows = source["operation"]
    ran = ~trace.operations["captured"][rows]
    failed, finished = trace.operations["failed"][rows], trace.operations["finished"][rows]
    known = failed | ((source["allocation"] != NONE) & (source.of_allocation("known_bytes") != 0))
    audited = ran & known & finished & (source["address"] != 0)
    audited &= ~np.isin(rows, copies_never_waited_for(trace))
    size = _bytes(destination)[ran & ~failed & finished]
    return int(np.count_nonzero(ran)), int(size.sum()), int(np.count_nonzero(audited))


def _bytes(side: _Sides) -> Table:
    """What is copied: of a rectangle its rows without what lies between them."""
    pitch = side["pitch"]
    apart = np.maximum(pitch, 1)
    rows = (side["bytes"] + apart - np.uint64(1)) // apart
    size: Table = np.where(pitch > 0, side["width"] * rows, side["bytes"])
    return size
