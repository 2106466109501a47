"""One iteration: the prompt through the engine, alone or on several streams at once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from greta.engine import Engine, Generation, Request
from greta.engine.annotations import Annotations
from greta.engine.workload.messages import Answer, Order
from greta.engine.workload.stress import Delays, Pressure
from greta.errors import GretaError
from greta.model import Model


def run_iteration(
    order: Order, engines: list[Engine], model: Model, delays: Delays, annotations: Annotations
) -> Answer:
    """Runs it. An error that is named becomes part of the answer; others are defects and raise."""
    # A prompt that is longer than the context is cut to fit: the workload matters, not the text.
    room = engines[0].capacity.context - order.max_tokens
    prompt = model.tokenizer.encode(order.text)[: max(1, room)]
    request = Request([prompt], order.max_tokens, stops=model.tokenizer.stops)
    generations = [engine.generate(request) for engine in engines[: order.streams]]
    delays.switch(order.seed if order.delays else None)
    began = time.perf_counter()
    try:
        error = _run(generations, order, annotations)
    finally:
        delays.switch(None)
    return _answer(order, generations, time.perf_counter() - began, error)


def _run(
    generations: list[Generation], order: Order, annotations: Annotations
) -> dict[str, Any] | None:
    def run(place: int) -> None:
        # Ranges are a thread's own: each says for itself which iteration its calls belong to.
        with annotations.range(f"iteration={order.iteration}"):
            _generate(generations[place], order, place)

    try:
        if len(generations) == 1:
            _generate(generations[0], order, 0)
        else:
            with ThreadPoolExecutor(len(generations)) as pool:
                list(pool.map(run, range(len(generations))))
    except GretaError as error:
        beneath = getattr(error, "error", None) or error  # a transfer fails by a HIP error
        facts = {name: getattr(beneath, name, None) for name in ("call", "code", "name")}
        return {**facts, "kind": type(error).__name__, "text": str(error)}
    return None


def _generate(generation: Generation, order: Order, place: int) -> None:
    pressure = Pressure(order.seed + place) if order.pressure else None
    for _ in generation:
        if pressure is not None:
            pressure.step()
    if pressure is not None:
        pressure.release()


def _answer(
    order: Order, generations: list[Generation], seconds: float, error: dict[str, Any] | None
) -> Answer:
    statistics = None if error else generations[0].statistics
    return Answer(
        iteration=order.iteration,
        tokens=[tokens for generation in generations for tokens in generation.tokens],
        seconds=seconds,
        tokens_per_second=statistics.decode_tokens_per_second if statistics else None,
        first_token_seconds=statistics.time_to_first_token if statistics else 0.0,
        error=error,
    )
