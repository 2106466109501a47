"""One inference, from the words of the command line to the text, and what is said beside it."""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from greta.cli.common_options import STDOUT, write_output
from greta.cli.progress import download_bar
from greta.engine import (
    SUPPORT,
    Capacity,
    ContextLimitError,
    Engine,
    Generation,
    Request,
    Sampling,
    Statistics,
    TraceSelection,
)
from greta.errors import UsageError
from greta.hip import DeviceChoice, choose_device
from greta.inherited import write_text
from greta.model import Mismatch, Model, TokenId, default_model, enforce, find_model, open_model
from greta.model.guard_rail import VARIABLE, listed
from greta.printable import printable


@dataclass(frozen=True)
class InferRequest:
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


def infer(request: InferRequest, report: InferReport, *, shows_text: bool = True) -> None:
    """Generates the text, streaming it to stdout, and tells the report what it needs to know."""
    report.device = choose_device(request.device)
    task = prepare(request, report)
    with _trace_file(request) as file:
        engine = Engine(task.model, task.capacity, traces=request.traces, trace_file=file)
        report.loaded()
        generation = engine.generate(task.request)
        report.generation = generation
        if shows_text:
            _stream(generation, len(task.request.prompts))
        else:
            generation.run()
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
    report.opened(model)
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


_RULE = "═" * 59


class InferReport:
    """Gathers what is known as the run goes on, so that a failure can be reported at any point."""

    def __init__(self, json_file: str | None) -> None:
        self._json_file = json_file
        self.device: DeviceChoice | None = None
        self.model: Model | None = None
        self.generation: Generation | None = None
        self._loaded_after: float | None = None

    def require_writable(self) -> None:
        """Raises UsageError for a JSON file that cannot be written, before there is one to lose."""
        if self._json_file in (None, STDOUT):
            return
        if problem := _why_unwritable(Path(self._json_file)):
            name, self._json_file = self._json_file, None
            raise UsageError(f"--json: cannot write {name!r}: {problem}")

    def notice(self, text: str) -> None:
        print(f"greta: {text}", file=sys.stderr)

    def guard_rail(self, mismatches: list[Mismatch]) -> None:
        """Warnings, and a loud one if a model goes on that should not."""
        if any(mismatch.fatal for mismatch in mismatches):
            _tell(f"[GUARD_RAIL] WARNING: Guard rail DISABLED via {VARIABLE}")
        for line in listed(mismatches):
            _tell(f"[GUARD_RAIL] WARNING: {line}")
        if any(mismatch.fatal for mismatch in mismatches):
            _tell("[GUARD_RAIL] Continuing with potentially incompatible model...")

    def loaded(self) -> None:
        """The model is on the device: so old is the process then."""
        stat = Path("/proc/self/stat").read_text(encoding="ascii", errors="replace")
        started = int(stat.rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        self._loaded_after = time.clock_gettime(time.CLOCK_BOOTTIME) - started

    def opened(self, model: Model) -> None:
        """Which model it is, before anything can go wrong with it."""
        self.model = model
        known = model.described()
        about = f"{known['architecture']}, {model.parameters / 1e6:.4g}M parameters"
        self.notice(
            f"model {printable(str(known['title']))} ({about}, {known['quantization']}): "
            f"{known['layers']} layers, width {known['width']}, {known['heads']} heads, "
            f"{known['kv_heads']} KV heads, feed-forward {known['feed_forward']}, "
            f"vocabulary {known['vocabulary']}"
        )

    def succeeded(self) -> None:
        if self.generation is None:
            raise RuntimeError("nothing was generated")
        self._write_json("OK", None)
        _tell(f"{_RULE}\nStatistics:")
        for title, text in self._lines(self.generation.statistics):
            _tell(f"  {title}: {text}")
        _tell("\nSTATUS=OK")

    def failed(self, error: BaseException) -> None:
        """The end of a run that failed; the error itself is printed by others."""
        sentence = str(error) or type(error).__name__
        try:
            self._write_json("ERROR", sentence)
        except UsageError as unwritable:  # the first error is the one to raise
            _tell(f"greta: {unwritable}")
        _tell("STATUS=ERROR")

    def _lines(self, statistics: Statistics) -> list[tuple[str, str]]:
        lines = [
            ("Prompt tokens", str(statistics.prompt_tokens)),
            ("Generated tokens", str(statistics.generated_tokens)),
            ("Total time", _milliseconds(statistics.total_time)),
            ("Time to first token", _milliseconds(statistics.time_to_first_token)),
            ("Tokens/second", f"{statistics.tokens_per_second:.4f}"),
            ("Prefill tokens/second", f"{statistics.prefill_tokens_per_second:.1f}"),
            ("Decode tokens/second", f"{statistics.decode_tokens_per_second:.1f}"),
        ]
        if self._loaded_after is not None:
            lines.append(("Start-up", _milliseconds(self._loaded_after)))
        return lines

    def _write_json(self, status: str, error: str | None) -> None:
        if self._json_file is None:
            return
        text = json.dumps(self._facts(status, error), indent=2, ensure_ascii=False) + "\n"
        write_output("--json", self._json_file, text)

    def _facts(self, status: str, error: str | None) -> dict[str, object]:
        generation = self.generation
        return {
            "schema": 1,
            "status": status,
            "error": error,
            "model": str(self.model.path) if self.model else None,
            "model_facts": self.model.described() if self.model else None,
            "device": self.device.kind.value if self.device else None,
            "texts": generation.texts if generation else [],
            "tokens": generation.tokens if generation else [],
            "finish": generation.finishes if generation else [],
            "statistics": self._numbers() if status == "OK" else None,
        }

    def _numbers(self) -> dict[str, float | None]:
        if self.generation is None:
            return {}
        s = self.generation.statistics
        return {
            "prompt_tokens": s.prompt_tokens,
            "generated_tokens": s.generated_tokens,
            "total_ms": s.total_time * 1e3,
            "time_to_first_token_ms": s.time_to_first_token * 1e3,
            "tokens_per_second": s.tokens_per_second,
            "prefill_tokens_per_second": s.prefill_tokens_per_second,
            "decode_tokens_per_second": s.decode_tokens_per_second,
            "startup_ms": None if self._loaded_after is None else self._loaded_after * 1e3,
        }


def _why_unwritable(path: Path) -> str | None:
    """Found without opening it: it may be a pipe, whose reader would take that for the end."""
    if path.is_dir():
        return os.strerror(errno.EISDIR)
    if not path.parent.is_dir():
        return os.strerror(errno.ENOENT)
    is_allowed = os.access(path if path.exists() else path.parent, os.W_OK)
    return None if is_allowed else os.strerror(errno.EACCES)


def _tell(text: str) -> None:
    print(text, file=sys.stderr)


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.3f} ms"
