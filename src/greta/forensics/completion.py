"""Which work of the device is known to have ended well, because the host waited for it.

A wait that failed proves nothing. The rules are those of order (docs/order.md), in native/order;
what is in doubt there counts as not known here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from greta.forensics.gaps import LOST_LIFETIMES, present
from greta.forensics.order_library import find_completion
from greta.forensics.scan import PINNED
from greta.trace.trace import NONE, Gap, Kind, Role, Row, Space, Table, Trace


@dataclass(frozen=True, eq=False)
class Completion:
    """What the host knew as of a row: what the calls before it have shown."""

    trace: Trace
    known_by: Table
    """For each operation before that row, the call at whose return it was known to be done, or
    NONE: a wait for it, or its own call, if that waits."""
    streams: Table
    """The same for what each stream had to do before the first operation of the trace."""

    def unfinished(self, *kinds: Kind) -> Table:
        """Rows of operations of these kinds that may not have ended well."""
        operations = self.trace.operations[: len(self.known_by)]
        chosen = np.isin(np.ascontiguousarray(operations["kind"]), kinds)
        chosen &= (self.known_by == NONE) & ~(operations["captured"] | operations["failed"])
        return np.flatnonzero(chosen)

    def may_lack_launches(self) -> bool:
        """Whether launches that had not ended by then may be missing from the trace.

        A ring has lost the oldest calls: of a stream for which the host has waited since, none
        matters.
        """
        if present(self.trace, LOST_LIFETIMES):
            return True
        if Gap.OVERWRITTEN not in self.trace.gaps:
            return False
        used = np.unique(self.trace.operations["stream"][: len(self.known_by)])
        return bool((self.streams[used[used != NONE]] == NONE).any())


def completion(trace: Trace, before: Row | None = None) -> Completion:
    rows = len(trace.operations) if before is None else before
    return Completion(trace, *find_completion(trace, rows))


def copies_never_waited_for(known: Completion) -> Table:
    """Rows of copies into memory of the host that the program did not wait for, to its end.

    None where the trace does not show waits, or where a callback may have told the host.
    """
    trace = known.trace
    kinds = np.ascontiguousarray(trace.operations["kind"])
    if Gap.NO_ORDER in trace.gaps or (kinds == Kind.HOST_FUNCTION).any():
        return np.zeros(0, np.int64)
    rows = known.unfinished(Kind.COPY)
    return _to_host(trace, rows) if len(rows) else rows


def _to_host(trace: Trace, rows: Table) -> Table:
    """Those of some copies that write memory which the host sees, after the call has returned."""
    chosen = np.zeros(len(trace.operations), bool)
    chosen[rows] = True
    accesses = trace.accesses
    mine = np.flatnonzero((accesses["role"] == Role.DESTINATION) & chosen[accesses["operation"]])
    written = accesses[mine]
    memory = np.append(trace.allocations["memory"], 0)[written["allocation"]]
    pinned = np.isin(memory, PINNED) & (written["space"] != Space.DEVICE) & ~written["at_call"]
    return np.unique(written["operation"][pinned])
