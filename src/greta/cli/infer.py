"""`greta infer`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from greta.cli.common_options import STDOUT, add_device_option, add_json_option, whole_number
from greta.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from greta.cli.infer_run import InferRequest
    from greta.engine import Sampling

_MAX_TOKENS = 128
_count = whole_number(1, sys.maxsize, "a number, 1 or more")
_TRACE_FILE = "greta-trace.jsonl"


class InferCommand:
    """Run a Llama model from a GGUF file on a HIP device, with or without a GPU.

    The text goes to stdout as it is generated; statistics and STATUS go to stderr at the end. The
    model is a GGUF file, or `smollm2` (fetched once, 98 MB), or `tiny` (made on the spot; its text
    means nothing), or `tiny:TYPE` with weights of another type. Without --model it is smollm2.

    Before anything is allocated, the guard rail checks the model against itself and against the
    kernels. GRETA_DISABLE_GUARD_RAIL=1 runs a model that it refuses, if it can be run.

    Every copy from the device goes through greta's safe transfer: GCORE_D2H_AUDIT=1 logs each one,
    GRETA_D2H_DEBUG=1 checks more of it. --trace copies tensors from inside the network and writes
    a line of JSON about each: SITE is logits, rmsnorm, attention, wo, mlp or kv; LAYERS and STEPS
    are numbers such as 3 or 0,2-4. Step 0 is prefill, step n the nth token after the first.

    exit codes: 0 STATUS=OK, 1 the device failed or the logits are not numbers, 2 a bad option or a
    model that cannot be run.

    examples:
      greta infer --prompt "The capital of France is" --greedy --max-tokens 8
      greta infer --chat --prompt "Why is the sky blue?" --temperature 0.7 --seed 1
      greta infer --model m.gguf --prompt-file prompt.txt --json result.json
      greta infer --prompt "Once" --batch-size 4 --max-tokens 32
      greta infer --model tiny --prompt x --greedy --trace attention:0:0-2 --trace logits
      greta run -- greta infer --prompt "Hello"        and keep every HIP call it makes
    """

    name = "infer"
    usage = "greta infer [--model M] (--prompt TEXT | --prompt-file FILE) [options]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        _add_input(parser)
        _add_choice(parser)
        _add_size(parser)
        _add_output(parser)

    def run(self, options: argparse.Namespace) -> int:
        # Here, not at the top: `greta --help` must not wait for the engine's libraries.
        from greta.cli.infer_run import InferReport, infer

        report = InferReport(options.json)
        try:
            report.require_writable()
            infer(_request(options), report, shows_text=options.json != STDOUT)
        except BrokenPipeError:  # the reader of the text has seen enough
            raise
        except (Exception, KeyboardInterrupt) as error:
            report.failed(error)
            raise
        report.succeeded()
        return ExitCode.OK


def _add_input(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what to run")
    option = group.add_argument
    option("--model", metavar="M", help="a GGUF file, smollm2, tiny or tiny:TYPE")
    option(
        "--prompt",
        metavar="TEXT",
        action="append",
        help="the text to continue; several are continued side by side",
    )
    option("--prompt-file", metavar="FILE", help="read it from a file; - is stdin")
    option("--chat", action="store_true", help="ask it as a question, by the model's chat template")
    add_device_option(group)


def _add_choice(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("sampling")
    option = group.add_argument
    option("--greedy", action="store_true", help="always the most probable token")
    option("--temperature", type=float, metavar="T", help="sampling temperature (0.8)")
    option(
        "--top-k", type=int, metavar="K", help="sample from the K most probable tokens (40; 0: all)"
    )
    option(
        "--top-p",
        type=float,
        metavar="P",
        help="nucleus sampling: the most probable tokens that sum to P (0.95)",
    )
    option(
        "--seed", type=int, metavar="S", help="random seed; the same seed gives the same text (0)"
    )


def _add_size(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how much")
    group.add_argument(
        "--max-tokens",
        type=_count,
        metavar="N",
        help=f"tokens to generate ({_MAX_TOKENS}, or fewer if the context ends before)",
    )
    group.add_argument(
        "--context", type=_count, metavar="N", help="positions of the context (as many as needed)"
    )
    group.add_argument(
        "--batch-size", type=_count, metavar="N", help="N copies of the prompt, side by side"
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what to write")
    group.add_argument(
        "--trace",
        metavar="SITE[:LAYERS][:STEPS]",
        action="append",
        default=[],
        help="describe tensors inside the network; may be given several times",
    )
    group.add_argument("--trace-file", metavar="FILE", help=f"where the traces go ({_TRACE_FILE})")
    add_json_option(group, "texts, tokens and statistics")


def _request(options: argparse.Namespace) -> InferRequest:
    from greta.cli.infer_run import InferRequest
    from greta.engine import parse_trace

    if options.trace_file and not options.trace:
        raise UsageError("--trace-file: there is nothing to write; say what with --trace")
    return InferRequest(
        model=options.model,
        prompts=_prompts(options),
        chat=options.chat,
        device=options.device,
        sampling=_sampling(options),
        max_tokens=options.max_tokens,
        default_max_tokens=_MAX_TOKENS,
        context=options.context,
        traces=[parse_trace(text) for text in options.trace],
        trace_file=Path(options.trace_file or _TRACE_FILE),
    )


def _prompts(options: argparse.Namespace) -> list[bytes]:
    if (options.prompt is None) == (options.prompt_file is None):
        raise UsageError("give either --prompt or --prompt-file; see `greta infer --help`")
    if options.prompt_file is not None:
        prompts = [_prompt_in(options.prompt_file)]
    else:
        prompts = [os.fsencode(text) for text in options.prompt]
    if options.batch_size is None:
        return prompts
    if len(prompts) > 1:
        raise UsageError("--batch-size makes copies of one prompt; drop it, or all prompts but one")
    copies: int = options.batch_size
    return prompts * copies


_LONGEST_PROMPT: Final = 64 << 20


def _prompt_in(name: str) -> bytes:
    if name == "-" and sys.stdin is None:
        raise UsageError("--prompt-file: stdin is closed; give a file, or a prompt with --prompt")
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            text = file.read(_LONGEST_PROMPT + 1)
    except OSError as error:
        raise UsageError(f"--prompt-file: cannot read {name!r}: {error.strerror}") from None
    if len(text) > _LONGEST_PROMPT:
        raise UsageError(f"--prompt-file: {name!r} is longer than {_LONGEST_PROMPT:,} bytes")
    return text


def _sampling(options: argparse.Namespace) -> Sampling | None:
    from greta.engine import Sampling

    names = ("temperature", "top_k", "top_p", "seed")
    given = {name: value for name in names if (value := getattr(options, name)) is not None}
    if not options.greedy:
        return Sampling(**given)
    if given:
        flag = next(iter(given)).replace("_", "-")
        raise UsageError(f"--greedy always takes the likeliest token; drop it, or drop --{flag}")
    return None
