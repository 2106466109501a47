"""[D2H SAFE] async copy succeeded: hipSuccess, and the two ways in which it does not."""

from __future__ import annotations

from typing import Final

from greta.ingest.error_texts import UNKNOWN_ERROR, error_in
from greta.ingest.formats.greta.records import Outcome
from greta.ingest.formats.greta.segments import Segment

_FAILED: Final = ("Async copy failed ", "Stream sync failed before ")


def read_outcome(segment: Segment) -> Outcome | None:
    """None for the line that only says which tensor it is."""
    if segment.text.startswith("async copy succeeded"):
        return Outcome(segment.line, None, 0, segment.text)
    for words in _FAILED:
        if segment.text.startswith(words):
            tensor, _, text = segment.text[len(words) :].partition(": ")
            return Outcome(segment.line, tensor, error_in(text) or UNKNOWN_ERROR, segment.text)
    return None
