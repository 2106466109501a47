"""The tokenizer of a model."""

from __future__ import annotations

import codecs
import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property
from typing import Protocol

from greta.model.tokenizer.vocabulary import TokenId, Vocabulary, as_text


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


class Encoder(Protocol):
    """A way to encode text that has no special tokens in it."""

    def encode(self, parts: Sequence[Fragment]) -> list[TokenId]:
        """The tokens of texts, with the tokens between them."""

    def bytes_of(self, token: TokenId) -> bytes:
        """The bytes that a token stands for."""

    def trimmed(self, data: bytes) -> bytes:
        """Decoded text without what encoding added."""

    def release(self) -> None:
        """Gives back the memory that only encoding needs."""


class Tokenizer:
    """Text to tokens and back. Bytes that are not UTF-8 are taken as llama.cpp takes them."""

    def __init__(self, vocabulary: Vocabulary, encoder: Encoder) -> None:
        self.vocabulary = vocabulary
        self._encoder = encoder

    def __len__(self) -> int:
        return len(self.vocabulary)

    @property
    def stops(self) -> frozenset[TokenId]:
        """The tokens that end a generation."""
        return self.vocabulary.stops

    def encode(
        self, text: str | bytes, *, special: bool = False, bos: bool | None = None
    ) -> list[TokenId]:
        """The tokens of a prompt.

        Texts of control tokens, such as <|im_end|>, become those tokens only with `special`.
        `bos` begins with the token for that, by default if the model wants it.
        """
        whole = self._special if special else self._plain
        return self._framed(self._encoder.encode(fragments(as_text(text), whole)), bos)

    def encode_template(self, text: str, written: Set[int]) -> list[TokenId]:
        """The tokens of a rendered chat template.

        `written` are the places in `as_text(text)` at which no control token begins, because a
        person wrote what stands there. Most templates write the token for the beginning themselves.
        """
        controls = self.vocabulary.controls

        def is_token(token: TokenId, at: int) -> bool:
            return at not in written or token not in controls

        parts = fragments(as_text(text), self._special, is_token)
        has_bos = parts[:1] == [self.vocabulary.bos]
        return self._framed(self._encoder.encode(parts), self.vocabulary.add_bos and not has_bos)

    @cached_property
    def control_texts(self) -> list[str]:
        """The texts that are control tokens where special tokens are asked for."""
        return [self.vocabulary.text(token) for token in sorted(self.vocabulary.controls)]

    def decode(self, ids: Iterable[TokenId], *, special: bool = False) -> str:
        """The text of tokens; control tokens appear only with `special`."""
        data = b"".join(self.bytes_of(token, special=special) for token in ids)
        return self._encoder.trimmed(data).decode("utf-8", "replace")

    def bytes_of(self, token: TokenId, *, special: bool = False) -> bytes:
        """The bytes that a token stands for; none for an id that is no token."""
        if not 0 <= token < len(self.vocabulary):
            return b""
        if token in self.vocabulary.controls:
            return self.vocabulary.text(token).encode() if special else b""
        return self._encoder.bytes_of(token)

    def release(self) -> None:
        """Gives back what only encoding needs; encoding makes it again."""
        self._encoder.release()
        # The C library keeps what is freed in small pieces; glibc has a call to give it back.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)

    def stream(self) -> TextStream:
        """A decoder for tokens as they are generated."""
        return TextStream(self.bytes_of)

    def _framed(self, ids: list[TokenId], bos: bool | None) -> list[TokenId]:
        words = self.vocabulary
        begin = [words.bos] if (words.add_bos if bos is None else bos) else []
        end = [words.eos] if words.add_eos and bos is None else []
        return [*(t for t in begin if t is not None), *ids, *(t for t in end if t is not None)]

    @cached_property
    def _plain(self) -> list[tuple[str, TokenId]]:
        return self._longest_first(self.vocabulary.user_defined)

    @cached_property
    def _special(self) -> list[tuple[str, TokenId]]:
        return self._longest_first([*self.vocabulary.user_defined, *self.vocabulary.controls])

    def _longest_first(self, tokens: Iterable[TokenId]) -> list[tuple[str, TokenId]]:
        pairs = [(self.vocabulary.text(token), token) for token in sorted(tokens)]
        return sorted(pairs, key=lambda pair: -len(pair[0].encode()))


Fragment = str | TokenId
Span = tuple[int, int]  # where a piece of text begins and ends

IsToken = Callable[[TokenId, int], bool]


def fragments(
    text: str, whole: Iterable[tuple[str, TokenId]], is_token: IsToken = lambda _token, _at: True
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
