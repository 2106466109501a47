"""The NumPy model: against itself, against formulas written out, and against what it should say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from greta.model import WEIGHT_TYPES, Model, TensorType, dequantize, find_model, open_model
from greta.model.tiny import TINY, write_tiny
from tests.model.reference import Reference, attention, frequencies, logits, rotated

TEXT = "The capital of France is"


def test_steps_give_what_the_whole_gives(tiny: Model) -> None:
    ids = tiny.tokenizer.encode(TEXT)
    whole = logits(tiny, ids)
    assert whole.shape == (len(ids), 512)
    assert whole.dtype == np.float32
    reference = Reference(tiny)
    steps = np.concatenate([reference.logits([token]) for token in ids])
    np.testing.assert_allclose(steps, whole, atol=1e-4)
    assert reference.seen == len(ids)
    reference.forget()
    np.testing.assert_array_equal(reference.logits(ids), whole)


@pytest.mark.parametrize("kind", WEIGHT_TYPES, ids=lambda kind: kind.name)
def test_every_type_says_about_the_same(kind: TensorType, models: dict[str, str]) -> None:
    exact = open_model(find_model("tiny:f32", environment=models))
    coarse = open_model(find_model(f"tiny:{kind.name.lower()}", environment=models))
    ids = exact.tokenizer.encode(TEXT)
    a, b = logits(exact, ids).ravel(), logits(coarse, ids).ravel()
    assert np.corrcoef(a, b)[0, 1] > (0.9 if "4" in kind.name else 0.97)


def test_a_turn_is_of_neighbours() -> None:
    heads = np.arange(1, 7, dtype=np.float32).reshape(1, 1, 6)
    quarter = np.array([np.pi / 2, 0], np.float32).reshape(1, 1, 2)
    # (1, 2) turns by a right angle, (3, 4) not at all, and (5, 6) lies beyond the dimensions.
    np.testing.assert_allclose(rotated(heads, quarter).ravel(), [-2, 1, 3, 4, 5, 6], atol=1e-6)


def test_frequencies(tiny: Model, tmp_path: Path) -> None:
    plain = frequencies(tiny)
    np.testing.assert_allclose(plain[[0, 1]], [1, 10000 ** (-2 / 64)], rtol=1e-6)
    rope = replace(TINY.rope, scaling="linear", factor=4.0)
    write_tiny(tmp_path / "m.gguf", TensorType.Q8_0, replace(TINY, rope=rope))
    np.testing.assert_allclose(frequencies(open_model(tmp_path / "m.gguf")), plain / 4, rtol=1e-6)
    rope = replace(TINY.rope, scaling="llama3")
    write_tiny(tmp_path / "n.gguf", TensorType.Q8_0, replace(TINY, rope=rope))
    scaled = open_model(tmp_path / "n.gguf")
    factors = dequantize(scaled.tensors["rope_freqs.weight"])
    np.testing.assert_allclose(frequencies(scaled), plain / factors, rtol=1e-6)


def test_attention_written_out() -> None:
    chance = np.random.default_rng(5)
    q = chance.standard_normal((2, 4, 8), np.float32)  # the last two positions of three
    k, v = chance.standard_normal((2, 3, 2, 8), np.float32)
    mixed = attention(q, k, v)
    for n, head in np.ndindex(2, 4):
        seen, shared = n + 2, head // 2  # heads 0 and 1 share the keys of group 0
        scores = k[:seen, shared] @ q[n, head] / np.sqrt(8)
        weights = np.exp(scores) / np.exp(scores).sum()
        np.testing.assert_allclose(mixed[n, head], weights @ v[:seen, shared], rtol=1e-4, atol=1e-6)


@pytest.mark.slow
def test_smollm2_knows_the_capital_of_france(smollm2: Model) -> None:
    question = [{"role": "user", "content": "What is the capital of France?"}]
    made = Reference(smollm2).greedy(smollm2.chat.encode(question), 16, smollm2.tokenizer.stops)
    assert "Paris" in smollm2.tokenizer.decode(made)


@pytest.mark.slow
def test_smollm2_continues_a_sentence(smollm2: Model) -> None:
    ids = smollm2.tokenizer.encode(TEXT)
    made = Reference(smollm2).greedy(ids, 2, smollm2.tokenizer.stops)
    assert smollm2.tokenizer.decode(made) == " Paris."
