"""Whom a handle means, for many calls at once: the last life of it that had begun."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from greta.recording import Columns, Identity
from greta.trace.trace import NONE

DEVICES = range(1 << 15)

Seqs = npt.NDArray[np.int64]
Found = npt.NDArray[np.int64]


def first_seqs(columns: Columns, lives: Sequence[Identity]) -> Seqs:
    """The first call that can mean each life: the first to begin after the making one returned."""
    ticks = np.array([life.made_ticks for life in lives], np.uint64)
    made_by = np.array([life.made_by or 0 for life in lives], np.int64)
    began = np.searchsorted(columns.order_ticks, ticks) + 1
    return np.where(made_by == 0, np.where(ticks == 0, 0, began), np.maximum(began, made_by + 1))


def device_number(life: Identity) -> int:
    """Of a life; NONE if it is not known, or is no number that a device has."""
    device = NONE if life.device is None else life.device
    return device if device in DEVICES else NONE


class LastBegun:
    """Groups of things that begin one after the other; finds the last that has begun."""

    def __init__(self, group: npt.NDArray[np.int64], first: Seqs) -> None:
        order = np.lexsort((first, group))
        self.items = order
        self._groups = np.unique(group)
        self._firsts = np.unique(first)
        self._step = len(self._firsts) + 1
        places = np.searchsorted(self._groups, group[order])
        self._keys = places * self._step + np.searchsorted(self._firsts, first[order], "right")

    def places(self, group: npt.NDArray[np.int64], seq: Seqs) -> Found:
        """Places in `items`; NONE if nothing of that group has begun."""
        if not len(self.items):
            return np.full(len(group), NONE, np.int64)
        at = np.minimum(np.searchsorted(self._groups, group), len(self._groups) - 1)
        wanted = at * self._step + np.searchsorted(self._firsts, seq, "right")
        place = np.searchsorted(self._keys, wanted, "right") - 1
        same = (place >= 0) & (self._groups[at] == group)
        same &= self._keys[place] // self._step == at
        return np.where(same, place, NONE)

    def before(self, place: Found) -> Found:
        """The one of the same group that began before; NONE if there is none."""
        earlier = place - 1
        same = (earlier >= 0) & (
            self._keys[earlier] // self._step == self._keys[np.maximum(place, 0)] // self._step
        )
        return np.where(same, earlier, NONE)


class HandleLives:
    """The lives of the handles of one kind."""

    def __init__(self, columns: Columns, lives: Sequence[Identity]) -> None:
        handles = np.array([life.handle for life in lives], np.uint64)
        self._index = LastBegun(handles.view(np.int64), first_seqs(columns, lives))
        made_by = np.array([life.made_by or 0 for life in lives], np.int64)
        self._makers = np.argsort(made_by, kind="stable")
        self._made_by = made_by[self._makers]

    def find(self, handles: npt.NDArray[np.uint64], seqs: Seqs) -> Found:
        """Which life each call means, or NONE."""
        place = self._index.places(handles.view(np.int64), seqs)
        if not len(self._index.items):
            return place
        return np.where(place == NONE, NONE, self._index.items[place])

    def made_by(self, seqs: Seqs) -> Found:
        """Which life each call made, or NONE."""
        if not len(self._made_by):
            return np.full(len(seqs), NONE, np.int64)
        at = np.minimum(np.searchsorted(self._made_by, seqs), len(self._made_by) - 1)
        return np.where(self._made_by[at] == seqs, self._makers[at], NONE)
