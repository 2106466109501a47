"""Calls come in the order in which they were made, on each thread and each stream."""

from __future__ import annotations

import numpy as np

from tests.recorder.conftest import Build, Record

TURNS = 20_000


def test_calls_of_four_threads_carry_rising_numbers(build: Build, record: Record) -> None:
    (process,) = record([build("ordered"), TURNS])
    columns = process.columns
    names = {entry.name: number for number, entry in process.tables.calls.items()}
    fills = columns.call == names["hipMemsetD32Async"]
    words = columns.words_of(np.flatnonzero(fills))
    turns = words[:, 1]
    streams = words[:, 3]
    threads = columns.thread_id[fills]
    assert np.array_equal(turns, np.arange(TURNS))
    assert len(np.unique(threads)) > 1, "one thread had all the turns: nothing is shown"
    for key in (streams, threads):
        for one in np.unique(key):
            assert np.all(np.diff(turns[key == one].astype(np.int64)) > 0)
