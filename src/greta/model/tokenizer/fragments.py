"""Text cut at the tokens that are recognized as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from greta.model.tokenizer.kinds import TokenId

Fragment = str | TokenId
Span = tuple[int, int]  # where a piece of text begins and ends

IsToken = Callable[[TokenId, int], bool]


def _always(_token: TokenId, _at: int) -> bool:
    return True


def fragments(
    text: str, whole: Iterable[tuple[str, TokenId]], is_token: IsToken = _always
) -> list[Fragment]:
    """The text and the tokens in it. Longer tokens are looked for first, as llama.cpp does.

    `is_token` says whether the text of a token that begins at a place is that token.
    """
    parts: list[Span | TokenId] = [(0, len(text))] if text else []
    for word, token in whole:
        if word in text:
            parts = [piece for part in parts for piece in _cut(text, part, word, token, is_token)]
    return [part if isinstance(part, int) else text[slice(*part)] for part in parts]


def _cut(
    text: str, part: Span | TokenId, word: str, token: TokenId, is_token: IsToken
) -> Iterator[Span | TokenId]:
    if isinstance(part, int):
        yield part
        return
    begin, end = part
    at = text.find(word, begin, end)
    while at >= 0:
        if not is_token(token, at):
            at = text.find(word, at + 1, end)
            continue
        if at > begin:
            yield begin, at
        yield token
        begin = at + len(word)
        at = text.find(word, begin, end)
    if begin < end:
        yield begin, end
