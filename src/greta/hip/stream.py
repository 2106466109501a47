"""Streams, which are queues of work on the device, and events, which are points in them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from greta.hip._bindings import call, call_is_ready, hip
from greta.hip._owned import OwnedHandle


class Event(OwnedHandle):
    """A point in a stream, set by `record`.

    >>> start, stop = Event(), Event()                                # doctest: +SKIP
    >>> start.record(stream); launch(); stop.record(stream)           # doctest: +SKIP
    >>> stop.synchronize()                                            # doctest: +SKIP
    >>> stop.milliseconds_since(start)                                # doctest: +SKIP
    0.02
    """

    def __init__(self, *, timing: bool = True, blocking: bool = False) -> None:
        flags = 0 if timing else hip().hipEventDisableTiming
        flags |= hip().hipEventBlockingSync if blocking else 0
        super().__init__(call("hipEventCreateWithFlags", flags), "hipEventDestroy")

    def record(self, stream: Stream | None = None) -> None:
        """Puts the event behind the stream's work so far, in place of an earlier record."""
        call("hipEventRecord", self.native, stream.native if stream is not None else None)

    def synchronize(self) -> None:
        """Waits until the last record is reached; returns at once if there was none."""
        call("hipEventSynchronize", self.native)

    def is_done(self) -> bool:
        """The last record has been reached; does not wait."""
        return call_is_ready("hipEventQuery", self.native)

    def milliseconds_since(self, start: Event) -> float:
        """The time between two events that both have been reached."""
        return float(call("hipEventElapsedTime", start.native, self.native))


_PER_THREAD_HANDLE = 2

_HostFunction = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
# Host functions that are queued: ctypes would free them while the device still holds them.
_queued_functions: dict[int, Any] = {}


class Stream(OwnedHandle):
    """A queue of work: operations of one stream run in order, streams run beside each other.

    A `non_blocking` stream takes no part in the default stream's implicit ordering.

    >>> with Stream() as stream:                                      # doctest: +SKIP
    ...     buffer.copy_from(pinned.array, stream=stream)
    ...     launch()
    ...     stream.synchronize()
    """

    def __init__(self, *, non_blocking: bool = False, priority: int = 0) -> None:
        flags = hip().hipStreamNonBlocking if non_blocking else hip().hipStreamDefault
        native = call("hipStreamCreateWithPriority", flags, priority)
        super().__init__(native, "hipStreamDestroy")

    @classmethod
    def default(cls) -> Stream:
        """The legacy default stream, which orders itself with every blocking stream."""
        return cls._borrowed(None)

    @classmethod
    def per_thread(cls) -> Stream:
        """The calling thread's own default stream."""
        return cls._borrowed(hip().ihipStream_t.fromObj(_PER_THREAD_HANDLE))

    @classmethod
    def _borrowed(cls, native: Any) -> Stream:
        self = cls.__new__(cls)
        OwnedHandle.__init__(self, native, None)
        return self

    def synchronize(self) -> None:
        """Waits until everything queued so far is done."""
        call("hipStreamSynchronize", self.native)

    def is_done(self) -> bool:
        """Everything queued so far is done; does not wait."""
        return call_is_ready("hipStreamQuery", self.native)

    def record(self, event: Event | None = None) -> Event:
        """Puts an event (a new one by default) behind the work queued so far."""
        event = event if event is not None else Event()
        event.record(self)
        return event

    def wait(self, event: Event) -> None:
        """Makes work queued from now on start after the event's last record."""
        call("hipStreamWaitEvent", self.native, event.native, 0)

    def call_on_host(self, function: Callable[[], None]) -> None:
        """Queues a Python function; later work of the stream waits until it returns.

        It runs on a thread of the device and must make no HIP call.
        """

        def run(key: int) -> None:
            try:
                function()
            finally:
                _queued_functions.pop(key, None)

        queued = _HostFunction(run)
        address = ctypes.cast(queued, ctypes.c_void_p).value or 0
        _queued_functions[address] = queued
        try:
            call("hipLaunchHostFunc", self.native, address, address)
        except BaseException:
            del _queued_functions[address]
            raise


def native_stream(stream: Stream | None) -> Any:
    """What AMD's bindings take as a stream; None stands for the default one."""
    return stream.native if stream is not None else None
