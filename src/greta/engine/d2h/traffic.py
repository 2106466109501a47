"""What all flights of one Transfers share: staging, the watch, and who is still in the air."""

from __future__ import annotations

import contextlib
import weakref
from collections import deque
from typing import TYPE_CHECKING

from greta.engine.d2h.errors import D2HError
from greta.engine.d2h.staging import Staging
from greta.engine.d2h.watch import Watch

if TYPE_CHECKING:
    from greta.engine.d2h.flight import Flight


class Traffic:
    """Sets and deques only: they are shared by threads and filled by destructors, with no lock."""

    def __init__(self, staging: Staging, watch: Watch | None) -> None:
        self.staging = staging
        self.watch = watch
        self.open: set[Flight] = set()  # queued, neither landed nor failed
        self.dropped: deque[Flight] = deque()  # nobody will ask for their array
        # At the end of the process, so that every line that begins a transfer has its end.
        weakref.finalize(self, settle_all, self.open)

    def collect(self, *, wait: bool) -> None:
        """Gives back the blocks of dropped flights that are over, or of all of them."""
        for _ in range(len(self.dropped)):
            try:
                flight = self.dropped.popleft()
            except IndexError:  # another thread was faster
                return
            if wait or flight.is_over:
                self._reclaim(flight)
            else:
                self.dropped.append(flight)

    def _reclaim(self, flight: Flight) -> None:
        with contextlib.suppress(D2HError):
            flight.settle()
            self.staging.put_back(flight.block)


def settle_all(flights: set[Flight]) -> None:
    """Waits for everything in the air; errors are for those who ask for the arrays."""
    for flight in list(flights):
        with contextlib.suppress(D2HError):
            flight.settle()
