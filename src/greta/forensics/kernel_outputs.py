"""Which pointers that are not const a kernel surely writes, as far as the trace tells.

A kernel that was once given memory in which nobody had put anything can only have been meant to
write it; what it does with that argument once it does always.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from greta.forensics.scan import NEVER, Block, Mask, where
from greta.trace.trace import NONE, Mode, Table, Trace

Output: TypeAlias = tuple[int, int]
"""A kernel, by its place in Trace.kernels, and the number of an argument."""


def kernel_outputs(trace: Trace) -> frozenset[Output]:
    """All that are known."""
    writes, given = where(trace, _writes, _is_given_to_write)
    first = _first_writes(trace, writes)
    accesses = trace.accesses[given]
    fresh = first[accesses["allocation"]] == accesses["operation"]
    fresh &= trace.allocations["made_at"][accesses["allocation"]] != NONE
    found = accesses[fresh]
    pairs = zip(_kernels(trace, found).tolist(), found["argument"].tolist(), strict=True)
    return frozenset((kernel, argument) for kernel, argument in pairs if kernel != NONE)


def kernel_of(trace: Trace, access: int) -> int:
    """Whose pointer it is; of a graph's node, that of the node."""
    return int(_kernels(trace, trace.accesses[access : access + 1])[0])


def _writes(block: Block) -> Mask:
    mask: Mask = block.counts & (block.rows["mode"] != Mode.READ) & (block.allocation != NONE)
    return mask & ~block.of_operation("failed")


def _is_given_to_write(block: Block) -> Mask:
    """Only in memory of the device alone: what the host puts elsewhere is not seen."""
    return _writes(block) & block.is_kernels & block.in_device_memory


def _first_writes(trace: Trace, writes: Table) -> Table:
    """For each allocation the first operation that may have written there."""
    first = np.full(len(trace.allocations), NEVER, np.int64)
    accesses = trace.accesses[writes]
    np.minimum.at(first, accesses["allocation"], accesses["operation"])
    return first


def _kernels(trace: Trace, accesses: Table) -> Table:
    seqs, operation, origin = trace.operations["seq"], accesses["operation"], accesses["origin"]
    at = np.minimum(np.searchsorted(seqs, origin), len(seqs) - 1)
    row = np.where(seqs[at] == origin, at, operation)
    kernels: Table = trace.operations["kernel"][row]
    return kernels
