"""The words of a tokenizer: texts, kinds, and the tokens with a role."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.model.metadata import Metadata
from greta.model.strings import Strings

TokenId = int


class Kind(IntEnum):
    """What a token is, by tokenizer.ggml.token_type."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


# Texts that end a turn or a text whatever the metadata says, as llama.cpp has found them in models.
_STOPS = frozenset(
    (
        *("<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<end_of_turn>"),
        *("<|endoftext|>", "<|eom_id|>", "<|end_of_text|>", "<end_of_utterance>", "</s>"),
        *("<EOT>", "<eos>", "<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "<|fim_repo|>"),
        *("<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>", "<|file_sep|>"),
    )
)


Kinds = npt.NDArray[np.integer[Any]]  # [tokens]


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Tokens by id. `kinds` and the roles come from the file; a role may be absent."""

    strings: Strings
    kinds: Kinds
    stops: frozenset[TokenId]  # the tokens that end a generation
    bos: TokenId | None
    eos: TokenId | None
    unknown: TokenId | None
    add_bos: bool
    add_eos: bool

    def __len__(self) -> int:
        return len(self.strings)

    def text(self, token: TokenId) -> str:
        """The text of a token."""
        return self.strings[token] or _stand_in(token)

    def words(self, among: Set[str] | None = None) -> dict[str, TokenId]:
        """Tokens by text, all or those among some; made anew each time, for all are many."""
        texts = _texts(self.strings)
        if among is None:
            return dict(zip(texts, range(len(self)), strict=True))
        return {text: number for number, text in enumerate(texts) if text in among}

    @cached_property
    def controls(self) -> frozenset[TokenId]:
        """Tokens that stand for no text, so that no text becomes one of them unasked."""
        return frozenset(self._of_kind(Kind.CONTROL, Kind.UNKNOWN)) | self.stops

    @cached_property
    def user_defined(self) -> list[TokenId]:
        """Tokens that are recognized in any text before it is split into words."""
        return [n for n in self._of_kind(Kind.USER_DEFINED) if n not in self.controls]

    def _of_kind(self, *kinds: Kind) -> list[TokenId]:
        return [int(n) for n in np.flatnonzero(np.isin(self.kinds, kinds))]


def read_vocabulary(metadata: Metadata, *, add_bos: bool, defaults: dict[str, int]) -> Vocabulary:
    """The vocabulary; `defaults` are the roles a family has if the file does not say."""
    key = "tokenizer.ggml.tokens"
    strings = metadata.strings(key)
    texts = _texts(strings)
    if not texts:
        raise metadata.wrong(key, "is empty")
    if len(set(texts)) < len(texts):
        raise metadata.wrong(key, "has the same token twice")
    roles = {name: _role(metadata, name, defaults, len(texts)) for name in _ROLES}
    ends = {role for role in (roles["eos"], roles.pop("eot")) if role is not None}
    return Vocabulary(
        strings,
        _kinds(metadata, len(texts)),
        frozenset(ends | {number for number, text in enumerate(texts) if text in _STOPS}),
        **roles,
        add_bos=metadata.flag("tokenizer.ggml.add_bos_token", add_bos),
        add_eos=metadata.flag("tokenizer.ggml.add_eos_token", False),
    )


_ROLES = ("bos", "eos", "eot", "unknown")


def _texts(strings: Strings) -> list[str]:
    texts = strings.to_list()
    if "" in texts:
        return [text or _stand_in(number) for number, text in enumerate(texts)]
    return texts


def _stand_in(token: TokenId) -> str:
    """For an empty text, which could never be matched and would collide with the next one."""
    return f"[EMPTY_{token}]"


def _kinds(metadata: Metadata, count: int) -> Kinds:
    key = "tokenizer.ggml.token_type"
    if key not in metadata:
        return np.full(count, Kind.NORMAL, np.int32)
    kinds = metadata.numbers(key, count)
    if kinds.dtype.kind not in "iu":
        raise metadata.wrong(key, "must be a list of whole numbers")
    return kinds


def _role(metadata: Metadata, name: str, defaults: dict[str, int], count: int) -> TokenId | None:
    key = f"tokenizer.ggml.{name}_token_id"
    if key not in metadata:
        default = defaults.get(name, count)
        return default if default < count else None
    # 2^32 - 1 is how some converters write "none".
    value = metadata.whole(key, least=0, most=(1 << 32) - 1)
    return value if value < count else None
