"""Choosing from logits."""

from __future__ import annotations

import numpy as np
import pytest

from greta.engine import EngineError, Sampling
from greta.engine.request import Sampler

LOGITS = np.log(np.array([0.1, 0.4, 0.05, 0.3, 0.15], np.float32))


def draws(sampling: Sampling, count: int = 4000, logits: np.ndarray = LOGITS) -> np.ndarray:
    sampler = Sampler(sampling)
    return np.bincount([sampler.draw(logits) for _ in range(count)], minlength=5) / count


def test_tokens_come_as_often_as_they_are_likely() -> None:
    found = draws(Sampling(temperature=1.0, top_k=0, top_p=1.0))
    assert found == pytest.approx(np.exp(LOGITS), abs=0.03)


def test_a_low_temperature_sharpens_and_a_high_one_flattens() -> None:
    cold = draws(Sampling(temperature=0.1, top_k=0, top_p=1.0))
    hot = draws(Sampling(temperature=100.0, top_k=0, top_p=1.0))
    assert cold[1] > 0.9
    assert hot == pytest.approx([0.2] * 5, abs=0.03)


def test_top_k_keeps_the_likeliest() -> None:
    found = draws(Sampling(temperature=1.0, top_k=2, top_p=1.0))
    assert found == pytest.approx([0, 4 / 7, 0, 3 / 7, 0], abs=0.03)


def test_top_k_among_equals_keeps_the_first() -> None:
    found = draws(Sampling(temperature=1.0, top_k=2, top_p=1.0), logits=np.zeros(5, np.float32))
    assert found == pytest.approx([0.5, 0.5, 0, 0, 0], abs=0.03)


def test_top_p_keeps_what_it_takes_to_reach_the_share() -> None:
    found = draws(Sampling(temperature=1.0, top_k=0, top_p=0.6))
    assert found == pytest.approx([0, 4 / 7, 0, 3 / 7, 0], abs=0.03)
    assert draws(Sampling(temperature=1.0, top_k=0, top_p=0.01))[1] == 1


def test_a_seed_gives_one_sequence_of_draws() -> None:
    def first(sampling: Sampling, sequence: int = 0) -> list[int]:
        sampler = Sampler(sampling, sequence)
        return [sampler.draw(LOGITS) for _ in range(50)]

    wild = Sampling(2.0, 0, 1.0, seed=3)
    assert first(wild) == first(wild)
    assert first(wild) != first(Sampling(2.0, 0, 1.0, seed=4))
    assert first(wild) != first(wild, sequence=1)


def test_each_sequence_draws_as_it_does_alone_with_its_own_seed() -> None:
    second_of_two = Sampler(Sampling(2.0, 0, 1.0, seed=3), sequence=1)
    alone = Sampler(Sampling(2.0, 0, 1.0, seed=4))
    assert [second_of_two.draw(LOGITS) for _ in range(50)] == [
        alone.draw(LOGITS) for _ in range(50)
    ]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("temperature", "kinds"), [(5e-324, 1), (1e-300, 1), (1e300, 5)])
def test_the_most_extreme_temperatures(temperature: float, kinds: int) -> None:
    found = draws(Sampling(temperature, 0, 1.0), logits=LOGITS * np.float32(1e6))
    assert np.count_nonzero(found) == kinds


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_logits_that_are_no_numbers_are_an_error(wrong: float) -> None:
    logits = LOGITS.copy()
    logits[2] = wrong
    with pytest.raises(EngineError, match="not numbers") as caught:
        Sampler(Sampling()).draw(logits)
    assert caught.value.exit_code == 1


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"temperature": 0.0}, "ask for greedy"),
        ({"temperature": float("nan")}, "temperature"),
        ({"temperature": float("inf")}, "temperature"),
        ({"top_k": -1}, "top-k"),
        ({"top_p": 0.0}, "top-p"),
        ({"top_p": 1.5}, "top-p"),
        ({"seed": -1}, "seed"),
    ],
)
def test_values_that_mean_nothing(values: dict[str, float], sentence: str) -> None:
    with pytest.raises(EngineError, match=sentence):
        Sampling(**values)  # type: ignore[arg-type]
