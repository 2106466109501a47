"""GGUF files with nothing but a small tokenizer, of every kind that greta reads."""
# ruff: noqa: RUF001, E501

from __future__ import annotations

from collections import Counter
from pathlib import Path

from gguf import GGUFWriter

from greta.model.file import _mapped
from greta.model.header import read_header
from greta.model.metadata import Metadata
from greta.model.tiny_words import SPECIALS, tiny_words
from greta.model.tokenizer import Tokenizer, read_tokenizer

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
    writer = _writer(path)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list([*words, "<user>"])
    writer.add_token_types([*(CONTROL if w in SPECIALS else 1 for w in words), USER_DEFINED])
    writer.add_token_merges(merges)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
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
