"""Graphs: work recorded once and launched as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from greta.hip._bindings import call, hip
from greta.hip._owned import OwnedHandle
from greta.hip.stream import Stream, native_stream

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
        graph = cls._of(None)
        call("hipStreamBeginCapture", stream.native, mode_value)
        try:
            yield graph
        except BaseException:
            hip().hipStreamEndCapture(stream.native)  # the first error is the one to see
            graph._closed = True
            raise
        graph._adopt(call("hipStreamEndCapture", stream.native))

    @classmethod
    def _of(cls, native: Any) -> Graph:
        self = cls.__new__(cls)
        OwnedHandle.__init__(self, native, "hipGraphDestroy" if native is not None else None)
        return self

    def _adopt(self, native: Any) -> None:
        OwnedHandle.__init__(self, native, "hipGraphDestroy")

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
