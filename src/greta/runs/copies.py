"""How many bytes the recorded copies moved each way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from greta.forensics.copies import UNKNOWN, copies_in, unseen_copies
from greta.trace.trace import Trace

_UNDECIDED = "default"


@dataclass
class Copies:
    """Copies by direction: H2D, D2H, D2D, H2H, and "default" if it is not known.

    They are those that the report of the run counts: all that ran, whatever came of them.
    """

    count: Counter[str] = field(default_factory=Counter)
    bytes: Counter[str] = field(default_factory=Counter)
    """What was moved by those that succeeded."""
    failed: Counter[str] = field(default_factory=Counter)
    unfinished: Counter[str] = field(default_factory=Counter)
    """Copies whose calls had not returned at the end."""
    unsized: int = 0
    """Copies whose memory a recording does not keep: of arrays, in batches."""

    def add(self, trace: Trace) -> None:
        """Counts the copies of a process."""
        copies = copies_in(trace)
        failed, finished = (trace.operations[n][copies.operation] for n in ("failed", "finished"))
        for direction in np.unique(copies.direction).tolist():
            way = _UNDECIDED if UNKNOWN in direction else direction
            chosen = copies.direction == direction
            self.count[way] += int(np.count_nonzero(chosen))
            self.failed[way] += int(np.count_nonzero(chosen & failed))
            self.unfinished[way] += int(np.count_nonzero(chosen & ~finished))
            self.bytes[way] += int(copies.bytes[chosen & finished & ~failed].sum())
        self.unsized += unseen_copies(trace)
