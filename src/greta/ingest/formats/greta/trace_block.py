"""[D2H TRACE] logits:before, and lines "  name=value" below it; :after and [D2H FATAL] likewise."""

from __future__ import annotations

import re
from typing import Final

from greta.ingest.error_texts import UNKNOWN_ERROR, error_in
from greta.ingest.formats.greta.records import Record, TraceAfter, TraceBefore, TraceFatal
from greta.ingest.formats.greta.segments import Segment
from greta.ingest.lines import Line
from greta.ingest.numbers import address, count

_BELOW: Final = re.compile(r"\s{1,8}(src_ptr|dst_ptr|bytes|stream|hipError)=(.{1,400})")
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
        found = _BELOW.fullmatch(line.text)
        if found is None or found[1] not in _FIELDS[self.moment] or found[1] in self._values:
            return False
        if not line.cut:
            self._values[found[1]] = found[2].strip()
        return True

    def too_far(self, line: Line) -> bool:
        """Whether nothing of it is to be expected any more."""
        return line.number > self.line.number + _FAR

    def record(self) -> Record | None:
        """What it says; None if it is not whole or has words for numbers."""
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
        if self.moment == "after":
            return TraceAfter(self.line, self.tensor, target, size)
        text = self._values["hipError"]
        error = error_in(text) or UNKNOWN_ERROR
        return TraceFatal(self.line, self.tensor, source, target, size, error, text)
