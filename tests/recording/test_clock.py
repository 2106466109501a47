from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from greta.recording.header import Clock
from tests.recording.opened import open_process
from tests.recording.writer import TSC, ProcessWriter

REALTIME = 1_700_000_000_000_000_000


def times(writer: ProcessWriter) -> tuple[list[int], list[int]]:
    columns = open_process(writer).columns
    return columns.begin_ns.tolist(), columns.end_ns.tolist()


def test_nanoseconds_count_from_the_start(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.call("hipDeviceSynchronize", begin=1100, end=1250)
    lane.call("hipDeviceSynchronize", begin=1300)
    assert times(writer) == ([100, 300], [250, 0])


def test_ticks_follow_the_line_through_two_readings(writer: ProcessWriter) -> None:
    writer.flags = TSC
    writer.start, writer.latest = (1_000_000, 0, REALTIME), (4_000_000, 1_000_000)
    writer.lane().call("hipDeviceSynchronize", begin=1_000_300, end=7_000_000)
    assert times(writer) == ([100], [2_000_000])
    event = open_process(writer).event(1)
    assert (event.begin_ns, event.end_ns) == (100, 2_000_000)


@pytest.mark.parametrize(
    "latest", [(1000, 5000), (900, 9000), (2000, 4000), (1001, 1 << 60), (0, 0)]
)
def test_readings_that_give_no_line_leave_ticks(
    writer: ProcessWriter, latest: tuple[int, int]
) -> None:
    writer.flags, writer.latest = TSC, latest
    writer.lane().call("hipDeviceSynchronize", begin=1100, end=1200)
    process = open_process(writer)
    assert process.columns.begin_ns.tolist() == [100]
    assert process.problems == ["header: its clock readings give no speed; times are in ticks"]


def test_times_beyond_all_bounds_stay_numbers(writer: ProcessWriter) -> None:
    writer.flags, writer.latest = TSC, (2000, 5300)
    lane = writer.lane()
    lane.call("hipDeviceSynchronize", begin=0, end=(1 << 64) - 1)
    lane.call("hipDeviceSynchronize", begin=1 << 63, end=1 << 63)
    begins, ends = times(writer)
    assert begins[0] == -300
    events = list(open_process(writer).events())
    assert [event.begin_ns for event in events] == begins
    assert [event.end_ns for event in events] == ends


@given(st.integers(0, (1 << 64) - 1), st.integers(0, (1 << 64) - 1), st.floats(0.01, 100))
def test_one_time_is_converted_as_many_are(start: int, ticks: int, ns_per_tick: float) -> None:
    for speed in (1.0, ns_per_tick):
        clock = Clock(start, speed)
        assert clock.ns_of(ticks) == clock.ns(np.array([ticks], np.uint64))[0]
