"""The network's numbers: against NumPy's, by prefill and by decode, alone and in a batch."""

from __future__ import annotations

import numpy as np
import pytest

from greta.engine import Engine, Request, Sampling, log_probabilities
from tests.engine.conftest import OpenEngine, OpenModel
from tests.engine.tiny import (
    FLOAT_TYPES,
    PROMPT,
    TYPES,
    Floats,
    half_cache_logits,
    prompts,
    relative_error,
)
from tests.model.reference import Reference


def after_prefill(engine: Engine, tokens: list[int]) -> Floats:
    engine.generate(Request([tokens], 1, Sampling())).run()
    logits: Floats = engine.scheduler.logits().copy()[0]
    return logits


def after_decode(engine: Engine, tokens: list[int]) -> Floats:
    """The logits after the last token when each came alone."""
    steps = engine.scheduler
    steps.prefill(Request([tokens[:1]], len(tokens), Sampling()))
    for step, token in enumerate(tokens[1:]):
        steps.result(step)
        steps.put_tokens([token])
        steps.decode(step + 1)
    result: Floats = steps.result(len(tokens) - 1)[0].copy()
    return result


@pytest.mark.parametrize("weights", TYPES)
def test_logits_are_the_references(
    weights: str,
    engine: OpenEngine,
    tiny: OpenModel,
    prompt: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = after_prefill(engine(weights), prompt)
    expected = half_cache_logits(tiny(weights), prompt, monkeypatch)[-1]
    if weights in FLOAT_TYPES:
        assert np.abs(found - expected).max() < 4e-3
    else:  # the activations are rounded to 8 bits
        assert relative_error(found, expected) < 0.05


@pytest.mark.parametrize("weights", TYPES)
def test_prefill_and_stepwise_decode_agree(
    weights: str, engine: OpenEngine, prompt: list[int]
) -> None:
    by_prefill = after_prefill(engine(weights), prompt)
    by_decode = after_decode(engine(weights), prompt)
    assert np.abs(by_prefill - by_decode).max() < 1e-3


@pytest.mark.parametrize("length", [1, 2, 31, 63, 64, 65, 127])
def test_prompts_of_any_length(
    length: int, engine: OpenEngine, tiny: OpenModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = (PROMPT * 2)[:length]
    found = after_prefill(engine("f32"), tokens)
    expected = half_cache_logits(tiny("f32"), tokens, monkeypatch)[-1]
    # A number between two halves may be rounded to the other one.
    assert np.abs(found - expected).max() < 4e-3


def test_every_sequence_of_a_batch_has_the_logits_it_has_alone(engine: OpenEngine) -> None:
    several = prompts([3, 70, 17, 64])
    together = engine("q4_1", batch=4)
    together.generate(Request(several, 1, Sampling())).run()
    rows = together.scheduler.logits().copy()
    alone = [after_prefill(engine("q4_1"), tokens) for tokens in several]
    assert np.array_equal(rows, np.stack(alone))


@pytest.mark.parametrize("weights", TYPES)
def test_a_large_batch_decodes_what_each_sequence_decodes_alone(
    weights: str, engine: OpenEngine
) -> None:
    several = prompts(list(range(1, 17)))
    together = engine(weights, batch=len(several))
    tokens = together.generate(Request(several, 4)).run().tokens
    rows = together.scheduler.logits().copy()
    for number in (0, 6, 15):
        alone = engine(weights)
        assert alone.generate(Request([several[number]], 4)).run().tokens == [tokens[number]]
        assert np.array_equal(alone.scheduler.logits().copy()[0], rows[number])


def test_log_probabilities_of_a_continuation(
    engine: OpenEngine, tiny: OpenModel, prompt: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, rest = prompt[:10], prompt[10:20]
    logits = half_cache_logits(tiny("f32"), prompt[:19], monkeypatch)[9:].astype(np.float64)
    expected = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    found = log_probabilities(engine("f32"), text, rest)
    assert found == pytest.approx([expected[i, token] for i, token in enumerate(rest)], abs=4e-3)


def test_greedy_text_is_the_references(
    engine: OpenEngine, tiny: OpenModel, prompt: list[int]
) -> None:
    expected = Reference(tiny("f32")).greedy(prompt, 12, frozenset())
    assert engine("f32").generate(Request([prompt], 12)).run().tokens == [expected]
