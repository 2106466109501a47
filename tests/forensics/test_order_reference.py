"""The fold in C++ against the reference in sets: the main proof of greta.forensics.order."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from greta.forensics import order
from greta.trace.trace import Trace
from tests.forensics import random_programs
from tests.forensics.order_reference import Found, Reference

SOME = settings(max_examples=300)
spreads = st.sampled_from((0, 0, 15, 60))

Group = tuple[int, tuple[int, int], int]
Counts = Counter[Group]


def group(trace: Trace, first: int, second: int, kind: int, allocation: int) -> Group:
    streams = trace.operations["stream"]
    low, high = sorted((int(streams[first]), int(streams[second])))
    return allocation, (low, high), kind


def expected(trace: Trace, found: list[Found]) -> tuple[set[tuple[Group, int]], Counts]:
    """The first of each group, sure and doubtful ones apart, and how many there are."""
    firsts: dict[tuple[Group, bool], int] = {}
    counts: Counts = Counter()
    for one in found:
        key = group(trace, one.first, one.second, one.kind, one.allocation)
        firsts.setdefault((key, one.sure), one.second)
        counts[key] += 1
    return {(key, second) for (key, _), second in firsts.items()}, counts


def folded(trace: Trace) -> tuple[set[tuple[Group, int]], Counts]:
    firsts = set()
    counts: Counts = Counter()
    for one in order.conflicts(trace):
        key = group(trace, one.first, one.second, one.kind, one.allocation)
        firsts.add((key, one.second))
        counts[key] += 1 + one.repeats
    return firsts, counts


@SOME
@given(random_programs.actions, spreads)
def test_the_same_conflicts(actions: list[random_programs.Action], spread: int) -> None:
    trace = random_programs.program(actions, spread).build()
    assert folded(trace) == expected(trace, Reference(trace, repairs=True).found)


@SOME
@given(random_programs.actions, spreads)
def test_the_same_order(actions: list[random_programs.Action], spread: int) -> None:
    trace = random_programs.program(actions, spread).build()
    reference = Reference(trace, repairs=False)
    on_stream = {row for rows in reference.on_stream.values() for row in rows}
    rows = range(len(trace.operations))
    pairs = [(a, b) for b in rows for a in range(b)]
    for (a, b), answer in zip(pairs, order.ordered(trace, pairs), strict=True):
        if not reference.ran[a]:
            assert answer.how == order.How.NOT_RUN
        elif a in on_stream:
            assert answer.ordered == (a in reference.before[b]), (a, b)
        else:
            assert answer.ordered == reference.returned(a, b), (a, b)


@SOME
@given(random_programs.actions, spreads)
def test_a_conflict_is_between_operations_without_order(
    actions: list[random_programs.Action], spread: int
) -> None:
    trace = random_programs.program(actions, spread).build()
    on_device = [
        (one.first, one.second)
        for one in order.conflicts(trace)
        if not one.signs & order.Sign.FIRST_ON_HOST
    ]
    assert not any(answer.ordered for answer in order.ordered(trace, on_device))
