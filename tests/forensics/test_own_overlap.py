"""Copies whose source and destination overlap; rectangles are among the cases."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from greta.forensics.own_overlap import own_overlaps
from greta.forensics.trace import Trace
from tests.forensics.programs import FAILED
from tests.forensics.tracing import TraceBuilder


def shifted(by: int, size: int, **fields: Any) -> Trace:
    build = TraceBuilder()
    x = build.allocate(256)
    build.copy(x[by : by + size], x[:size], **fields)
    return build.build()


@given(by=st.integers(1, 128), size=st.integers(1, 128))
def test_a_shift_by_less_than_its_size_meets_itself(by: int, size: int) -> None:
    assert bool(own_overlaps(shifted(by, size))) == (by < size)


def test_a_copy_onto_itself_changes_nothing() -> None:
    assert not own_overlaps(shifted(0, 64))


def test_a_copy_that_was_refused_left_nothing() -> None:
    assert not own_overlaps(shifted(1, 64, **FAILED))
    assert own_overlaps(shifted(1, 64))
