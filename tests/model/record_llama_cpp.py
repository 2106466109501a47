"""Records what llama.cpp makes of texts, for test_llama_cpp.py and test_roles.py.

Needs llama-cpp-python:

python -m tests.model.record_llama_cpp
"""

from __future__ import annotations

import ctypes
import importlib
import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from greta.model import find_model
from tests.model.roles import CASES
from tests.model.texts import CONTROL_TEXTS, TEXTS, lacking_texts
from tests.model.vocabularies import (
    PRE_TOKENIZERS,
    write_byte_pairs,
    write_control_pairs,
    write_lacking_pairs,
    write_roles,
    write_sentence_pieces,
)

FIXTURES = Path(__file__).parent / "fixtures"
LACKING_TEXTS = 150

Tokens = list[int]


class LlamaCpp:
    """llama.cpp's tokenizer of a file."""

    def __init__(self, path: Path) -> None:
        # typed only where it is installed
        self._api: Any = importlib.import_module("llama_cpp.llama_cpp")
        parameters = self._api.llama_model_default_params()
        parameters.vocab_only = True
        model = self._api.llama_model_load_from_file(str(path).encode(), parameters)
        self._vocabulary = self._api.llama_model_get_vocab(model)

    def tokens(self, text: bytes, special: bool = False) -> Tokens:
        buffer = (ctypes.c_int32 * (4 * len(text) + 8))()
        count = self._api.llama_tokenize(
            self._vocabulary, text, len(text), buffer, len(buffer), True, special
        )
        assert count >= 0
        return list(buffer[:count])

    def stops(self) -> Tokens:
        count = self._api.llama_vocab_n_tokens(self._vocabulary)
        return [n for n in range(count) if self._api.llama_vocab_is_eog(self._vocabulary, n)]


def record(path: Path) -> list[list[Tokens]]:
    """For each text its tokens without and with special tokens."""
    model = LlamaCpp(path)
    return [[model.tokens(text, special) for special in (False, True)] for text in TEXTS]


def record_tokens(path: Path) -> dict[str, list[list[Tokens]]]:
    """By vocabulary, what it makes of the texts."""
    recorded = {"smollm2": record(find_model("smollm2"))}
    for pre in PRE_TOKENIZERS:
        write_byte_pairs(path, pre)
        recorded[pre] = record(path)
    write_sentence_pieces(path)
    recorded["sentence pieces"] = record(path)
    return recorded


def record_gaps(path: Path) -> dict[str, list[tuple[str, Tokens]]]:
    """By vocabulary, texts as Latin-1, which can hold any bytes, and their tokens."""
    texts = lacking_texts(LACKING_TEXTS)
    recorded = {"smollm2": _pairs(find_model("smollm2"), texts)}
    for pre in PRE_TOKENIZERS:
        write_lacking_pairs(path, pre)
        recorded[f"lacking {pre}"] = _pairs(path, texts)
        write_control_pairs(path, pre)
        recorded[f"control {pre}"] = _pairs(path, CONTROL_TEXTS)
    return recorded


def _pairs(path: Path, texts: Iterable[bytes]) -> list[tuple[str, Tokens]]:
    model = LlamaCpp(path)
    return [(text.decode("latin-1"), model.tokens(text)) for text in texts]


def record_roles(path: Path) -> dict[str, dict[str, Tokens]]:
    """By case, the tokens that end a generation and those of its text."""
    recorded: dict[str, dict[str, Tokens]] = {}
    for name, case in CASES.items():
        write_roles(path, case.kinds, case.named)
        model = LlamaCpp(path)
        plain, special = model.tokens(case.text), model.tokens(case.text, special=True)
        recorded[name] = {"stops": model.stops(), "plain": plain, "special": special}
    return recorded


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vocabulary.gguf"
        for name, recorded in (
            ("tokens", record_tokens(path)),
            ("gaps", record_gaps(path)),
            ("roles", record_roles(path)),
        ):
            written = json.dumps(recorded, separators=(",", ":")) + "\n"
            (FIXTURES / f"llama_cpp_{name}.json").write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()
