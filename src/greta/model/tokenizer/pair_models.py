"""The tokenizers package's model of byte pairs, no larger than the text at hand needs it.

A pair can only merge if what it makes stands in the text. So for one text a model is enough that
has the tokens which stand in it and their merges, in their order: a few hundred instead of a
hundred thousand. It gives the same tokens, is made in a fraction of the time and takes no memory to
speak of. A program that goes on encoding gets the whole model with its second text, and keeps it.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from tokenizers import models

from greta.model.metadata import Metadata
from greta.model.tokenizer.vocabulary import Vocabulary

_KEY = "tokenizer.ggml.merges"
_MOST_PARTS = 200_000


class PairModels:
    """Models for the words of texts."""

    def __init__(self, metadata: Metadata, vocabulary: Vocabulary, whole_words: bool) -> None:
        self._metadata = metadata
        self._vocabulary = vocabulary
        self._whole_words = whole_words
        self._is_first = True
        self._whole: Any = None

    def of(self, words: Set[str]) -> Any:
        """A model that splits these words as the whole one does."""
        if self._whole is not None:
            return self._whole
        if self._is_first and _count_of_parts(words) <= _MOST_PARTS:
            self._is_first = False
            return self._made(_parts(words))
        self._whole = self._made(None)
        return self._whole

    def release(self) -> None:
        """Gives up the whole model until it is needed again."""
        self._whole = None

    def _made(self, parts: Set[str] | None) -> Any:
        """A model of the tokens that are among the parts, or of all."""
        words = self._vocabulary.words(parts)
        for token in self._vocabulary.controls:  # so that no word of a text can be one
            words.pop(self._vocabulary.text(token), None)
        lines = self._lines(words if parts is not None else None)
        merges = [(line[:at], line[at + 1 :]) for line in lines for at in (line.find(" ", 1),)]
        # The package panics on a merge that makes no token; a sound file has none.
        sound = [(a, b) for a, b in merges if a + b in words and a in words and b in words]
        return models.BPE(words, sound, ignore_merges=self._whole_words)

    def _lines(self, words: dict[str, int] | None) -> list[str]:
        """The merges as the file has them: all, or those that may make one of the words."""
        lines = self._metadata.strings(_KEY).to_list()
        if any(line.find(" ", 1) < 0 for line in lines):  # a word may begin with a space
            raise self._metadata.wrong(_KEY, "has an entry that is not two words")
        if words is None:
            return lines
        bare = {word.replace(" ", "") for word in words}
        return [line for line in lines if line.replace(" ", "") in bare]


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
