"""Streams that stand still, and calls that are watched while they wait.

A stream is held by a host function that does not return. Nobody waits for ever: a hold ends by
itself after a while, and the test that let it come to that fails.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.simdevice.library import HostFunction, byref, done, hip_library

DEFAULT_STREAM, LEGACY, PER_THREAD = 0, 1, 2
BLOCKING, NON_BLOCKING = 0, 1
NOT_READY = 600

LONGEST_HOLD = 30.0
# How long a call that must wait is watched. A wrong call returns within this time or is missed; a
# right one passes however slow the machine is.
WATCHED = 0.03

Handle = int


def new_stream(flags: int = BLOCKING) -> Handle:
    handle = ctypes.c_void_p()
    done(hip_library().hipStreamCreateWithFlags(byref(handle), flags))
    return handle.value or 0


def destroy(stream: Handle) -> None:
    done(hip_library().hipStreamDestroy(stream))


def synchronize(stream: Handle = DEFAULT_STREAM) -> None:
    done(hip_library().hipStreamSynchronize(stream))


def is_done(stream: Handle) -> bool:
    code = hip_library().hipStreamQuery(stream)
    assert code in (0, NOT_READY)
    return bool(code == 0)


class Hold:
    """A host function that stands still until it is released."""

    def __init__(self) -> None:
        self.expired = False
        self.entered = threading.Event()
        self.thread: int | None = None
        self._gate = threading.Event()
        self.function = HostFunction(self._stand)

    def _stand(self, _data: int | None) -> None:
        self.thread = threading.get_ident()
        self.entered.set()
        self.expired = not self._gate.wait(LONGEST_HOLD)

    def release(self) -> None:
        self._gate.set()


@contextmanager
def held(stream: Handle) -> Iterator[Hold]:
    """The stream does not get past this point until the block ends, or releases the hold."""
    hold = Hold()
    done(hip_library().hipLaunchHostFunc(stream, hold.function, None))
    assert hold.entered.wait(LONGEST_HOLD), "the host function never ran"
    try:
        yield hold
    finally:
        hold.release()
        synchronize(stream)
    assert not hold.expired, "something waited for the held stream"


class Note:
    """Host functions that write their names down in the order in which they run."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self._functions: list[Any] = []

    def write(self, name: str, stream: Handle) -> None:
        self._functions.append(HostFunction(lambda _data: self.order.append(name)))
        done(hip_library().hipLaunchHostFunc(stream, self._functions[-1], None))


class Elsewhere:
    """A call on a thread of its own."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self._call = call
        self._result: Any = None
        self._error: BaseException | None = None
        self.returned = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._result = self._call()
        except BaseException as error:  # goes to the thread that joins
            self._error = error
        self.returned.set()

    def still_waits(self) -> bool:
        return not self.returned.wait(WATCHED)

    def join(self) -> Any:
        assert self.returned.wait(2 * LONGEST_HOLD), "the call never returned"
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._result


def eventually(condition: Callable[[], bool]) -> None:
    """Waits for it, awake."""
    deadline = time.monotonic() + LONGEST_HOLD
    while not condition():
        assert time.monotonic() < deadline, "it never came"


def waits_for(hold: Hold, call: Callable[[], Any]) -> bool:
    """Whether the call returns only after the hold has been released. Releases it."""
    elsewhere = Elsewhere(call)
    waited = elsewhere.still_waits()
    hold.release()
    elsewhere.join()
    return waited


def on_another_thread(call: Callable[[], Any]) -> Any:
    return Elsewhere(call).join()
