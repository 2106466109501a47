"""Text cut at the tokens that are recognized as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from greta.model.tokenizer.vocabulary import TokenId

Fragment = str | TokenId


def fragments(text: str, whole: Iterable[tuple[str, TokenId]]) -> list[Fragment]:
    """The text and the tokens in it. Longer tokens are looked for first, as llama.cpp does."""
    parts: list[Fragment] = [text] if text else []
    for word, token in whole:
        if word in text:
            parts = [piece for part in parts for piece in _cut(part, word, token)]
    return parts


def _cut(part: Fragment, word: str, token: TokenId) -> Iterator[Fragment]:
    if isinstance(part, int):
        yield part
        return
    for number, piece in enumerate(part.split(word)):
        if number:
            yield token
        if piece:
            yield piece
