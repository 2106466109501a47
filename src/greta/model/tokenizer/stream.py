"""Text that appears token by token."""

from __future__ import annotations

import codecs
from collections.abc import Callable

from greta.model.tokenizer.kinds import TokenId


class TextStream:
    """Turns tokens into text as they come; a character appears when its last byte has come."""

    def __init__(self, bytes_of: Callable[[TokenId], bytes]) -> None:
        self._bytes_of = bytes_of
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, token: TokenId) -> str:
        """The text that this token completes; empty within a character."""
        return self._decoder.decode(self._bytes_of(token))

    def finish(self) -> str:
        """U+FFFD for a character that was left unfinished."""
        return self._decoder.decode(b"", True)
