"""Prefill and decode speed: greta's engine on the simulated device against llama.cpp.

Same GGUF file, same cores, one run: a round is a prefill of 128 tokens and a greedy decode of 128
by one, then by the other. Each lives in a process of its own and sleeps while the other works. The
median round of each counts.

    python benchmarks/infer_against_llama_cpp.py [--model smollm2 | FILE] [--rounds N] [--threads N]

llama-cpp-python is the peer. Build it from source, so that it uses what the machine has:

    CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX512=ON -DGGML_AVX512_VNNI=ON -DGGML_AVX512_VBMI=ON" \\
        pip install llama-cpp-python --no-binary llama-cpp-python
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from greta.model import find_model, open_model

PROMPT_TOKENS = 128
DECODED_TOKENS = 128
CONTEXT = 512
TEXT = (
    "The history of computing began long before the first electronic machine was switched on. "
    "People counted with pebbles, with knots in strings and with beads on wires. "
)
_GRETA, _LLAMA = "greta", "llama.cpp"


@dataclass(frozen=True)
class Round:
    """Tokens per second, and the tokens that were made."""

    prefill: float
    decode: float
    tokens: list[int]


Runner = Callable[[list[int]], Round]


def greta_runner(path: Path, threads: int) -> Runner:
    os.environ["GRETA_SIM_THREADS"] = str(threads)
    from greta import hip
    from greta.engine import Capacity, Engine, Request

    hip.choose_device("sim")
    engine = Engine(open_model(path), Capacity(batch=1, context=CONTEXT))

    def run(prompt: list[int]) -> Round:
        done = engine.generate(Request([prompt], 1 + DECODED_TOKENS)).run()
        statistics = done.statistics
        return Round(
            statistics.prefill_tokens_per_second,
            statistics.decode_tokens_per_second,
            done.tokens[0],
        )

    return run


def llama_runner(path: Path, threads: int) -> Runner:
    from llama_cpp import llama_cpp as api

    api.llama_log_set(_quiet(api), None)
    api.llama_backend_init()
    model = api.llama_model_load_from_file(str(path).encode(), api.llama_model_default_params())
    parameters = api.llama_context_default_params()
    parameters.n_ctx = CONTEXT
    parameters.n_threads = parameters.n_threads_batch = threads
    context = api.llama_init_from_model(model, parameters)
    greedy = api.llama_sampler_init_greedy()

    def step(tokens: list[int]) -> int:
        array = (api.llama_token * len(tokens))(*tokens)
        if api.llama_decode(context, api.llama_batch_get_one(array, len(tokens))):
            raise RuntimeError("llama_decode failed")
        return int(api.llama_sampler_sample(greedy, context, -1))

    def run(prompt: list[int]) -> Round:
        api.llama_memory_clear(api.llama_get_memory(context), True)
        started = perf_counter()
        tokens = [step(prompt)]
        prefilled = perf_counter()
        for _ in range(DECODED_TOKENS):
            tokens.append(step(tokens[-1:]))
        ended = perf_counter()
        return Round(
            len(prompt) / (prefilled - started), DECODED_TOKENS / (ended - prefilled), tokens
        )

    return run


def _quiet(api):  # type: ignore[no-untyped-def]
    global _kept  # llama.cpp calls it for as long as it lives
    _kept = api.llama_log_callback(lambda _level, _text, _data: None)
    return _kept


RUNNERS = {_GRETA: greta_runner, _LLAMA: llama_runner}


def serve(name: str, path: Path, threads: int) -> None:
    """A worker: a prompt on each line of stdin, a round on each line of stdout."""
    run = RUNNERS[name](path, threads)
    for line in sys.stdin:
        print(json.dumps(vars(run(json.loads(line)))), flush=True)


class Worker:
    """A process that runs rounds when told to."""

    def __init__(
        self, name: str, path: Path, threads: int, environment: Mapping[str, str] = os.environ
    ) -> None:
        command = [sys.executable, str(Path(__file__)), "--worker", name, "--model", str(path)]
        self._child = subprocess.Popen(
            [*command, "--threads", str(threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=dict(environment),
        )

    def run(self, prompt: list[int]) -> Round:
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(json.dumps(prompt) + "\n")
        self._child.stdin.flush()
        return Round(**json.loads(self._child.stdout.readline()))

    def close(self) -> None:
        self._child.communicate()


def measure(path: Path, rounds: int, threads: int) -> dict[str, list[Round]]:
    prompt = prompt_tokens(path)
    names = [_GRETA, _LLAMA] if importlib.util.find_spec("llama_cpp") else [_GRETA]
    workers = {name: Worker(name, path, threads) for name in names}
    for worker in workers.values():
        worker.run(prompt)  # to warm up
    found: dict[str, list[Round]] = {name: [] for name in names}
    for _ in range(rounds):
        for name, worker in workers.items():
            found[name].append(worker.run(prompt))
    for worker in workers.values():
        worker.close()
    return found


def prompt_tokens(path: Path) -> list[int]:
    tokens = open_model(path).tokenizer.encode(TEXT * 20)
    return tokens[:PROMPT_TOKENS]


def report(found: dict[str, list[Round]]) -> None:
    for what in ("prefill", "decode"):
        speeds = {name: median(getattr(r, what) for r in found[name]) for name in found}
        words = ", ".join(f"{name} {speed:.1f} tokens/s" for name, speed in speeds.items())
        ratio = f", ratio {speeds[_GRETA] / speeds[_LLAMA]:.2f}" if _LLAMA in speeds else ""
        print(f"{what} (128 tokens): {words}{ratio}")
    if _LLAMA not in found:
        print("llama-cpp-python is not installed, so there is no ratio; see the head of this file")
        return
    ours, theirs = found[_GRETA][0].tokens, found[_LLAMA][0].tokens
    same = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b), len(ours))
    print(f"the same tokens up to number {same} of {len(ours)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--worker", choices=list(RUNNERS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    path = find_model(options.model)
    if options.worker:
        serve(options.worker, path, options.threads)
        return
    print(f"{path.name}, {options.threads} threads, {options.rounds} rounds")
    report(measure(path, options.rounds, options.threads))


if __name__ == "__main__":
    main()
