"""Streams, which are queues of work; events, points in them; and graphs of captured work."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from greta.hip._bindings import OwnedHandle, call, call_is_ready, hip


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


CaptureMode = Literal["global", "thread_local", "relaxed"]

_MODES: dict[CaptureMode, str] = {
    "global": "hipStreamCaptureModeGlobal",
    "thread_local": "hipStreamCaptureModeThreadLocal",
    "relaxed": "hipStreamCaptureModeRelaxed",
}


class Graph(OwnedHandle):
    """Work captured from a stream instead of being run.

    >>> with Graph.capture(stream) as graph:                          # doctest: +SKIP
    ...     buffer.fill(0, stream=stream)
    ...     launch()
    >>> executable = graph.instantiate()                              # doctest: +SKIP
    >>> executable.launch(stream)                                     # doctest: +SKIP
    """

    def __init__(self) -> None:
        super().__init__(call("hipGraphCreate", 0), "hipGraphDestroy")

    @classmethod
    @contextmanager
    def capture(cls, stream: Stream, mode: CaptureMode = "global") -> Iterator[Graph]:
        """Records what the block queues in the stream; the graph is complete after the block."""
        mode_value = hip().hipStreamCaptureMode[_MODES[mode]]
        graph = cls.__new__(cls)
        OwnedHandle.__init__(graph, None, None)
        call("hipStreamBeginCapture", stream.native, mode_value)
        try:
            yield graph
        except BaseException:
            hip().hipStreamEndCapture(stream.native)  # the first error is the one to see
            graph._closed = True
            raise
        captured = call("hipStreamEndCapture", stream.native)
        OwnedHandle.__init__(graph, captured, "hipGraphDestroy")

    def instantiate(self) -> ExecutableGraph:
        """A snapshot of the graph that can be launched."""
        return ExecutableGraph(self)


class ExecutableGraph(OwnedHandle):
    """A graph made ready; launching it queues all its work as one operation."""

    def __init__(self, graph: Graph) -> None:
        native = call("hipGraphInstantiateWithFlags", graph.native, 0)
        super().__init__(native, "hipGraphExecDestroy")

    def launch(self, stream: Stream | None = None) -> None:
        """Queues the graph's work."""
        call("hipGraphLaunch", self.native, native_stream(stream))

    def update(self, graph: Graph) -> None:
        """Takes over the arguments of a graph of the same shape.

        Raises HipError (hipErrorGraphExecUpdateFailure) when the shape differs.
        """
        error_node = hip().hipGraphNode.fromObj(None)
        call("hipGraphExecUpdate", self.native, graph.native, error_node.createRef())
