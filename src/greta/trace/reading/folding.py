"""Calls that say the same access the same memory: of many of them, one is looked at.

A long run does the same again and again. What tells its calls apart is when they were made: an
address may have meant another allocation by then. So each call asks for itself what its addresses
mean; if that is memory just like the first one's, its rows are copies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from greta.trace.reading.allocations import Allocations
from greta.trace.reading.calls import CallBlock, Group, Rows
from greta.trace.trace import NONE, Table

Flags = npt.NDArray[np.bool_]

ALLOCATION_FACTS: Final = ("address", "bytes", "known_bytes", "memory", "device")
"""What accesses depend on, of an allocation."""
_FEWEST: Final = 64
_REPEATS: Final = 4  # calls of a kind, on the average, that are worth it
_ROUNDS: Final = 3


@dataclass(frozen=True)
class Lookup:
    """Addresses that calls named, and what was found there; one for each of some calls."""

    places: Rows
    """Of the calls in their block."""
    named: npt.NDArray[np.uint64]
    found: Rows
    live: Flags
    counted: npt.NDArray[np.uint64]
    """The address that counts."""


@dataclass(frozen=True)
class Looked:
    """What calls access: tables with at most one row of a call, and the lookup for each of them."""

    tables: list[Table]
    lookups: list[Lookup]
    unknown: Rows
    """Launches whose arguments could not be read: places in their block."""


class Folding:
    def __init__(self, allocations: Allocations) -> None:
        self._allocations = allocations

    def accesses_of(
        self, block: CallBlock, group: Group, look: Callable[[Group], Looked]
    ) -> Iterator[Looked]:
        """What calls of one entry access, in parts. `look` has no other memory of calls."""
        rest = np.arange(len(group.places))
        kinds, firsts = group.calls.alike() if len(rest) >= _FEWEST else (rest, rest)
        if len(kinds) >= _REPEATS * len(firsts):
            for _ in range(_ROUNDS):
                first = np.full(len(firsts), NONE, np.int64)
                first[kinds[rest[::-1]]] = rest[::-1]
                models = np.sort(first[first != NONE])
                first[kinds[models]] = np.arange(len(models))
                copies = _Copies(block, group, models, rest, first[kinds[rest]])
                looked = look(group.some(models))
                fits, found = self._fits(copies, looked.lookups)
                yield copies.made(looked, fits, found)
                rest = rest[~fits]
        if len(rest):
            yield look(group.some(rest))

    def _fits(self, copies: _Copies, lookups: list[Lookup]) -> tuple[Flags, list[Rows]]:
        """Whether all that a call names is like what its model found, and which that is."""
        fits, kinds = np.ones(len(copies.seq), bool), self._kinds
        own: list[Rows] = []
        for lookup in lookups:
            rows = copies.rows_of(lookup.places)
            asked = np.flatnonzero(rows != NONE)
            rows = rows[asked]
            found, live, counted = self._allocations.find(lookup.named[rows], copies.seq[asked])
            like = kinds[found] == kinds[lookup.found[rows]]
            like &= live == lookup.live[rows]
            fits[asked] &= like & (counted == lookup.counted[rows])
            own.append(np.full(len(fits), NONE, np.int64))
            own[-1][asked] = found
        return fits, own

    @cached_property
    def _kinds(self) -> Rows:
        """For each allocation the number of its kind, NONE at the end for none."""
        facts = [self._allocations.table[name] for name in ALLOCATION_FACTS]
        order = np.lexsort(facts)
        differs = np.zeros(len(order), bool)
        for fact in facts:
            differs[1:] |= fact[order[1:]] != fact[order[:-1]]
        kinds = np.full(len(order) + 1, NONE, np.int64)
        kinds[order] = np.cumsum(differs)
        return kinds


class _Copies:
    """Calls of a group, each with the model that says the same."""

    def __init__(
        self, block: CallBlock, group: Group, models: Rows, calls: Rows, model: Rows
    ) -> None:
        """`model`: for each of the calls, its place in `models`."""
        self._block, self._model = block, model
        self._models, self._places = group.places[models], group.places[calls]
        self._model_at = np.full(len(block.rows), NONE, np.int64)
        self._model_at[self._models] = np.arange(len(models))
        self.seq = block.seq[self._places]

    def rows_of(self, places: Rows) -> Rows:
        """For each call the row of its model among rows of these; NONE if it has none."""
        rows = np.full(len(self._models), NONE, np.int64)
        rows[self._model_at[places]] = np.arange(len(places))
        return rows[self._model]

    def made(self, looked: Looked, fits: Flags, found: list[Rows]) -> Looked:
        """What those calls access that fit their models."""
        waits = self._block.operations["waits"]
        waits[self._places[fits]] = waits[self._models][self._model[fits]]
        tables = [
            self._copied(table, fits, own) for table, own in zip(looked.tables, found, strict=True)
        ]
        unknown = fits & (self.rows_of(looked.unknown) != NONE)
        return Looked(tables, [], self._places[unknown])

    def _copied(self, table: Table, fits: Flags, allocation: Rows) -> Table:
        rows = self.rows_of(table["operation"] - self._block.first)
        kept = np.flatnonzero(fits & (rows != NONE))
        copied: Table = table.take(rows[kept])
        copied["operation"] = self._block.first + self._places[kept]
        copied["origin"] = self.seq[kept]
        known = copied["allocation"] != NONE
        copied["allocation"] = np.where(known, allocation[kept], NONE)
        return copied
