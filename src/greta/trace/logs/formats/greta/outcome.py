"""[D2H SAFE] async copy succeeded: hipSuccess, and the two ways in which it does not."""

from __future__ import annotations

from typing import Final

from greta.trace.logs.error_texts import UNKNOWN_ERROR, error_in
from greta.trace.logs.formats.greta.records import Outcome
from greta.trace.logs.formats.greta.segments import Segment

_SYNC: Final = "hipStreamSynchronize"
_FAILED: Final = {
    "Async copy failed ": "hipMemcpyAsync",
    "Stream sync failed before ": _SYNC,
    "Stream sync failed after ": _SYNC,
}
"""How the line begins, and the call that failed."""


def read_outcome(segment: Segment) -> Outcome | None:
    """None for the line that only says which tensor it is."""
    if segment.text.startswith("async copy succeeded"):
        return Outcome(segment.line, None, 0, segment.text)
    for words, call in _FAILED.items():
        if segment.text.startswith(words):
            tensor, _, text = segment.text[len(words) :].partition(": ")
            error = error_in(text) or UNKNOWN_ERROR
            return Outcome(segment.line, tensor, error, segment.text, call)
    return None
