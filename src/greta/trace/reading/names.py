"""Ids of a recording as places in a tuple of names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from greta.trace.trace import NONE


class Names:
    """The names of some ids; ids may be any number, as damage makes them."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._ids = np.array(sorted(names), np.int64)
        self.names = tuple(names[id_] for id_ in self._ids.tolist())

    def places(self, ids: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        """Where the name of each is; NONE if it has none."""
        if not len(self._ids):
            return np.full(len(ids), NONE, np.int64)
        places = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
        return np.where(self._ids[places] == ids, places, NONE)


def are_any_of(ids: npt.NDArray[np.uint32], wanted: Iterable[int]) -> npt.NDArray[np.bool_]:
    """Which ids are wanted; quick for the small numbers that ids are."""
    highest = 1 << 16
    table = np.zeros(highest + 1, bool)
    table[[id_ for id_ in wanted if id_ < highest]] = True
    found: npt.NDArray[np.bool_] = table[np.minimum(ids, highest)]
    return found
