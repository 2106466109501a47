"""Streams: making and destroying them, asking about them, host functions, values in memory."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.child import answer_of
from tests.simdevice.codes import DESTROYED, INVALID_HANDLE, INVALID_VALUE, NOT_READY, SUCCESS
from tests.simdevice.library import (
    HostFunction,
    Library,
    StreamCallback,
    byref,
    done,
    hip_library,
)
from tests.simdevice.streams import (
    BLOCKING,
    LEGACY,
    NON_BLOCKING,
    PER_THREAD,
    held,
    on_another_thread,
    waits_for,
)

GREATER, EQUAL, AND, NOR = range(4)  # conditions of hipStreamWaitValue


def flags_of(hip: Library, stream: int) -> int:
    flags = ctypes.c_uint(77)
    done(hip.hipStreamGetFlags(stream, byref(flags)))
    return flags.value


def priority_of(hip: Library, stream: int | None) -> int:
    priority = ctypes.c_int(77)
    done(hip.hipStreamGetPriority(stream, byref(priority)))
    return priority.value


# --- making and destroying


def test_a_stream_is_blocking_unless_asked_otherwise(hip: Library) -> None:
    stream = ctypes.c_void_p()
    assert hip.hipStreamCreate(byref(stream)) == SUCCESS
    assert stream.value
    assert stream.value > PER_THREAD
    assert flags_of(hip, stream.value) == BLOCKING
    assert priority_of(hip, stream.value) == 0
    assert hip.hipStreamDestroy(stream) == SUCCESS


@pytest.mark.parametrize("flags", [BLOCKING, NON_BLOCKING])
def test_flags_are_kept(hip: Library, flags: int) -> None:
    stream = ctypes.c_void_p()
    assert hip.hipStreamCreateWithFlags(byref(stream), flags) == SUCCESS
    assert flags_of(hip, stream.value or 0) == flags
    assert hip.hipStreamDestroy(stream) == SUCCESS


@pytest.mark.parametrize("flags", [2, 3, 1 << 31])
def test_other_flags_are_refused(hip: Library, flags: int) -> None:
    stream = ctypes.c_void_p()
    assert hip.hipStreamCreateWithFlags(byref(stream), flags) == INVALID_VALUE
    assert hip.hipStreamCreateWithPriority(byref(stream), flags, 0) == INVALID_VALUE


@pytest.mark.parametrize(("asked", "given"), [(-1, -1), (0, 0), (1, 1), (-100, -1), (100, 1)])
def test_priorities_are_kept_within_the_range(hip: Library, asked: int, given: int) -> None:
    stream = ctypes.c_void_p()
    assert hip.hipStreamCreateWithPriority(byref(stream), NON_BLOCKING, asked) == SUCCESS
    assert priority_of(hip, stream.value) == given
    assert flags_of(hip, stream.value or 0) == NON_BLOCKING
    done(hip.hipStreamDestroy(stream))


def test_a_stream_needs_a_place_for_its_handle(hip: Library) -> None:
    assert hip.hipStreamCreate(None) == INVALID_VALUE
    assert hip.hipStreamCreateWithFlags(None, 0) == INVALID_VALUE
    assert hip.hipStreamCreateWithPriority(None, 0, 0) == INVALID_VALUE


def test_a_stream_may_be_bound_to_compute_units(hip: Library) -> None:
    stream, mask = ctypes.c_void_p(), (ctypes.c_uint32 * 2)(1, 1)
    assert hip.hipExtStreamCreateWithCUMask(byref(stream), 2, mask) == SUCCESS
    assert hip.hipStreamSynchronize(stream) == SUCCESS
    done(hip.hipStreamDestroy(stream))
    assert hip.hipExtStreamCreateWithCUMask(byref(stream), 0, mask) == INVALID_VALUE
    assert hip.hipExtStreamCreateWithCUMask(byref(stream), 2, None) == INVALID_VALUE
    assert hip.hipExtStreamCreateWithCUMask(None, 2, mask) == INVALID_HANDLE


@pytest.mark.parametrize("stream", [None, LEGACY, PER_THREAD])
def test_default_streams_are_not_destroyed(hip: Library, stream: int | None) -> None:
    assert hip.hipStreamDestroy(stream) == INVALID_HANDLE
    assert hip.hipStreamSynchronize(stream) == SUCCESS


def test_a_stream_is_destroyed_once(hip: Library, device: Borrowed) -> None:
    stream = device.stream()
    assert hip.hipStreamDestroy(stream) == SUCCESS
    assert hip.hipStreamDestroy(stream) == DESTROYED


def test_the_work_of_a_destroyed_stream_is_still_done(hip: Library, device: Borrowed) -> None:
    stream, memory = device.stream(), device.memory(b"....")
    with held(LEGACY):
        done(hip.hipMemsetAsync(memory, ord("x"), 4, stream))
        assert hip.hipStreamDestroy(stream) == SUCCESS
        assert hip.hipStreamQuery(stream) == DESTROYED
    done(hip.hipDeviceSynchronize())
    assert device.read(memory, 4) == b"xxxx"


# --- asking about a stream


def test_every_question_needs_a_place_for_the_answer(hip: Library, device: Borrowed) -> None:
    stream = device.stream()
    assert hip.hipStreamGetFlags(stream, None) == INVALID_VALUE
    assert hip.hipStreamGetPriority(stream, None) == INVALID_VALUE
    assert hip.hipStreamGetDevice(stream, None) == INVALID_VALUE
    assert hip.hipStreamGetId(stream, None) == INVALID_VALUE


def test_the_default_stream_answers_all_but_its_flags(hip: Library) -> None:
    flags, ordinal = ctypes.c_uint(), ctypes.c_int(-1)
    assert hip.hipStreamGetFlags(None, byref(flags)) == INVALID_VALUE
    assert priority_of(hip, None) == 0
    assert hip.hipStreamGetDevice(None, byref(ordinal)) == SUCCESS
    assert ordinal.value == 0


def test_the_per_thread_stream_is_an_ordinary_blocking_one(hip: Library) -> None:
    assert flags_of(hip, PER_THREAD) == BLOCKING
    assert priority_of(hip, PER_THREAD) == 0


def test_twins_mean_the_per_thread_stream_by_null(hip: Library) -> None:
    flags, priority = ctypes.c_uint(77), ctypes.c_int(77)
    assert hip.hipStreamGetFlags_spt(None, byref(flags)) == SUCCESS
    assert flags.value == BLOCKING
    assert hip.hipStreamGetPriority_spt(None, byref(priority)) == SUCCESS
    assert priority.value == 0
    with held(PER_THREAD):
        assert hip.hipStreamQuery_spt(None) == NOT_READY
        assert on_another_thread(lambda: hip.hipStreamQuery_spt(None)) == SUCCESS
    assert hip.hipStreamSynchronize_spt(None) == SUCCESS
    assert hip.hipStreamQuery_spt(None) == SUCCESS


def test_every_stream_has_a_number_of_its_own(hip: Library, device: Borrowed) -> None:
    number, seen = ctypes.c_ulonglong(), set()
    for stream in (None, PER_THREAD, device.stream(), device.stream()):
        assert hip.hipStreamGetId(stream, byref(number)) == SUCCESS
        seen.add(number.value)
    assert len(seen) == 4


def devices_of_streams() -> list[int]:
    hip = hip_library()
    borrowed = Borrowed(hip)
    first = borrowed.stream()
    done(hip.hipSetDevice(1))
    ordinal, answers = ctypes.c_int(), []
    for stream in (first, borrowed.stream(), None):
        done(hip.hipStreamGetDevice(stream, byref(ordinal)))
        answers += [ordinal.value, hip.hipGetStreamDeviceId(stream)]
    return [*answers, hip.hipGetStreamDeviceId(0x1234)]


def test_a_stream_belongs_to_the_device_that_was_current() -> None:
    assert answer_of(devices_of_streams, GRETA_SIM_DEVICES="2") == [0, 0, 1, 1, 1, 1, -1]


# --- waiting


def test_a_query_says_whether_the_work_is_done(hip: Library, device: Borrowed) -> None:
    stream = device.stream(NON_BLOCKING)
    assert hip.hipStreamQuery(stream) == SUCCESS
    with held(stream):
        assert hip.hipStreamQuery(stream) == NOT_READY
    assert hip.hipStreamQuery(stream) == SUCCESS


def test_the_default_stream_is_not_done_while_a_blocking_one_works(
    hip: Library, device: Borrowed
) -> None:
    with held(device.stream(BLOCKING)):
        assert hip.hipStreamQuery(None) == NOT_READY
        assert hip.hipStreamQuery(LEGACY) == NOT_READY
    with held(device.stream(NON_BLOCKING)):
        assert hip.hipStreamQuery(None) == SUCCESS


def test_synchronizing_waits_for_that_stream_alone(hip: Library, device: Borrowed) -> None:
    stream, other = device.stream(), device.stream()
    with held(stream) as hold:
        assert hip.hipStreamSynchronize(other) == SUCCESS
        assert waits_for(hold, lambda: done(hip.hipStreamSynchronize(stream)))


def test_the_default_stream_is_waited_for_with_the_blocking_ones(
    hip: Library, device: Borrowed
) -> None:
    with held(device.stream(BLOCKING)) as hold:
        assert waits_for(hold, lambda: done(hip.hipStreamSynchronize(None)))
    with held(device.stream(NON_BLOCKING)):
        assert hip.hipStreamSynchronize(None) == SUCCESS


# --- stale and foreign handles


def one_answer(hip: Library, name: str, stream: int) -> int:
    return int(getattr(hip, name)(stream, byref(ctypes.c_ulonglong())))


def nothing(_data: Any) -> None:
    pass


NOTHING = HostFunction(nothing)
NOTHING_BACK = StreamCallback(lambda _stream, _status, _data: None)

USES: dict[str, Callable[[Library, int], int]] = {
    "synchronize": lambda hip, stream: int(hip.hipStreamSynchronize(stream)),
    "query": lambda hip, stream: int(hip.hipStreamQuery(stream)),
    "flags": lambda hip, stream: one_answer(hip, "hipStreamGetFlags", stream),
    "priority": lambda hip, stream: one_answer(hip, "hipStreamGetPriority", stream),
    "device": lambda hip, stream: one_answer(hip, "hipStreamGetDevice", stream),
    "id": lambda hip, stream: one_answer(hip, "hipStreamGetId", stream),
    "host function": lambda hip, stream: int(hip.hipLaunchHostFunc(stream, NOTHING, None)),
    "callback": lambda hip, stream: int(hip.hipStreamAddCallback(stream, NOTHING_BACK, None, 0)),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_handle_that_outlived_its_stream_is_told_apart(
    hip: Library, device: Borrowed, use: Callable[[Library, int], int]
) -> None:
    assert use(hip, device.destroyed_stream()) == DESTROYED
    assert use(hip, 0x1234) == INVALID_HANDLE


# --- host functions


def test_host_functions_run_in_order_on_another_thread(hip: Library, device: Borrowed) -> None:
    seen: list[tuple[int | None, int]] = []
    function = HostFunction(lambda data: seen.append((data, threading.get_ident())))
    stream = device.stream()
    for data in (1, 2, 3):
        assert hip.hipLaunchHostFunc(stream, function, data) == SUCCESS
    done(hip.hipStreamSynchronize(stream))
    assert [data for data, _ in seen] == [1, 2, 3]
    assert threading.get_ident() not in {thread for _, thread in seen}


def test_a_callback_gets_the_stream_the_status_and_the_data(hip: Library, device: Borrowed) -> None:
    seen: list[tuple[int | None, int, int | None]] = []
    callback = StreamCallback(lambda stream, status, data: seen.append((stream, status, data)))
    stream = device.stream()
    assert hip.hipStreamAddCallback(stream, callback, 42, 0) == SUCCESS
    assert hip.hipStreamAddCallback(None, callback, 43, 0) == SUCCESS
    done(hip.hipDeviceSynchronize())
    assert seen == [(stream, SUCCESS, 42), (None, SUCCESS, 43)]


def test_host_functions_of_the_calling_thread_s_stream(hip: Library) -> None:
    seen: list[int | None] = []
    function = HostFunction(seen.append)
    callback = StreamCallback(lambda _stream, _status, data: seen.append(data))
    assert hip.hipLaunchHostFunc_spt(None, function, 1) == SUCCESS
    assert hip.hipStreamAddCallback_spt(None, callback, 2, 0) == SUCCESS
    done(hip.hipStreamSynchronize_spt(None))
    assert seen == [1, 2]


def test_later_work_waits_until_the_host_function_returns(hip: Library, device: Borrowed) -> None:
    stream, memory = device.stream(NON_BLOCKING), device.memory(b"old")
    with held(stream):
        done(hip.hipMemsetAsync(memory, ord("x"), 3, stream))
        assert device.read(memory, 3) == b"old"
    assert device.read(memory, 3) == b"xxx"


def test_host_functions_of_two_streams_run_at_the_same_time(hip: Library, device: Borrowed) -> None:
    with held(device.stream(NON_BLOCKING)), held(device.stream(NON_BLOCKING)):
        pass  # each hold has seen its function begin


def test_a_host_function_must_be_given(hip: Library, device: Borrowed) -> None:
    stream = device.stream()
    assert hip.hipLaunchHostFunc(stream, None, None) == INVALID_VALUE
    assert hip.hipStreamAddCallback(stream, None, None, 0) == INVALID_VALUE
    assert hip.hipStreamAddCallback(stream, NOTHING_BACK, None, 1) == INVALID_VALUE


# --- events in a stream


def test_waiting_for_an_event_never_recorded_is_nothing(hip: Library, device: Borrowed) -> None:
    stream = device.stream()
    assert hip.hipStreamWaitEvent(stream, device.event(), 0) == SUCCESS
    assert hip.hipStreamQuery(stream) == SUCCESS


def test_a_stream_waits_for_an_event_of_another(hip: Library, device: Borrowed) -> None:
    producer, consumer = device.stream(NON_BLOCKING), device.stream(NON_BLOCKING)
    event = device.event()
    with held(producer):
        done(hip.hipEventRecord(event, producer))
        assert hip.hipStreamWaitEvent(consumer, event, 0) == SUCCESS
        assert hip.hipStreamQuery(consumer) == NOT_READY
    done(hip.hipStreamSynchronize(consumer))


def test_the_calling_thread_s_stream_waits_for_an_event(hip: Library, device: Borrowed) -> None:
    producer, event = device.stream(NON_BLOCKING), device.event()
    with held(producer):
        done(hip.hipEventRecord(event, producer))
        assert hip.hipStreamWaitEvent_spt(None, event, 0) == SUCCESS
        assert hip.hipStreamQuery_spt(None) == NOT_READY
    done(hip.hipStreamSynchronize_spt(None))


def test_waiting_needs_an_event_a_stream_and_no_flags(hip: Library, device: Borrowed) -> None:
    stream, event = device.stream(), device.event()
    assert hip.hipStreamWaitEvent(stream, None, 0) == INVALID_HANDLE
    assert hip.hipStreamWaitEvent(stream, device.destroyed_event(), 0) == INVALID_HANDLE
    assert hip.hipStreamWaitEvent(device.destroyed_stream(), event, 0) == INVALID_HANDLE
    assert hip.hipStreamWaitEvent(0x1234, event, 0) == INVALID_HANDLE
    assert hip.hipStreamWaitEvent(stream, event, 2) == INVALID_VALUE


# --- values in memory


def word(device: Borrowed, value: int, nbytes: int) -> int:
    return device.memory(value.to_bytes(nbytes, "little"))


def test_a_value_is_written_in_the_order_of_the_stream(hip: Library, device: Borrowed) -> None:
    stream, memory = device.stream(), device.memory(bytes(16))
    assert hip.hipStreamWriteValue32(stream, memory, 0x01020304, 0) == SUCCESS
    assert hip.hipStreamWriteValue64(stream, memory + 8, 1 << 40, 0) == SUCCESS
    done(hip.hipStreamSynchronize(stream))
    assert device.read(memory, 16) == b"\4\3\2\1\0\0\0\0" + (1 << 40).to_bytes(8, "little")


@pytest.mark.parametrize(
    ("condition", "value", "fulfilled_by"),
    [(GREATER, 5, 6), (EQUAL, 7, 7), (AND, 0b100, 0b110), (NOR, 0xFFFFFFFE, 0)],
)
def test_a_stream_waits_for_a_value(
    hip: Library, device: Borrowed, condition: int, value: int, fulfilled_by: int
) -> None:
    start = 1 if condition == NOR else 0
    mask = 0xFFFFFFFF
    stream, memory = device.stream(NON_BLOCKING), word(device, start, 4)
    assert hip.hipStreamWaitValue32(stream, memory, value, condition, mask) == SUCCESS
    assert hip.hipStreamQuery(stream) == NOT_READY
    other = device.stream(NON_BLOCKING)
    done(hip.hipStreamWriteValue32(other, memory, fulfilled_by, 0))
    assert hip.hipStreamSynchronize(stream) == SUCCESS


def test_only_the_bits_of_the_mask_count(hip: Library, device: Borrowed) -> None:
    stream, memory = device.stream(), word(device, 0xAB00, 8)
    assert hip.hipStreamWaitValue64(stream, memory, 0xAB00, EQUAL, 0xFF00) == SUCCESS
    assert hip.hipStreamSynchronize(stream) == SUCCESS


def test_a_value_needs_a_word_of_the_device(hip: Library, device: Borrowed) -> None:
    memory, plain = device.memory(16), ctypes.create_string_buffer(16)
    everything = 0xFFFFFFFF
    for place in (None, ctypes.addressof(plain), memory + 2, memory + 16):
        assert hip.hipStreamWriteValue32(None, place, 1, 0) == INVALID_VALUE
        assert hip.hipStreamWaitValue32(None, place, 0, EQUAL, everything) == INVALID_VALUE
    assert hip.hipStreamWriteValue64(None, memory + 4, 1, 0) == INVALID_VALUE
    assert hip.hipStreamWaitValue64(None, memory + 4, 1, EQUAL, everything) == INVALID_VALUE
    assert hip.hipStreamWaitValue32(None, memory, 0, 4, everything) == INVALID_VALUE
    stale = device.destroyed_stream()
    assert hip.hipStreamWriteValue32(stale, memory, 1, 0) == DESTROYED
    assert hip.hipStreamWaitValue32(stale, memory, 1, EQUAL, everything) == DESTROYED
