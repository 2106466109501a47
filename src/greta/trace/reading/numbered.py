"""Which event or executable graph a call means: equal numbers are the same life of a handle."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from greta.recording import LiveKind, Process
from greta.trace.reading.lives import Found, HandleLives, Seqs
from greta.trace.trace import NONE


class Numbered:
    """The handles of a kind; those made before the recording are numbered when first seen."""

    def __init__(self, process: Process, kind: LiveKind) -> None:
        lives = process.handles(kind)
        self._lives = HandleLives(process.columns, lives)
        self._next = len(lives)
        self._unknown: dict[int, int] = {}

    def find(self, handles: npt.NDArray[np.uint64], seqs: Seqs) -> Found:
        """The number of what each call means; NONE if it names nothing."""
        found = self._lives.find(handles, seqs)
        unknown = np.flatnonzero((found == NONE) & (handles != 0))
        found[handles == 0] = NONE
        for place in unknown.tolist():
            found[place] = self._number(int(handles[place]))
        return found

    def _number(self, handle: int) -> int:
        return self._unknown.setdefault(handle, self._next + len(self._unknown))
