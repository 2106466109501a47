"""Results that the host may use too early without anybody seeing it.

Of a copy for which nobody waited nothing shows how it ended: either the program has no use for it,
or it used it too early.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from greta.forensics.completion import Completion
from greta.forensics.scan import Block, Mask, where
from greta.trace.trace import Gap, Kind, Memory, Mode, Role, Space, Table, Trace

_PINNED: Final = (Memory.PINNED, Memory.REGISTERED)


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


def launches_that_write_host_memory(trace: Trace) -> Table:
    """Rows of launches with pointers to memory of the host, or managed, that are not const.

    Of graphs, too, if they have such a kernel.
    """
    (accesses,) = where(trace, _may_write_host_memory)
    found: Table = np.unique(trace.accesses["operation"][accesses])
    return found


def _may_write_host_memory(block: Block) -> Mask:
    mask: Mask = block.counts & block.is_kernels & (block.rows["mode"] != Mode.READ)
    return mask & block.in_memory_of_host & ~block.of_operation("failed")


def _to_host(trace: Trace, rows: Table) -> Table:
    """Those of some copies that write memory which the host sees, after the call has returned."""
    chosen = np.zeros(len(trace.operations), bool)
    chosen[rows] = True
    accesses = trace.accesses
    mine = np.flatnonzero((accesses["role"] == Role.DESTINATION) & chosen[accesses["operation"]])
    written = accesses[mine]
    memory = np.append(trace.allocations["memory"], 0)[written["allocation"]]
    pinned = np.isin(memory, _PINNED) & (written["space"] != Space.DEVICE) & ~written["at_call"]
    found: Table = np.unique(written["operation"][pinned])
    return found
