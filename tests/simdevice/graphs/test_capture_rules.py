"""Calls that a capture refuses, and the capture that a refused call invalidates.

Each refusal stands beside the nearly identical call that is allowed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.simdevice.graphs import calls
from tests.simdevice.graphs.calls import begin, code, done, end, end_code, hip, status
from tests.simdevice.graphs.conftest import Kernels

Call = Callable[[int], Any]


# --- beginning and ending


@pytest.mark.parametrize("stream", [None, calls.LEGACY_STREAM])
def test_the_default_stream_cannot_capture(stream: int | None) -> None:
    assert code(hip.hipStreamBeginCapture(stream, calls.GLOBAL)) == 900


def test_a_capture_needs_a_known_mode(stream: int) -> None:
    begin_capture = calls.library().hipStreamBeginCapture
    for mode in (-1, 3):
        assert begin_capture(ctypes.c_void_p(stream), mode) == 1
    assert status(stream) == calls.NONE


def test_a_stream_captures_once_at_a_time(stream: int) -> None:
    begin(stream)
    assert code(hip.hipStreamBeginCapture(stream, calls.GLOBAL)) == 401
    end(stream)
    begin(stream)
    end(stream)


def test_only_a_capturing_stream_ends_a_capture(stream: int) -> None:
    assert end_code(stream) == 401
    assert code(hip.hipStreamEndCapture(None)) == 401


def test_the_end_needs_room_for_the_graph(stream: int) -> None:
    begin(stream)
    assert calls.library().hipStreamEndCapture(ctypes.c_void_p(stream), None) == 1
    end(stream)


@pytest.mark.parametrize("mode", [calls.GLOBAL, calls.THREAD_LOCAL])
def test_a_capture_ends_on_its_own_thread(stream: int, mode: Any) -> None:
    begin(stream, mode)
    assert calls.in_other_thread(lambda: end_code(stream)) == 908
    assert status(stream) == calls.ACTIVE
    end(stream)


def test_a_relaxed_capture_ends_on_any_thread(stream: int) -> None:
    begin(stream, calls.RELAXED)
    assert calls.in_other_thread(lambda: end_code(stream)) == 0


# --- blocking calls


def blocking_copy(number: int) -> Any:
    return hip.hipMemcpy(number, np.zeros(1, np.int32), 4, calls.TO_DEVICE)


def blocking_fill(number: int) -> Any:
    return hip.hipMemset(number, 0, 4)


@pytest.mark.parametrize("mode", calls.MODES)
@pytest.mark.parametrize("call", [blocking_copy, blocking_fill])
def test_a_blocking_call_invalidates_every_capture(
    stream: int, other: int, number: int, mode: Any, call: Call
) -> None:
    begin(stream, mode)
    begin(other, calls.RELAXED)
    assert calls.in_other_thread(lambda: code(call(number))) == 906
    assert status(stream) == status(other) == calls.INVALIDATED
    assert code(call(number)) == 906  # until the captures are ended
    assert end_code(stream) == end_code(other) == 901
    done(call(number))


@pytest.mark.parametrize("mode", calls.MODES)
def test_the_device_cannot_be_waited_for(stream: int, mode: Any) -> None:
    begin(stream, mode)
    assert code(hip.hipDeviceSynchronize()) == 900
    assert status(stream) == calls.INVALIDATED
    assert end_code(stream) == 901
    done(hip.hipDeviceSynchronize())


# --- allocations


def allocate(_number: int) -> Any:
    return hip.hipMalloc(16)


def free(number: int) -> Any:
    return hip.hipFree(number)


def allocate_pinned(_number: int) -> Any:
    return hip.hipHostMalloc(16, 0)


ALLOCATIONS = pytest.mark.parametrize("call", [allocate, free, allocate_pinned])


@ALLOCATIONS
@pytest.mark.parametrize("mode", [calls.GLOBAL, calls.THREAD_LOCAL])
def test_a_thread_that_captures_cannot_allocate(
    stream: int, number: int, mode: Any, call: Call
) -> None:
    begin(stream, mode)
    assert code(call(number)) == 900
    assert status(stream) == calls.INVALIDATED
    assert end_code(stream) == 901


@ALLOCATIONS
def test_a_relaxed_capture_does_not_mind(stream: int, number: int, call: Call) -> None:
    begin(stream, calls.RELAXED)
    done(call(number))
    assert status(stream) == calls.ACTIVE
    end(stream)


def test_a_global_capture_forbids_it_to_all_threads(stream: int) -> None:
    begin(stream, calls.GLOBAL)
    assert calls.in_other_thread(lambda: code(hip.hipMalloc(16))) == 900
    assert end_code(stream) == 901


def test_a_thread_local_capture_forbids_it_to_its_own_thread_only(stream: int) -> None:
    begin(stream, calls.THREAD_LOCAL)
    assert calls.in_other_thread(lambda: code(hip.hipMalloc(16))) == 0
    end(stream)


def test_a_thread_may_relax_its_own_mode(stream: int) -> None:
    begin(stream, calls.GLOBAL)
    assert calls.exchange_mode(calls.RELAXED) == int(calls.GLOBAL)
    try:
        done(hip.hipMalloc(16))
    finally:
        assert calls.exchange_mode(calls.GLOBAL) == int(calls.RELAXED)
    end(stream)


def test_a_thread_local_mode_ignores_captures_of_others(stream: int) -> None:
    def allocate_with_own_mode() -> int:
        calls.exchange_mode(calls.THREAD_LOCAL)
        return code(hip.hipMalloc(16))

    begin(stream, calls.GLOBAL)
    assert calls.in_other_thread(allocate_with_own_mode) == 0
    end(stream)


def test_modes_are_exchanged_for_known_ones_only() -> None:
    exchange = calls.library().hipThreadExchangeStreamCaptureMode
    assert exchange(None) == 1
    for mode in (-1, 3):
        assert exchange(ctypes.byref(ctypes.c_int(mode))) == 1


# --- waiting for streams and events


@pytest.mark.parametrize("mode", calls.MODES)
@pytest.mark.parametrize("wait", [hip.hipStreamSynchronize, hip.hipStreamQuery])
def test_a_capturing_stream_cannot_be_waited_for(stream: int, mode: Any, wait: Call) -> None:
    begin(stream, mode)
    assert code(wait(stream)) == 900
    assert end_code(stream) == 901
    done(wait(stream))


@pytest.mark.parametrize("wait", [hip.hipStreamSynchronize, hip.hipStreamQuery])
def test_other_streams_can_be_waited_for_beside_a_relaxed_capture(
    stream: int, other: int, wait: Call
) -> None:
    begin(stream, calls.RELAXED)
    done(wait(other)) if wait is hip.hipStreamSynchronize else wait(other)
    exchanged = calls.exchange_mode(calls.GLOBAL)
    assert exchanged == int(calls.GLOBAL)
    assert status(stream) == calls.ACTIVE
    end(stream)


def test_no_stream_can_be_waited_for_beside_a_global_capture(stream: int, other: int) -> None:
    begin(stream, calls.GLOBAL)
    assert code(hip.hipStreamSynchronize(other)) == 900
    assert end_code(stream) == 901


def test_events_of_other_streams_beside_captures(stream: int, other: int) -> None:
    happened = calls.event()
    done(hip.hipEventRecord(happened, other))
    done(hip.hipEventSynchronize(happened))
    for mode, expected in ((calls.GLOBAL, 900), (calls.RELAXED, 0)):
        begin(stream, mode)
        assert code(hip.hipEventSynchronize(happened)) == expected
        assert end_code(stream) == (901 if expected else 0)


# --- calls that cannot be captured, calls that come too late


def test_a_callback_cannot_be_captured(stream: int) -> None:
    callback = calls.Counter()
    begin(stream)
    assert code(hip.hipStreamAddCallback(stream, callback.address, None, 0)) == 900
    assert end_code(stream) == 901


def test_an_invalidated_stream_takes_no_more_work(
    stream: int, number: int, kernels: Kernels
) -> None:
    happened = calls.event()
    begin(stream)
    assert code(hip.hipStreamSynchronize(stream)) == 900
    assert kernels.launch("add", number, 1, stream) == 901
    assert code(hip.hipMemsetAsync(number, 0, 4, stream)) == 901
    assert code(hip.hipEventRecord(happened, stream)) == 901
    assert code(hip.hipStreamBeginCapture(stream, calls.GLOBAL)) == 401
    assert end_code(stream) == 901


def test_a_stream_is_usable_after_an_invalidated_capture(
    stream: int, number: int, kernels: Kernels
) -> None:
    begin(stream)
    assert code(hip.hipStreamSynchronize(stream)) == 900
    assert end_code(stream) == 901
    assert kernels.launch("add", number, 1, stream) == 0
    assert calls.int_at(number) == 1
    begin(stream)
    kernels.launch("add", number, 10, stream)
    calls.run(end(stream), stream)
    assert calls.int_at(number) == 11
