"""The child process itself: serves requests, each one iteration on one engine or on several.

Requests and answers are JSON, one object a line. Stress comes from outside the engine: pauses
between its operations, and device memory that comes and goes.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any, BinaryIO, Final

from greta import hip
from greta.engine import SUPPORT, Capacity, Engine, Generation, Request
from greta.engine.annotations import RoctxRanges, find_annotations
from greta.engine.workload.processor import processor_times, share_waited
from greta.errors import GretaError
from greta.model import Model, default_model, enforce, find_model, open_model


@dataclass(frozen=True)
class IterationRequest:
    """One iteration to run."""

    iteration: int
    text: str
    seed: int
    max_tokens: int
    streams: int = 1
    """So many engines at once, each on a stream of its own."""
    delays: bool = False
    """Random pauses between operations, from the seed."""
    pressure: bool = False
    """Device memory comes and goes between tokens."""


@dataclass(frozen=True)
class RaisedError:
    """An error that ended an iteration; the first three if a HIP call is beneath it."""

    call: str | None
    code: int | None
    name: str | None
    kind: str
    text: str


@dataclass(frozen=True)
class Answer:
    """The result of one iteration."""

    iteration: int
    tokens: list[list[int]]
    """One list a stream."""
    seconds: float
    waited: float
    """So much of it for a processor that others had."""
    tokens_per_second: float | None
    first_token_seconds: float
    error: RaisedError | None = None
    """What the engine raised, if it is an error of ours."""


@dataclass(frozen=True)
class Hello:
    """The first line: the workload has started and loaded its model."""

    pid: int


def line(message: IterationRequest | Answer | Hello) -> bytes:
    """A message as one line of JSON."""
    return json.dumps(asdict(message)).encode() + b"\n"


def parse_request(text: bytes) -> IterationRequest:
    """What one line asks for."""
    return IterationRequest(**json.loads(text))


OPERATIONS: Final = (
    *("hipModuleLaunchKernel", "hipGraphLaunch", "hipMemcpyAsync"),
    *("hipEventRecord", "hipEventSynchronize", "hipStreamSynchronize"),
)
_SHARE: Final = 0.05
_LONGEST_SECONDS: Final = 0.002
_MOST_HELD: Final = 4
_LARGEST: Final = 4 << 20


class Delays:
    """Pauses before some of the calls that a device is given. Off until a seed switches them on."""

    def __init__(self) -> None:
        self._draw: random.Random | None = None

    def install(self) -> None:
        """Must come before the engine is made: it keeps the calls that it makes often."""
        for name in OPERATIONS:
            hip.replace_call(name, self._slowed)

    def switch(self, seed: int | None) -> None:
        """On, drawing from `seed`; None: off."""
        self._draw = None if seed is None else random.Random(seed)  # noqa: S311  not a secret

    def _slowed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def slowed(*arguments: Any, **named: Any) -> Any:
            draw = self._draw
            if draw is not None and draw.random() < _SHARE:
                time.sleep(draw.random() * _LONGEST_SECONDS)
            return call(*arguments, **named)

        return slowed


class Pressure:
    """Allocates and frees device memory, a step at a time."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)  # noqa: S311  not a secret
        self._held: list[hip.Buffer] = []

    def step(self) -> None:
        """One allocation, and one that goes when there are enough."""
        if len(self._held) >= _MOST_HELD:
            self._held.pop(self._draw.randrange(len(self._held))).free()
        self._held.append(hip.Buffer(self._draw.randint(1, _LARGEST)))

    def release(self) -> None:
        """All of it goes."""
        while self._held:
            self._held.pop().free()


def main(arguments: list[str] | None = None, prepare: Callable[[], None] = lambda: None) -> int:
    """Serves until the requests end. `prepare` is called once the device is chosen."""
    parser = argparse.ArgumentParser("python -m greta.engine.workload", description=main.__doc__)
    parser.add_argument("--model", help="as for greta infer")
    parser.add_argument("--requests", type=int, required=True, help="a descriptor to read from")
    parser.add_argument("--answers", type=int, required=True, help="a descriptor to write to")
    parser.add_argument("--context", type=int, default=512, help="positions of each engine")
    parser.add_argument("--streams", type=int, default=1, help="engines, each on its own stream")
    parser.add_argument("--delays", action="store_true", help="requests may ask for pauses")
    options = parser.parse_args(arguments)
    # An audit that has lost its patience asks where it hangs; the answer is in stderr.log.
    faulthandler.register(signal.SIGUSR2, all_threads=True)
    with os.fdopen(options.requests, "rb") as requests, os.fdopen(options.answers, "wb") as answers:
        try:
            _serve(options, requests, answers, prepare)
        except GretaError as error:
            print(f"greta: {error}", file=sys.stderr)
            return error.exit_code
    return 0


def _serve(
    options: argparse.Namespace, requests: BinaryIO, answers: BinaryIO, prepare: Callable[[], None]
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
    before, began = processor_times(), time.perf_counter()
    try:
        error = _run(generations, request, annotations)
    finally:
        delays.switch(None)
    seconds = time.perf_counter() - began
    waited = share_waited(seconds, before, processor_times())
    statistics = None if error else generations[0].statistics
    return Answer(
        iteration=request.iteration,
        tokens=[tokens for generation in generations for tokens in generation.tokens],
        seconds=seconds,
        waited=waited,
        tokens_per_second=statistics.decode_tokens_per_second if statistics else None,
        first_token_seconds=statistics.time_to_first_token if statistics else 0.0,
        error=error,
    )


def _run(
    generations: list[Generation], request: IterationRequest, annotations: RoctxRanges
) -> RaisedError | None:
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
        call, code, name = (getattr(beneath, fact, None) for fact in ("call", "code", "name"))
        return RaisedError(call, code, name, type(error).__name__, str(error))
    return None


def _generate(generation: Generation, request: IterationRequest, place: int) -> None:
    pressure = Pressure(request.seed + place) if request.pressure else None
    for _ in generation:
        if pressure is not None:
            pressure.step()
    if pressure is not None:
        pressure.release()


if __name__ == "__main__":
    sys.exit(main())
