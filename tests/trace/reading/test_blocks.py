"""Announced blocks as the tables of a trace have them."""

from __future__ import annotations

import numpy as np
import pytest

from greta.recording import Block
from greta.recording.events import _is_replaced, _near
from greta.trace.reading.blocks import _cut

BORDERS = [100, 200, 300]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([2, 110, 50, 0, 1], [(2, 110, 50, 0, 1)]),
        ([2, 150, 100, 0, 1], [(2, 150, 50, 0, 1), (2, 200, 50, 0, 1)]),
        ([2, 100, 200, 0, 1], [(2, 100, 100, 0, 1), (2, 200, 100, 0, 1)]),
        # Runs of 10 bytes: three before the border, three behind it.
        ([1, 140, 10, 20, 6], [(1, 140, 10, 20, 3), (1, 200, 10, 20, 3)]),
        # The third lies across the border.
        (
            [1, 155, 10, 20, 5],
            [(1, 155, 10, 20, 2), (1, 195, 5, 0, 1), (1, 200, 5, 0, 1), (1, 215, 10, 20, 2)],
        ),
        ([1, 95, 10, 150, 2], [(1, 95, 5, 0, 1), (1, 100, 5, 0, 1), (1, 245, 10, 150, 1)]),
    ],
)
def test_ranges_are_cut_where_blocks_begin(
    given: list[int], expected: list[tuple[int, ...]]
) -> None:
    assert list(_cut(given, BORDERS)) == expected


@pytest.mark.parametrize("seed", range(20))
def test_pieces_are_the_same_bytes(seed: int) -> None:
    random = np.random.default_rng(seed)
    row = [1, *(int(n) for n in random.integers((1, 1, 5), (300, 40, 60)))]
    row = [1, row[1], min(row[2], row[3]), row[3], int(random.integers(1, 9))]
    pieces = list(_cut(row, BORDERS))
    assert sorted(b for piece in pieces for b in _bytes(piece)) == _bytes(row)
    for piece in pieces:
        bytes_ = _bytes(piece)
        assert not any(bytes_[0] < border <= bytes_[-1] for border in BORDERS)


def _bytes(row: list[int] | tuple[int, ...]) -> list[int]:
    _, begin, size, stride, count = row
    return sorted({begin + i * stride + j for i in range(max(count, 1)) for j in range(size)})


@pytest.mark.parametrize(
    ("base", "size", "replaced"),
    [
        (0, 100, [0]),  # the same place
        (50, 100, [0, 100]),  # across both
        (0, 400, [0, 100, 300]),
        (110, 20, []),  # inside
        (100, 20, []),  # a view of its beginning
        (200, 100, []),  # between
    ],
)
def test_a_new_block_replaces_those_that_it_overlaps(
    base: int, size: int, replaced: list[int]
) -> None:
    live = {one: Block(one, 100, "", 0, 1) for one in (0, 100, 300)}
    new = Block(base, size, "", 0, 2)
    near = [live[one] for one in _near(sorted(live), new)]
    assert [one.base for one in near if _is_replaced(one, new)] == replaced
