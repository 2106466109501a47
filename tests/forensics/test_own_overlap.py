"""Copies whose source and destination overlap; rectangles are among the cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greta.forensics.checks.overlapping_copies import own_overlaps
from greta.forensics.scan import Survey
from greta.trace.trace import Kind, Trace
from tests.forensics.programs import FAILED
from tests.forensics.tracing import Buffer, Part, TraceBuilder


def have_overlap(trace: Trace) -> bool:
    return bool(own_overlaps(trace, Survey(trace)))


def shifted(by: int, size: int, **fields: Any) -> Trace:
    build = TraceBuilder()
    x = build.allocate(256)
    build.copy(x[by : by + size], x[:size], **fields)
    return build.build()


@given(by=st.integers(1, 128), size=st.integers(1, 128))
def test_a_shift_by_less_than_its_size_meets_itself(by: int, size: int) -> None:
    assert have_overlap(shifted(by, size)) == (by < size)


def test_a_copy_onto_itself_changes_nothing() -> None:
    assert not have_overlap(shifted(0, 64))


def test_a_copy_that_was_refused_left_nothing() -> None:
    assert not have_overlap(shifted(1, 64, **FAILED))
    assert have_overlap(shifted(1, 64))


def between_rectangles(to: Part, source: Part) -> Trace:
    """hipMemcpy2DAsync."""
    build = TraceBuilder()
    build.copy(to, source)
    trace = build.build()
    names = ("hipMemcpy2DAsync" if name == Kind.COPY.name else name for name in trace.calls)
    return replace(trace, calls=tuple(names))


@pytest.mark.parametrize(("offset", "meet"), [(8, True), (15, True), (16, False), (48, False)])
def test_rectangles_may_lie_in_each_others_gaps(offset: int, meet: bool) -> None:
    x = Buffer(0, 0x1000, 4096)
    to, source = x.rectangle(offset, 16, 64, 4), x.rectangle(0, 16, 64, 4)
    assert have_overlap(between_rectangles(to, source)) == meet


HUGE = [2**62, 2**63, 2**64 - 16]


@given(
    address=st.sampled_from([0x1000, *HUGE]),
    size=st.sampled_from([64, *HUGE]),
    pitch=st.sampled_from([0, 16, *HUGE]),
    width=st.sampled_from([0, 16, *HUGE]),
)
def test_rectangles_that_no_memory_can_hold_meet_nothing(
    address: int, size: int, pitch: int, width: int
) -> None:
    """The numbers may be damaged, or those that a program made up."""
    hostile = Part(0, address, size, pitch=pitch, width=width)
    ordinary = Part(0, 0x1008, 64, pitch=32, width=16)
    for to, source in ((hostile, ordinary), (ordinary, hostile)):
        met = have_overlap(between_rectangles(to, source))
        assert not met or max(address, size, pitch, width) < HUGE[0]
