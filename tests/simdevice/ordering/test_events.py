"""Events: what a record stands for, and who waits for it."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator

import pytest

from tests.simdevice.library import Library, byref, done
from tests.simdevice.memory import Block
from tests.simdevice.streams import (
    DEFAULT_STREAM,
    NON_BLOCKING,
    NOT_READY,
    Handle,
    Hold,
    Note,
    destroy,
    held,
    is_done,
    new_stream,
    synchronize,
    waits_for,
)

BAD_HANDLE = 400
NO_TIMING = 2


def new_event(hip: Library, flags: int = 0) -> int:
    handle = ctypes.c_void_p()
    done(hip.hipEventCreateWithFlags(byref(handle), flags))
    return handle.value or 0


@pytest.fixture
def event(hip: Library) -> Iterator[int]:
    handle = new_event(hip)
    yield handle
    hip.hipEventDestroy(handle)


@pytest.fixture
def second_event(hip: Library) -> Iterator[int]:
    handle = new_event(hip)
    yield handle
    hip.hipEventDestroy(handle)


@pytest.fixture
def three(streams: Callable[[int], Handle]) -> tuple[Handle, Handle, Handle]:
    return streams(NON_BLOCKING), streams(NON_BLOCKING), streams(NON_BLOCKING)


def record(hip: Library, event: int, stream: Handle) -> None:
    done(hip.hipEventRecord(event, stream))


def wait(hip: Library, stream: Handle, event: int) -> None:
    done(hip.hipStreamWaitEvent(stream, event, 0))


# --- the state of an event


def test_an_event_that_was_never_recorded_is_complete(hip: Library, event: int) -> None:
    assert hip.hipEventQuery(event) == 0
    done(hip.hipEventSynchronize(event))


def test_an_event_is_complete_when_the_work_before_it_is(
    hip: Library, event: int, free_stream: Handle
) -> None:
    with held(free_stream):
        record(hip, event, free_stream)
        assert hip.hipEventQuery(event) == NOT_READY
    assert hip.hipEventQuery(event) == 0


def test_an_event_does_not_wait_for_work_after_it(
    hip: Library, event: int, free_stream: Handle
) -> None:
    record(hip, event, free_stream)
    with held(free_stream):
        done(hip.hipEventSynchronize(event))
        assert hip.hipEventQuery(event) == 0
        assert not is_done(free_stream)


def test_synchronizing_an_event_waits_for_its_record(
    hip: Library, event: int, free_stream: Handle
) -> None:
    with held(free_stream) as hold:
        record(hip, event, free_stream)
        assert waits_for(hold, lambda: done(hip.hipEventSynchronize(event)))


def test_a_record_on_the_default_stream_waits_for_blocking_streams(
    hip: Library, event: int, stream: Handle
) -> None:
    with held(stream):
        record(hip, event, DEFAULT_STREAM)
        assert hip.hipEventQuery(event) == NOT_READY
    done(hip.hipEventSynchronize(event))


def test_a_record_on_the_default_stream_does_not_wait_for_non_blocking_streams(
    hip: Library, event: int, free_stream: Handle
) -> None:
    with held(free_stream):
        record(hip, event, DEFAULT_STREAM)
        done(hip.hipEventSynchronize(event))


def test_a_second_record_replaces_the_first(
    hip: Library, event: int, three: tuple[Handle, Handle, Handle]
) -> None:
    first, second, _ = three
    with held(first):
        record(hip, event, first)
        assert hip.hipEventQuery(event) == NOT_READY
        record(hip, event, second)
        done(hip.hipEventSynchronize(event))
        assert hip.hipEventQuery(event) == 0


def test_an_event_recorded_again_is_pending_again(
    hip: Library, event: int, free_stream: Handle
) -> None:
    record(hip, event, free_stream)
    done(hip.hipEventSynchronize(event))
    with held(free_stream):
        record(hip, event, free_stream)
        assert hip.hipEventQuery(event) == NOT_READY


# --- streams that wait for events


def test_a_stream_waits_for_another_through_an_event(
    hip: Library, event: int, three: tuple[Handle, Handle, Handle], block: Block
) -> None:
    producer, consumer, _ = three
    with held(producer):
        record(hip, event, producer)
        wait(hip, consumer, event)
        done(hip.hipMemsetAsync(block.address, 1, block.size, consumer))
        assert block.byte == 0
    synchronize(consumer)
    assert block.byte == 1


def test_a_wait_does_not_hold_work_submitted_before_it(
    hip: Library, event: int, three: tuple[Handle, Handle, Handle], block: Block
) -> None:
    producer, consumer, _ = three
    note = Note()
    with held(producer):
        record(hip, event, producer)
        note.write("before", consumer)
        done(hip.hipEventSynchronize(_recorded(hip, consumer)))
        wait(hip, consumer, event)
        note.write("after", consumer)
        assert note.order == ["before"]
    synchronize(consumer)
    assert note.order == ["before", "after"]


def _recorded(hip: Library, stream: Handle) -> int:
    mark = new_event(hip, NO_TIMING)
    record(hip, mark, stream)
    return mark


def test_the_host_does_not_wait_when_a_stream_does(
    hip: Library, event: int, three: tuple[Handle, Handle, Handle]
) -> None:
    producer, consumer, _ = three
    with held(producer):
        record(hip, event, producer)
        wait(hip, consumer, event)
        assert not is_done(consumer)


def test_a_wait_for_an_event_that_was_never_recorded_does_nothing(
    hip: Library, event: int, three: tuple[Handle, Handle, Handle]
) -> None:
    producer, consumer, _ = three
    wait(hip, consumer, event)
    with held(producer):
        record(hip, event, producer)  # too late for the wait
        synchronize(consumer)


def test_a_wait_for_a_complete_event_does_nothing(
    hip: Library, event: int, three: tuple[Handle, Handle, Handle]
) -> None:
    producer, consumer, _ = three
    record(hip, event, producer)
    synchronize(producer)
    with held(producer):
        wait(hip, consumer, event)
        synchronize(consumer)


def test_a_wait_keeps_the_record_it_saw(
    hip: Library, event: int, three: tuple[Handle, Handle, Handle]
) -> None:
    """Recording again elsewhere, where it would be pending for long, changes nothing."""
    first, second, consumer = three
    with held(second), held(first) as hold:
        record(hip, event, first)
        wait(hip, consumer, event)
        record(hip, event, second)
        hold.release()
        synchronize(consumer)
        assert hip.hipEventQuery(event) == NOT_READY


def test_a_wait_is_not_ended_by_a_later_record_that_is_complete(
    hip: Library, event: int, three: tuple[Handle, Handle, Handle]
) -> None:
    first, second, consumer = three
    note = Note()
    with held(first):
        record(hip, event, first)
        wait(hip, consumer, event)
        note.write("consumer", consumer)
        record(hip, event, second)
        done(hip.hipEventSynchronize(event))
        assert note.order == []
    synchronize(consumer)
    assert note.order == ["consumer"]


def test_an_event_may_be_destroyed_while_a_stream_waits_for_it(
    hip: Library, three: tuple[Handle, Handle, Handle]
) -> None:
    producer, consumer, _ = three
    event, note = new_event(hip), Note()
    with held(producer):
        record(hip, event, producer)
        wait(hip, consumer, event)
        done(hip.hipEventDestroy(event))
        note.write("consumer", consumer)
        assert note.order == []
    synchronize(consumer)
    assert note.order == ["consumer"]
    assert hip.hipEventQuery(event) == BAD_HANDLE


def test_the_recording_stream_may_be_destroyed_while_another_waits(
    hip: Library, event: int, free_stream: Handle
) -> None:
    producer, note, hold = new_stream(NON_BLOCKING), Note(), Hold()
    done(hip.hipLaunchHostFunc(producer, hold.function, None))
    assert hold.entered.wait(30)
    record(hip, event, producer)
    wait(hip, free_stream, event)
    destroy(producer)
    note.write("consumer", free_stream)
    assert note.order == []
    assert hip.hipEventQuery(event) == NOT_READY
    hold.release()
    synchronize(free_stream)
    assert note.order == ["consumer"]
    assert hip.hipEventQuery(event) == 0


def test_a_wait_in_the_recording_stream_itself_does_nothing(
    hip: Library, event: int, free_stream: Handle
) -> None:
    record(hip, event, free_stream)
    wait(hip, free_stream, event)
    synchronize(free_stream)


def test_events_order_a_chain_of_streams(
    hip: Library, event: int, second_event: int, three: tuple[Handle, Handle, Handle]
) -> None:
    first, second, third = three
    note = Note()
    with held(first):
        note.write("first", first)
        record(hip, event, first)
        wait(hip, second, event)
        note.write("second", second)
        record(hip, second_event, second)
        wait(hip, third, second_event)
        note.write("third", third)
        assert note.order == []
    synchronize(third)
    assert note.order == ["first", "second", "third"]


def test_a_stream_that_waits_for_two_events_waits_for_both(
    hip: Library, event: int, second_event: int, three: tuple[Handle, Handle, Handle]
) -> None:
    first, second, consumer = three
    note = Note()
    with held(first) as first_hold, held(second) as second_hold:
        record(hip, event, first)
        record(hip, second_event, second)
        wait(hip, consumer, event)
        wait(hip, consumer, second_event)
        note.write("consumer", consumer)
        first_hold.release()
        synchronize(first)
        assert note.order == []
        second_hold.release()
    synchronize(consumer)
    assert note.order == ["consumer"]


def test_the_default_stream_can_wait_for_a_non_blocking_stream(
    hip: Library, event: int, free_stream: Handle, block: Block
) -> None:
    with held(free_stream):
        record(hip, event, free_stream)
        wait(hip, DEFAULT_STREAM, event)
        done(hip.hipMemsetAsync(block.address, 1, block.size, DEFAULT_STREAM))
        assert block.byte == 0
    synchronize()
    assert block.byte == 1


# --- time


def elapsed(hip: Library, start: int, stop: int) -> tuple[int, float]:
    ms = ctypes.c_float(math.nan)
    return int(hip.hipEventElapsedTime(byref(ms), start, stop)), ms.value


def test_elapsed_time_of_records_in_one_stream_does_not_run_backwards(
    hip: Library, event: int, second_event: int, free_stream: Handle
) -> None:
    record(hip, event, free_stream)
    record(hip, second_event, free_stream)
    synchronize(free_stream)
    code, there = elapsed(hip, event, second_event)
    _, back = elapsed(hip, second_event, event)
    assert code == 0
    assert 0 <= there == -back


def test_elapsed_time_spans_the_work_between_the_records(
    hip: Library, event: int, second_event: int, free_stream: Handle
) -> None:
    """Taken when the records are reached, not when they are submitted."""
    inner_start, inner_stop = new_event(hip), new_event(hip)
    record(hip, event, free_stream)
    with held(free_stream):
        record(hip, inner_start, free_stream)
        record(hip, inner_stop, free_stream)
    record(hip, second_event, free_stream)
    synchronize(free_stream)
    _, outer = elapsed(hip, event, second_event)
    _, inner = elapsed(hip, inner_start, inner_stop)
    _, hold = elapsed(hip, event, inner_start)
    assert 0 <= inner <= outer
    assert 0 < hold <= outer


def test_elapsed_time_needs_both_records_reached(
    hip: Library, event: int, second_event: int, free_stream: Handle
) -> None:
    record(hip, event, free_stream)
    synchronize(free_stream)
    with held(free_stream):
        record(hip, second_event, free_stream)
        assert elapsed(hip, event, second_event)[0] == NOT_READY
        assert elapsed(hip, second_event, event)[0] == NOT_READY
    assert elapsed(hip, event, second_event)[0] == 0


def test_elapsed_time_needs_records_with_time(
    hip: Library, event: int, second_event: int, free_stream: Handle
) -> None:
    timeless = new_event(hip, NO_TIMING)
    record(hip, event, free_stream)
    record(hip, timeless, free_stream)
    synchronize(free_stream)
    assert elapsed(hip, event, second_event)[0] == BAD_HANDLE  # never recorded
    assert elapsed(hip, event, timeless)[0] == BAD_HANDLE
