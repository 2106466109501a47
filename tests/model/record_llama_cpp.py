"""Records what llama.cpp makes of texts, for test_llama_cpp.py. Needs llama-cpp-python:

python -m tests.model.record_llama_cpp
"""

from __future__ import annotations

import ctypes
import importlib
import json
import tempfile
from pathlib import Path
from typing import Any

from greta.model import find_model
from tests.model.texts import TEXTS
from tests.model.vocabularies import PRE_TOKENIZERS, write_byte_pairs, write_sentence_pieces

FILE = Path(__file__).parent / "fixtures" / "llama_cpp_tokens.json"


def record(path: Path) -> list[list[list[int]]]:
    """For each text its tokens without and with special tokens."""
    api: Any = importlib.import_module("llama_cpp.llama_cpp")  # typed only where it is installed
    parameters = api.llama_model_default_params()
    parameters.vocab_only = True
    model = api.llama_model_load_from_file(str(path).encode(), parameters)
    vocabulary = api.llama_model_get_vocab(model)
    return [[_tokens(api, vocabulary, text, s) for s in (False, True)] for text in TEXTS]


def _tokens(api: Any, vocabulary: Any, text: bytes, special: bool) -> list[int]:
    buffer = (ctypes.c_int32 * (4 * len(text) + 8))()
    count = api.llama_tokenize(vocabulary, text, len(text), buffer, len(buffer), True, special)
    assert count >= 0
    return list(buffer[:count])


def main() -> None:
    recorded = {"smollm2": record(find_model("smollm2"))}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vocabulary.gguf"
        for pre in PRE_TOKENIZERS:
            write_byte_pairs(path, pre)
            recorded[pre] = record(path)
        write_sentence_pieces(path)
        recorded["sentence pieces"] = record(path)
    FILE.write_text(json.dumps(recorded, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
