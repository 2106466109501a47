"""Order: which operations are sure to be over before others, and which conflict without order.

The rules are HIP's, as docs/order.md lists them; the fold over them is in native/order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

import numpy as np

from greta.forensics import order_library
from greta.forensics._answers import PAIR, SUMMARY
from greta.forensics._answers import ConflictKind as ConflictKind
from greta.forensics._answers import How as How
from greta.forensics._answers import Sign as Sign
from greta.forensics.event_nodes import InParts, in_parts
from greta.forensics.failures import first_sticky
from greta.forensics.graph_branches import UnrolledGraph, unrolled_graphs
from greta.forensics.order_library import find_completion
from greta.forensics.scan import (
    PINNED,
    Mask,
    fresh_memory,
    is_kind,
    kernel_outputs,
    ran,
    where_each,
)
from greta.forensics.verdict import Value
from greta.large_arrays import places_of_true
from greta.trace.trace import (
    LOST_LIFETIMES,
    NONE,
    Gap,
    Kind,
    Role,
    Row,
    Space,
    StreamKind,
    Table,
    Trace,
    Waits,
    present,
)

_WORK: Final = (Kind.LAUNCH, Kind.GRAPH_LAUNCH, Kind.COPY, Kind.FILL)
MOST_CONFLICTS: Final = 4096
"""Groups that are kept; the others are counted."""


@dataclass(frozen=True)
class Order:
    how: How
    via: Row = NONE

    @property
    def ordered(self) -> bool:
        return How.SAME_STREAM <= self.how <= How.SAME_GRAPH


@dataclass(frozen=True)
class Conflict:
    """Two operations on the same bytes, one of them a write, that nothing orders."""

    kind: ConflictKind
    first: Row
    second: Row
    first_access: Row
    """NONE: the first is the allocation itself."""
    second_access: Row
    """NONE: the second is the free."""
    allocation: Row
    """NONE: host memory that HIP does not know."""
    address: int
    bytes: int
    signs: Sign
    repeats: int
    """Later conflicts of the same kind, on the same memory, between the same streams."""


@dataclass(frozen=True, eq=False)
class Conflicts:
    """All conflicts of a trace: the first of each group, in the order of the second operations."""

    table: Table
    """Rows of greta.forensics._answers.CONFLICT."""
    reads: int
    """Accesses that were compared, by what they do."""
    may_writes: int
    transfer_reads: int
    """Those of copies and memsets among them."""
    transfer_writes: int
    repeats: int
    left_off: int
    """Conflicts of further groups, for which there was no space."""
    inexact: int
    """Accesses that are too scattered to be compared."""
    unknown_streams: int
    """Operations on a stream of which it is not known which it is, or how it behaves."""
    unknown_events: int
    complete: bool
    """Whether all operations were looked at; if not, too many streams wait for each other."""
    graphs_left_off: int
    """Graphs with branches into which nobody looked, since there were too many."""

    def __iter__(self) -> Iterator[Conflict]:
        return (_conflict(row) for row in self.table)

    def __len__(self) -> int:
        return len(self.table)


def _conflict(row: np.void) -> Conflict:
    return Conflict(
        kind=ConflictKind(int(row["kind"])),
        first=int(row["first"]),
        second=int(row["second"]),
        first_access=int(row["first_access"]),
        second_access=int(row["second_access"]),
        allocation=int(row["allocation"]),
        address=int(row["address"]),
        bytes=int(row["bytes"]),
        signs=Sign(int(row["flags"])),
        repeats=int(row["repeats"]),
    )


def conflicts(trace: Trace) -> Conflicts:
    """Fold the trace, and each graph with branches as a trace of its own."""
    outputs, fresh, faulted = kernel_outputs(trace), fresh_memory(trace), _work_that_faulted(trace)
    trace = _with_others(trace)
    parts = in_parts(trace)
    if parts is None:
        table, summary = order_library.find_conflicts(
            trace, MOST_CONFLICTS, outputs, fresh, faulted
        )
    else:
        table, summary = _between_parts(parts, outputs, fresh, faulted)
    counts = {name: int(summary[name]) for name in _COUNTS}
    complete = _is_complete(parts.trace if parts else trace, summary)
    tables = [table]
    for graph in unrolled_graphs(trace) if trace.branched_graphs else ():
        found, more = _inside_graph(graph, MOST_CONFLICTS - sum(map(len, tables)), outputs)
        tables.append(found)
        complete &= _is_complete(graph.trace, more)
        counts |= {name: counts[name] + int(more[name]) for name in _COUNTS_INSIDE}
    table = np.concatenate(tables)
    table = table[np.argsort(table["second"], kind="stable")]
    unseen = trace.graphs_left_off
    return Conflicts(table=table, complete=complete, graphs_left_off=unseen, **counts)


def _with_others(trace: Trace) -> Trace:
    """As if the host had waited for each event that it shares with another process.

    That process may have, and told this one in a way that is not seen: who may be right is not
    accused.
    """
    if not trace.shared_records:
        return trace
    operations = trace.operations.copy()
    operations["waits"][list(trace.shared_records)] = Waits.FOR_IT
    return replace(trace, operations=operations, shared_records=())


def _between_parts(parts: InParts, outputs: Mask, fresh: Mask, faulted: Row) -> tuple[Table, Table]:
    """What two parts of one launch do to each other, its branches show."""
    table, summary = order_library.find_conflicts(
        parts.trace,
        MOST_CONFLICTS,
        outputs[parts.accesses],
        fresh,
        int(parts.first[faulted]) if faulted != NONE else NONE,
    )
    accesses = np.append(parts.accesses, NONE)
    for name in ("first", "second"):
        table[name] = parts.of(table[name])
        table[f"{name}_access"] = accesses[table[f"{name}_access"]]
    return table[table["first"] != table["second"]], summary


def _work_that_faulted(trace: Trace) -> Row:
    """Work whose own call reported the device's fault had been queued before, and counts."""
    row = first_sticky(trace)
    return row if row != NONE and int(trace.operations["kind"][row]) in _WORK else NONE


def _is_complete(trace: Trace, summary: Table) -> bool:
    return int(summary["rows"]) == len(trace.operations)


def _inside_graph(graph: UnrolledGraph, most: int, outputs: Mask) -> tuple[Table, Table]:
    own = np.append(outputs, False)[graph.accesses][: len(graph.trace.accesses)]
    table, summary = order_library.find_conflicts(graph.trace, most, own, graph.fresh)
    for name, source in (
        *(("first", graph.rows), ("second", graph.rows)),
        *(("first_access", graph.accesses), ("second_access", graph.accesses)),
    ):
        table[name] = source[table[name]]
    return table, summary


_COUNTS_INSIDE: Final = ("repeats", "left_off", "inexact")
"""What the branches of a graph add; their accesses are counted with the launch."""

_COUNTS: Final = [one.name for one in fields(Conflicts) if one.name in (SUMMARY.names or ())]


def ordered(trace: Trace, pairs: Sequence[tuple[Row, Row]]) -> list[Order]:
    """For each pair of operations: is the first over before the second begins, and by what?

    The second may be a call that failed: what counts is what was known when it began.
    """
    trace = _with_others(trace)
    parts = in_parts(trace) if len(pairs) else None
    if parts is not None:
        return _ordered_parts(parts, pairs)
    asked = np.zeros(len(pairs), PAIR)
    if len(pairs):
        asked["first"], asked["second"] = np.array(pairs, np.int64).T
        order_library.answer_pairs(trace, asked)
    return [Order(How(int(pair["how"])), int(pair["via"])) for pair in asked]


def _ordered_parts(parts: InParts, pairs: Sequence[tuple[Row, Row]]) -> list[Order]:
    """A launch is over when all of its parts are."""
    asked = [
        [(part, int(parts.first[second])) for part in _works(parts, first)]
        for first, second in pairs
    ]
    answers = iter(ordered(parts.trace, [pair for some in asked for pair in some]))
    found = ([next(answers) for _ in some] for some in asked)
    worst = (next((one for one in some if not one.ordered), some[-1]) for some in found)
    return [replace(one, via=int(parts.of(np.array(one.via)))) for one in worst]


def _works(parts: InParts, row: Row) -> list[Row]:
    return parts.works.get(row, parts.first[row : row + 1]).tolist()


@dataclass(frozen=True)
class Remedy:
    """The synchronization that would give a missing order. The codes are in REMEDIES."""

    code: str
    data: dict[str, Value]


REMEDIES: Final[dict[str, tuple[str, ...]]] = {
    "synchronize_stream": ("stream",),
    "wait_for_recorded_event": ("stream", "other_stream", "event_seq"),
    "record_and_wait": ("stream", "other_stream"),
    "default_stream_does_not_wait": ("stream", "other_stream"),
    "let_call_return": ("call_seq",),
    "depend_on_node": ("call_seq",),
}
"""stream: where the first operation is; other_stream: where the second is. Rows in streams.
default_stream_does_not_wait: one of them is the default stream, the other one non-blocking."""


def would_order(trace: Trace, first: Row, second: Row) -> Remedy:
    stream = int(trace.operations["stream"][first])
    other = int(trace.operations["stream"][second])
    if stream == other == NONE and trace.operations["captured"][first]:
        return Remedy("depend_on_node", {"call_seq": int(trace.operations["seq"][first])})
    if stream < 0 or stream == other:
        # On one stream only the host's side can meet: of calls that run at the same time.
        return Remedy("let_call_return", {"call_seq": int(trace.operations["seq"][first])})
    if other < 0:
        return Remedy("synchronize_stream", {"stream": stream})
    between = {"stream": stream, "other_stream": other}
    record = _recorded_between(trace, stream, first, second)
    if record != NONE:
        seq = int(trace.operations["seq"][record])
        return Remedy("wait_for_recorded_event", {**between, "event_seq": seq})
    kinds = {int(trace.streams["kind"][stream]), int(trace.streams["kind"][other])}
    if kinds == {StreamKind.LEGACY, StreamKind.NON_BLOCKING}:
        return Remedy("default_stream_does_not_wait", {**between})
    return Remedy("record_and_wait", {**between})


_LOOK_AHEAD: Final = 1 << 16


def _recorded_between(trace: Trace, stream: Row, first: Row, second: Row) -> Row:
    """The first event that was recorded behind an operation and that nobody needs to add."""
    part = trace.operations[first + 1 : min(second, first + 1 + _LOOK_AHEAD)]
    records = (part["kind"] == Kind.EVENT_RECORD) & (part["stream"] == stream)
    alike = part["captured"] == trace.operations["captured"][first]
    rows = np.flatnonzero(records & alike & ~part["failed"])
    return first + 1 + int(rows[0]) if len(rows) else NONE


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
        have_run = ran(self.trace, *kinds)[: len(self.known_by)]
        return places_of_true(have_run & (self.known_by == NONE))

    def may_lack_launches(self) -> bool:
        """Whether launches that had not ended by then may be missing from the trace.

        A ring has lost the oldest calls: of a stream for which the host has waited since, none
        matters.
        """
        if present(self.trace, LOST_LIFETIMES):
            return True
        if Gap.OVERWRITTEN not in self.trace.gaps:
            return False
        used = np.unique(self.trace.column("stream")[: len(self.known_by)])
        return bool((self.streams[used[used != NONE]] == NONE).any())


def completion(trace: Trace, before: Row | None = None) -> Completion:
    rows = len(trace.operations) if before is None else before
    parts = in_parts(trace)
    if parts is None:
        return Completion(trace, *find_completion(trace, rows))
    by_part, streams = find_completion(parts.trace, int(parts.first[rows]))
    known_by = by_part[parts.first[:rows]]
    for launch, works in parts.works.items():
        if launch < rows:
            known_by[launch] = NONE if (by_part[works] == NONE).any() else by_part[works].max()
    of_streams = streams[: len(trace.streams)]
    return Completion(trace, parts.of(known_by), parts.of(of_streams))


def copies_never_waited_for(known: Completion) -> Table:
    """Rows of copies into memory of the host that the program did not wait for, to its end.

    None where the trace does not show waits, or where a callback may have told the host.
    """
    trace = known.trace
    if Gap.NO_ORDER in trace.gaps or is_kind(trace, Kind.HOST_FUNCTION).any():
        return np.zeros(0, np.int64)
    rows = known.unfinished(Kind.COPY)
    return _to_host(trace, rows) if len(rows) else rows


def _to_host(trace: Trace, rows: Table) -> Table:
    """Copies that write memory which the host sees, after the call has returned."""
    chosen = np.zeros(len(trace.operations), bool)
    chosen[rows] = True
    mine = where_each(trace, lambda one: (one.role == Role.DESTINATION) & chosen[one.operation])
    written = trace.accesses[mine]
    memory = np.append(trace.allocations["memory"], 0)[written["allocation"]]
    pinned = np.isin(memory, PINNED) & (written["space"] != Space.DEVICE) & ~written["at_call"]
    return np.unique(written["operation"][pinned])
