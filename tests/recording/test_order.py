"""The common order of all threads."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from greta.recording.columns import merged_places, sort_keys
from tests.recording.opened import is_merge_of_lanes, open_process
from tests.recording.writer import ProcessWriter

SYNC = "hipDeviceSynchronize"
TICKS = st.integers(0, 20) | st.integers(0, (1 << 64) - 1)
BEGINS = st.lists(TICKS, max_size=30)


def ticks(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array(values, np.uint64)


@given(st.lists(BEGINS.map(sorted), max_size=5))
def test_lanes_with_good_clocks_are_sorted_by_time(lanes: list[list[int]]) -> None:
    places = merged_places([sort_keys(ticks(lane)) for lane in lanes])
    rows = [(begin, lane) for lane, begins in enumerate(lanes) for begin in begins]
    merged = [rows[at] for at in np.argsort(places)]
    assert merged == sorted(rows)


@given(BEGINS)
def test_keys_never_go_back(begins: list[int]) -> None:
    keys = sort_keys(ticks(begins)).tolist()
    assert keys == sorted(keys)
    assert len(keys) == len(begins)
    if begins == sorted(begins):
        assert keys == begins


@given(st.lists(BEGINS, max_size=5))
def test_any_clock_gives_a_valid_merge(lanes: list[list[int]]) -> None:
    places = merged_places([sort_keys(ticks(lane)) for lane in lanes])
    assert sorted(places.tolist()) == list(range(sum(map(len, lanes))))
    start = 0
    for lane in lanes:
        within = places[start : start + len(lane)].tolist()
        assert within == sorted(within)
        start += len(lane)


def test_one_record_with_a_damaged_time_does_not_move_the_others(writer: ProcessWriter) -> None:
    first, second = writer.lane(1), writer.lane(2)
    for number in range(10):
        first.call(SYNC, begin=10 * number if number != 4 else 1 << 60, end=1 << 61)
        second.call(SYNC, begin=10 * number + 5, end=1 << 61)
    process = open_process(writer)
    columns = process.columns
    assert is_merge_of_lanes(columns)
    places = columns.seq[columns.lane == 0].tolist()
    assert places == [1, 3, 5, 7, 8, 11, 13, 15, 17, 19]
    (problem,) = process.problems
    assert problem.startswith("lane.0, byte 4736: times go back 1 times")


def test_equal_times_keep_the_order_of_lanes(writer: ProcessWriter) -> None:
    for thread in range(3):
        lane = writer.lane(thread)
        lane.call(SYNC, begin=7, end=8)
        lane.call(SYNC, begin=7, end=8)
    columns = open_process(writer).columns
    assert columns.lane.tolist() == [0, 0, 1, 1, 2, 2]
    assert columns.seq.tolist() == [1, 2, 3, 4, 5, 6]


def test_calls_that_end_before_they_begin_are_told(writer: ProcessWriter) -> None:
    writer.lane().call(SYNC, begin=100, end=99)
    assert open_process(writer).problems == ["lane.0, byte 4096: 1 calls end before they begin"]
