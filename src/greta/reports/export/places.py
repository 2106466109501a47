"""Where a call was made: the user's line of Python, or the line of a native program."""

from __future__ import annotations

from greta.recording import Process
from greta.symbols.sites import (
    NativeSite,
    ScriptLine,
    SiteResolver,
    script_frames,
    user_frame,
)


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
