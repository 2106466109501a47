"""Tables that grow by rows and do not take much more memory than they need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from greta.trace.trace import Table

_ROWS_AT_ONCE: Final = 1 << 14


class GrowingTable:
    """Rows of Python numbers, packed as they come. All rows name the same columns."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self._dtype = dtype
        self._parts: list[Table] = []
        self._rows: list[dict[str, int]] = []
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, **row: int) -> None:
        """One more row; columns that are not named are 0."""
        self._rows.append(row)
        self._length += 1
        if len(self._rows) == _ROWS_AT_ONCE:
            self._pack()

    def finished(self) -> Table:
        """The whole table."""
        self._pack()
        return np.concatenate(self._parts)

    def _pack(self) -> None:
        self._parts.append(table_of(self._rows, self._dtype))
        self._rows = []


def table_of(rows: Sequence[dict[str, Any]], dtype: np.dtype[Any]) -> Table:
    """Rows as a table; columns that the first row does not have are 0."""
    table = np.zeros(len(rows), dtype)
    for name in rows[0] if rows else ():
        table[name] = _column([row.get(name, 0) for row in rows], table.dtype[name])
    return table


def _column(values: list[int], kind: np.dtype[Any]) -> Table:
    """What a hostile log makes larger than the column is cut to its limits."""
    if kind.kind not in "iu":
        return np.array(values, kind)
    limits = np.iinfo(kind)
    low, high = int(limits.min), int(limits.max)
    if min(values) < low or max(values) > high:
        values = [min(max(value, low), high) for value in values]
    return np.array(values, kind)
