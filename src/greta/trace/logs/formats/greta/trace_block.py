"""[D2H TRACE] logits:before, and lines "  name=value" below it; :after and [D2H FATAL] likewise."""

from __future__ import annotations

import re
from typing import Final

from greta.trace.logs.error_texts import UNKNOWN_ERROR, error_in
from greta.trace.logs.formats.greta.records import Record, TraceAfter, TraceBefore, TraceFatal
from greta.trace.logs.formats.greta.segments import Segment
from greta.trace.logs.lines import Line
from greta.trace.logs.numbers import address, count

# A logger's prefix may stand before it, a tag or another field may not.
_BELOW: Final = re.compile(
    r"(?:[^=]{0,200}[\s:|\]])?(?:(src_ptr|dst_ptr|bytes|stream)=(\S{1,40})|hipError=(.{1,400}))\s*"
)
_FIELDS: Final = {
    "before": ("src_ptr", "bytes", "stream"),
    "after": ("dst_ptr", "bytes"),
    "FAILED": ("src_ptr", "dst_ptr", "bytes", "hipError"),
}
_FAR: Final = 40
"""Lines of others that may come between."""


class TraceBlock:
    """A block whose lines are still coming."""

    def __init__(self, segment: Segment) -> None:
        self.line = segment.line
        self.tensor, _, self.moment = segment.text.rpartition(":")
        self._values: dict[str, str] = {}

    @property
    def known(self) -> bool:
        """Whether it is a block at all."""
        return self.moment in _FIELDS and bool(self.tensor)

    @property
    def whole(self) -> bool:
        """Whether nothing is missing."""
        return all(name in self._values for name in _FIELDS[self.moment])

    def take(self, line: Line) -> bool:
        """Reads a line below it."""
        found = _BELOW.fullmatch(line.text) if "[D2H" not in line.text else None
        if found is None:
            return False
        name, value = (found[1], found[2]) if found[1] else ("hipError", found[3])
        if name not in _FIELDS[self.moment] or name in self._values:
            return False
        if not line.cut or name == "hipError":
            self._values[name] = value.strip()
        return True

    def too_far(self, line: Line) -> bool:
        """Whether nothing of it is to be expected any more."""
        return line.number > self.line.number + _FAR

    def record(self) -> Record | None:
        """What it says; None if it is not whole or has words for numbers."""
        if self.moment == "FAILED":
            return self._fatal()
        if not self.whole:
            return None
        size = count(self._values["bytes"])
        source = address(self._values.get("src_ptr", "0"))
        target = address(self._values.get("dst_ptr", "0"))
        if size is None or size < 0 or source is None or target is None:
            return None
        if self.moment == "before":
            stream = address(self._values["stream"]) or 0
            return TraceBefore(self.line, self.tensor, source, size, stream)
        return TraceAfter(self.line, self.tensor, target, size)

    def _fatal(self) -> TraceFatal:
        """A failure is told by its first line: what is missing below does not undo it."""
        source, target = self._address("src_ptr"), self._address("dst_ptr")
        size, text = count(self._values.get("bytes", "")), self._values.get("hipError", "")
        known = size if size is not None and size >= 0 else None
        error = error_in(text) or UNKNOWN_ERROR
        return TraceFatal(self.line, self.tensor, source, target, known, error, text)

    def _address(self, name: str) -> int | None:
        return address(self._values[name]) if name in self._values else None
