"""The child process itself: serves requests, each one iteration on one engine or on several."""

from __future__ import annotations

import argparse
import faulthandler
import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO

from greta import hip
from greta.engine import SUPPORT, Capacity, Engine, Generation, Request
from greta.engine.annotations import RoctxRanges, find_annotations
from greta.engine.workload.messages import Answer, Hello, IterationRequest, line, parse_request
from greta.engine.workload.stress import Delays, Pressure
from greta.errors import GretaError
from greta.model import Model, default_model, enforce, find_model, open_model


def main(arguments: list[str] | None = None, prepare: Callable[[], None] = lambda: None) -> int:
    """Serves until the requests end. `prepare` is called once the device is chosen."""
    options = _parser().parse_args(arguments)
    # An audit that has lost its patience asks where it hangs; the answer is in stderr.log.
    faulthandler.register(signal.SIGUSR2, all_threads=True)
    with os.fdopen(options.requests, "rb") as requests, os.fdopen(options.answers, "wb") as answers:
        try:
            _serve(options, requests, answers, prepare)
        except GretaError as error:
            print(f"greta: {error}", file=sys.stderr)
            return error.exit_code
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m greta.engine.workload", description=main.__doc__)
    parser.add_argument("--model", help="as for greta infer")
    parser.add_argument("--requests", type=int, required=True, help="a descriptor to read from")
    parser.add_argument("--answers", type=int, required=True, help="a descriptor to write to")
    parser.add_argument("--context", type=int, default=512, help="positions of each engine")
    parser.add_argument("--streams", type=int, default=1, help="engines, each on its own stream")
    parser.add_argument("--delays", action="store_true", help="requests may ask for pauses")
    return parser


def _serve(
    options: argparse.Namespace,
    requests: BinaryIO,
    answers: BinaryIO,
    prepare: Callable[[], None],
) -> None:
    hip.choose_device()
    model = open_model(find_model(options.model) if options.model else default_model().path)
    context = min(options.context, model.config.context_length)
    enforce(model, SUPPORT, context_length=context)
    delays = Delays()
    if options.delays:  # else every call would seem to come from there
        delays.install()
    prepare()
    engines = [Engine(model, Capacity(1, context)) for _ in range(options.streams)]
    answers.write(line(Hello(os.getpid())))
    answers.flush()
    annotations = find_annotations()
    for text in requests:
        asked = parse_request(text)
        with annotations.range(f"iteration={asked.iteration}"):
            answer = run_iteration(asked, engines, model, delays, annotations)
        answers.write(line(answer))
        answers.flush()


def run_iteration(
    request: IterationRequest,
    engines: list[Engine],
    model: Model,
    delays: Delays,
    annotations: RoctxRanges,
) -> Answer:
    """Runs it. An error that is named becomes part of the answer; others are defects and raise."""
    # A prompt that is longer than the context is cut to fit: the workload matters, not the text.
    room = engines[0].capacity.context - request.max_tokens
    prompt = model.tokenizer.encode(request.text)[: max(1, room)]
    each = Request([prompt], request.max_tokens, stops=model.tokenizer.stops)
    generations = [engine.generate(each) for engine in engines[: request.streams]]
    delays.switch(request.seed if request.delays else None)
    began = time.perf_counter()
    try:
        error = _run(generations, request, annotations)
    finally:
        delays.switch(None)
    return _answer(request, generations, time.perf_counter() - began, error)


def _run(
    generations: list[Generation], request: IterationRequest, annotations: RoctxRanges
) -> dict[str, Any] | None:
    def run(place: int) -> None:
        # Ranges are a thread's own: each says for itself which iteration its calls belong to.
        with annotations.range(f"iteration={request.iteration}"):
            _generate(generations[place], request, place)

    try:
        if len(generations) == 1:
            _generate(generations[0], request, 0)
        else:
            with ThreadPoolExecutor(len(generations)) as pool:
                list(pool.map(run, range(len(generations))))
    except GretaError as error:
        beneath = getattr(error, "error", None) or error  # a transfer fails by a HIP error
        facts = {name: getattr(beneath, name, None) for name in ("call", "code", "name")}
        return {**facts, "kind": type(error).__name__, "text": str(error)}
    return None


def _generate(generation: Generation, request: IterationRequest, place: int) -> None:
    pressure = Pressure(request.seed + place) if request.pressure else None
    for _ in generation:
        if pressure is not None:
            pressure.step()
    if pressure is not None:
        pressure.release()


def _answer(
    request: IterationRequest,
    generations: list[Generation],
    seconds: float,
    error: dict[str, Any] | None,
) -> Answer:
    statistics = None if error else generations[0].statistics
    return Answer(
        iteration=request.iteration,
        tokens=[tokens for generation in generations for tokens in generation.tokens],
        seconds=seconds,
        tokens_per_second=statistics.decode_tokens_per_second if statistics else None,
        first_token_seconds=statistics.time_to_first_token if statistics else 0.0,
        error=error,
    )


if __name__ == "__main__":
    sys.exit(main())
