"""One inference, from the words of the command line to the text: what `greta infer` does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from greta.cli.infer_report import InferReport
from greta.cli.progress import download_bar
from greta.engine import (
    SUPPORT,
    Capacity,
    ContextLimitError,
    Engine,
    Generation,
    Request,
    Sampling,
    TraceSelection,
)
from greta.errors import UsageError
from greta.hip import choose_device
from greta.inherited import write_text
from greta.model import Model, TokenId, default_model, enforce, find_model, open_model


@dataclass(frozen=True)
class InferRequest:
    """What the command line asked for."""

    model: str | None
    prompts: list[bytes]
    chat: bool
    device: str | None
    sampling: Sampling | None
    max_tokens: int | None
    default_max_tokens: int
    context: int | None
    traces: Sequence[TraceSelection]
    trace_file: Path


def infer(request: InferRequest, report: InferReport) -> None:
    """Generates the text, streaming it to stdout, and tells the report what it needs to know."""
    report.device = choose_device(request.device)
    task = prepare(request, report)
    with _trace_file(request) as file:
        engine = Engine(task.model, task.capacity, traces=request.traces, trace_file=file)
        report.loaded()
        generation = engine.generate(task.request)
        report.generation = generation
        _stream(generation, len(task.request.prompts))
        for selection in engine.tracer.unmatched if engine.tracer else ():
            layers, steps = task.model.config.layers, max(map(len, generation.tokens), default=0)
            report.notice(
                f"--trace {selection} found nothing: the model has the layers 0 to {layers - 1}, "
                f"and the run had the steps 0 to {max(steps - 1, 0)}"
            )


@dataclass(frozen=True)
class Task:
    """What the device will be asked to do: a model that may be run, and prompts that fit."""

    model: Model
    capacity: Capacity
    request: Request


def prepare(request: InferRequest, report: InferReport) -> Task:
    """All that is done with the file before anything is allocated; the guard rail comes last."""
    model = open_model(_find(request.model, report))
    report.model = model
    prompts = _encoded(model, request)
    max_tokens, context = _sized(request, model, max(map(len, prompts)))
    report.guard_rail(enforce(model, SUPPORT, context_length=context))
    asked = Request(prompts, max_tokens, request.sampling, model.tokenizer.stops)
    return Task(model, Capacity(len(prompts), context), asked)


def _find(name: str | None, report: InferReport) -> Path:
    with download_bar("fetching the model") as progress:
        if name is not None:
            return find_model(name, progress)
        default = default_model(progress)
    if default.lacking:
        from greta.reports.lang import Say  # here: seldom needed, and slow to import

        report.notice(Say("en")("tiny_stands_in", why=default.lacking))
    return default.path


def _encoded(model: Model, request: InferRequest) -> list[list[TokenId]]:
    distinct = dict.fromkeys(request.prompts)  # in the order given
    by_text = {prompt: _tokens(model, prompt, request.chat) for prompt in distinct}
    model.tokenizer.release()  # the weights come next, and nothing is encoded after this
    return [by_text[prompt] for prompt in request.prompts]


def _tokens(model: Model, prompt: bytes, chat: bool) -> list[TokenId]:
    if chat:
        text = prompt.decode("utf-8", "replace")
        return model.chat.encode([{"role": "user", "content": text}])
    return model.tokenizer.encode(prompt)


def _sized(request: InferRequest, model: Model, longest: int) -> tuple[int, int]:
    """Tokens to generate and positions; what was not asked for adapts to what the model can."""
    most = model.config.context_length
    room = min(request.context or most, most) - longest
    if room < 1:
        raise ContextLimitError(
            f"the prompt has {longest} tokens, and the context ends at {longest + room}; "
            "shorten the prompt or raise --context if the model allows it"
        )
    max_tokens = request.max_tokens or min(request.default_max_tokens, room)
    return max_tokens, request.context or longest + max_tokens


@contextmanager
def _trace_file(request: InferRequest) -> Iterator[TextIO | None]:
    if not request.traces:
        yield None
        return
    try:
        # Lines reach the file one by one: a device that takes the process down leaves them there.
        file = request.trace_file.open("w", encoding="utf-8", buffering=1)
    except OSError as error:
        raise UsageError(
            f"--trace-file: cannot write {str(request.trace_file)!r}: {error.strerror}"
        ) from None
    try:
        yield file
    except BaseException:
        with suppress(OSError):  # what could not be written has been told
            file.close()
        raise
    file.close()


def _stream(generation: Generation, count: int) -> None:
    if count == 1:
        for piece in generation:
            if piece.text:
                write_text(piece.text)
        write_text("\n")
        return
    for number, text in enumerate(generation.run().texts):  # side by side they would mix
        write_text(f"[{number}] {text}\n")
