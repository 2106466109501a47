"""Memory that nodes of graphs allocate and free: it comes and goes with each launch.

A call that adds such a node, or is captured, only names the memory. It is there from a launch of
the graph that allocates it to a launch of one that frees it, or to a free outside of graphs; the
next launch may bring it back. What used it while it was gone is found here, and told apart as a
lifetime of its own: all else is one lifetime, as if the memory were there from the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from greta.trace.reading.allocations import Allocations
from greta.trace.reading.graphs import Behind, LaunchedMemory
from greta.trace.trace import NONE, Kind, Row, Table

Rows = npt.NDArray[np.int64]
NEVER: Final = np.iinfo(np.int64).max
MOST_LIFETIMES: Final = 1 << 16
"""That were used after their end; the first of a program that goes wrong on and on."""


@dataclass
class _Changes:
    """When memory comes and goes: rows of operations."""

    begins: list[Row] = field(default_factory=list)
    ends: dict[Row, Row] = field(default_factory=dict)
    """Where it is over, and the operation that named the free."""


def end_graph_memory(
    allocations: Allocations,
    operations: Table,
    accesses: Table,
    launched: dict[Row, LaunchedMemory],
) -> None:
    """Let memory of graphs end where a launch, or a call behind it, frees it."""
    known: dict[tuple[Row, ...], _Named] = {}
    """By the nodes: the same graph is launched again and again."""
    for one in launched.values():
        if one.nodes not in known:
            known[one.nodes] = _of_launch(allocations, operations, one.nodes)
    of_launch = {row: known[one.nodes] for row, one in launched.items()}
    named = {one for it in known.values() for one in (*it.made, *it.freed)}
    groups = list(_overlapping(allocations.table, sorted(named - {NONE})))
    added: list[Table] = []
    for group, changes in zip(groups, _changes(groups, of_launch), strict=True):
        changes.ends |= {row: row for row in _frees(allocations.table, group, operations)}
        ended = _Ended(changes)
        added += ended.settle(allocations.table, group, operations, accesses, len(added))
    group_of = {one: group for group in groups for one in group}
    for row, one in launched.items():
        told = one.behind, of_launch[row], group_of
        for free, uses in _late_in_launch(row, *told, operations, accesses):
            if len(added) < MOST_LIFETIMES:
                added.append(_ended_by_node(allocations.table, free, operations))
                accesses["allocation"][uses] = len(allocations.table) + len(added) - 1
    if added:
        allocations.table = np.concatenate([allocations.table, *added])


class _Named(NamedTuple):
    """What the nodes of a launch allocate and free, and by which operation."""

    made: dict[Row, Row]
    freed: dict[Row, Row]


def _of_launch(allocations: Allocations, operations: Table, nodes: tuple[Row, ...]) -> _Named:
    rows = np.array(nodes, np.int64)
    is_free = operations["kind"][rows] == Kind.FREE
    makers, frees = rows[~is_free], rows[is_free]
    made = allocations.named_by(operations["seq"][makers].astype(np.int64)).tolist()
    freed = operations["allocation"][frees].tolist()
    return _Named(
        dict(zip(made, makers.tolist(), strict=True)), dict(zip(freed, frees.tolist(), strict=True))
    )


def _late_in_launch(
    launch: Row,
    behind: Behind,
    named: _Named,
    group_of: dict[Row, list[Row]],
    operations: Table,
    accesses: Table,
) -> Iterator[tuple[Row, Rows]]:
    """Accesses of nodes behind the one that frees, in the same launch."""
    freed_by = {row: one for one, row in named.freed.items()}
    for free, later in behind:
        group = group_of.get(freed_by.get(free, NONE))
        if group is None or any(named.made.get(one) in later for one in group):
            continue  # made anew, it is there again
        first, stop = np.searchsorted(accesses["operation"], [launch, launch + 1]).tolist()
        part = accesses[first:stop]
        late = np.isin(part["allocation"], group)
        late &= np.isin(part["origin"], operations["seq"][list(later)])
        if late.any():
            yield free, first + np.flatnonzero(late)


def _ended_by_node(table: Table, free: Row, operations: Table) -> Table:
    """To what comes behind the node, its memory ended there."""
    record: Table = table[[int(operations["allocation"][free])]]
    record["freed_at"], record["freed_by"] = free, operations["seq"][free]
    record["free_stream"] = NONE
    return record


def _overlapping(table: Table, rows: list[Row]) -> Iterator[list[Row]]:
    """Allocations at the same addresses: what one graph gives back, the next may be given."""
    begin = table["address"][rows].astype(object)
    end = begin + np.maximum(table["bytes"][rows], 1).astype(object)
    group: list[Row] = []
    stop = 0
    for place in np.argsort(begin, kind="stable").tolist():
        if group and begin[place] >= stop:
            yield group
            group, stop = [], 0
        group.append(rows[place])
        stop = max(stop, end[place])
    if group:
        yield group


def _changes(groups: list[list[Row]], of_launch: dict[Row, _Named]) -> list[_Changes]:
    """Of each group, by the launches."""
    found = [_Changes() for _ in groups]
    place = {one: at for at, group in enumerate(groups) for one in group}
    for launch, (made, freed) in of_launch.items():
        for at in {place[one] for one in made if one in place}:
            found[at].begins.append(launch)
        for one, node in freed.items():
            if one in place:
                found[place[one]].ends[launch] = node
    return found


def _frees(table: Table, group: list[Row], operations: Table) -> list[Row]:
    """Calls outside of graphs that free it; to them it may be memory that nobody saw made."""
    begin = int(table["address"][group].min())
    end = max(int(one["address"]) + int(one["bytes"]) for one in table[group])
    unmade = (table["made_by"] == NONE) & (table["address"] >= begin) & (table["address"] < end)
    named = [*group, *np.flatnonzero(unmade).tolist()]
    done = (operations["kind"] == Kind.FREE) & operations["finished"]
    done &= ~(operations["failed"] | operations["captured"])
    found: list[Row] = np.flatnonzero(done & np.isin(operations["allocation"], named)).tolist()
    return found


class _Ended:
    """The times at which some memory was gone."""

    def __init__(self, seen: _Changes) -> None:
        begins = np.array(sorted(seen.begins), np.int64)
        self.at = np.array(sorted(seen.ends), np.int64)
        self.by = [seen.ends[row] for row in self.at.tolist()]
        # A launch that allocates and frees is over with it; the next one brings it back.
        again = np.searchsorted(begins, self.at, "right")
        self.until = np.append(begins, NEVER)[again]

    def settle(
        self, table: Table, group: list[Row], operations: Table, accesses: Table, added: int
    ) -> list[Table]:
        """Where it is gone for good, all of it is over; gives a row for each other end of use."""
        found: list[Table] = []
        is_gone = len(self.at) > 0 and int(self.until[-1]) == NEVER
        for number, uses in self._uses(accesses, group):
            if is_gone and number == len(self.at) - 1:
                continue
            if added + len(found) >= MOST_LIFETIMES:
                break
            one = table[accesses["allocation"][uses[:1]]]
            self._end(one, number, operations)
            accesses["allocation"][uses] = len(table) + added + len(found)
            found.append(one)
        for row in group if is_gone else ():
            self._end(table[row : row + 1], len(self.at) - 1, operations)
        return found

    def _uses(self, accesses: Table, group: list[Row]) -> list[tuple[int, Rows]]:
        """Of each end: the accesses that came while the memory was gone."""
        if not len(self.at):
            return []
        rows = np.flatnonzero(np.isin(accesses["allocation"], group))
        when = accesses["operation"][rows].astype(np.int64)
        which = np.searchsorted(self.at, when, "left") - 1  # the launch that frees may use it
        gone = (which >= 0) & (when < self.until[which])
        return [(int(one), rows[gone & (which == one)]) for one in np.unique(which[gone])]

    def _end(self, record: Table, number: int, operations: Table) -> None:
        row, node = int(self.at[number]), self.by[number]
        record["freed_at"], record["freed_by"] = row, operations["seq"][node]
        record["free_stream"] = operations["stream"][row] if row == node else NONE
