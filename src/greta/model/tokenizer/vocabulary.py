"""The words of a tokenizer: texts, kinds, and the tokens with a role.

A role comes from the keys of the file or, where it has none, from the token's text. The texts are
those that llama.cpp has found in models. A token that it knows by its text is a control token
whatever the file says; a few are made something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.model.header import Metadata, Strings

TokenId = int


class TokenKind(IntEnum):
    """By tokenizer.ggml.token_type."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


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
        return frozenset(self._of_kind(TokenKind.CONTROL, TokenKind.UNKNOWN))

    @cached_property
    def user_defined(self) -> list[TokenId]:
        """Tokens that are recognized in any text before it is split into words."""
        return self._of_kind(TokenKind.USER_DEFINED)

    def _of_kind(self, *kinds: TokenKind) -> list[TokenId]:
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


def _kinds(metadata: Metadata, count: int, changed: dict[TokenId, TokenKind]) -> Kinds:
    key = "tokenizer.ggml.token_type"
    kinds: Kinds = np.full(count, TokenKind.NORMAL, np.int32)
    if key in metadata:
        kinds = metadata.numbers(key, count)
        if kinds.dtype.kind not in "iu":
            raise metadata.wrong(key, "must be a list of whole numbers")
    kinds = kinds.copy()
    kinds[list(changed)] = list(changed.values())
    return kinds


@dataclass(frozen=True)
class _Role:
    keys: tuple[str, ...]  # the last is an older name, if there are two
    texts: tuple[str, ...]  # looked for if no key names a token
    stops: bool


_STOPS = (
    *("<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|flush|>", "<|calls|>"),
    *("<end_of_turn>", "<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]"),
    *("<|end_of_text|>", "<end_of_utterance>", "<eos>", "<turn|>", "<|tool_response>", "[e~["),
    "<\uff5cend\u2581of\u2581sentence\uff5c>",
)
_ROLES = (
    _Role(("eot",), (), stops=True),  # its texts are stops anyway, and so is the next one's
    _Role(("eom",), (), stops=True),
    _Role(
        ("fim_pre", "prefix"),
        (
            *("<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<\uff5cfim\u2581begin\uff5c>"),
            *("<PRE>", "\u2581<PRE>", "<|code_prefix|>", "<|prefix|>"),
        ),
        stops=False,
    ),
    _Role(
        ("fim_suf", "suffix"),
        (
            *("<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<\uff5cfim\u2581hole\uff5c>"),
            *("<SUF>", "\u2581<SUF>", "<|code_suffix|>", "<|suffix|>"),
        ),
        stops=False,
    ),
    _Role(
        ("fim_mid", "middle"),
        (
            *("<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<\uff5cfim\u2581end\uff5c>"),
            *("<MID>", "\u2581<MID>", "<|code_middle|>", "<|middle|>"),
        ),
        stops=False,
    ),
    _Role(("fim_pad",), ("<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"), stops=True),
    _Role(
        ("fim_rep",),
        ("<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"),
        stops=True,
    ),
    _Role(("fim_sep",), ("<|file_sep|>",), stops=True),
)
_SHOWN = ("<|channel|>", "<|message|>", "<|start|>", "<|constrain|>")  # part of what gpt-oss says
_TELLING = (
    *("<|end|>", "<|call|>", "<|calls|>", "<|return|>", "<|flush|>"),
    *("</s>", "<|tool_response>", "<|plamo:eos|>"),
)


@dataclass(frozen=True)
class Roles:
    """The tokens that end a generation, and the kinds that are not as the file has them."""

    stops: frozenset[TokenId]
    kinds: dict[TokenId, TokenKind]


def read_roles(metadata: Metadata, words: dict[str, TokenId], eos: TokenId | None) -> Roles:
    """The roles of tokens; `words` are the tokens by text."""
    known = {words[text] for text in _STOPS if text in words}
    stops = set(known)
    for role in _ROLES:
        named = [token for key in role.keys for token in _named(metadata, key, len(words))]
        found = [] if named else [words[text] for text in role.texts if text in words]
        known.update(found)
        stops.update([*named, *found] if role.stops else ())
    stops.update(() if eos is None else (eos,))
    kinds = dict.fromkeys(known, TokenKind.CONTROL)
    kinds |= {words[text]: TokenKind.USER_DEFINED for text in _SHOWN if text in words}
    for text, kind in _not_stops({text for text in _TELLING if words.get(text) in stops}):
        stops.discard(words[text])
        kinds[words[text]] = kind
    return Roles(frozenset(stops), kinds)


def role(metadata: Metadata, name: str, default: TokenId | None, count: int) -> TokenId | None:
    """The token that a key names, if there is one."""
    if f"tokenizer.ggml.{name}_token_id" in metadata:
        return next(iter(_named(metadata, name, count)), None)
    return default if default is not None and default < count else None


def _named(metadata: Metadata, name: str, count: int) -> Iterable[TokenId]:
    key = f"tokenizer.ggml.{name}_token_id"
    if key not in metadata:
        return ()
    # 2^32 - 1 is how some converters write "none".
    value = metadata.whole(key, least=0, most=(1 << 32) - 1)
    return (value,) if value < count else ()


def _not_stops(texts: set[str]) -> Iterator[tuple[str, TokenKind]]:
    """Texts that end a turn in some models, and not in those that have these others."""
    calls = texts & {"<|call|>", "<|calls|>"}
    if calls and texts & {"<|return|>", "<|flush|>"} and "<|end|>" in texts:
        yield "<|end|>", TokenKind.USER_DEFINED
    if texts & {"<|tool_response>", "<|plamo:eos|>"} and "</s>" in texts:
        yield "</s>", TokenKind.NORMAL


_REPLACEMENT = 0xFFFD
_LENGTHS = (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4)  # by the first byte's high half


def as_text(text: str | bytes) -> str:
    """Any input as a str that keeps its bytes."""
    if isinstance(text, bytes):
        return text.decode("utf-8", "surrogateescape")
    if is_sound(text):
        return text
    return as_bytes(text).decode("utf-8", "surrogateescape")


def as_bytes(text: str) -> bytes:
    """The bytes of a str, also of one with lone surrogates, as from JSON."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def is_sound(text: str) -> bool:
    """Whether a str is UTF-8 as it stands."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def code_points(data: bytes) -> Iterator[int]:
    """Code points, U+FFFD for each byte that begins none.

    Overlong forms and encoded surrogates count as what they encode: llama.cpp lets them pass.
    """
    at = 0
    while at < len(data):
        length = _LENGTHS[data[at] >> 4]
        tail = data[at + 1 : at + length]
        point = _decoded(data[at], tail, length)
        at += length if point is not None else 1
        yield _REPLACEMENT if point is None else point


def _decoded(first: int, tail: bytes, length: int) -> int | None:
    if first < 0x80:
        return first
    whole = len(tail) == length - 1 and all(byte & 0xC0 == 0x80 for byte in tail)
    if length == 1 or first >= 0xF8 or not whole:
        return None
    point = first & (0x7F >> length)
    for byte in tail:
        point = point << 6 | byte & 0x3F
    return point if point <= 0x10FFFF else None


def characters(data: bytes) -> Iterator[bytes]:
    """Bytes cut by the length that each first byte announces, right or wrong."""
    at = 0
    while at < len(data):
        length = _LENGTHS[data[at] >> 4]
        yield data[at : at + length]
        at += length
