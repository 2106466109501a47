"""Missing order between the branches of a graph: found exactly where there is no path."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from greta.forensics import order, order_library
from greta.forensics.case import Case
from greta.forensics.checks import missing_sync
from greta.forensics.order import ConflictKind, Sign, conflicts, would_order
from greta.forensics.verdict import Outcome
from greta.trace.device_errors import ILLEGAL_ADDRESS
from greta.trace.evidence import Evidence
from greta.trace.trace import (
    NONE,
    BranchedGraph,
    GraphNode,
    Kind,
    Known,
    Mode,
    Role,
    Row,
    Table,
    Trace,
)
from tests.forensics.tracing import Buffer, TraceBuilder


@dataclass(frozen=True)
class Work:
    """A node: what it reads, what it writes, which earlier ones it waits for."""

    reads: frozenset[int]
    writes: frozenset[int]
    after: frozenset[int]


def launched(works: list[Work], *, copied: bool = False) -> tuple[Trace, list[Row]]:
    """A program that adds these nodes to a graph and launches it; the rows of the nodes.

    copied: all memory was filled by copies before.
    """
    program = TraceBuilder()
    buffers = [program.allocate(256) for _ in range(4)]
    source = program.allocate(256)
    for buffer in buffers if copied else ():
        program.copy(buffer[:], source[:])
    rows = [add_node(program, buffers, work) for work in works]
    launch = program.call(Kind.GRAPH_LAUNCH, stream=0, event=0)
    for access in [a for a in program.accesses if a["operation"] in rows]:
        program.accesses.append({**access, "operation": launch})
    nodes = tuple(
        GraphNode((row,), tuple(sorted(work.after))) for row, work in zip(rows, works, strict=True)
    )
    return replace(program.build(), branched_graphs=(BranchedGraph(launch, nodes),)), rows


def add_node(program: TraceBuilder, buffers: list[Buffer], work: Work) -> Row:
    """hipGraphAddKernelNode."""
    reads, writes = (
        [buffers[number][:] for number in sorted(some)] for some in (work.reads, work.writes)
    )
    return program.launch(NONE, reads, may_write=writes, captured=True)


def has_path(works: list[Work], first: int, second: int) -> bool:
    after = works[second].after
    return first in after or any(has_path(works, first, one) for one in after if one > first)


def clash(one: Work, other: Work) -> bool:
    return bool(one.writes & (other.reads | other.writes) or other.writes & one.reads)


@st.composite
def graphs(draw: st.DrawFn) -> list[Work]:
    works: list[Work] = []
    for number in range(draw(st.integers(2, 7))):
        after = draw(st.frozensets(st.integers(0, number - 1))) if number else frozenset()
        reads = draw(st.frozensets(st.integers(0, 3), max_size=2))
        writes = draw(st.frozensets(st.integers(0, 3), min_size=1, max_size=2))
        works.append(Work(reads - writes, writes, after))
    return works


@given(graphs())
def test_a_conflict_is_found_exactly_if_two_nodes_clash_without_a_path(works: list[Work]) -> None:
    trace, rows = launched(works)
    pairs = combinations(range(len(works)), 2)
    wrong = {
        (rows[first], rows[second])
        for first, second in pairs
        if clash(works[first], works[second]) and not has_path(works, first, second)
    }
    found = {(conflict.first, conflict.second) for conflict in conflicts(trace)}
    assert found <= wrong
    assert bool(found) == bool(wrong)


def two_branches(*, joined: bool) -> tuple[Trace, list[Row]]:
    """One writes buffer 0; the other reads it, and writes buffer 1."""
    reader = Work(frozenset({0}), frozenset({1}), frozenset({0}) if joined else frozenset())
    return launched([writer(0), reader, writer(2)])


def writer(*buffers: int) -> Work:
    """Waits for nobody."""
    return Work(frozenset(), frozenset(buffers), frozenset())


def test_the_conflict_names_the_calls_that_made_the_nodes() -> None:
    trace, rows = two_branches(joined=False)
    (conflict,) = conflicts(trace)
    assert (conflict.first, conflict.second) == (rows[0], rows[1])
    assert conflict.kind is ConflictKind.READ_AFTER_WRITE
    assert conflict.allocation == 0
    assert int(trace.accesses["operation"][conflict.second_access]) == rows[1]
    remedy = would_order(trace, conflict.first, conflict.second)
    assert (remedy.code, remedy.data) == ("depend_on_node", {"call_seq": rows[0] + 1})


def test_a_dependency_is_order() -> None:
    trace, _ = two_branches(joined=True)
    assert not len(conflicts(trace))


def noted(*parts: tuple[int, int, Mode]) -> Trace:
    """Two branches that are given buffer 0; what each was seen to do: place, bytes and mode."""
    trace, rows = launched([writer(0), writer(0)])
    (graph,) = trace.branched_graphs
    accesses = trace.accesses.copy()
    accesses["known"][accesses["operation"] == graph.launch] |= np.uint8(Known.FOLLOWED)
    seen = np.zeros(len(parts), accesses.dtype)
    seen["operation"], seen["role"] = graph.launch, Role.FOOTPRINT
    seen["origin"] = trace.operations["seq"][rows]
    for access, (place, size, mode) in zip(seen, parts, strict=True):
        access["address"] = int(trace.allocations["address"][0]) + place
        access["bytes"], access["mode"] = size, mode
    return replace(trace, accesses=np.concatenate([accesses, seen]))


def test_footprints_decide_between_branches_of_a_graph() -> None:
    assert not len(conflicts(noted((0, 128, Mode.WRITE), (128, 128, Mode.WRITE))))
    (conflict,) = conflicts(noted((0, 128, Mode.WRITE), (120, 128, Mode.READ)))
    assert (conflict.kind, conflict.bytes) == (ConflictKind.READ_AFTER_WRITE, 8)
    assert Sign.DOUBTFUL not in conflict.signs


def test_branches_that_add_atomically_do_not_conflict() -> None:
    assert not len(conflicts(noted((0, 256, Mode.ATOMIC), (0, 256, Mode.ATOMIC))))


def test_what_copies_brought_before_the_launch_may_be_an_input() -> None:
    for copied in (False, True):
        (conflict,) = conflicts(launched([writer(0, 1), writer(0, 2)], copied=copied)[0])
        assert (Sign.CONTENT_COPIED in conflict.signs) == copied


def test_what_a_node_touches_is_counted_once() -> None:
    apart, _ = two_branches(joined=False)
    whole = conflicts(apart)
    alone = conflicts(replace(apart, branched_graphs=()))
    assert (whole.reads, whole.may_writes) == (alone.reads, alone.may_writes)
    assert not len(alone)


def test_a_look_into_a_graph_that_was_given_up_is_not_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    find_conflicts = order_library.find_conflicts

    def gives_up_in_graphs(
        trace: Trace, most: int, outputs: Table, fresh: Table, faulted: int = NONE
    ) -> tuple[Table, Table]:
        table, summary = find_conflicts(trace, most, outputs, fresh, faulted)
        summary["rows"] -= not trace.branched_graphs
        return table, summary

    assert conflicts(two_branches(joined=True)[0]).complete
    monkeypatch.setattr(order_library, "find_conflicts", gives_up_in_graphs)
    assert not conflicts(two_branches(joined=True)[0]).complete


def test_what_graphs_show_beyond_the_space_for_conflicts_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trace, _ = two_branches(joined=False)
    trace = replace(trace, branched_graphs=trace.branched_graphs * 5)
    monkeypatch.setattr(order, "MOST_CONFLICTS", 3)
    found = conflicts(trace)
    assert (len(found), found.left_off) == (3, 2)


@pytest.mark.parametrize("fault_first", [False, True])
def test_a_graph_that_is_launched_after_a_fault_of_the_device_shows_nothing(
    fault_first: bool,
) -> None:
    trace, rows = two_branches(joined=False)
    reported = trace.branched_graphs[0].launch if not fault_first else rows[-1]
    trace.operations["failed"][reported] = True
    trace.operations["result"][reported] = ILLEGAL_ADDRESS
    assert len(conflicts(trace)) == (0 if fault_first else 1)


@pytest.mark.parametrize("left_off", [0, 1])
def test_graphs_into_which_nobody_looked_refute_nothing(left_off: int) -> None:
    trace, _ = two_branches(joined=True)
    ruling = missing_sync.examine(Case(Evidence(replace(trace, graphs_left_off=left_off))))
    assert ruling.outcome is (Outcome.INCONCLUSIVE if left_off else Outcome.REFUTED)
    assert ruling.missing == ("unread_graphs",) * left_off
