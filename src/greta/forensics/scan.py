"""All accesses of a trace, a block at a time, with what is known of the memory they name.

Ten million operations have more columns than the processor's cache has space; a block of rows
fits. A check asks a block for a mask of the rows it wants and keeps their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from greta.forensics.failures import NOT_ITS_ARGUMENTS, last_that_counts
from greta.forensics.order_library import find_alike, find_outputs
from greta.large_arrays import GrowingArray, values_at
from greta.recording import Sharing, effects_of
from greta.trace.trace import (
    ACCESS,
    LOST_CALLS,
    NONE,
    Gap,
    Kind,
    Known,
    Memory,
    Mode,
    Role,
    Row,
    Table,
    Trace,
    present,
)

Mask = npt.NDArray[np.bool_]
ROWS: Final = 1 << 14
SORTED_AT_ONCE: Final = 1 << 20
NEVER: Final = np.iinfo(np.int64).max
LAUNCHES: Final = (Kind.LAUNCH, Kind.GRAPH_LAUNCH)
TRANSFERS: Final = (Kind.COPY, Kind.FILL)
WORK: Final = (*TRANSFERS, *LAUNCHES)
KERNEL_ROLES: Final = (Role.ARGUMENT, Role.STRUCT_WORD)
PINNED: Final = (Memory.PINNED, Memory.REGISTERED)


def live_at(memory: Table, row: Row) -> Mask:
    """For each allocation, or block, whether an operation finds it live."""
    return (memory["made_at"] <= row) & ((memory["freed_at"] < 0) | (memory["freed_at"] > row))


def feeds(trace: Trace, row: Row, launch: Row) -> bool:
    """Whether an operation writes what a later launch was given."""
    if row == NONE or row >= launch:
        return False
    sides = trace.accesses_of(row)
    sides = sides[(sides["role"] == Role.DESTINATION) | (sides["mode"] != Mode.READ)]
    given = trace.accesses_of(launch)
    return any(
        (
            (given["allocation"] == side["allocation"])
            & (given["allocation"] != NONE)
            & (given["address"] < side["address"] + side["bytes"])
        ).any()
        for side in sides
    )


def buffer_of(trace: Trace, allocation: Row, block: int) -> Table:
    """The record of an announced block, by its number; of the allocation if that is 0."""
    return trace.blocks[block - 1] if block else trace.allocations[allocation]


def bounds_of(record: Table) -> tuple[int, int]:
    """The first byte of a block or allocation, and the first behind it."""
    start = int(record["address"])
    return start, start + int(record["bytes"])


def ran(trace: Trace, *kinds: Kind) -> Mask:
    """For each operation whether it is of these kinds and was carried out."""
    return is_kind(trace, *kinds) & ~(trace.column("captured") | trace.column("failed"))


def is_kind(trace: Trace, *kinds: Kind) -> Mask:
    """For each operation whether it is of these kinds."""
    return among(trace.column("kind"), kinds)


def among(column: Table, values: Sequence[int]) -> Mask:
    """Whether each is one of few values; np.isin needs eight times the memory, and longer."""
    found = np.zeros(len(column), bool)
    for value in values:
        found |= column == value
    return found


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
        # By number, which is 0 where no block is known.
        none = np.array([np.iinfo(np.uint64).max], np.uint64)
        over = trace.blocks["freed_at"]
        self.block_end = np.append(none, trace.blocks["address"] + trace.blocks["bytes"])
        self.block_freed_at = np.append(NEVER, np.where(over < 0, NEVER, over))


class AccessBlock:
    """Some rows of accesses. Masks are worked out when asked for."""

    def __init__(self, trace: Trace, lifetimes: Lifetimes, rows: Table, last: Row) -> None:
        self.rows = rows
        self._last = last
        self._lifetimes = lifetimes
        self._trace = trace
        self._operation: Table = rows["operation"].astype(np.int64)
        self._columns: dict[str, Table] = {}

    def of_operation(self, column: str) -> Table:
        """A column of the operations, for each access."""
        if column not in self._columns:
            self._columns[column] = self._of_operation(column)
        return self._columns[column]

    def _of_operation(self, column: str) -> Table:
        if self._trace.operations.dtype[column].itemsize == 1:  # few bytes for all that it saves
            return self._trace.column(column)[self._operation]
        first, last = int(self._operation[0]), int(self._operation[-1])
        near = self._trace.operations[first : last + 1]
        if len(near) > len(self.rows):
            return self._trace.operations[column][self._operation]
        return np.ascontiguousarray(near[column])[self._operation - first]

    @cached_property
    def counts(self) -> Mask:
        """It was carried out, or refused for what it asked; not because of an earlier fault.

        A node of a graph counts where the graph is launched, or where HIP refused it.
        """
        failed = self.of_operation("failed")
        there = (~self.of_operation("captured") | failed) & (self._operation <= self._last)
        if not failed.any():
            return there
        return there & ~(failed & among(self.of_operation("result"), NOT_ITS_ARGUMENTS))

    @cached_property
    def address(self) -> Table:
        return np.ascontiguousarray(self.rows["address"])

    @cached_property
    def bytes(self) -> Table:
        return np.ascontiguousarray(self.rows["bytes"])

    @cached_property
    def allocation(self) -> Table:
        """Row of the allocation; NONE is also the row of Lifetimes that stands for none."""
        return self.rows["allocation"].astype(np.int64)

    @cached_property
    def role(self) -> Table:
        return np.ascontiguousarray(self.rows["role"])

    @cached_property
    def is_transfer(self) -> Mask:
        return among(self.role, (Role.SOURCE, Role.DESTINATION))

    @cached_property
    def is_kernels(self) -> Mask:
        return among(self.role, KERNEL_ROLES)

    @cached_property
    def is_freed(self) -> Mask:
        return self._operation > self._lifetimes.freed_at[self.allocation]

    @cached_property
    def is_live(self) -> Mask:
        return (self.allocation != NONE) & ~self.is_freed

    @cached_property
    def is_nowhere(self) -> Mask:
        """Its address is not null and in no allocation, live or freed."""
        return (self.allocation == NONE) & (self.address != 0)

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
        if not len(self._trace.blocks):
            return np.zeros(len(self.rows), bool)
        ended = self._operation > self._lifetimes.block_freed_at[self.rows["block"]]
        return ended & self.is_live & (self.of_operation("kind") != Kind.GRAPH_LAUNCH)

    @cached_property
    def is_past_block(self) -> Mask:
        live = self._operation <= self._lifetimes.block_freed_at[self.rows["block"]]
        left = self._lifetimes.block_end[self.rows["block"]] - self.address
        return live & self.is_live & (self.bytes > left)

    @cached_property
    def has_size(self) -> Mask:
        return self._lifetimes.known_bytes[self.allocation]

    @cached_property
    def in_device_memory(self) -> Mask:
        """In memory that belongs to the device alone."""
        return self._lifetimes.is_device[self.allocation] & (self.allocation != NONE)

    @cached_property
    def is_pinned(self) -> Mask:
        """In memory of the host that HIP knows."""
        memory = self._lifetimes.memory[self.allocation]
        return among(memory, PINNED) & (self.allocation != NONE)

    @cached_property
    def is_symbol(self) -> Mask:
        return (self._lifetimes.memory[self.allocation] == Memory.SYMBOL) & (
            self.allocation != NONE
        )


class RowBlock(AccessBlock):
    """All rows from one on, each with its operation."""

    def __init__(self, trace: Trace, lifetimes: Lifetimes, start: Row, last: Row) -> None:
        super().__init__(trace, lifetimes, trace.accesses[start : start + ROWS], last)
        self.start = start
        self.operation = self._operation


TOLD_APART_BY: Final = frozenset(
    ("kind", "waits", "failed", "captured", "result", "thread", "call")
)
"""Columns of operations; native/order/alike.cpp has the same."""
_OF_ACCESSES: Final = [name for name in ACCESS.names or () if name not in ("operation", "origin")]


class KindBlock(AccessBlock):
    """One row for each kind of accesses that no check can tell apart.

    What tells them apart all the same, their operation, is not there to be asked for.
    """

    def __init__(
        self, trace: Trace, lifetimes: Lifetimes, rows: Table, last: Row, meet: Mask
    ) -> None:
        accesses = trace.accesses[rows]
        super().__init__(trace, lifetimes, accesses, last)
        self.rows = accesses[_OF_ACCESSES]
        self.may_meet = meet
        """The bytes may meet those of the access before or behind it."""

    def _of_operation(self, column: str) -> Table:
        if column not in TOLD_APART_BY:
            raise KeyError(column)
        return super()._of_operation(column)


def blocks(trace: Trace) -> Iterator[RowBlock]:
    trace = trace.unchanging()
    lifetimes, last = Lifetimes(trace), last_that_counts(trace)
    for start in range(0, len(trace.accesses), ROWS):
        yield RowBlock(trace, lifetimes, start, last)


Choice = Callable[[KindBlock], Mask]
RowChoice = Callable[[RowBlock], Mask]


def where(trace: Trace, *choices: Choice) -> list[Table]:
    """For each choice the rows of accesses that it takes, found in one pass."""
    return Survey(trace, choices).where(*choices)


def where_each(trace: Trace, choice: RowChoice) -> Table:
    """The rows of accesses that a choice takes which asks for their operations."""
    found = [block.start + np.flatnonzero(choice(block)) for block in blocks(trace)]
    return np.concatenate([np.empty(0, np.int64), *found])


class Survey:
    """Which rows of accesses the checks of a trace choose.

    What they will ask for is said beforehand, rows or how many there are: one pass finds it all.
    A long run does the same again and again: accesses that are alike are looked at once.
    """

    def __init__(
        self, trace: Trace, expected: Iterable[Choice] = (), counted: Iterable[Choice] = ()
    ) -> None:
        self._trace = trace
        self._expected = tuple(dict.fromkeys(expected))
        self._found: dict[Choice, Table] = {}
        self._counts = dict.fromkeys(counted, NONE)

    def where(self, *choices: Choice) -> list[Table]:
        """For each choice the rows that it takes."""
        if any(one not in self._found for one in choices):
            self._expected += tuple(one for one in choices if one not in self._expected)
            self.look_through(lambda _: None)
        return [self._found[one] for one in choices]

    def count(self, choice: Choice) -> int:
        """How many rows a choice takes."""
        if self._counts.setdefault(choice, NONE) == NONE:
            self.look_through(lambda _: None)
        return self._counts[choice]

    def look_through(self, visit: Callable[[KindBlock], None]) -> None:
        """Show a visitor all kinds of accesses; what will be asked for is found on the way."""
        found = {one: GrowingArray(np.int64) for one in self._expected if one not in self._found}
        counts = {one: 0 for one, count in self._counts.items() if count == NONE}
        trace = self._trace.unchanging()
        lifetimes, last = Lifetimes(trace), last_that_counts(trace)
        for start in range(0, len(trace.accesses), SORTED_AT_ONCE):
            count = min(SORTED_AT_ONCE, len(trace.accesses) - start)
            kinds, firsts, meet = find_alike(trace, start, count, last)
            chosen = {one: np.empty(len(firsts), bool) for one in (*found, *counts)}
            for first in range(0, len(firsts), ROWS):
                part = slice(first, first + ROWS)
                block = KindBlock(trace, lifetimes, firsts[part], last, meet[part])
                visit(block)
                for choice, mask in chosen.items():
                    mask[part] = choice(block)
            for choice, rows in found.items():
                if chosen[choice].any():
                    places = np.flatnonzero(chosen[choice][kinds])
                    np.add(places, start, out=rows.add(len(places)))
            for choice in counts:
                counts[choice] += int(np.count_nonzero(chosen[choice][kinds]))
        self._found |= {one: rows.finished() for one, rows in found.items()}
        self._counts |= counts


def count_of(trace: Trace, *kinds: Kind) -> int:
    """How many operations of these kinds were carried out or refused."""
    return int(np.count_nonzero(is_kind(trace, *kinds) & ~trace.column("captured")))


# --- what a kernel surely writes: arguments in which it was once given fresh memory ---------------


_ALLOCATORS: Final = (
    "hipMalloc",
    "hipMallocAsync",
    "hipMallocFromPoolAsync",
    "hipMallocPitch",
    "hipMemAllocPitch",
)
"""What these give is nobody else's. The host writes to that of hipExtMallocWithFlags by itself;
what is mapped may be mapped elsewhere, too."""


def new_memory(trace: Trace) -> Mask:
    """For each allocation whether it began in this trace, and only calls of it write there."""
    made_at, operations = trace.allocations["made_at"], trace.operations
    if not len(operations) or is_shared(trace):
        return np.zeros(len(made_at), bool)
    givers = [place for place, call in enumerate(trace.calls) if call in _ALLOCATORS]
    is_own = np.isin(trace.allocations["memory"], (Memory.DEVICE, Memory.POOL))
    is_born = (made_at >= 0) & (made_at < len(operations))
    at = np.where(is_born, made_at, 0)
    # A call that maps memory has no row of its own: made_at is then the next call's.
    is_born &= values_at(operations, "seq", at) == trace.allocations["made_by"]
    new: Mask = is_born & is_own & np.isin(values_at(operations, "call", at), givers)
    return new


def is_shared(trace: Trace) -> bool:
    """Whether another process may have been given memory of this one."""
    return Sharing.GIVES in _sharing(trace)


def uses_shared(trace: Trace) -> bool:
    """Whether another process may use memory that this one uses, whoever allocated it."""
    return bool(_sharing(trace))


def shares_events(trace: Trace) -> bool:
    return any(does.shares for does in map(effects_of, trace.calls) if does)


def _sharing(trace: Trace) -> set[Sharing]:
    return {does.sharing for does in map(effects_of, trace.calls) if does and does.sharing}


def fresh_memory(trace: Trace) -> Mask:
    """For each allocation whether all is seen that was written to it since the program got it."""
    return new_memory(trace) & all_writes_are_seen(trace)


UNSEEN_WRITES: Final = LOST_CALLS | {
    Gap.NO_ADDRESSES,
    Gap.NO_SIZES,
    Gap.NO_ARGUMENTS,
    Gap.UNKNOWN_KERNELS,
}


def all_writes_are_seen(trace: Trace) -> bool:
    """Whether no call wrote to memory without an access in the trace."""
    return not (present(trace, UNSEEN_WRITES) or _is_led_by_symbols(trace))


def _is_led_by_symbols(trace: Trace) -> bool:
    """Whether a kernel that was given no pointer may have found one in a `__device__` variable."""
    if not (trace.allocations["memory"] == Memory.SYMBOL).any():
        return False
    return bool(len(launches_without_memory(trace)))


def launches_without_memory(trace: Trace) -> Table:
    """Rows of launches that were given no memory, and of which nobody noted any."""
    is_blind = is_kind(trace, *LAUNCHES)
    for block in blocks(trace):
        is_blind[block.operation] = False
    return np.flatnonzero(is_blind)


def led_by_memory(trace: Trace) -> Table:
    """Launches, not all of which was seen, that may have taken a pointer from memory."""

    def may_be_led(block: AccessBlock) -> Mask:
        is_word = block.rows["role"] == Role.STRUCT_WORD
        is_word |= block.rows["element"] == 0
        is_word |= (block.rows["known"] & Known.POINTERS) != 0
        return is_word & _is_unseen(block) if is_word.any() else is_word

    operation = trace.accesses["operation"]
    symbols, led = where(trace, _writes_symbol, may_be_led)
    if not len(symbols):
        return np.unique(operation[led])
    (given,) = where(trace, _is_unseen)
    later = operation[given][operation[given] > operation[symbols[0]]]
    return np.union1d(operation[led], later)


def are_between(rows: Table, begin: Table, end: Table | Row) -> Mask:
    """For each pair of rows whether any of these, which are sorted, is between them."""
    found: Mask = np.searchsorted(rows, end) > np.searchsorted(rows, begin)
    return found


def kernel_outputs(trace: Trace) -> Mask:
    """For each access whether its kernel surely writes there: see find_outputs."""
    return find_outputs(trace, fresh_memory(trace), last_that_counts(trace))


def is_named(block: AccessBlock) -> Mask:
    """A range that a transfer or a kernel was given."""
    return block.counts & (block.is_transfer | block.is_kernels)


def may_be_written(block: AccessBlock) -> Mask:
    written = (block.rows["mode"] != Mode.READ) & (block.allocation != NONE) & (block.bytes > 0)
    return written & block.counts & ~block.of_operation("failed")


def _is_unseen(block: AccessBlock) -> Mask:
    followed = (block.rows["known"] & Known.FOLLOWED) != 0
    return block.is_kernels & ~followed & block.counts & ~block.of_operation("failed")


def _writes_symbol(block: AccessBlock) -> Mask:
    return block.is_symbol & may_be_written(block) if block.is_symbol.any() else block.is_symbol


def first_operations(trace: Trace, rows: Table) -> Table:
    """For each allocation the first operation of these accesses."""
    first = np.full(len(trace.allocations), NEVER, np.int64)
    accesses = trace.accesses[rows]
    np.minimum.at(first, accesses["allocation"], accesses["operation"])
    return first
