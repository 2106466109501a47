"""The words of a tokenizer: texts, kinds, and the tokens with a role."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from greta.model.metadata import Metadata

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


@dataclass(frozen=True)
class Vocabulary:
    """Tokens by id. `kinds` and the roles come from the file; a role may be absent."""

    texts: list[str]
    kinds: list[int]
    bos: TokenId | None
    eos: TokenId | None
    eot: TokenId | None
    unknown: TokenId | None
    add_bos: bool
    add_eos: bool

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def ids(self) -> dict[str, TokenId]:
        """Tokens by text."""
        return {text: number for number, text in enumerate(self.texts)}

    @cached_property
    def stops(self) -> frozenset[TokenId]:
        """The tokens that end a generation."""
        roles = {role for role in (self.eos, self.eot) if role is not None}
        return frozenset(roles | {self.ids[text] for text in _STOPS if text in self.ids})

    @cached_property
    def controls(self) -> frozenset[TokenId]:
        """Tokens that stand for no text, so that no text becomes one of them unasked."""
        marked = (Kind.CONTROL, Kind.UNKNOWN)
        return frozenset(n for n, kind in enumerate(self.kinds) if kind in marked) | self.stops

    @cached_property
    def user_defined(self) -> list[TokenId]:
        """Tokens that are recognized in any text before it is split into words."""
        marked = (n for n, kind in enumerate(self.kinds) if kind == Kind.USER_DEFINED)
        return [number for number in marked if number not in self.controls]


def read_vocabulary(metadata: Metadata, *, add_bos: bool, defaults: dict[str, int]) -> Vocabulary:
    """The vocabulary; `defaults` are the roles a family has if the file does not say."""
    texts = _texts(metadata)
    roles = {name: _role(metadata, name, defaults, len(texts)) for name in _ROLES}
    return Vocabulary(
        texts,
        _kinds(metadata, len(texts)),
        **roles,
        add_bos=metadata.flag("tokenizer.ggml.add_bos_token", add_bos),
        add_eos=metadata.flag("tokenizer.ggml.add_eos_token", False),
    )


_ROLES = ("bos", "eos", "eot", "unknown")


def _texts(metadata: Metadata) -> list[str]:
    key = "tokenizer.ggml.tokens"
    # An empty text could never be matched and would collide with the next one.
    texts = [text or f"[EMPTY_{number}]" for number, text in enumerate(metadata.strings(key))]
    if not texts:
        raise metadata.wrong(key, "is empty")
    if len(set(texts)) < len(texts):
        raise metadata.wrong(key, "has the same token twice")
    return texts


def _kinds(metadata: Metadata, count: int) -> list[int]:
    key = "tokenizer.ggml.token_type"
    if key not in metadata:
        return [int(Kind.NORMAL)] * count
    kinds = metadata.numbers(key, count)
    if kinds.dtype.kind not in "iu":
        raise metadata.wrong(key, "must be a list of whole numbers")
    return [int(kind) for kind in kinds.tolist()]


def _role(metadata: Metadata, name: str, defaults: dict[str, int], count: int) -> TokenId | None:
    key = f"tokenizer.ggml.{name}_token_id"
    if key not in metadata:
        default = defaults.get(name, count)
        return default if default < count else None
    # 2^32 - 1 is how some converters write "none".
    value = metadata.whole(key, least=0, most=(1 << 32) - 1)
    return value if value < count else None
