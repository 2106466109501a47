"""Where a call was made, in a few words."""

from __future__ import annotations

from pathlib import Path

from greta.recording import CallEvent, Process
from greta.symbols.sites import NativeSite, ScriptLine, SiteResolver, script_frames, user_frame


def place_of(process: Process, event: CallEvent) -> str:
    """Such as "solver.py:41 in main"; empty if nothing is known.

    That of a native program is looked up in its file, which takes time: ask for few.
    """
    if script := process.tables.scripts.get(event.script_id):
        frames = script_frames(script)
        frame = user_frame(frames) or next(iter(frames), None)
        return _in_words(frame) if frame else ""
    site = SiteResolver(process.tables.libraries).native(event.site, event.begin_ticks)
    return _in_words(site) if site else ""


def _in_words(place: ScriptLine | NativeSite) -> str:
    where = shortened(Path(place.file)) if place.file else ""
    if where and place.line is not None:
        where += f":{place.line}"
    if not where and isinstance(place, NativeSite):
        where = Path(place.library).name
    named = place.function and place.function != "<module>"
    return f"{where} in {place.function}" if named else where


def shortened(path: Path) -> str:
    """Relative where that is inside the working folder."""
    try:
        return str(path.relative_to(Path.cwd()))
    except (OSError, ValueError):
        return str(path)
