"""Calls that failed, and which of them only repeat an earlier failure of the device.

A device that has faulted answers every later call with the same error (HIP_SKIP_ABORT_ON_GPU_ERROR
is 1 by default since HIP 7). Only the first of these calls tells something.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from greta.trace.device_errors import STICKY
from greta.trace.trace import NONE, Kind, Row, Table, Trace

DEINITIALIZED: Final = 4
"""What calls of destructors get when the runtime has gone before them: it hurts nobody."""

NOT_INITIALIZED: Final = 3
"""What calls of a forked child get: nobody tries whether the runtime is there by allocating."""

CAPTURING: Final = tuple(range(900, 909))
"""What calls get that are not allowed while a stream is captured, and those that end such a one."""

NOT_ITS_ARGUMENTS: Final = (NOT_INITIALIZED, DEINITIALIZED, 100, 101, *CAPTURING)
"""Refusals that say nothing of what a call asked for: no runtime, no such device, a capture."""

_TRIED: Final = (Kind.OTHER, Kind.ALLOCATE)
# Programs try these and go on when they are refused: attributes, peers, more memory than there is.


def failed_rows(trace: Trace) -> Table:
    return np.flatnonzero(trace.column("failed"))


def first_sticky(trace: Trace) -> Row:
    """The first operation that reported a fault of the device, or NONE."""
    rows = failed_rows(trace)
    sticky = rows[np.isin(trace.operations["result"][rows], STICKY)]
    return int(sticky[0]) if len(sticky) else NONE


def first_failure(trace: Trace, *, tried: bool = False) -> Row:
    """The first operation that failed, or NONE; `tried`: calls that programs try count too."""
    chosen = failed_rows(trace) if tried else failures(trace)
    return int(chosen[0]) if len(chosen) else NONE


def failures(trace: Trace) -> Table:
    """Operations that failed, but for those that programs try and for what hurts nobody."""
    rows = failed_rows(trace)
    kinds, results = trace.operations["kind"][rows], trace.operations["result"][rows]
    matters = ~np.isin(kinds, _TRIED) | np.isin(results, STICKY)
    matters |= (kinds == Kind.ALLOCATE) & (results == NOT_INITIALIZED)
    # A program whose capture failed does without the graph; one that uses it fails again.
    return rows[matters & ~np.isin(results, (DEINITIALIZED, *CAPTURING))]


def last_that_counts(trace: Trace) -> Row:
    """The last operation that is no consequence of a fault that was reported before it."""
    sticky = first_sticky(trace)
    return len(trace.operations) - 1 if sticky == NONE else sticky
