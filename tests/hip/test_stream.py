"""Streams: order, queries, host functions."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from greta.hip import Buffer, Event, Stream, synchronize
from tests.conftest import Run


@contextmanager
def held(stream: Stream) -> Iterator[threading.Event]:
    """A stream in which nothing runs until the block ends, or sets what it is given."""
    release = threading.Event()
    stream.call_on_host(lambda: _wait(release))
    try:
        yield release
    finally:
        release.set()
        stream.synchronize()


def _wait(release: threading.Event) -> None:
    release.wait(30)


def test_a_stream_with_work_is_not_done_until_the_work_is() -> None:
    with Stream() as stream:
        with held(stream):
            assert not stream.is_done()
        assert stream.is_done()


def test_work_of_one_stream_runs_in_order() -> None:
    seen: list[int] = []
    with Stream() as stream:
        for number in range(20):
            stream.call_on_host(lambda number=number: seen.append(number))  # type: ignore[misc]
        stream.synchronize()
    assert seen == list(range(20))


def test_a_fill_waits_behind_the_work_before_it() -> None:
    with Stream(non_blocking=True) as stream, Buffer(4) as buffer:
        buffer.fill(0)
        with held(stream):
            buffer.fill(1, stream=stream)
            assert buffer.to_array().tolist() == [0, 0, 0, 0]
        assert buffer.to_array().tolist() == [1, 1, 1, 1]


def test_another_stream_waits_for_a_recorded_event() -> None:
    seen: list[str] = []
    with Stream(non_blocking=True) as first, Stream(non_blocking=True) as second:
        with held(first):
            first.call_on_host(lambda: seen.append("first"))
            second.wait(first.record())
            second.call_on_host(lambda: seen.append("second"))
            assert not second.is_done()
        second.synchronize()
    assert seen == ["first", "second"]


def test_without_the_event_the_other_stream_does_not_wait() -> None:
    with Stream(non_blocking=True) as first, Stream(non_blocking=True) as second, held(first):
        second.call_on_host(lambda: None)
        second.synchronize()
        assert not first.is_done()


def test_the_default_stream_and_the_threads_own_can_be_named() -> None:
    assert Stream.default().handle == 0
    assert Stream.per_thread().handle == 2
    Stream.default().synchronize()
    Stream.per_thread().synchronize()
    Stream.default().close()  # borrowed: nothing is destroyed
    synchronize()


def test_a_closed_stream_is_refused_and_does_not_become_the_default_one() -> None:
    stream = Stream(priority=-1)
    stream.close()
    stream.close()
    with pytest.raises(ValueError, match="this Stream is closed"):
        stream.synchronize()
    with pytest.raises(ValueError, match="this Stream is closed"):
        Event().record(stream)


def test_an_exception_in_a_host_function_does_not_stop_the_stream(run_script: Run) -> None:
    done = run_script(
        "from greta import hip\n"
        "def fail(): raise RuntimeError('from the host function')\n"
        "with hip.Stream() as stream:\n"
        "    stream.call_on_host(fail)\n"
        "    stream.call_on_host(lambda: print('next'))\n"
        "    stream.synchronize()\n"
    )
    assert (done.returncode, done.stdout) == (0, "next\n")
    assert "from the host function" in done.stderr
