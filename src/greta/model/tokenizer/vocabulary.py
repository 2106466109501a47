"""The words of a tokenizer: texts, kinds, and the tokens with a role."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.model.metadata import Metadata
from greta.model.strings import Strings
from greta.model.tokenizer.kinds import Kind, TokenId
from greta.model.tokenizer.roles import read_roles, role

Kinds = npt.NDArray[np.integer[Any]]  # [tokens]


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Tokens by id. `kinds` and the roles come from the file; a role may be absent."""

    strings: Strings
    kinds: Kinds  # as llama.cpp has them: some not as the file does
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
        return frozenset(self._of_kind(Kind.CONTROL, Kind.UNKNOWN))

    @cached_property
    def user_defined(self) -> list[TokenId]:
        """Tokens that are recognized in any text before it is split into words."""
        return self._of_kind(Kind.USER_DEFINED)

    def _of_kind(self, *kinds: Kind) -> list[TokenId]:
        return [int(n) for n in np.flatnonzero(np.isin(self.kinds, kinds))]


def read_vocabulary(metadata: Metadata, *, add_bos: bool, defaults: dict[str, int]) -> Vocabulary:
    """The vocabulary; `defaults` are the roles a family has if the file does not say."""
    key = "tokenizer.ggml.tokens"
    strings = metadata.strings(key)
    texts = _texts(strings)
    if not texts:
        raise metadata.wrong(key, "is empty")
    words = {text: number for number, text in enumerate(texts)}
    if len(words) < len(texts):
        raise metadata.wrong(key, "has the same token twice")
    bos, eos, unknown = (
        role(metadata, name, defaults.get(name), len(texts)) for name in ("bos", "eos", "unknown")
    )
    roles = read_roles(metadata, words, eos)
    return Vocabulary(
        strings,
        _kinds(metadata, len(texts), roles.kinds),
        roles.stops,
        bos=bos,
        eos=eos,
        unknown=unknown,
        add_bos=metadata.flag("tokenizer.ggml.add_bos_token", add_bos),
        add_eos=metadata.flag("tokenizer.ggml.add_eos_token", False),
    )


def _texts(strings: Strings) -> list[str]:
    texts = strings.to_list()
    if "" in texts:
        return [text or _stand_in(number) for number, text in enumerate(texts)]
    return texts


def _stand_in(token: TokenId) -> str:
    """For an empty text, which could never be matched and would collide with the next one."""
    return f"[EMPTY_{token}]"


def _kinds(metadata: Metadata, count: int, changed: dict[TokenId, Kind]) -> Kinds:
    key = "tokenizer.ggml.token_type"
    kinds: Kinds = np.full(count, Kind.NORMAL, np.int32)
    if key in metadata:
        kinds = metadata.numbers(key, count)
        if kinds.dtype.kind not in "iu":
            raise metadata.wrong(key, "must be a list of whole numbers")
    kinds = kinds.copy()
    kinds[list(changed)] = list(changed.values())
    return kinds
