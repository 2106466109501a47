"""GGUF files with nothing but a small tokenizer, of every kind that greta reads."""
# ruff: noqa: RUF001, E501

from __future__ import annotations

from collections import Counter
from pathlib import Path

from gguf import GGUFWriter

from greta.model.file import _mapped
from greta.model.header import Metadata, read_header
from greta.model.tiny import SPECIALS, tiny_words
from greta.model.tokenizer import Tokenizer, read_tokenizer
from greta.model.tokenizer.byte_pair import spelled

PRE_TOKENIZERS = ("default", "gpt-2", "llama-bpe", "qwen2", "smollm")

TEXT = """
The 12345 boxes, they're 100 % full: don't open 678 of them! I'll say we've 9,999.99 euros.
El niño comió 3 piñas; ¿cuántas más? Übergröße naïve façade. 你好，世界。 你好吗？ 世界 👩‍👩‍👧 👩 🏳️‍🌈
def f(x):\n    return x ** 2  # comment\n\n\n    if x == 1:\r\n\t\treturn f(x - 1) + f(x - 2)\r\n
    123 123 1234 12 12 ... !!! ??? $$$ +++ <<< === >>> '''  \"\"\"          end     end
"""
CONTROL, USER_DEFINED, BYTE = 3, 4, 6


def write_byte_pairs(path: Path, pre: str) -> None:
    """A byte-pair tokenizer of 430 tokens with a control and a user-defined one."""
    words, merges = tiny_words(170, TEXT)
    _write_pairs(path, pre, {**_kinds(words), "<user>": USER_DEFINED}, merges)


LACKING = b"\x04\x06\x13\x14\x16\x1d\xf1\xf2#"


def write_lacking_pairs(path: Path, pre: str) -> None:
    """One that has no token for some bytes and for some of what it merges; and a merge twice."""
    words, merges = tiny_words(170, TEXT)
    gone = {*spelled(LACKING), "99", "Ġ12", "Ġthe", "he", "ll"}
    kinds = {word: kind for word, kind in _kinds(words).items() if word not in gone}
    _write_pairs(path, pre, kinds, [*merges, "r e", "! !"])


def write_control_pairs(path: Path, pre: str) -> None:
    """One in which longer tokens are merged from control tokens."""
    words, merges = tiny_words(170, TEXT)
    control = {"ret": CONTROL, "boxe": CONTROL, "Ġ1": CONTROL}
    _write_pairs(path, pre, {**_kinds(words), **control}, merges)


def write_roles(path: Path, kinds: dict[str, int], named: dict[str, str]) -> None:
    """One with these tokens too, the roles named after the keys that give them."""
    words, merges = tiny_words(170, TEXT)
    _write_pairs(path, "gpt-2", {**_kinds(words), **kinds}, merges, named)


def _kinds(words: list[str]) -> dict[str, int]:
    return {word: CONTROL if word in SPECIALS else 1 for word in words}


def _write_pairs(
    path: Path,
    pre: str,
    kinds: dict[str, int],
    merges: list[str],
    named: dict[str, str] | None = None,
) -> None:
    roles = {"bos": "<|im_start|>", "eos": "<|im_end|>", **(named or {})}
    writer = _writer(path)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(list(kinds))
    writer.add_token_types(list(kinds.values()))
    writer.add_token_merges(merges)
    for role, word in roles.items():
        writer.add_uint32(f"tokenizer.ggml.{role}_token_id", list(kinds).index(word))
    _close(writer)


def write_sentence_pieces(path: Path) -> None:
    """A SentencePiece tokenizer with byte fallback."""
    pieces = _pieces(TEXT.replace(" ", "\u2581"))
    roles = ["<unk>", "<s>", "</s>"]
    octets = [f"<0x{byte:02X}>" for byte in range(256)]
    kinds = [2, CONTROL, CONTROL] + [BYTE] * 256 + [1] * len(pieces) + [USER_DEFINED]
    writer = _writer(path)
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([*roles, *octets, *pieces, "<user>"])
    writer.add_token_scores([0.0] * 259 + [-float(n) for n in range(len(pieces))] + [0.0])
    writer.add_token_types(kinds)
    _close(writer)


def tokenizer_of(path: Path) -> Tokenizer:
    """The tokenizer alone; such a file is no model."""
    return read_tokenizer(metadata_of(path))


def metadata_of(path: Path) -> Metadata:
    """The keys of a file."""
    header = read_header(_mapped(str(path)), str(path))
    return Metadata(str(path), header.metadata)


def _pieces(text: str) -> list[str]:
    """The substrings that save most, best first, then every character but a few."""
    counts = Counter(text[a : a + n] for n in (2, 3, 4, 6) for a in range(len(text) - n))
    best = sorted(counts, key=lambda piece: (-counts[piece] * len(piece), piece))[:500]
    letters = sorted(set(text) - set("世👩\u200d"))
    return [*best, *letters]


def _writer(path: Path) -> GGUFWriter:
    writer = GGUFWriter(path, "llama")
    writer.add_name("vocabulary")
    return writer


def _close(writer: GGUFWriter) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
