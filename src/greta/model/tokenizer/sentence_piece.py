"""SentencePiece's byte-pair encoding ("llama"): no words; pairs merge by the score of the result.

A space is written U+2581. A character without a token becomes its bytes, <0x00> to <0xFF>.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from tokenizers import Tokenizer, models

from greta.model.header import Metadata
from greta.model.tokenizer.tokenizer import Fragment
from greta.model.tokenizer.vocabulary import (
    TokenId,
    TokenKind,
    Vocabulary,
    as_bytes,
    characters,
    is_sound,
    read_vocabulary,
)

SPACE = "\u2581"
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")

Merge = tuple[str, str]


class SentencePieces:
    """Encoding of text without special tokens."""

    def __init__(
        self, build: Callable[[], Tokenizer], vocabulary: Vocabulary, add_prefix: bool
    ) -> None:
        self._build = build
        self._built: Tokenizer | None = build()  # at once: a damaged vocabulary is told at once
        self._vocabulary = vocabulary
        self._add_prefix = add_prefix

    def encode(self, parts: Sequence[Fragment]) -> list[TokenId]:
        """The tokens of texts, with the tokens between them."""
        ids: list[TokenId] = []
        first = True  # it begins the prompt or follows a token
        for part in parts:
            if isinstance(part, int):
                ids.append(part)
            else:
                prefix = " " if self._add_prefix and first else ""
                text = (prefix + part).replace(" ", SPACE)
                ids += self._ids(text) if is_sound(text) else self._broken(as_bytes(text))
            first = isinstance(part, int)
        return ids

    def bytes_of(self, token: TokenId) -> bytes:
        """The bytes that a token stands for."""
        text = self._vocabulary.text(token)
        if self._vocabulary.kinds[token] == TokenKind.BYTE and (match := _BYTE.fullmatch(text)):
            return bytes.fromhex(match[1])
        return text.replace(SPACE, " ").encode()

    def trimmed(self, data: bytes) -> bytes:
        """Decoded text without what encoding added: one space in front."""
        return data.removeprefix(b" ") if self._add_prefix else data

    def release(self) -> None:
        """Gives back the memory that only encoding needs."""
        self._built = None

    def _ids(self, text: str) -> list[TokenId]:
        if self._built is None:
            self._built = self._build()
        return list(self._built.encode(text, add_special_tokens=False).ids)

    def _broken(self, data: bytes) -> list[TokenId]:
        """Bad characters become tokens of their bytes; they merge with nothing."""
        ids: list[TokenId] = []
        sound = ""
        for character in characters(data):
            text = character.decode("utf-8", "surrogateescape")
            if is_sound(text):
                sound += text
                continue
            unknown = self._vocabulary.unknown
            tokens = (self._bytes.get(f"<0x{byte:02X}>", unknown) for byte in character)
            ids += [*self._ids(sound), *(token for token in tokens if token is not None)]
            sound = ""
        return ids + self._ids(sound)

    @cached_property
    def _bytes(self) -> dict[str, TokenId]:
        return {text: n for text, n in self._vocabulary.words().items() if _BYTE.fullmatch(text)}


def read_sentence_pieces(metadata: Metadata) -> tuple[Vocabulary, SentencePieces]:
    """The vocabulary and the encoder of a file whose tokenizer is "llama"."""
    defaults = {"unknown": 0, "bos": 1, "eos": 2}
    vocabulary = read_vocabulary(metadata, add_bos=True, defaults=defaults)
    scores = metadata.numbers("tokenizer.ggml.scores", len(vocabulary)).tolist()
    add_prefix = metadata.flag("tokenizer.ggml.add_space_prefix", True)

    def build() -> Tokenizer:
        # Control tokens are left out, so that no text can merge into one.
        unknown = vocabulary.unknown
        left_out = vocabulary.controls - {unknown}
        words = {text: n for text, n in vocabulary.words().items() if n not in left_out}
        named = None if unknown is None else vocabulary.text(unknown)
        merges = _merges(vocabulary, words, scores)
        return Tokenizer(
            models.BPE(words, merges, unk_token=named, fuse_unk=False, byte_fallback=True)
        )

    return vocabulary, SentencePieces(build, vocabulary, add_prefix)


def _merges(vocabulary: Vocabulary, words: dict[str, TokenId], scores: list[float]) -> list[Merge]:
    """Every pair of tokens that makes a token, best score first."""
    scored: list[tuple[float, Merge]] = []
    for text, number in words.items():
        if vocabulary.kinds[number] in (TokenKind.BYTE, TokenKind.UNKNOWN) or len(text) > _LONGEST:
            continue
        pairs = ((text[:cut], text[cut:]) for cut in range(1, len(text)))
        scored += [(-scores[number], p) for p in pairs if p[0] in words and p[1] in words]
    scored.sort(key=lambda entry: entry[0])
    return [pair for _, pair in scored]


_LONGEST = 1024  # the pairs of a word cost its length squared, and a hostile one may be a megabyte
