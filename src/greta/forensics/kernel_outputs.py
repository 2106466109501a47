"""Which pointers a kernel surely writes through: those in which it was once given fresh memory."""

from __future__ import annotations

import numpy as np

from greta.forensics.scan import NEVER, AccessBlock, Mask, where
from greta.trace.trace import NONE, Mode, Table, Trace


def kernel_outputs(trace: Trace) -> Mask:
    """For each access whether its kernel, in that argument, was ever given what nobody had written.

    It would have had nothing to read there.
    """
    writes, given, every = where(trace, _writes, _is_given_to_write, _may_be_output)
    accesses = trace.accesses[given]
    fresh = _first_writes(trace, writes)[accesses["allocation"]] == accesses["operation"]
    fresh &= trace.allocations["made_at"][accesses["allocation"]] != NONE
    known = _keys(trace, given[fresh])
    found = np.zeros(len(trace.accesses), bool)
    found[every] = np.isin(_keys(trace, every), known[known >= 0])
    return found


def _writes(block: AccessBlock) -> Mask:
    mask: Mask = block.counts & (block.rows["mode"] != Mode.READ) & (block.allocation != NONE)
    return mask & ~block.of_operation("failed") & (block.bytes > 0)


def _is_given_to_write(block: AccessBlock) -> Mask:
    """Only in memory of the device alone: what the host puts elsewhere is not seen."""
    return _writes(block) & block.is_kernels & block.in_device_memory


def _may_be_output(block: AccessBlock) -> Mask:
    """Of all launches, and of what became nodes of graphs."""
    mask: Mask = block.is_kernels & (block.rows["mode"] != Mode.READ)
    return mask


def _first_writes(trace: Trace, writes: Table) -> Table:
    """For each allocation the first operation that may have written there."""
    first = np.full(len(trace.allocations), NEVER, np.int64)
    accesses = trace.accesses[writes]
    np.minimum.at(first, accesses["allocation"], accesses["operation"])
    return first


def _keys(trace: Trace, rows: Table) -> Table:
    """Kernel and argument as one number; of a graph's node, its kernel. Negative: not known."""
    accesses, seqs = trace.accesses[rows], trace.operations["seq"]
    if not len(rows):
        return np.zeros(0, np.int64)
    at = np.minimum(np.searchsorted(seqs, accesses["origin"]), len(seqs) - 1)
    row = np.where(seqs[at] == accesses["origin"], at, accesses["operation"])
    kernel = trace.operations["kernel"][row].astype(np.int64)
    keys: Table = (kernel << 16) + accesses["argument"]
    return keys
