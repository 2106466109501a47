"""Generations: where they end, that they repeat, what a batch makes, what they cost."""

from __future__ import annotations

import pytest

from greta.engine import ContextLimitError, Engine, EngineError, Request, Sampling
from greta.model import TokenId
from tests.engine.conftest import OpenEngine, OpenModel
from tests.engine.tiny import prompts


def generated(engine: Engine, request: Request) -> list[list[TokenId]]:
    return engine.generate(request).run().tokens


@pytest.mark.parametrize("sampling", [None, Sampling(temperature=1.5, top_k=0, top_p=1.0, seed=7)])
def test_twenty_repeats_are_identical(
    sampling: Sampling | None, engine: OpenEngine, prompt: list[int]
) -> None:
    seen = set()
    for _ in range(20):
        tokens = generated(engine(), Request([prompt], 8, sampling))
        bits = engine().scheduler.logits().copy().tobytes()
        seen.add((tuple(tokens[0]), bits))
    assert len(seen) == 1


@pytest.mark.parametrize("weights", ["f32", "q4_1", "q6_k"])
def test_a_batch_of_four_is_four_single_runs(weights: str, engine: OpenEngine) -> None:
    several = prompts([3, 70, 17, 64])
    together = generated(engine(weights, batch=4), Request(several, 12))
    alone = [generated(engine(weights), Request([one], 12))[0] for one in several]
    assert together == alone


def test_a_smaller_batch_fits_into_a_larger_engine(engine: OpenEngine) -> None:
    several = prompts([5, 9])
    alone = [generated(engine(), Request([one], 6))[0] for one in several]
    assert generated(engine(batch=4), Request(several, 6)) == alone


def test_copies_of_a_prompt_draw_different_tokens(engine: OpenEngine, prompt: list[int]) -> None:
    sampling = Sampling(temperature=2.0, top_k=0, top_p=1.0)
    first, second, *_ = generated(engine(batch=4), Request([prompt] * 4, 12, sampling))
    assert first != second
    assert generated(engine(), Request([prompt], 12, sampling)) == [first]
    next_seed = Sampling(temperature=2.0, top_k=0, top_p=1.0, seed=1)
    assert generated(engine(), Request([prompt], 12, next_seed)) == [second]


def test_another_seed_is_another_text(engine: OpenEngine, prompt: list[int]) -> None:
    texts = [
        generated(engine(), Request([prompt], 12, Sampling(2.0, 0, 1.0, seed=seed)))
        for seed in (1, 2)
    ]
    assert texts[0] != texts[1]


def test_a_stop_token_ends_the_text_and_is_not_part_of_it(
    engine: OpenEngine, prompt: list[int]
) -> None:
    whole = generated(engine(), Request([prompt], 12))[0]
    stop = whole[4]
    stopped = engine().generate(Request([prompt], 12, stops=frozenset([stop]))).run()
    assert stopped.tokens == [whole[: whole.index(stop)]]
    assert stopped.finishes == ["stop"]


def test_in_a_batch_each_sequence_stops_for_itself(engine: OpenEngine) -> None:
    several = prompts([3, 70, 17, 64])
    whole = generated(engine(batch=4), Request(several, 12))
    stop = whole[0][2]
    stopped = engine(batch=4).generate(Request(several, 12, stops=frozenset([stop]))).run()
    cut = [tokens[: tokens.index(stop)] if stop in tokens else tokens for tokens in whole]
    assert stopped.tokens == cut


def test_pieces_are_the_text(engine: OpenEngine, tiny: OpenModel, prompt: list[int]) -> None:
    generation = engine().generate(Request([prompt], 12))
    pieces = list(generation)
    assert [piece.token for piece in pieces if piece.token is not None] == generation.tokens[0]
    assert "".join(piece.text for piece in pieces) == generation.texts[0]
    assert generation.texts == [tiny("q8_0").tokenizer.decode(generation.tokens[0])]


def test_statistics_count_all_sequences(engine: OpenEngine) -> None:
    statistics = engine(batch=4).generate(Request(prompts([3, 5]), 6)).run().statistics
    assert (statistics.prompt_tokens, statistics.generated_tokens) == (8, 12)
    assert 0 < statistics.time_to_first_token < statistics.total_time
    assert statistics.tokens_per_second == pytest.approx(12 / statistics.total_time)
    assert statistics.decode_tokens_per_second == pytest.approx(10 / statistics.decode_time)


def test_the_context_can_be_filled_to_its_end(engine: OpenEngine, prompt: list[int]) -> None:
    small = engine(context=80)
    assert len(generated(small, Request([prompt], 10))[0]) == 10


def test_beyond_the_context_is_one_sentence(engine: OpenEngine, prompt: list[int]) -> None:
    with pytest.raises(ContextLimitError, match=r"70 tokens and 11 are to be generated.*for 80"):
        engine(context=80).generate(Request([prompt], 11))


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (Request([[]], 1), "has no tokens"),
        (Request([[1]], 0), "1 or more, not 0"),
        (Request([[512]], 1), "token 512 is not one of the model's 512"),
        (Request([[-1]], 1), "token -1"),
        (Request([[1], [2]], 1), "2 prompts, and this engine takes 1 to 1"),
        (Request([], 1), "0 prompts"),
    ],
)
def test_what_cannot_be_generated(request_: Request, sentence: str, engine: OpenEngine) -> None:
    with pytest.raises(EngineError, match=sentence):
        engine().generate(request_)


def test_statistics_are_there_when_it_has_ended(engine: OpenEngine) -> None:
    with pytest.raises(RuntimeError, match="not ended"):
        _ = engine().generate(Request([[1]], 1)).statistics
