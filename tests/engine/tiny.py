"""Prompts for the tiny model, and what its reference says about them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from greta.model import Model
from tests.model import reference

Floats = npt.NDArray[np.float32]

VOCABULARY = 512
TYPES = ["f32", "f16", "bf16", "q8_0", "q4_0", "q4_1", "q5_0", "q5_1", "q4_k", "q5_k", "q6_k"]
FLOAT_TYPES = TYPES[:3]

# 70 tokens: some tiles of prefill and a bit of the next.
PROMPT = [(37 * i * i + 11 * i + 5) % VOCABULARY for i in range(70)]


def prompts(lengths: list[int]) -> list[list[int]]:
    return [[(token + 3 * n) % VOCABULARY for token in PROMPT[:n]] for n in lengths]


def half_cache_logits(model: Model, tokens: list[int], monkeypatch: pytest.MonkeyPatch) -> Floats:
    """The reference's logits after each token, with attention in half precision as the engine's."""
    attention, softmax = reference.attention, reference.softmax

    def rounded(q: Floats, k: Floats, v: Floats) -> Floats:
        return attention(_half(q), _half(k), _half(v))

    with monkeypatch.context() as patch:
        patch.setattr(reference, "attention", rounded)
        patch.setattr(reference, "softmax", lambda scores: _half(softmax(scores)))
        return reference.logits(model, tokens)


def relative_error(found: Floats, expected: Floats) -> float:
    """The root mean square of the difference, in parts of that of the numbers."""
    difference = found.astype(np.float64) - expected
    return float(np.sqrt(np.mean(difference**2) / np.mean(expected.astype(np.float64) ** 2)))


def _half(x: Floats) -> Floats:
    return x.astype(np.float16).astype(np.float32)
