"""Host functions: where they run, what they hold, what they are told."""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.simdevice.library import HostFunction, Library, StreamCallback, done
from tests.simdevice.memory import Block
from tests.simdevice.streams import (
    DEFAULT_STREAM,
    LEGACY,
    NON_BLOCKING,
    PER_THREAD,
    Handle,
    held,
    is_done,
    synchronize,
)

INVALID_VALUE = 1

Put = Callable[[Library, Handle, Callable[[], Any], list[Any]], None]


def launch_host_func(
    hip: Library, stream: Handle, body: Callable[[], Any], kept: list[Any]
) -> None:
    kept.append(HostFunction(lambda _data: body() and None))
    done(hip.hipLaunchHostFunc(stream, kept[-1], None))


def add_callback(hip: Library, stream: Handle, body: Callable[[], Any], kept: list[Any]) -> None:
    kept.append(StreamCallback(lambda _stream, _status, _data: body() and None))
    done(hip.hipStreamAddCallback(stream, kept[-1], None, 0))


BOTH = pytest.mark.parametrize("put", [launch_host_func, add_callback], ids=lambda p: p.__name__)


@pytest.fixture
def kept() -> list[Any]:
    """Keeps the functions alive until the test is over."""
    return []


@BOTH
def test_a_callback_runs_after_the_work_before_it(
    put: Put, hip: Library, free_stream: Handle, block: Block, kept: list[Any]
) -> None:
    seen: list[int] = []
    done(hip.hipMemsetAsync(block.address, 1, block.size, free_stream))
    put(hip, free_stream, lambda: seen.append(ctypes_byte(block)), kept)
    synchronize(free_stream)
    assert seen == [1]


def ctypes_byte(block: Block) -> int:
    """Without HIP, which a callback must not call: the simulated device's memory is the host's."""
    return ctypes.string_at(block.address, 1)[0]


@BOTH
def test_a_callback_holds_the_work_after_it(
    put: Put, hip: Library, free_stream: Handle, block: Block, kept: list[Any]
) -> None:
    gate, entered = threading.Event(), threading.Event()

    def stand_still() -> None:
        entered.set()
        gate.wait(30)

    put(hip, free_stream, stand_still, kept)
    done(hip.hipMemsetAsync(block.address, 1, block.size, free_stream))
    assert entered.wait(30)
    assert block.byte == 0
    assert not is_done(free_stream)
    gate.set()
    synchronize(free_stream)
    assert block.byte == 1


@BOTH
def test_the_caller_does_not_wait_for_a_callback(
    put: Put, hip: Library, free_stream: Handle, kept: list[Any]
) -> None:
    ran = threading.Event()
    with held(free_stream):
        put(hip, free_stream, ran.set, kept)
        assert not ran.is_set()
    assert ran.is_set()


@BOTH
def test_callbacks_of_different_streams_run_at_the_same_time(
    put: Put, hip: Library, streams: Callable[[int], Handle], kept: list[Any]
) -> None:
    """Each waits for all the others; one after the other they would never meet."""
    handles = [streams(NON_BLOCKING) for _ in range(8)]
    together = threading.Barrier(len(handles), timeout=30)
    for handle in handles:
        put(hip, handle, together.wait, kept)
    for handle in handles:
        synchronize(handle)
    assert not together.broken


@BOTH
@pytest.mark.parametrize("stream", [DEFAULT_STREAM, LEGACY, PER_THREAD])
def test_a_callback_does_not_run_on_the_thread_that_called(
    put: Put, stream: Handle, hip: Library, kept: list[Any]
) -> None:
    threads: list[int] = []
    put(hip, stream, lambda: threads.append(threading.get_native_id()), kept)
    synchronize(stream)
    assert len(threads) == 1
    assert threading.get_native_id() not in threads


def test_a_callback_is_told_stream_status_and_data(hip: Library, free_stream: Handle) -> None:
    told: list[tuple[int | None, int, int | None]] = []
    callback = StreamCallback(lambda *what: told.append(what))
    done(hip.hipStreamAddCallback(free_stream, callback, 0x1234, 0))
    synchronize(free_stream)
    done(hip.hipStreamAddCallback(DEFAULT_STREAM, callback, None, 0))
    synchronize()
    assert told == [(free_stream, 0, 0x1234), (None, 0, None)]


def test_a_host_function_is_told_its_data(hip: Library, free_stream: Handle) -> None:
    told: list[int | None] = []
    function = HostFunction(told.append)
    for data in (0x1234, None, 2**63):
        done(hip.hipLaunchHostFunc(free_stream, function, data))
    synchronize(free_stream)
    assert told == [0x1234, None, 2**63]


def test_callbacks_run_once_each_and_in_order(
    hip: Library, free_stream: Handle, kept: list[Any]
) -> None:
    order: list[int] = []
    for number in range(50):
        put = launch_host_func if number % 2 else add_callback
        put(hip, free_stream, functools.partial(order.append, number), kept)
    synchronize(free_stream)
    assert order == list(range(50))


def test_a_callback_on_the_default_stream_holds_blocking_streams(
    hip: Library, stream: Handle, block: Block
) -> None:
    with held(DEFAULT_STREAM):
        done(hip.hipMemsetAsync(block.address, 1, block.size, stream))
        assert block.byte == 0
    synchronize(stream)
    assert block.byte == 1


def test_flags_of_a_callback_must_be_zero(hip: Library, free_stream: Handle) -> None:
    callback = StreamCallback(lambda *_what: None)
    assert hip.hipStreamAddCallback(free_stream, callback, None, 1) == INVALID_VALUE
    assert hip.hipStreamAddCallback(free_stream, None, None, 0) == INVALID_VALUE
    assert hip.hipLaunchHostFunc(free_stream, None, None) == INVALID_VALUE
