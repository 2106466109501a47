"""Events: points in a stream that can be waited for and timed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from greta.hip._bindings import call, call_is_ready, hip
from greta.hip._owned import OwnedHandle

if TYPE_CHECKING:
    from greta.hip.stream import Stream


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
