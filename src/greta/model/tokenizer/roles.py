"""Tokens with a role: by the keys of the file or, where it has none, by their texts.

The texts are those that llama.cpp has found in models. A token that it knows by its text is a
control token whatever the file says; a few are made something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from greta.model.metadata import Metadata
from greta.model.tokenizer.kinds import Kind, TokenId


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
    kinds: dict[TokenId, Kind]


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
    kinds = dict.fromkeys(known, Kind.CONTROL)
    kinds |= {words[text]: Kind.USER_DEFINED for text in _SHOWN if text in words}
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


def _not_stops(texts: set[str]) -> Iterator[tuple[str, Kind]]:
    """Texts that end a turn in some models, and not in those that have these others."""
    calls = texts & {"<|call|>", "<|calls|>"}
    if calls and texts & {"<|return|>", "<|flush|>"} and "<|end|>" in texts:
        yield "<|end|>", Kind.USER_DEFINED
    if texts & {"<|tool_response>", "<|plamo:eos|>"} and "</s>" in texts:
        yield "</s>", Kind.NORMAL
