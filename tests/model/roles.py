"""Tokens whose texts or keys give them a role, for test_roles.py."""
# ruff: noqa: RUF001

from __future__ import annotations

from dataclasses import dataclass, field

NORMAL, CONTROL, USER_DEFINED = 1, 3, 4

STOPS = (
    *("<|eot_id|>", "<|end|>", "<|return|>", "<|flush|>", "<end_of_turn>", "</s>", "<|eom_id|>"),
    *("<EOT>", "_<EOT>", "[EOT]", "[EOS]", "<|end_of_text|>", "<end_of_utterance>", "<eos>"),
    *("<turn|>", "[e~[", "<｜end▁of▁sentence｜>"),
)
# llama.cpp takes one token for each of these roles; each column is a model.
FILLING = (
    ("<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<｜fim▁begin｜>", "<PRE>", "<|prefix|>"),
    ("<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<｜fim▁hole｜>", "<SUF>", "<|suffix|>"),
    ("<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<｜fim▁end｜>", "<MID>", "<|middle|>"),
    ("<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]", "<pad>"),
    ("<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>", "<repo>"),
    ("<|file_sep|>", "<fim_file_sep>", "<|eot|>", "<|eom|>", "<|end_of_turn|>", "<|eod_id|>"),
)
GPT_OSS = ("<|end|>", "<|return|>", "<|call|>", "<|channel|>", "<|message|>", "<|start|>")


@dataclass(frozen=True)
class RoleCase:
    """Tokens that are added to a vocabulary, their kind, and keys that name tokens."""

    words: tuple[str, ...]
    kind: int = NORMAL
    named: dict[str, str] = field(default_factory=dict)

    @property
    def kinds(self) -> dict[str, int]:
        return dict.fromkeys(self.words, self.kind)

    @property
    def text(self) -> bytes:
        """All of them, between other words."""
        return " the ".join(("x", *self.words, "Ġthe", "123")).encode()


KEYS = {"eot": "Ġthe", "eom": "en", "fim_pad": "re", "fim_rep": "ur", "fim_sep": "as"}
CASES = {
    **{f"stops of kind {kind}": RoleCase(STOPS, kind) for kind in (NORMAL, CONTROL, USER_DEFINED)},
    **{f"filling {n}": RoleCase(words) for n, words in enumerate(zip(*FILLING, strict=True))},
    "filling, spaced": RoleCase(("▁<PRE>", "▁<SUF>", "▁<MID>")),
    "filling, code": RoleCase(("<|code_prefix|>", "<|code_suffix|>", "<|code_middle|>")),
    "filling, user-defined": RoleCase(tuple(words[0] for words in FILLING), USER_DEFINED),
    "named": RoleCase((), named=KEYS),
    "named, with texts": RoleCase(
        ("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_pad|>", "<|fim_repo|>", "<|eom_id|>"),
        named={**KEYS, "fim_pre": "he", "suffix": "co"},
    ),
    "a normal end": RoleCase((), named={"eos": "Ġthe"}),
    "gpt-oss": RoleCase((*GPT_OSS, "<|constrain|>"), CONTROL),
    "solar": RoleCase(("<|end|>", "<|flush|>", "<|calls|>"), CONTROL),
    "no solar": RoleCase(("<|end|>", "<|calls|>"), CONTROL),
    "gemma": RoleCase(("</s>", "<|tool_response>", "<turn|>"), CONTROL),
    "plamo": RoleCase(("</s>", "<|plamo:eos|>"), CONTROL, {"eos": "<|plamo:eos|>"}),
    "no plamo": RoleCase(("</s>", "<|plamo:eos|>"), CONTROL),
}
