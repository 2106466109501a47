"""The table of accesses while it is made: it grows in place, so that it is never there twice."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from greta.trace.trace import ACCESS, Row, Table

FIRST_ROWS = 1 << 12
GROWTH = 1.25
WHOLE = np.dtype((np.void, ACCESS.itemsize))  # is copied as one piece, and not field by field


class AccessTable:
    """Accesses in the order of their operations."""

    def __init__(self) -> None:
        self._rows = np.zeros(FIRST_ROWS, ACCESS)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def add(self, pieces: list[Table], counts: npt.NDArray[np.int64], first: Row) -> None:
        """Append the accesses of some operations, from the row `first` on.

        Each piece has its rows in the order of the operations, and at most one row of each; an
        operation's rows keep the order of the pieces. `counts` says how many rows each will have.
        """
        needed = self._used + int(counts.sum())
        if needed > len(self._rows):
            self._rows.resize(max(needed, int(len(self._rows) * GROWTH)), refcheck=False)
        whole = self._rows.view(WHOLE)
        next_place = self._used + np.cumsum(counts) - counts
        for piece in pieces:
            operation = piece["operation"] - first
            whole[next_place[operation]] = piece.view(WHOLE)
            next_place[operation] += 1
        self._used = needed

    def between(self, first: int, stop: int) -> Table:
        """Rows that were added; not to be kept, for adding moves them."""
        return self._rows[first:stop]

    def finished(self) -> Table:
        """The whole table; nothing may be added after that."""
        self._rows.resize(self._used, refcheck=False)
        return self._rows
