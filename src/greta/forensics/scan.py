"""All accesses of a trace, a block at a time, with what is known of the memory they name.

Ten million operations have more columns than the processor's cache has space; a block of rows
fits. A check asks a block for a mask of the rows it wants and keeps their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from greta.forensics.failures import last_that_counts
from greta.trace.trace import NONE, Kind, Memory, Mode, Role, Row, Table, Trace

Mask = npt.NDArray[np.bool_]
ROWS: Final = 1 << 14
NEVER: Final = np.iinfo(np.int64).max


class Lifetimes:
    """The columns of allocations, with a row at the end that stands for "none"."""

    def __init__(self, trace: Trace) -> None:
        table = np.zeros(len(trace.allocations) + 1, trace.allocations.dtype)
        table[:-1] = trace.allocations
        freed_at = table["freed_at"].copy()
        freed_at[(freed_at < 0) | (np.arange(len(table)) == len(table) - 1)] = NEVER
        self.freed_at = freed_at
        self.address = np.ascontiguousarray(table["address"])
        self.end = self.address + table["bytes"]
        self.known_bytes = np.ascontiguousarray(table["known_bytes"])
        self.memory = np.ascontiguousarray(table["memory"])
        self.is_device = np.isin(self.memory, (Memory.DEVICE, Memory.POOL, Memory.SYMBOL))
        self.is_of_host = np.isin(self.memory, (Memory.PINNED, Memory.REGISTERED, Memory.MANAGED))
        # By number, which is 0 where no block is known.
        none = np.array([np.iinfo(np.uint64).max], np.uint64)
        over = trace.blocks["freed_at"]
        self.block_end = np.append(none, trace.blocks["address"] + trace.blocks["bytes"])
        self.block_freed_at = np.append(NEVER, np.where(over < 0, NEVER, over))


class AccessBlock:
    """Some rows of accesses. Masks are worked out when asked for."""

    def __init__(self, trace: Trace, lifetimes: Lifetimes, start: int, last: Row) -> None:
        self.start = start
        self._last = last
        self._lifetimes = lifetimes
        self.rows = trace.accesses[start : start + ROWS]
        self.operation: Table = np.ascontiguousarray(self.rows["operation"])
        first = int(self.operation[0])
        self._operations = trace.operations[first : int(self.operation[-1]) + 1]
        self._place = self.operation - first
        self._columns: dict[str, Table] = {}

    def of_operation(self, column: str) -> Table:
        """A column of the operations, for each access."""
        if column not in self._columns:
            self._columns[column] = np.ascontiguousarray(self._operations[column])[self._place]
        return self._columns[column]

    @cached_property
    def counts(self) -> Mask:
        """It was carried out, or refused; it is not the mere consequence of an earlier fault."""
        mask: Mask = ~self.of_operation("captured") & (self.operation <= self._last)
        return mask

    @cached_property
    def address(self) -> Table:
        """Where it begins."""
        return np.ascontiguousarray(self.rows["address"])

    @cached_property
    def bytes(self) -> Table:
        """How much it accesses."""
        return np.ascontiguousarray(self.rows["bytes"])

    @cached_property
    def allocation(self) -> Table:
        """Row of the allocation; NONE is also the row of Lifetimes that stands for none."""
        return np.ascontiguousarray(self.rows["allocation"])

    @cached_property
    def is_transfer(self) -> Mask:
        """A side of a copy or fill."""
        role = self.rows["role"]
        mask: Mask = (role == Role.SOURCE) | (role == Role.DESTINATION)
        return mask

    @cached_property
    def is_kernels(self) -> Mask:
        """A pointer given to a kernel."""
        role = self.rows["role"]
        mask: Mask = (role == Role.ARGUMENT) | (role == Role.STRUCT_WORD)
        return mask

    @cached_property
    def is_freed(self) -> Mask:
        """Its memory had been freed when the operation was called."""
        mask: Mask = self.operation > self._lifetimes.freed_at[self.allocation]
        return mask

    @cached_property
    def is_live(self) -> Mask:
        """Its memory is an allocation that was live."""
        mask: Mask = (self.allocation != NONE) & ~self.is_freed
        return mask

    @cached_property
    def is_nowhere(self) -> Mask:
        """Its address is not null and in no allocation, live or freed."""
        mask: Mask = (self.allocation == NONE) & (self.address != 0)
        return mask

    @cached_property
    def left(self) -> Table:
        """Bytes from its address to the end of its allocation; huge if that is not known."""
        left: Table = self._lifetimes.end[self.allocation] - self.address
        unknown = ~self._lifetimes.known_bytes[self.allocation] | (self.allocation == NONE)
        left[unknown] = np.iinfo(np.uint64).max
        return left

    @cached_property
    def is_in_ended_block(self) -> Mask:
        """Its block is over, and its allocation is live.

        What graphs use is not told by that: they may keep a block for themselves.
        """
        ended = self.operation > self._lifetimes.block_freed_at[self.rows["block"]]
        mask: Mask = ended & self.is_live & (self.of_operation("kind") != Kind.GRAPH_LAUNCH)
        return mask

    @cached_property
    def is_past_block(self) -> Mask:
        """It begins in a live block and goes on behind its end."""
        live = self.operation <= self._lifetimes.block_freed_at[self.rows["block"]]
        left = self._lifetimes.block_end[self.rows["block"]] - self.address
        mask: Mask = live & self.is_live & (self.bytes > left)
        return mask

    @cached_property
    def has_size(self) -> Mask:
        """How long its allocation is is known."""
        mask: Mask = self._lifetimes.known_bytes[self.allocation]
        return mask

    @cached_property
    def in_device_memory(self) -> Mask:
        """In memory that belongs to the device alone."""
        mask: Mask = self._lifetimes.is_device[self.allocation] & (self.allocation != NONE)
        return mask

    @cached_property
    def in_memory_of_host(self) -> Mask:
        """In an allocation that the host sees as well."""
        mask: Mask = self._lifetimes.is_of_host[self.allocation] & (self.allocation != NONE)
        return mask


def blocks(trace: Trace) -> Iterator[AccessBlock]:
    """All accesses, in order."""
    lifetimes, last = Lifetimes(trace), last_that_counts(trace)
    for start in range(0, len(trace.accesses), ROWS):
        yield AccessBlock(trace, lifetimes, start, last)


def where(trace: Trace, *masks: Callable[[AccessBlock], Mask]) -> list[Table]:
    """For each mask the rows of accesses that it chooses, found in one pass."""
    found: list[list[Table]] = [[] for _ in masks]
    for block in blocks(trace):
        for rows, mask in zip(found, masks, strict=True):
            rows.append(np.flatnonzero(mask(block)) + block.start)
    return [np.concatenate(rows) if rows else np.zeros(0, np.int64) for rows in found]


def count_of(trace: Trace, *kinds: Kind) -> int:
    """How many operations of these kinds were carried out or refused."""
    kind = np.ascontiguousarray(trace.operations["kind"])
    return int(np.count_nonzero(np.isin(kind, kinds) & ~trace.operations["captured"]))


# --- what a kernel surely writes: arguments in which it was once given fresh memory ---------------


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
