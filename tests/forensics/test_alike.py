"""Accesses that are alike are looked at once: what is found is what looking at each would find."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from greta.forensics import analysis, scan
from greta.forensics.failures import last_that_counts
from greta.forensics.order_library import find_alike
from greta.forensics.scan import KindBlock, Lifetimes, Survey
from greta.trace.trace import ACCESS, Trace
from tests.forensics import random_programs
from tests.forensics.tracing import TraceBuilder

CHOICES = (*analysis._CHOICES, *analysis._COUNTED)


def each_by_itself(trace: Trace) -> KindBlock:
    rows = np.arange(len(trace.accesses))
    start = trace.accesses["address"]
    end = start + trace.accesses["bytes"]
    beside = [one for row in rows for one in [[row - 1, row + 1]]]
    meet = [
        any(
            not 0 <= one < len(rows) or (start[row] < end[one] and start[one] < end[row])
            for one in both
        )
        for row, both in zip(rows, beside, strict=True)
    ]
    last = last_that_counts(trace)
    return KindBlock(trace, Lifetimes(trace), rows, last, np.array(meet, bool))


@given(random_programs.actions, st.sampled_from([0, 40]), st.integers(1, 4))
def test_the_same_accesses_are_chosen(
    actions: list[random_programs.Action], spread: int, times: int
) -> None:
    trace = random_programs.program(actions * times, spread).build()
    survey = Survey(trace, CHOICES, CHOICES)
    if not len(trace.accesses):
        assert not any(map(survey.count, CHOICES))
        return
    block = each_by_itself(trace)
    for choice in CHOICES:
        rows = np.flatnonzero(choice(block)).tolist()
        assert (choice, survey.where(choice)[0].tolist()) == (choice, rows)
        assert survey.count(choice) == len(rows)


def steady(rounds: int) -> TraceBuilder:
    build = TraceBuilder()
    buffer, other = build.allocate(64), build.allocate(64)
    for _ in range(rounds):
        build.copy(buffer[:32], other[32:])
        build.fill(other[:8])
    return build


def test_what_is_done_again_and_again_is_a_few_kinds() -> None:
    trace = steady(50).build()
    kinds, firsts, _ = find_alike(trace, 0, len(trace.accesses), 1 << 30)
    assert len(kinds) == 150
    assert firsts.tolist()[:3] == [0, 1, 2]
    assert len(firsts) <= 5  # the ends have nobody beside them
    assert (kinds[3:-3].reshape(-1, 3) == kinds[3:6]).all()


DIFFERENT: dict[str, Any] = {
    "address": 8,
    "bytes": 9,
    "pitch": 1,
    "width": 1,
    "reach": 1,
    "allocation": 0,
    "argument": 3,
    "element": 4,
    "mode": 3,
    "role": 4,
    "space": 1,
    "at_call": True,
    "known": 1,
}


@pytest.mark.parametrize("column", DIFFERENT)
def test_an_access_that_differs_in_any_column_is_another_kind(column: str) -> None:
    assert DIFFERENT.keys() | {"operation", "origin", "block"} == set(ACCESS.names or ())
    trace = steady(50).build()
    accesses = trace.accesses.copy()
    before = len(find_alike(trace, 0, 150, 1 << 30)[1])
    accesses[column][74] = DIFFERENT[column]
    changed = trace.unchanging().__class__(**{**vars(trace), "accesses": accesses})
    kinds, firsts, _ = find_alike(changed, 0, 150, 1 << 30)
    assert len(firsts) > before
    assert np.count_nonzero(kinds == kinds[74]) == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [("kind", 3), ("waits", 1), ("failed", True), ("captured", True), ("result", 1), ("thread", 5)],
)
def test_so_is_one_whose_operation_differs(column: str, value: int) -> None:
    assert column in scan.TOLD_APART_BY
    trace = steady(50).build()
    operations = trace.operations.copy()
    row = int(trace.accesses["operation"][74])
    operations[column][row] = value
    changed = trace.__class__(**{**vars(trace), "operations": operations})
    kinds = find_alike(changed, 0, 150, 1 << 30)[0]
    mine = np.flatnonzero(trace.accesses["operation"] == row)
    assert not np.isin(np.delete(kinds, mine), kinds[mine]).any()


def test_and_one_that_no_longer_counts_or_whose_memory_is_freed() -> None:
    build = steady(3)
    trace = build.build()
    half = int(trace.accesses["operation"][4])
    kinds = find_alike(trace, 0, 9, half)[0]
    assert not set(kinds[:5].tolist()) & set(kinds[6:].tolist())
    allocations = trace.allocations.copy()
    allocations["freed_at"][0] = half
    changed = trace.__class__(**{**vars(trace), "allocations": allocations})
    assert len(find_alike(changed, 0, 9, 1 << 30)[1]) > len(find_alike(trace, 0, 9, 1 << 30)[1])


def test_a_choice_cannot_ask_what_is_not_told_apart() -> None:
    block = each_by_itself(steady(1).build())
    with pytest.raises(KeyError):
        block.of_operation("stream")
    with pytest.raises((KeyError, ValueError)):
        block.rows["operation"]
    assert not hasattr(block, "operation")
