"""What a process did with its device, as tables: the one input of everything in forensics.

A trace has no opinion and no missing values that look like data. It is made from a recording
(greta.trace.reading) or from another tool's log (greta.trace.logs); what a source cannot know is
said in `gaps`.

    operations    one row for each call that matters, in the common order of all threads
    accesses      one row for each range of memory that an operation accesses, by operation
    allocations   one row for each lifetime of an address
    streams       one row for each lifetime of a stream, the default ones first
    blocks        one row for each block that was announced inside an allocation

contract/trace.toml declares their columns and the numbers in them. Rows refer to each other by row
number; -1 is "none".
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from greta.large_arrays import column_of
from greta.trace._tables import (
    ACCESS,
    ALLOCATION,
    BLOCK,
    OPERATION,
    STREAM,
    Kind,
    Known,
    Memory,
    Mode,
    Role,
    Space,
    StreamKind,
    Waits,
)

__all__ = [
    "ACCESS",
    "ALLOCATION",
    "BLOCK",
    "NONE",
    "OPERATION",
    "STREAM",
    "BranchedGraph",
    "Call",
    "Gap",
    "GraphNode",
    "Kind",
    "Known",
    "Memory",
    "Mode",
    "Role",
    "Row",
    "Seq",
    "Space",
    "StaleHandle",
    "StreamKind",
    "Table",
    "Trace",
    "Waits",
    "Where",
]

Seq: TypeAlias = int
"""The number of a call in its process, from 1, as `greta export` prints it; of a log, the line."""
Row: TypeAlias = int
Table: TypeAlias = npt.NDArray[Any]
"""An array of one of the dtypes."""

NONE: Final = -1


class Gap(IntEnum):
    """Reasons why a trace is not all that happened."""

    CUT_SHORT = 1
    """The process was killed, or is still running: calls after the last one are not known."""
    OVERWRITTEN = 2
    """A ring kept only the last calls."""
    DROPPED = 3
    """The recorder had no space."""
    DAMAGED = 4
    """Files that cannot be read whole."""
    NO_SIZES = 5
    """The source does not know how much was copied or allocated."""
    NO_ADDRESSES = 6
    NO_ARGUMENTS = 7
    """Launches without the kernels' arguments."""
    NO_ORDER = 8
    """The source does not show synchronization."""
    NO_FAILURES = 9
    """The source keeps only calls that succeeded."""
    ONLY_MARKED = 10
    """The source shows only the transfers that a wrapper was used for."""
    UNKNOWN_KERNELS = 11
    """Kernels whose arguments nobody could read."""
    NO_RECORDING = 12
    """Nothing at all was recorded."""
    UNRECORDED = 13
    """The recorder was there and could not record."""
    UNSEEN = 14
    """A process that may have used HIP, of which there is no recording."""
    TWO_RUNTIMES = 15
    """Two HIP libraries were in the process: neither knows the memory and the work of the other."""
    BYPASSED = 16
    """Code of the process called HIP past the recorder, or may have."""


@dataclass(frozen=True)
class Where:
    file: str | None = None
    line: int | None = None
    function: str | None = None

    @property
    def text(self) -> str:
        """file:line (function), as far as it is known."""
        place = f"{self.file}:{self.line}" if self.file and self.line else self.file or ""
        named = self.function or ""
        return f"{place} ({named})" if place and named else place or named


NOWHERE: Final = Where()


@dataclass(frozen=True)
class Call:
    """One call as a person wants to see it."""

    seq: Seq
    name: str
    result: int
    result_name: str | None
    arguments: Mapping[str, int | float | str | None]
    where: Where
    kernel: str | None = None
    kernel_arguments: tuple[tuple[str, str, int | None], ...] = ()
    """Name, type and value of each argument of a kernel."""
    struct_words: tuple[tuple[int, int], ...] = ()
    """Of arguments that are structs: which argument, and a word in it that could be an address."""
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    annotations: tuple[str, ...] = ()
    stack: tuple[Where, ...] = ()
    """Who made it, innermost first, native frames before those of Python."""
    argument_bytes: tuple[int, int] | None = None
    """For a launch: how many bytes of arguments it was given, and how many its kernel has."""


@dataclass(frozen=True)
class GraphNode:
    rows: tuple[Row, ...]
    """The operations it runs, in turn: captured, or added to the graph."""
    after: tuple[int, ...]
    """The nodes that come before it, by their places, which are lower."""


@dataclass(frozen=True)
class BranchedGraph:
    """The nodes of a graph, as it was when it was launched."""

    launch: Row
    nodes: tuple[GraphNode, ...]


@dataclass(frozen=True)
class StaleHandle:
    """A handle that a call was given after the call that destroyed it."""

    seq: Seq
    what: str
    """stream, event, module, graph, graph_exec, pool or array; or the type of the handle."""
    handle: int
    destroyed_by: Seq


@dataclass(frozen=True)
class Trace:
    """All of it. `describe` looks up what the tables leave out; it may be slow."""

    operations: Table
    accesses: Table
    allocations: Table
    streams: Table
    calls: tuple[str, ...]
    """Names of calls, that operations refer to."""
    describe: Callable[[Seq], Call]
    blocks: Table = field(default_factory=lambda: np.zeros(0, BLOCK))
    block_names: tuple[str, ...] = ()
    """The name of each block; empty where it has none."""
    carved_by: str | None = None
    """A library of the process that carves its tensors out of few allocations."""
    gaps: dict[Gap, str] = field(default_factory=dict)
    """What is missing, with a word on how much."""
    kernels: tuple[str, ...] = ()
    """Names of kernels, that operations refer to."""
    branched_graphs: tuple[BranchedGraph, ...] = ()
    graphs_left_off: int = 0
    """Launches of such graphs that are not among those: too many, or nobody saw dependencies."""
    event_graphs: tuple[BranchedGraph, ...] = ()
    """All launches of graphs whose nodes record events or wait for them, child graphs spread out;
    also of those that are chains."""
    shared_records: tuple[Row, ...] = ()
    """Records of events that other processes may wait for: from then on they may know, and tell."""
    total_calls: int = 0
    """All calls that the source saw, those without a row too."""
    dropped: int = 0
    pid: int = 0
    rank: int | None = None
    """What its launcher calls the process."""
    reaches_pageable: bool = False
    """Devices reach host memory that HIP does not know (XNACK)."""
    different_launches: tuple[Seq, ...] | None = None
    """One launch of each kernel with each set of whole numbers it was given; None: not known."""
    signal: int | None = None
    """The signal that ended the process; None: it ended in another way, or that is not known."""
    ended: int | None = None
    """When it ended, in nanoseconds since it started; None: that is not known."""
    stale_handles: tuple[StaleHandle, ...] = ()
    """Only the first, if there are very many."""
    source: str = "recording"
    _columns: dict[str, Table] | None = field(default=None, init=False, repr=False, compare=False)

    def unchanging(self) -> Trace:
        """The same, for somebody who changes no table: columns that were asked for are kept."""
        if self._columns is not None:
            return self
        same = replace(self)
        object.__setattr__(same, "_columns", {})
        return same

    def column(self, name: str) -> Table:
        """A column of the operations in one piece, for those who look at all of it."""
        if self._columns is None:
            return column_of(self.operations, name)
        if name not in self._columns:
            self._columns[name] = column_of(self.operations, name)
        return self._columns[name]

    def row_of(self, seq: Seq) -> Row:
        """The operation of a call; NONE if it has no row."""
        row = bisect_left(self.operations["seq"], seq)
        found = row < len(self.operations) and int(self.operations["seq"][row]) == seq
        return row if found else NONE

    def accesses_of(self, row: Row) -> Table:
        return self.accesses[self.access_rows(row)]

    def access_rows(self, row: Row) -> slice:
        starts = self.operations["first_access"]
        stop = int(starts[row + 1]) if row + 1 < len(starts) else len(self.accesses)
        return slice(int(starts[row]), stop)


LOST_LIFETIMES: Final = frozenset(
    {
        *(Gap.DROPPED, Gap.DAMAGED, Gap.ONLY_MARKED, Gap.NO_RECORDING),
        *(Gap.UNRECORDED, Gap.UNSEEN, Gap.TWO_RUNTIMES, Gap.BYPASSED),
    }
)
"""What an address means is not sure: its allocation or its free may be among the lost calls."""

LOST_CALLS: Final = LOST_LIFETIMES | {Gap.OVERWRITTEN, Gap.NO_FAILURES}
"""Calls are missing before the last one that is known: allocations, frees and waits too, maybe."""

INCOMPLETE: Final = LOST_CALLS | {Gap.CUT_SHORT}
"""Something may have happened that the trace does not show. Whatever the fault, it can hide it."""

RECORDING: Final = "recording"
"""The source of a trace that is no log."""
SAYS_SIZES: Final = ("greta",)
"""Logs whose lines state a transfer together with its allocation: lost calls change nothing."""


def present(trace: Trace, gaps: Iterable[Gap]) -> tuple[str, ...]:
    """Names of those gaps that the trace has, in the order of their numbers."""
    return tuple(gap.name for gap in sorted(set(gaps) & set(trace.gaps)))


def hiding(trace: Trace, *also: Gap) -> tuple[str, ...]:
    """Names of the gaps because of which "nothing found" is no "nothing there"."""
    return present(trace, INCOMPLETE | set(also))
