"""A launch that HIP refused, because of its grid, block, shared memory or arguments.

What it does:
    Looks at every launch that HIP refused: a dimension of zero, more threads in a block than any
    device has, more shared memory, a grid beyond HIP's limits, fewer bytes of arguments than the
    kernel has.

Evidence:
    Launches with their sizes and results; the kernel's metadata.

Known problems:
    What a kernel was compiled for (__launch_bounds__, registers) is not in a recording. A launch
    that was refused for such a reason makes the ruling INCONCLUSIVE. A launch that HIP accepted is
    taken to fit. One that the program made again at once, with sizes that HIP took, was a try.

Example:
    kernel<<<0, 256>>>(x);  // a batch without tokens
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from greta.forensics.case import Case
from greta.forensics.failures import is_tried_again, last_that_counts
from greta.forensics.scan import count_of, is_kind
from greta.forensics.verdict import Finding, Ruling, Value
from greta.forensics.wording import (
    KEPT,
    OPERATION_FIELDS,
    operation_words,
    product,
    ruling_codes,
    settled,
)
from greta.trace.device_errors import STICKY
from greta.trace.trace import Call, Kind, Row, Table, Trace, hiding

HYPOTHESIS: Final = "bad_launch"
_SIZES: Final = (*OPERATION_FIELDS, "blocks", "threads", "error")
CODES: Final[dict[str, tuple[str, ...]]] = {
    "launch_of_nothing": _SIZES,
    "block_too_large": (*_SIZES, "asked", "most"),
    "grid_too_large": _SIZES,
    "shared_memory_too_large": (*_SIZES, "asked", "most"),
    "arguments_too_short": (*_SIZES, "asked", "most"),
    "cooperative_too_large": _SIZES,
    **ruling_codes(HYPOTHESIS),
}
MOST_THREADS: Final = 1024
"""In a block: AMD's devices all have this limit."""
MOST_SHARED: Final = 64 << 10
"""Bytes that a block has on most of AMD's devices; a device with more would not have refused."""
MOST_BLOCKS: Final = ((1 << 31) - 1, (1 << 16) - 1, (1 << 16) - 1)
_COOPERATIVE_TOO_LARGE: Final = 720
"""All blocks of a cooperative launch must find room on the device at once."""
_NOT_THE_LAUNCH: Final = (3, 98, 209, 801)
"""Not initialized, no such function, no code for the device, not supported: not its sizes."""


def examine(case: Case) -> Ruling:
    trace = case.trace
    refused = _refused(trace)
    found = [_finding(trace, row) for row in refused.tolist()]
    findings = tuple(one for one in found if one)
    missing = hiding(trace)
    if len(findings) < len(refused):
        missing = (*missing, "refused_launch")
    return settled(HYPOTHESIS, count_of(trace, Kind.LAUNCH), findings[:KEPT], missing)


def _refused(trace: Trace) -> Table:
    """Launches that HIP did not accept, for a reason that may be what they ask for."""
    operations = trace.operations
    rows: Table = np.flatnonzero(trace.column("failed") & is_kind(trace, Kind.LAUNCH))
    rows = rows[~np.isin(operations["result"][rows], (*STICKY, *_NOT_THE_LAUNCH))]
    rows = rows[rows <= last_that_counts(trace)]
    return rows[~is_tried_again(trace, rows)]


def _finding(trace: Trace, row: Row) -> Finding | None:
    call = trace.describe(int(trace.operations["seq"][row]))
    reason = _reason(call)
    if reason is None or call.kernel is None or call.grid is None or call.block is None:
        return None
    code, data = reason
    words: dict[str, Value] = operation_words(trace, row)
    words |= {"blocks": product(call.grid), "threads": product(call.block)}
    words |= {"error": call.result_name or str(call.result), **data}
    return Finding(code, call.seq, data=words)


def _reason(call: Call) -> tuple[str, dict[str, Value]] | None:
    if call.grid is None or call.block is None:
        return None
    if 0 in (*call.grid, *call.block):
        return "launch_of_nothing", {}
    threads = math.prod(call.block)
    if threads > MOST_THREADS:
        return "block_too_large", {"asked": threads, "most": MOST_THREADS}
    if any(side > most for side, most in zip(call.grid, MOST_BLOCKS, strict=True)):
        return "grid_too_large", {}
    shared = call.arguments.get("sharedMemBytes")
    if isinstance(shared, int) and shared > MOST_SHARED:
        return "shared_memory_too_large", {"asked": shared, "most": MOST_SHARED}
    if call.result == _COOPERATIVE_TOO_LARGE:
        return "cooperative_too_large", {}
    given, needed = call.argument_bytes or (0, 0)
    if given < needed:
        return "arguments_too_short", {"asked": given, "most": needed}
    return None
