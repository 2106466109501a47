"""Which stream a call means: by its handle, the thread that calls, and that thread's device."""

from __future__ import annotations

from greta.recording import LiveKind, Process
from greta.reports.export.in_flight import Stream

NULL_STREAM, LEGACY_STREAM, PER_THREAD_STREAM = 0, 1, 2
NON_BLOCKING = 1  # hipStreamNonBlocking


class Streams:
    """The streams of one process, while its calls go by."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._known: dict[int, Stream] = {}
        self._devices: dict[int, int] = {}
        self._cut = {lane.facts.number for lane in process.lanes if lane.overwritten}
        self._one_device = all(entry.device in (-1, 0) for entry in process.live.entries)

    def set_device(self, lane: int, device: int) -> None:
        """hipSetDevice."""
        self._devices[lane] = device
        self._one_device = self._one_device and device == 0

    def device(self, lane: int) -> int | None:
        """The device of a thread; None if the call that set it may be lost."""
        lost = lane in self._cut and not self._one_device
        return self._devices.get(lane, None if lost else 0)

    def forget(self) -> None:
        """Streams were made or destroyed: a handle may mean another one now."""
        self._known.clear()

    def stream(self, handle: int, seq: int, lane: int, *, per_thread: bool) -> Stream:
        """Whom a handle means in a call."""
        if handle == PER_THREAD_STREAM or (handle == NULL_STREAM and per_thread):
            return Stream(PER_THREAD_STREAM, 1, self.device(lane), lane, blocking=True)
        if handle in (NULL_STREAM, LEGACY_STREAM):
            return Stream(NULL_STREAM, 1, self.device(lane), None, blocking=True)
        if handle not in self._known:
            self._known[handle] = self._look_up(handle, seq)
        return self._known[handle]

    def _look_up(self, handle: int, seq: int) -> Stream:
        identity = self._process.identity_at(LiveKind.STREAM, handle, seq)
        if identity is None:
            return Stream(handle, 0, None, None, blocking=False)
        blocking = not identity.flags & NON_BLOCKING
        return Stream(handle, identity.generation, identity.device, None, blocking)
