"""Which tokens end a generation and which are control tokens; llama.cpp's answers are recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from greta.model import Tokenizer
from tests.model.roles import CASES
from tests.model.vocabularies import tokenizer_of, write_roles

RECORDED = json.loads(
    (Path(__file__).parent / "fixtures" / "llama_cpp_roles.json").read_text(encoding="utf-8")
)


def tokenizer(name: str, folder: Path) -> Tokenizer:
    write_roles(folder / "v.gguf", CASES[name].kinds, CASES[name].named)
    return tokenizer_of(folder / "v.gguf")


def test_every_case_is_recorded() -> None:
    assert list(RECORDED) == list(CASES)


@pytest.mark.parametrize("name", CASES)
def test_stops_are_those_of_llama_cpp(name: str, tmp_path: Path) -> None:
    made = tokenizer(name, tmp_path)
    assert sorted(made.stops) == RECORDED[name]["stops"]


@pytest.mark.parametrize("name", CASES)
def test_texts_with_a_role_are_tokens_as_in_llama_cpp(name: str, tmp_path: Path) -> None:
    made = tokenizer(name, tmp_path)
    assert made.encode(CASES[name].text) == RECORDED[name]["plain"]
    assert made.encode(CASES[name].text, special=True) == RECORDED[name]["special"]
