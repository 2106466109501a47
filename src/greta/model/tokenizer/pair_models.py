"""The tokenizers package's model of byte pairs, no larger than the text at hand needs it.

A pair can only merge if what it makes stands in the text. So for one text a model is enough that
has the tokens which stand in it and their merges, in their order: a few hundred instead of a
hundred thousand. It gives the same tokens, is made in a fraction of the time and takes no memory to
speak of. A program that goes on encoding gets the whole model with its second text, and keeps it.

Letters merge in llama.cpp whether or not there is a token for them, and what has none at the end is
taken apart or left out. The package wants a token for everything, so those that the file lacks are
made up, with numbers past its last one, and never leave this file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from typing import Any

from tokenizers import models

from greta.model.metadata import Metadata
from greta.model.tokenizer.byte_level import LETTERS
from greta.model.tokenizer.kinds import TokenId
from greta.model.tokenizer.vocabulary import Vocabulary

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
        merges = _merges(self._lines(parts))
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


def _merges(lines: list[str]) -> list[Merge]:
    """Of a pair that stands there twice the first counts; the package would take the last."""
    pairs = ((line[:at], line[at + 1 :]) for line in lines for at in (line.find(" ", 1),))
    return list(dict.fromkeys(pairs))


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
