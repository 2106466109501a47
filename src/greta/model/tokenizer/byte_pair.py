"""Byte-pair encoding ("gpt2"): text is split into words by patterns, and pairs merge within a word.

The patterns are llama.cpp's, by the name in tokenizer.ggml.pre. Each cuts the pieces the one before
it left; what no pattern matches is a piece too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tokenizers import Regex, pre_tokenizers

from greta.model.metadata import Metadata
from greta.model.tokenizer.broken_text import as_bytes, code_points, is_sound
from greta.model.tokenizer.byte_level import spelled, unspelled
from greta.model.tokenizer.fragments import Fragment
from greta.model.tokenizer.kinds import Kind, TokenId
from greta.model.tokenizer.pair_models import PairModel, PairModels
from greta.model.tokenizer.vocabulary import Vocabulary, read_vocabulary

_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_WORDS = (
    r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+"
    r"|DIGITS| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_LLAMA3 = _WORDS.replace("DIGITS", r"\p{N}{1,3}")
_QWEN2 = _WORDS.replace("DIGITS", r"\p{N}")


@dataclass(frozen=True)
class _Splitting:
    """How a family of models splits text, and what else is usual in it."""

    patterns: tuple[str, ...]
    whole_words: bool = False  # a word that is a token is not merged from its letters
    add_bos: bool = False


_DEFAULT = _Splitting((r"[\p{P}\$\+<=>\^~\|]+", _GPT2, r"\p{N}+", r"[0-9][0-9][0-9]"))
_FAMILIES: dict[tuple[str, ...], _Splitting] = {
    ("default", ""): _DEFAULT,
    ("gpt-2", "phi-2", "mpt", "olmo", "jais", "trillion", "gigachat"): _Splitting((_GPT2,)),
    ("llama-bpe", "llama3", "llama-v3", "falcon3", "pixtral", "lfm2"): _Splitting(
        (_LLAMA3,), whole_words=True, add_bos=True
    ),
    ("smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b"): _Splitting(
        (r"\p{N}", _GPT2)
    ),
    ("qwen2", "deepseek-r1-qwen", "stablelm2", "megrez"): _Splitting((_QWEN2,)),
}
_SPLITTINGS = {name: splitting for names, splitting in _FAMILIES.items() for name in names}

_STAND_IN = "\U0010ffff"  # not a character; splits as the surrogates that it stands for do


class BytePairs:
    """Byte-pair encoding of text without special tokens."""

    def __init__(self, splitter: Any, models: PairModels, vocabulary: Vocabulary) -> None:
        self._splitter = splitter
        self._models = models
        self._vocabulary = vocabulary

    def encode(self, parts: Sequence[Fragment]) -> list[TokenId]:
        """The tokens of texts, with the tokens between them."""
        split = [part if isinstance(part, int) else self._words(part) for part in parts]
        model = self._models.of({word for p in split if not isinstance(p, int) for word in p})
        ids: list[TokenId] = []
        for part in split:
            ids += [part] if isinstance(part, int) else self._tokens(part, model)
        return ids

    def bytes_of(self, token: TokenId) -> bytes:
        """The bytes that a token stands for."""
        text = self._vocabulary.text(token)
        normal = self._vocabulary.kinds[token] in (Kind.NORMAL, Kind.UNUSED)
        return unspelled(text) if normal else text.encode()

    def trimmed(self, data: bytes) -> bytes:
        """Decoded text without what encoding added: nothing."""
        return data

    def release(self) -> None:
        """Gives back the memory that only encoding needs."""
        self._models.release()

    def _tokens(self, words: Iterable[str], model: PairModel) -> Iterator[TokenId]:
        tokens = (token for word in words for token in model.tokens(word))
        return self._models.without_controls(tokens)

    def _words(self, text: str) -> list[str]:
        """The words of a text, spelled in the alphabet of bytes."""
        if is_sound(text):
            return self._split(text)
        points = list(code_points(as_bytes(text)))
        return _spelled_anew(points, self._split("".join(map(_sound, points))))

    def _split(self, text: str) -> list[str]:
        return [word for word, _ in self._splitter.pre_tokenize_str(text)]


def _spelled_anew(points: Sequence[int], words: Iterable[str]) -> list[str]:
    """Words of sound text as they are in the real one; no word ends within a character.

    Encoded surrogates are no characters, but llama.cpp has tokens for their bytes.
    """
    rest = iter(points)
    real: list[str] = []
    for word in words:
        letters, left = "", len(word)
        while left:
            point = next(rest)
            left -= len(_sound(point).encode())
            letters += spelled(chr(point).encode("utf-8", "surrogatepass"))
        real.append(letters)
    return real


def _sound(point: int) -> str:
    return _STAND_IN if 0xD800 <= point < 0xE000 else chr(point)


def read_byte_pairs(metadata: Metadata) -> tuple[Vocabulary, BytePairs]:
    """The vocabulary and the encoder of a file whose tokenizer is "gpt2"."""
    splitting = _splitting(metadata)
    vocabulary = read_vocabulary(metadata, add_bos=splitting.add_bos, defaults={})
    metadata.strings("tokenizer.ggml.merges")  # they must be there
    models = PairModels(metadata, vocabulary, splitting.whole_words)
    return vocabulary, BytePairs(_pre_tokenizer(splitting), models, vocabulary)


def _splitting(metadata: Metadata) -> _Splitting:
    key = "tokenizer.ggml.pre"
    name = metadata.text(key, "")
    if name not in _SPLITTINGS:
        known = ", ".join(names[0] for names in _FAMILIES)
        raise metadata.wrong(key, f'is "{name}", and greta knows {known} and their likes')
    return _SPLITTINGS[name]


def _pre_tokenizer(splitting: _Splitting) -> Any:
    splits: list[Any] = [
        pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in splitting.patterns
    ]
    letters = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return pre_tokenizers.Sequence([*splits, letters])
