"""argmax and advance."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.kernels.conftest import loaded
from tests.engine.kernels.device import filled, launch, on_device


@pytest.mark.parametrize("vocab", [1, 100, 5000, 49152])
def test_argmax(version: str, vocab: int, rng: np.random.Generator) -> None:
    m = 4
    logits = np.round(rng.standard_normal((m, vocab)), 1).astype(np.float32)  # with many equals
    logits[3] = -100
    tokens = filled(m, np.int32)
    launch(loaded(version).kernel("argmax"), m, on_device(logits), tokens, vocab)
    np.testing.assert_array_equal(tokens.to_array(np.int32), logits.argmax(axis=1))


def test_argmax_does_not_choose_a_nan(version: str) -> None:
    logits = np.full((3, 1000), -1, np.float32)
    logits[0, 5], logits[0, 900], logits[0, 901] = np.nan, 3, np.nan
    logits[1] = np.nan
    logits[2, 0], logits[2, 999] = -np.inf, np.inf
    tokens = filled(3, np.int32)
    launch(loaded(version).kernel("argmax"), 3, on_device(logits), tokens, 1000)
    np.testing.assert_array_equal(tokens.to_array(np.int32), [900, 0, 999])


@pytest.mark.parametrize("n", [1, 4, 300])
def test_advance(version: str, n: int) -> None:
    positions = on_device(np.arange(n + 2, dtype=np.int32))
    launch(loaded(version).kernel("advance"), 1, positions, n, 5)
    found = positions.to_array(np.int32)
    np.testing.assert_array_equal(found, np.arange(n + 2) + np.array([5] * n + [0, 0]))
