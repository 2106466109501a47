"""Calls that say the same access the same memory: of many of them, one is looked at.

A long run does the same again and again. What tells its calls apart is when they were made: an
address may have meant another allocation by then. So each call asks for itself what its addresses
mean; if that is memory just like the first one's, its rows are copies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from greta.reading_library import Copies
from greta.trace.reading.allocations import Allocations
from greta.trace.reading.calls import CallBlock, Group, Rows
from greta.trace.trace import NONE, Table

_FEWEST: Final = 64
_REPEATS: Final = 4  # calls of a kind, on the average, that are worth it
_ROUNDS: Final = 3


@dataclass(frozen=True)
class Lookup:
    """Addresses that calls named, one for each of some calls."""

    places: Rows
    """Of the calls in their block."""
    named: npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Looked:
    """What calls access: tables with at most one row of a call, and the lookup for each of them."""

    tables: list[Table]
    lookups: list[Lookup]
    unknown: Rows
    """Launches whose arguments could not be read: places in their block."""


Look = Callable[[Group], Looked]


def folded(
    block: CallBlock, group: Group, allocations: Allocations, look: Look
) -> Iterator[Looked]:
    """What calls of one entry access, in parts; `look` is asked about few of them.

    What it finds may depend on what a call says, and on the allocations at the addresses that it
    looks up, and on nothing else.
    """
    rest = np.arange(len(group.places))
    kinds, firsts = group.calls.alike() if len(rest) >= _FEWEST else (rest, rest)
    rounds = _ROUNDS if len(kinds) >= _REPEATS * len(firsts) and allocations.are_plain else 0
    for _ in range(rounds):
        first = np.full(len(firsts), NONE, np.int64)
        first[kinds[rest[::-1]]] = rest[::-1]
        models = np.sort(first[first != NONE])
        first[kinds[models]] = np.arange(len(models))
        fold = _Fold(block, group, models, rest, first[kinds[rest]])
        yield fold.unfolded(look(group.some(models)), allocations)
        rest = rest[~fold.fits]
        if not len(rest):
            return
    yield look(group.some(rest))


class _Fold:
    """Calls of a group, each with the model that says the same."""

    def __init__(
        self, block: CallBlock, group: Group, models: Rows, calls: Rows, model: Rows
    ) -> None:
        """`model`: for each of the calls, its place in `models`."""
        self._block, self._model = block, model
        self._models, self._places = group.places[models], group.places[calls]
        self._model_at = np.full(len(block.rows), NONE, np.int64)
        self._model_at[self._models] = np.arange(len(models))
        self._copies = Copies(model, self._places, block.seq[self._places])

    @property
    def fits(self) -> npt.NDArray[np.bool_]:
        """Whether all that a call names is memory just like what its model found."""
        return self._copies.fits

    def unfolded(self, looked: Looked, allocations: Allocations) -> Looked:
        """What all those calls access that fit their models."""
        found = [
            allocations.fit(self._copies, self._row_of_model(one.places), one.places, one.named)
            for one in looked.lookups
        ]
        waits = self._block.operations["waits"]
        waits[self._places] = np.where(self.fits, waits[self._models][self._model], 0)
        first = self._block.first
        tables = [
            self._copies.made(table, self._row_of_model(table["operation"] - first), own, first)
            for table, own in zip(looked.tables, found, strict=True)
        ]
        unknown = self._row_of_model(looked.unknown)[self._model] != NONE
        return Looked(tables, [], self._places[self.fits & unknown])

    def _row_of_model(self, places: Rows) -> Rows:
        """For each model its row among rows of these; NONE if it has none."""
        rows = np.full(len(self._models), NONE, np.int64)
        rows[self._model_at[places]] = np.arange(len(places))
        return rows
