"""Events: making them, recording them, waiting for them, the time between them."""

from __future__ import annotations

import ctypes

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.child import answer_of
from tests.simdevice.codes import DESTROYED, INVALID_HANDLE, INVALID_VALUE, NOT_READY, SUCCESS
from tests.simdevice.library import Library, byref, done, hip_library
from tests.simdevice.streams import NON_BLOCKING, PER_THREAD, held, on_another_thread, waits_for

BLOCKING_SYNC, DISABLE_TIMING, INTERPROCESS = 1, 2, 4
NO_FENCE, TO_DEVICE, TO_SYSTEM = 0x20000000, 0x40000000, 0x80000000


def elapsed(hip: Library, start: int | None, stop: int | None) -> tuple[int, float]:
    milliseconds = ctypes.c_float(-1)
    code = hip.hipEventElapsedTime(byref(milliseconds), start, stop)
    return code, milliseconds.value


def recorded(hip: Library, device: Borrowed, flags: int = 0) -> int:
    event = device.event(flags)
    done(hip.hipEventRecord(event, None))
    done(hip.hipEventSynchronize(event))
    return event


# --- making and destroying


def test_an_event_is_made_and_destroyed(hip: Library) -> None:
    event = ctypes.c_void_p()
    assert hip.hipEventCreate(byref(event)) == SUCCESS
    assert event.value
    assert hip.hipEventDestroy(event) == SUCCESS


@pytest.mark.parametrize(
    "flags",
    [
        0,
        BLOCKING_SYNC,
        DISABLE_TIMING,
        BLOCKING_SYNC | DISABLE_TIMING,
        INTERPROCESS | DISABLE_TIMING,
        TO_DEVICE,
        TO_SYSTEM,
        NO_FENCE,
        BLOCKING_SYNC | TO_SYSTEM,
    ],
)
def test_flags_that_go_together(hip: Library, flags: int) -> None:
    event = ctypes.c_void_p()
    assert hip.hipEventCreateWithFlags(byref(event), flags) == SUCCESS
    assert hip.hipEventDestroy(event) == SUCCESS


@pytest.mark.parametrize(
    "flags",
    [
        8,
        0x10000000,
        TO_DEVICE | TO_SYSTEM,
        TO_DEVICE | NO_FENCE,
        TO_SYSTEM | NO_FENCE,
        INTERPROCESS,
        INTERPROCESS | BLOCKING_SYNC,
    ],
)
def test_flags_that_do_not(hip: Library, flags: int) -> None:
    assert hip.hipEventCreateWithFlags(byref(ctypes.c_void_p()), flags) == INVALID_VALUE


def test_an_event_needs_a_place_for_its_handle(hip: Library) -> None:
    assert hip.hipEventCreate(None) == INVALID_VALUE
    assert hip.hipEventCreateWithFlags(None, 0) == INVALID_VALUE


def test_an_event_is_destroyed_once(hip: Library, device: Borrowed) -> None:
    event = device.event()
    assert hip.hipEventDestroy(None) == INVALID_HANDLE
    assert hip.hipEventDestroy(event) == SUCCESS
    assert hip.hipEventDestroy(event) == DESTROYED


def test_an_event_may_be_destroyed_while_it_is_pending(hip: Library, device: Borrowed) -> None:
    stream, other, event = device.stream(NON_BLOCKING), device.stream(NON_BLOCKING), device.event()
    with held(stream):
        done(hip.hipEventRecord(event, stream))
        done(hip.hipStreamWaitEvent(other, event, 0))
        assert hip.hipEventDestroy(event) == SUCCESS
        assert hip.hipStreamQuery(other) == NOT_READY
    done(hip.hipStreamSynchronize(other))


# --- recording and waiting


def test_an_event_never_recorded_is_done(hip: Library, device: Borrowed) -> None:
    event = device.event()
    assert hip.hipEventQuery(event) == SUCCESS
    assert hip.hipEventSynchronize(event) == SUCCESS


def test_an_event_is_done_when_its_stream_has_come_to_it(hip: Library, device: Borrowed) -> None:
    stream, event = device.stream(), device.event()
    with held(stream):
        assert hip.hipEventRecord(event, stream) == SUCCESS
        assert hip.hipEventQuery(event) == NOT_READY
    assert hip.hipEventSynchronize(event) == SUCCESS
    assert hip.hipEventQuery(event) == SUCCESS


def test_synchronizing_with_an_event_waits_for_it(hip: Library, device: Borrowed) -> None:
    stream, event = device.stream(), device.event(BLOCKING_SYNC)
    with held(stream) as hold:
        done(hip.hipEventRecord(event, stream))
        assert waits_for(hold, lambda: done(hip.hipEventSynchronize(event)))


def test_what_comes_after_the_record_is_not_waited_for(hip: Library, device: Borrowed) -> None:
    stream, event = device.stream(), device.event()
    done(hip.hipEventRecord(event, stream))
    with held(stream):
        assert hip.hipEventSynchronize(event) == SUCCESS
        assert hip.hipEventQuery(event) == SUCCESS


def test_an_event_stands_for_its_latest_record(hip: Library, device: Borrowed) -> None:
    first, second, event = device.stream(), device.stream(), device.event()
    with held(first):
        done(hip.hipEventRecord(event, first))
        done(hip.hipEventRecord(event, second))
        assert hip.hipEventSynchronize(event) == SUCCESS


def test_recording_on_the_calling_thread_s_stream(hip: Library, device: Borrowed) -> None:
    mine, theirs = device.event(), device.event()
    with held(PER_THREAD):
        assert hip.hipEventRecord_spt(mine, None) == SUCCESS
        assert hip.hipEventQuery(mine) == NOT_READY
        assert on_another_thread(lambda: hip.hipEventRecord_spt(theirs, None)) == SUCCESS
        assert hip.hipEventSynchronize(theirs) == SUCCESS


def test_recording_with_flags(hip: Library, device: Borrowed) -> None:
    event = device.event()
    for flags in (0, 1):
        assert hip.hipEventRecordWithFlags(event, None, flags) == SUCCESS
    assert hip.hipEventSynchronize(event) == SUCCESS
    assert hip.hipEventRecordWithFlags(event, None, 2) == INVALID_VALUE
    assert hip.hipEventRecordWithFlags(None, None, 0) == INVALID_HANDLE


def test_recording_needs_an_event_and_a_stream(hip: Library, device: Borrowed) -> None:
    event = device.event()
    assert hip.hipEventRecord(None, None) == INVALID_HANDLE
    assert hip.hipEventRecord(device.destroyed_event(), None) == INVALID_HANDLE
    assert hip.hipEventRecord(event, device.destroyed_stream()) == DESTROYED
    assert hip.hipEventRecord(event, 0x1234) == INVALID_HANDLE
    assert hip.hipEventQuery(event) == SUCCESS


def test_a_stale_event_is_an_invalid_handle(hip: Library, device: Borrowed) -> None:
    stale = device.destroyed_event()
    assert hip.hipEventQuery(stale) == INVALID_HANDLE
    assert hip.hipEventSynchronize(stale) == INVALID_HANDLE
    assert hip.hipEventQuery(None) == INVALID_HANDLE
    assert hip.hipEventSynchronize(None) == INVALID_HANDLE


def record_on_another_device() -> list[int]:
    hip = hip_library()
    borrowed = Borrowed(hip)
    here = recorded(hip, borrowed)
    done(hip.hipSetDevice(1))
    there = recorded(hip, borrowed)
    return [
        hip.hipEventRecord(here, None),
        hip.hipEventSynchronize(here),
        elapsed(hip, here, there)[0],
        elapsed(hip, there, there)[0],
    ]


def test_an_event_stays_on_its_device() -> None:
    expected = [INVALID_HANDLE, SUCCESS, INVALID_HANDLE, SUCCESS]
    assert answer_of(record_on_another_device, GRETA_SIM_DEVICES="2") == expected


# --- the time between


def test_time_goes_forward(hip: Library, device: Borrowed) -> None:
    start, stop = recorded(hip, device), recorded(hip, device)
    code, milliseconds = elapsed(hip, start, stop)
    assert code == SUCCESS
    assert milliseconds > 0
    assert elapsed(hip, stop, start) == (SUCCESS, -milliseconds)
    assert elapsed(hip, start, start) == (SUCCESS, 0)


def test_the_time_includes_the_work_between(hip: Library, device: Borrowed) -> None:
    """Three records: the parts add up to the whole."""
    events = [recorded(hip, device) for _ in range(3)]
    first = elapsed(hip, events[0], events[1])[1]
    second = elapsed(hip, events[1], events[2])[1]
    whole = elapsed(hip, events[0], events[2])[1]
    assert whole == pytest.approx(first + second, rel=1e-3)


def test_there_is_no_time_before_both_are_done(hip: Library, device: Borrowed) -> None:
    start, stop, stream = recorded(hip, device), device.event(), device.stream(NON_BLOCKING)
    with held(stream):
        done(hip.hipEventRecord(stop, stream))
        assert elapsed(hip, start, stop)[0] == NOT_READY
        assert elapsed(hip, stop, start)[0] == NOT_READY
    assert elapsed(hip, start, stop)[0] == SUCCESS


def test_events_without_time(hip: Library, device: Borrowed) -> None:
    good, untimed = recorded(hip, device), recorded(hip, device, DISABLE_TIMING)
    for other in (device.event(), untimed, None, device.destroyed_event()):
        assert elapsed(hip, good, other)[0] == INVALID_HANDLE
        assert elapsed(hip, other, good)[0] == INVALID_HANDLE


def test_the_time_needs_a_place(hip: Library, device: Borrowed) -> None:
    event = recorded(hip, device)
    assert hip.hipEventElapsedTime(None, event, event) == INVALID_VALUE
