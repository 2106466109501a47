"""Events: records, queries, times."""

from __future__ import annotations

import time

import pytest

from greta.hip import Event, HipError, Stream


def test_an_event_that_was_never_recorded_is_done() -> None:
    with Event() as event:
        assert event.is_done()
        event.synchronize()


def test_an_event_is_done_when_the_stream_has_reached_it() -> None:
    with Stream() as stream, Event() as event:
        stream.call_on_host(lambda: time.sleep(0.05))
        event.record(stream)
        assert not event.is_done()
        event.synchronize()
        assert event.is_done()


def test_the_time_between_two_events_is_the_time_the_work_took() -> None:
    with Stream() as stream:
        start = stream.record()
        stream.call_on_host(lambda: time.sleep(0.05))
        stop = stream.record()
        stop.synchronize()
        assert stop.milliseconds_since(start) >= 45


def test_an_event_without_timing_has_no_time() -> None:
    with Stream() as stream, Event(timing=False) as start, Event(blocking=True) as stop:
        start.record(stream)
        stop.record(stream)
        stop.synchronize()
        with pytest.raises(HipError) as caught:
            stop.milliseconds_since(start)
        assert caught.value.name == "hipErrorInvalidHandle"
