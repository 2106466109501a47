"""Tokens equal llama.cpp's, on recorded texts (see record_llama_cpp.py)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from greta.model import Model, Tokenizer
from tests.model.texts import TEXTS
from tests.model.vocabularies import (
    PRE_TOKENIZERS,
    tokenizer_of,
    write_byte_pairs,
    write_sentence_pieces,
)

RECORDED = json.loads(
    (Path(__file__).parent / "fixtures" / "llama_cpp_tokens.json").read_text(encoding="utf-8")
)


def assert_same(tokenizer: Tokenizer, recorded: list[list[list[int]]]) -> None:
    assert len(recorded) == len(TEXTS)
    for text, (plain, special) in zip(TEXTS, recorded, strict=True):
        assert tokenizer.encode(text) == plain, text
        assert tokenizer.encode(text, special=True) == special, text


@pytest.mark.parametrize("pre", PRE_TOKENIZERS)
def test_byte_pairs_split_as_in_llama_cpp(pre: str, tmp_path: Path) -> None:
    write_byte_pairs(tmp_path / "vocabulary.gguf", pre)
    assert_same(tokenizer_of(tmp_path / "vocabulary.gguf"), RECORDED[pre])


def test_sentence_pieces_merge_as_in_llama_cpp(tmp_path: Path) -> None:
    write_sentence_pieces(tmp_path / "vocabulary.gguf")
    assert_same(tokenizer_of(tmp_path / "vocabulary.gguf"), RECORDED["sentence pieces"])


@pytest.mark.slow
def test_smollm2_has_the_tokens_of_llama_cpp(smollm2: Model) -> None:
    assert_same(smollm2.tokenizer, RECORDED["smollm2"])
