"""Which of several launches of a kernel is unlike the others."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from greta.forensics.suspects import dissimilarity
from greta.trace.trace import OPERATION, Kind

Launch = tuple[int, tuple[int, int, int]]  # grid; a pointer, an optional pointer, a number


def trace_of(*launches: Launch) -> Any:
    operations = np.zeros(len(launches), OPERATION)
    operations["kind"] = Kind.LAUNCH
    operations["seq"] = np.arange(len(launches))

    def describe(seq: int) -> Any:
        grid, (x, out, n) = launches[seq]
        arguments = (("x", "const float*", x), ("out", "float*", out), ("n", "int", n))
        return SimpleNamespace(grid=(grid, 1, 1), block=(64, 1, 1), kernel_arguments=arguments)

    return SimpleNamespace(operations=operations, describe=describe)


def strangest(trace: Any) -> list[int]:
    found = dissimilarity(trace, range(len(trace.operations)))
    return sorted(row for row, value in found.items() if value == max(found.values()) > 0)


def test_a_null_where_the_others_have_none() -> None:
    assert strangest(trace_of((4, (16, 0, 8)), (4, (0, 0, 8)), (4, (32, 0, 8)))) == [1]


def test_a_null_counts_whatever_the_grid() -> None:
    assert strangest(trace_of((4, (16, 0, 8)), (4, (32, 0, 8)), (1, (0, 0, 8)))) == [2]


def test_another_number_than_launches_of_the_same_size() -> None:
    launches = [(4, (16, 0, 8)), (4, (16, 0, 8)), (4, (16, 0, 9)), (1, (16, 0, 2))]
    assert strangest(trace_of(*launches)) == [2]


def test_different_pointers_are_nothing_strange() -> None:
    assert strangest(trace_of((4, (16, 0, 8)), (4, (32, 0, 8)), (4, (48, 0, 8)))) == []


def test_of_two_that_differ_neither_is_the_strange_one() -> None:
    assert strangest(trace_of((4, (16, 0, 8)), (4, (16, 0, 9)))) == []


def test_one_launch_is_compared_with_none() -> None:
    assert dissimilarity(trace_of((4, (16, 0, 8))), [0]) == {}
