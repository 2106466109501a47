"""Threads that come and go."""

from __future__ import annotations

import pytest

from tests.recorder.conftest import Build, Record


# Numbers around the ends of segments: there the next one is being prepared when the thread ends.
@pytest.mark.parametrize("calls", [1, 479, 480, 481, 1441, 3000])
def test_no_call_of_a_thread_that_ended_is_lost(build: Build, record: Record, calls: int) -> None:
    threads = 80
    (process,) = record([build("short_lived"), threads, calls])
    assert len(process.lanes) == threads
    assert len(process) == threads * calls
    assert process.complete
