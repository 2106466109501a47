"""Which work is known to be complete: each rule, and the near case that it must not cover."""

from __future__ import annotations

from greta.reports.export.captures import Captures
from greta.reports.export.in_flight import InFlight, Stream

DEFAULT = Stream(0, 1, 0, None, blocking=True)
A = Stream(0xA0, 1, 0, None, blocking=True)
B = Stream(0xB0, 1, 0, None, blocking=True)
FREE = Stream(0xF0, 1, 0, None, blocking=False)
ELSEWHERE = Stream(0xC0, 1, 1, None, blocking=True)
EVENT = 0xE0


def put(flight: InFlight, operation: int, stream: Stream) -> None:
    flight.put(operation, stream, flight.reach_of_next(stream))


def record(flight: InFlight, event: int, stream: Stream) -> None:
    flight.record(event, flight.reach_of_next(stream))


def waited(flight: InFlight, stream: Stream) -> list[int]:
    return flight.complete(flight.reach_of_stream(stream))


def test_waiting_for_a_stream_covers_its_work_and_no_other() -> None:
    flight = InFlight()
    put(flight, 1, A)
    put(flight, 2, B)
    put(flight, 3, A)
    assert waited(flight, A) == [1, 3]
    assert waited(flight, A) == []
    assert waited(flight, B) == [2]


def test_waiting_for_a_device_covers_all_its_streams() -> None:
    flight = InFlight()
    for operation, stream in enumerate([A, FREE, DEFAULT, ELSEWHERE]):
        put(flight, operation, stream)
    assert sorted(flight.complete(flight.reach_of_device(0))) == [0, 1, 2]
    assert flight.complete(flight.reach_of_device(1)) == [3]


def test_a_device_that_is_not_known_covers_no_other() -> None:
    flight = InFlight()
    put(flight, 1, A)
    assert flight.complete(flight.reach_of_device(None)) == []


def test_an_event_covers_the_stream_up_to_its_record() -> None:
    flight = InFlight()
    put(flight, 1, FREE)
    record(flight, EVENT, FREE)
    put(flight, 2, FREE)
    assert flight.complete(flight.reach_of_events(EVENT)) == [1]
    assert waited(flight, FREE) == [2]


def test_the_last_record_of_an_event_counts() -> None:
    flight = InFlight()
    put(flight, 1, FREE)
    record(flight, EVENT, A)
    record(flight, EVENT, FREE)
    assert flight.complete(flight.reach_of_events(EVENT)) == [1]


def test_an_event_that_was_never_recorded_or_is_gone_covers_nothing() -> None:
    flight = InFlight()
    put(flight, 1, A)
    assert flight.complete(flight.reach_of_events(EVENT)) == []
    record(flight, EVENT, A)
    flight.forget(EVENT)
    assert flight.complete(flight.reach_of_events(EVENT)) == []


def test_a_stream_that_waited_for_an_event_proves_what_the_event_covers() -> None:
    flight = InFlight()
    put(flight, 1, A)
    record(flight, EVENT, A)
    put(flight, 2, A)
    flight.wait(FREE, flight.reach_of_events(EVENT))
    put(flight, 3, FREE)
    assert sorted(waited(flight, FREE)) == [1, 3]


def test_the_default_stream_covers_blocking_streams_only() -> None:
    flight = InFlight()
    for operation, stream in enumerate([A, FREE, DEFAULT, ELSEWHERE]):
        put(flight, operation, stream)
    assert sorted(waited(flight, DEFAULT)) == [0, 2]


def test_work_on_a_blocking_stream_comes_after_the_default_stream() -> None:
    flight = InFlight()
    put(flight, 1, B)
    put(flight, 2, DEFAULT)
    put(flight, 3, A)
    assert sorted(waited(flight, A)) == [1, 2, 3]


def test_a_blocking_stream_says_nothing_of_later_work_on_the_default_stream() -> None:
    flight = InFlight()
    put(flight, 1, A)
    put(flight, 2, DEFAULT)
    assert waited(flight, A) == [1]


def test_a_handle_that_is_used_again_is_another_stream() -> None:
    flight = InFlight()
    put(flight, 1, FREE)
    put(flight, 2, FREE._replace(generation=2))
    assert waited(flight, FREE._replace(generation=2)) == [2]


def test_what_is_put_while_the_host_waits_is_not_covered() -> None:
    flight = InFlight()
    put(flight, 1, A)
    reach = flight.reach_of_stream(A)
    put(flight, 2, A)
    assert flight.complete(reach) == [1]


def test_nothing_is_kept_of_streams_that_are_done() -> None:
    flight = InFlight()
    for operation in range(1000):
        stream = A._replace(generation=operation + 1)
        put(flight, operation, stream)
        put(flight, -operation, DEFAULT)
        waited(flight, DEFAULT)
    assert flight._active() == []


def test_a_captured_event_pulls_a_stream_into_the_capture() -> None:
    captures = Captures()
    captures.begin(A)
    assert captures.record(EVENT, A)
    assert captures.wait(B, EVENT)
    assert A in captures
    assert B in captures
    captures.end(A)
    assert A not in captures
    assert B not in captures
    assert not captures.wait(B, EVENT)


def test_an_event_that_is_recorded_again_outside_leaves_the_capture() -> None:
    captures = Captures()
    captures.begin(A)
    captures.record(EVENT, A)
    assert not captures.record(EVENT, FREE)
    assert not captures.wait(B, EVENT)
