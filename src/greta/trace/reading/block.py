"""Some calls in order, and those among them that are of one kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from greta.trace.reading.call_rows import CallRows
from greta.trace.reading.meanings import Meaning
from greta.trace.trace import Row, Table

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Block:
    """Calls that follow each other: their rows in the recording, records and operations."""

    rows: Rows
    records: npt.NDArray[np.void]
    first: Row
    operations: Table
    devices: Rows
    threads: Rows
    seq: Rows


@dataclass(frozen=True)
class Group:
    """Calls of a block that are of one entry: places in the block, which rise, and the meaning."""

    places: Rows
    calls: CallRows
    meaning: Meaning
    per_thread: bool

    def some(self, chosen: Rows) -> Group:
        """Some of them."""
        places = self.places[chosen]
        return Group(places, self.calls.some(chosen), self.meaning, self.per_thread)


def alike(keys: npt.NDArray[np.generic]) -> Iterator[Rows]:
    """Places of equal keys, one key after the other."""
    if not len(keys):
        return
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    borders = np.flatnonzero(sorted_keys[1:] != sorted_keys[:-1]) + 1
    yield from np.split(order, borders)
