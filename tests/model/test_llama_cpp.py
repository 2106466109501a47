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
    write_control_pairs,
    write_lacking_pairs,
    write_sentence_pieces,
)

FIXTURES = Path(__file__).parent / "fixtures"
RECORDED = json.loads((FIXTURES / "llama_cpp_tokens.json").read_text(encoding="utf-8"))
GAPS = json.loads((FIXTURES / "llama_cpp_gaps.json").read_text(encoding="utf-8"))


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


def assert_same_pairs(tokenizer: Tokenizer, recorded: list[tuple[str, list[int]]]) -> None:
    for text, tokens in recorded:
        assert tokenizer.encode(text.encode("latin-1")) == tokens, text


@pytest.mark.parametrize("pre", PRE_TOKENIZERS)
def test_what_has_no_token_keeps_its_neighbours_apart(pre: str, tmp_path: Path) -> None:
    write_lacking_pairs(tmp_path / "vocabulary.gguf", pre)
    assert_same_pairs(tokenizer_of(tmp_path / "vocabulary.gguf"), GAPS[f"lacking {pre}"])


@pytest.mark.parametrize("pre", PRE_TOKENIZERS)
def test_tokens_are_merged_from_control_tokens(pre: str, tmp_path: Path) -> None:
    write_control_pairs(tmp_path / "vocabulary.gguf", pre)
    assert_same_pairs(tokenizer_of(tmp_path / "vocabulary.gguf"), GAPS[f"control {pre}"])


@pytest.mark.slow
def test_smollm2_lacks_bytes(smollm2: Model) -> None:
    assert smollm2.tokenizer.encode("!\x06!") == [17, 17]
    assert_same_pairs(smollm2.tokenizer, GAPS["smollm2"])


@pytest.mark.slow
def test_smollm2_has_the_tokens_of_llama_cpp(smollm2: Model) -> None:
    assert_same(smollm2.tokenizer, RECORDED["smollm2"])
