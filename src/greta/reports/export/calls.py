"""When and where calls were made: their times, and the line of Python or of a native program."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from greta.recording import CallEvent, Process
from greta.symbols.sites import NativeSite, ScriptLine, SiteResolver, script_frames, user_frame

AT_ONCE = 4096

TimedEvent = tuple[CallEvent, int, int]  # begin and end in ns since the process started; end is 0
#                                      of a call that has not returned


def timed_events(process: Process) -> Iterator[TimedEvent]:
    """All calls of a process in order."""
    events = process.events()
    while chunk := list(islice(events, AT_ONCE)):
        begin = process.clock.ns(np.array([event.begin_ticks for event in chunk], np.uint64))
        end = process.clock.ns(np.array([event.end_ticks for event in chunk], np.uint64))
        for event, began, ended in zip(chunk, begin.tolist(), end.tolist(), strict=True):
            yield event, began, ended if event.finished else 0


class Places:
    """The places of one process; each is looked up once."""

    def __init__(self, process: Process) -> None:
        self._scripts = process.tables.scripts
        self._resolver = SiteResolver(process.tables.libraries)
        self._lines: dict[int, ScriptLine | None] = {}

    def script(self, script_id: int) -> ScriptLine | None:
        """The line of the user's own code, or the innermost one if all of it is of libraries."""
        entry = self._scripts.get(script_id)
        if entry is not None and script_id not in self._lines:
            frames = script_frames(entry)
            self._lines[script_id] = user_frame(frames) or next(iter(frames), None)
        return self._lines.get(script_id)

    def native(self, site: int, script_id: int, ticks: int) -> NativeSite | None:
        """The native caller; of a call from Python that is only AMD's bindings, so None."""
        return None if script_id else self._resolver.native(site, ticks)

    @property
    def changes(self) -> list[int]:
        """Ticks after which a site may be another place than before."""
        return self._resolver.changes

    def era(self, ticks: int) -> int:
        """How many of them had passed."""
        return self._resolver.era(ticks)
