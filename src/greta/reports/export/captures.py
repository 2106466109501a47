"""Streams whose work goes into a graph instead of being done."""

from __future__ import annotations

from greta.reports.export.in_flight import EventHandle, Stream


class Captures:
    """The streams being captured. One that waits for a captured event joins the capture."""

    def __init__(self) -> None:
        self._origins: dict[Stream, Stream] = {}
        self._events: dict[EventHandle, Stream] = {}

    def __contains__(self, stream: Stream) -> bool:
        return stream in self._origins

    def begin(self, stream: Stream) -> None:
        """hipStreamBeginCapture."""
        self._origins[stream] = stream

    def end(self, origin: Stream) -> None:
        """hipStreamEndCapture: for all streams that joined."""
        self._origins = {s: o for s, o in self._origins.items() if o != origin}
        self._events = {e: o for e, o in self._events.items() if o != origin}

    def record(self, event: EventHandle, stream: Stream) -> bool:
        """An event is recorded; whether that is part of a capture."""
        self._events.pop(event, None)
        if stream in self._origins:
            self._events[event] = self._origins[stream]
        return stream in self._origins

    def wait(self, stream: Stream, event: EventHandle) -> bool:
        """A stream waits for an event; whether that is part of a capture."""
        if event in self._events:
            self._origins[stream] = self._events[event]
        return event in self._events
