"""Code inside a sentence: what stands between backticks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_SPAN: Final = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Part:
    """Of a sentence: words, or code."""

    text: str
    code: bool


def parts_of(text: str) -> list[Part]:
    """In order. A backtick without another is a letter like any."""
    pieces = _SPAN.split(text)  # words, code, words, code ... words
    return [Part(piece, place % 2 == 1) for place, piece in enumerate(pieces) if piece]
