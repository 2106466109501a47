"""Which work of a stream is known to be complete, and from which call on.

At the HIP ABI one sees work being put on streams and the host waiting for it, and nothing in
between. So work is known to be complete when a call has returned that waits for it. The rules:

- A stream is a queue: what is complete there makes all that was put on it earlier complete.
- Waiting for a stream covers its work. Waiting for a device covers the work of all its streams.
- An event covers the work of the stream up to where it was recorded; a stream that waits for an
  event has its later work after that.
- Work on a default stream comes after the earlier work of all blocking streams of its device, and
  work on a blocking stream after the earlier work of the default stream.

Calls of several threads overlap, and which came first is not known. So a call counts as made when
it has returned, and a call that waits covers what was made before it began. What is said here to be
complete is complete; some of it was earlier.

This is a pure fold: `reach` of a call is asked for when it begins, and used when it has returned.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple


class Stream(NamedTuple):
    """A stream, told apart from others that had its handle before; what is not known is None."""

    handle: int
    generation: int
    device: int | None
    thread: int | None  # of a thread's own default stream
    blocking: bool

    @property
    def is_default(self) -> bool:
        """Whether it is the default stream of a device, that all threads share."""
        return self.handle == 0


Operation = int  # any number that tells one from the other
EventHandle = int
Reach = dict[Stream, int]  # of each stream, how much of its work


class InFlight:
    """The work that is not known to be complete."""

    def __init__(self) -> None:
        self._made: Reach = {}
        self._complete: Reach = {}
        self._waiting: dict[Stream, deque[Operation]] = {}
        self._before: dict[Stream, Reach] = {}  # what the latest work of a stream comes after
        self._recorded: dict[EventHandle, Reach] = {}

    # --- when a call begins: what will be complete when it has waited -----------------------------

    def reach_of_stream(self, stream: Stream) -> Reach:
        """All work of a stream; of a default stream, that of the blocking streams too."""
        return self.reach_of_next(stream) if stream.is_default else self._tail(stream)

    def reach_of_device(self, device: int | None) -> Reach:
        """All work of all streams of a device."""
        return self._union(s for s in self._active() if s.device == device)

    def reach_of_events(self, *events: EventHandle) -> Reach:
        """What events stand for; nothing if they were never recorded."""
        reach: Reach = {}
        for event in events:
            _extend(reach, self._recorded.get(event, {}))
        return reach

    def reach_of_next(self, stream: Stream) -> Reach:
        """What comes before work that is put on a stream now."""
        if stream.is_default:
            others = [s for s in self._active() if s.blocking and s.device == stream.device]
            return self._union([stream, *others])
        if stream.blocking:
            default = Stream(0, 1, stream.device, None, blocking=True)
            return self._union([stream, default])
        return self._tail(stream)

    # --- when it has returned ---------------------------------------------------------------------

    def put(self, operation: Operation, stream: Stream, after: Reach) -> None:
        """Work was put on a stream."""
        self._made[stream] = self._made.get(stream, 0) + 1
        self._waiting.setdefault(stream, deque()).append(operation)
        self.wait(stream, after)

    def wait(self, stream: Stream, after: Reach) -> None:
        """Later work of a stream comes after this."""
        others = {other: count for other, count in after.items() if other != stream}
        if others:
            _extend(self._before.setdefault(stream, {}), others)

    def record(self, event: EventHandle, reach: Reach) -> None:
        """An event now stands for this."""
        self._recorded[event] = reach

    def forget(self, event: EventHandle) -> None:
        """An event was destroyed, or recorded in a way that is not known."""
        self._recorded.pop(event, None)

    def complete(self, reach: Reach) -> list[Operation]:
        """The host has waited; gives the operations of which this was not known before."""
        found: list[Operation] = []
        for stream, count in reach.items():
            waiting = self._waiting.get(stream, deque())
            for _ in range(count - self._complete.get(stream, 0)):
                found.append(waiting.popleft())
                self._complete[stream] = self._complete.get(stream, 0) + 1
            if not waiting:
                self._drop(stream)
        return found

    # --- inside -----------------------------------------------------------------------------------

    def _active(self) -> list[Stream]:
        return list({**self._waiting, **self._before})

    def _drop(self, stream: Stream) -> None:
        self._waiting.pop(stream, None)
        left = self._still_open(self._before.pop(stream, {}))
        if left:
            self._before[stream] = left

    def _still_open(self, reach: Reach) -> Reach:
        return {s: count for s, count in reach.items() if count > self._complete.get(s, 0)}

    def _tail(self, stream: Stream) -> Reach:
        own = {stream: self._made.get(stream, 0)}
        return self._still_open({**self._before.get(stream, {}), **own})

    def _union(self, streams: Iterable[Stream]) -> Reach:
        reach: Reach = {}
        for stream in streams:
            _extend(reach, self._tail(stream))
        return reach


def _extend(reach: Reach, more: Reach) -> None:
    for stream, count in more.items():
        if count > reach.get(stream, 0):
            reach[stream] = count
