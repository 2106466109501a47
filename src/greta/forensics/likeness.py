"""Which of several launches of one kernel is unlike the others.

Where the same speaks against several launches, the one that was given something that the others
were not comes first: a null where they have none, or another number than those with the same grid.
Launches that ended well count too. This orders suspects and makes none of them more certain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from greta.trace.trace import Kind, Row, Trace

_MOST: Final = 256
"""So many launches are compared, the last ones."""

_NULL, _POINTER = "null", "pointer"


class _Given(NamedTuple):
    """What a launch was given."""

    shape: object
    """Grid and block."""
    arguments: tuple[object, ...]


def strangeness(trace: Trace, rows: Sequence[Row]) -> dict[Row, float]:
    """For each launch: in how many arguments it is alone, weighed by how many are otherwise."""
    found: dict[Row, float] = {}
    kernels = {int(trace.operations["kernel"][row]) for row in rows}
    for kernel in kernels - {-1}:
        found |= _of_kernel(trace, kernel, [r for r in rows if _kernel(trace, r) == kernel])
    return found


def _kernel(trace: Trace, row: Row) -> int:
    return int(trace.operations["kernel"][row])


def _of_kernel(trace: Trace, kernel: int, rows: Sequence[Row]) -> dict[Row, float]:
    if len(rows) < 2:
        return {}
    table = trace.operations
    alike = np.flatnonzero((table["kind"] == Kind.LAUNCH) & (table["kernel"] == kernel))
    alike = alike[alike <= max(rows)][-_MOST:]
    given = {row: _given(trace, row) for row in {*alike.tolist(), *rows[:_MOST]}}
    return {row: _strange(given[row], list(given.values())) for row in rows[:_MOST]}


def _given(trace: Trace, row: Row) -> _Given:
    call = trace.describe(int(trace.operations["seq"][row]))
    arguments = tuple(_seen(kind, value) for _, kind, value in call.kernel_arguments)
    return _Given((call.grid, call.block), arguments)


def _seen(kind: str, value: int | None) -> object:
    """Of a pointer only whether it is null: each layer has its own."""
    return _NULL if "*" in kind and not value else (_POINTER if "*" in kind else value)


def _strange(one: _Given, every: Sequence[_Given]) -> float:
    alike = [other for other in every if len(other.arguments) == len(one.arguments)]
    same_size = [other for other in alike if other.shape == one.shape]
    total = 0.0
    for place, value in enumerate(one.arguments):
        others = alike if value in (_NULL, _POINTER) else same_size
        counts = Counter(other.arguments[place] for other in others)
        if counts[value] < max(counts.values()):
            total += 1 - counts[value] / len(others)
    return total
