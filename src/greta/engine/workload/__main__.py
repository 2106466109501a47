"""The child process itself."""

from __future__ import annotations

import argparse
import faulthandler
import os
import signal
import sys
from collections.abc import Callable
from typing import BinaryIO

from greta import hip
from greta.engine import SUPPORT, Capacity, Engine
from greta.engine.annotations import find_annotations
from greta.engine.workload.iteration import run_iteration
from greta.engine.workload.messages import Hello, line, order
from greta.engine.workload.stress import Delays
from greta.errors import GretaError
from greta.model import default_model, enforce, find_model, open_model


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
    parser.add_argument("--delays", action="store_true", help="orders may ask for pauses")
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
        asked = order(text)
        with annotations.range(f"iteration={asked.iteration}"):
            answer = run_iteration(asked, engines, model, delays, annotations)
        answers.write(line(answer))
        answers.flush()


if __name__ == "__main__":
    sys.exit(main())
