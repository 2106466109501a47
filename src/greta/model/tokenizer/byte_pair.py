"""Byte-pair encoding ("gpt2"): text is split into words by patterns, and pairs merge within a word.

The patterns are llama.cpp's, by the name in tokenizer.ggml.pre. Each cuts the pieces the one before
it left; what no pattern matches is a piece too.

Words are spelled in GPT-2's alphabet, in which every byte is a printable character: printable
Latin-1 characters stand for themselves, the other bytes for characters from U+0100 on.

Merging is done by the tokenizers package, with a model no larger than the text needs. A pair can
only merge if the result occurs in the text, so for one text the tokens that occur in it and their
merges are enough: a few hundred instead of a hundred thousand, built in a fraction of the time. A
program that goes on encoding gets the whole model with its second text, and keeps it.

Letters merge in llama.cpp whether or not there is a token for them, and what has none at the end is
taken apart or left out. The package wants a token for everything, so those that the file lacks get
numbers past its last one, which never leave this file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

from tokenizers import Regex, models, pre_tokenizers

from greta.model.header import Metadata
from greta.model.tokenizer.tokenizer import Fragment
from greta.model.tokenizer.vocabulary import (
    TokenId,
    TokenKind,
    Vocabulary,
    as_bytes,
    code_points,
    is_sound,
    read_vocabulary,
)

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
        normal = self._vocabulary.kinds[token] in (TokenKind.NORMAL, TokenKind.UNUSED)
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
        # Words of sound text as they are in the real one; no word ends within a character. Encoded
        # surrogates are no characters, but llama.cpp has tokens for their bytes.
        words = self._split("".join(map(_sound, points)))
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

    def _split(self, text: str) -> list[str]:
        return [word for word, _ in self._splitter.pre_tokenize_str(text)]


def _sound(point: int) -> str:
    return _STAND_IN if 0xD800 <= point < 0xE000 else chr(point)


def read_byte_pairs(metadata: Metadata) -> tuple[Vocabulary, BytePairs]:
    """The vocabulary and the encoder of a file whose tokenizer is "gpt2"."""
    key = "tokenizer.ggml.pre"
    name = metadata.text(key, "")
    if name not in _SPLITTINGS:
        known = ", ".join(names[0] for names in _FAMILIES)
        raise metadata.wrong(key, f'is "{name}", and greta knows {known} and their likes')
    splitting = _SPLITTINGS[name]
    vocabulary = read_vocabulary(metadata, add_bos=splitting.add_bos, defaults={})
    metadata.strings("tokenizer.ggml.merges")  # they must be there
    models = PairModels(metadata, vocabulary, splitting.whole_words)
    splits: list[Any] = [
        pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in splitting.patterns
    ]
    letters = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return vocabulary, BytePairs(pre_tokenizers.Sequence([*splits, letters]), models, vocabulary)


_THEMSELVES = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]


def _alphabet() -> dict[int, str]:
    others = [byte for byte in range(256) if byte not in set(_THEMSELVES)]
    letters = {byte: chr(byte) for byte in _THEMSELVES}
    return letters | {byte: chr(0x100 + number) for number, byte in enumerate(others)}


LETTERS: dict[int, str] = _alphabet()
_BYTES = {letter: bytes([byte]) for byte, letter in LETTERS.items()}


def spelled(data: bytes) -> str:
    """Bytes in the alphabet."""
    return "".join(LETTERS[byte] for byte in data)


def unspelled(word: str) -> bytes:
    """The bytes of a word; a character outside the alphabet stands for itself."""
    return b"".join(_BYTES.get(letter) or letter.encode() for letter in word)


_KEY = "tokenizer.ggml.merges"
_MOST_PARTS = 200_000

Merge = tuple[str, str]


class PairModel:
    """A model that splits words into tokens. Ids from `count` on are made up."""

    def __init__(self, model: Any, count: int, whole_words: bool) -> None:
        self._model = model
        self._count = count
        self._whole_words = whole_words

    def tokens(self, word: str) -> Iterator[TokenId]:
        """The tokens of a word; control tokens too, if its letters happen to merge into one."""
        if self._whole_words and (whole := self._known(word)) is not None:
            yield whole
            return
        for token in self._model.tokenize(word):
            yield from (token.id,) if token.id < self._count else self._taken_apart(token.value)

    def _taken_apart(self, text: str) -> Iterator[TokenId]:
        """What llama.cpp makes of merged letters without a token: it looks up single bytes."""
        tokens = (self._known(letter) for letter in text if letter.isascii())
        return (token for token in tokens if token is not None)

    def _known(self, text: str) -> TokenId | None:
        token: TokenId | None = self._model.token_to_id(text)
        return None if token is None or token >= self._count else token


class PairModels:
    """Models for the words of texts."""

    def __init__(self, metadata: Metadata, vocabulary: Vocabulary, whole_words: bool) -> None:
        self._metadata = metadata
        self._vocabulary = vocabulary
        self._whole_words = whole_words
        self._is_first = True
        self._whole: PairModel | None = None
        self._spelled: dict[TokenId, list[TokenId]] = {}

    def of(self, words: Set[str]) -> PairModel:
        """A model that splits these words as the whole one does."""
        if self._whole is not None:
            return self._whole
        if self._is_first and _count_of_parts(words) <= _MOST_PARTS:
            self._is_first = False
            return self._made(_parts(words))
        self._whole = self._made(None)
        return self._whole

    def without_controls(self, tokens: Iterable[TokenId]) -> Iterator[TokenId]:
        """The tokens, a control token as its text is split where that token does not exist."""
        controls = self._vocabulary.controls
        for token in tokens:
            yield from self._spelling(token) if token in controls else (token,)

    def release(self) -> None:
        """Gives up the whole model until it is needed again."""
        self._whole = None

    def _spelling(self, control: TokenId) -> list[TokenId]:
        if control not in self._spelled:
            text = self._vocabulary.text(control)
            parts = _parts({text}) if _count_of_parts({text}) <= _MOST_PARTS else None
            model = self._made(parts, self._vocabulary.controls)
            self._spelled[control] = list(model.tokens(text))
        return self._spelled[control]

    def _made(self, parts: Set[str] | None, without: Collection[TokenId] = ()) -> PairModel:
        """A model of the tokens that are among the parts, or of all."""
        words = self._vocabulary.words(parts)
        for token in without:
            words.pop(self._vocabulary.text(token), None)
        # Of a pair that stands there twice the first counts; the package would take the last.
        lines = self._lines(parts)
        pairs = ((line[:at], line[at + 1 :]) for line in lines for at in (line.find(" ", 1),))
        merges = list(dict.fromkeys(pairs))
        if without:
            merges = [(a, b) for a, b in merges if a + b in words]
        count = len(self._vocabulary)
        _make_up(words, merges, count)
        return PairModel(models.BPE(words, merges), count, self._whole_words)

    def _lines(self, parts: Set[str] | None) -> list[str]:
        """The merges as the file has them: all, or those that make one of the parts."""
        lines = self._metadata.strings(_KEY).to_list()
        if any(line.find(" ", 1) < 0 for line in lines):  # a word may begin with a space
            raise self._metadata.wrong(_KEY, "has an entry that is not two words")
        if parts is None:
            return lines
        return [line for line in lines if line.replace(" ", "") in parts]  # words have no spaces


def _make_up(words: dict[str, TokenId], merges: list[Merge], count: int) -> None:
    """Adds what the letters and the merges need and the vocabulary lacks."""
    needed = (*LETTERS.values(), *(text for a, b in merges for text in (a, b, a + b)))
    for text in needed:
        if text not in words:
            words[text] = count
            count += 1


def _count_of_parts(words: Set[str]) -> int:
    return sum(len(word) * (len(word) + 1) // 2 for word in words)


def _parts(words: Set[str]) -> set[str]:
    """Everything that stands in a word, the word itself included."""
    return {
        word[begin:end]
        for word in words
        for begin in range(len(word))
        for end in range(begin + 1, len(word) + 1)
    }
