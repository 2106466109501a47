"""`greta run`."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.console import Console

from greta.cli.refusal import refusal
from greta.cli.run_device import RunDevice, choose_run_device
from greta.cli.run_verdict import verdict_of
from greta.cli.sim_options import add_sim_options, sim_settings
from greta.errors import UsageError
from greta.runs import Line as SummaryLine
from greta.runs import (
    Run,
    RunRequest,
    find_recorder,
    record,
    require_watch,
    review,
)
from greta.runs.places import shortened

if TYPE_CHECKING:
    from greta.reports.lines import Line

_LEAST_RING, _MOST_RING = 64, 10_000_000
_SCALES = {"": 1, "k": 1_000, "M": 1_000_000}


class RunCommand:
    """Run any HIP program under the recorder, and keep what it did.

    Every HIP call of the program and of its children is recorded, however they reach HIP and
    however they end. What they write passes through unchanged; Ctrl-C and signals reach the
    program; its exit code is this command's (128 + N if signal N ended it). At the end a summary
    goes to stderr, and the verdict if something went wrong.

    A run folder, greta-runs/DATE-TIME-PROGRAM/ or the one that --out names, keeps the recording,
    stdout.log, stderr.log, and run.json: which program, libraries, model, device and environment
    it was.

    examples:
      greta run -- python script.py          on a GPU where there is one, else simulated
      greta run --device sim --strict -- ./a.out
      greta run --out before -- ./a.out --model m.gguf
      greta run --ring 100k -- ./server      for weeks: the last calls of each thread
      greta run --watch-host -- ./a.out      and does it read results too early?
    """

    name = "run"
    usage = "greta run [options] -- COMMAND [ARGUMENT ...]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Declares the options."""
        parser.add_argument(
            "--device",
            choices=("auto", "hip", "sim"),
            help="a GPU (hip), the simulated device (sim), or what there is (auto, the default)",
        )
        parser.add_argument("--out", metavar="DIR", help="the run folder: new, or empty")
        parser.add_argument(
            "--ring",
            type=_ring,
            metavar="N",
            help="keep only the last N records of each thread, such as 100k or 1M, and all that is "
            "allocated; takes N x 128 bytes for each thread",
        )
        parser.add_argument(
            "--watch-host",
            action="store_true",
            help="also notice when the program itself touches pinned memory that a copy is still "
            "writing to, or changes what one is still reading; see docs/recording.md for its cost "
            "and its limits",
        )
        parser.add_argument("--quiet", action="store_true", help="no summary at the end")
        # For whoever ends the children that outlive the program, as an audit does.
        parser.add_argument("--drop-late-output", action="store_true", help=argparse.SUPPRESS)
        add_sim_options(parser, "the simulated device")
        parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)

    def run(self, options: argparse.Namespace) -> int:
        """Runs the program; returns its exit code."""
        if not options.program:
            raise UsageError(f"no program given; usage: {self.usage}")
        run = _record(options)
        try:
            lines = review(run)
            if not options.quiet:
                verdict = verdict_of(run, lines)
                _print(_pointing_at(_shown(lines), run, verdict), run.at_line_start)
                if verdict:
                    _print(verdict, at_line_start=True)
        except KeyboardInterrupt:
            print(f"\ngreta: interrupted; the run is in {run.folder.path}", file=sys.stderr)
        return run.ending.exit_code


# Reports are loaded when the program has ended: it need not wait for them.
def _shown(lines: Sequence[SummaryLine]) -> list[Line]:
    from greta.reports.lines import Line

    return [Line(line.title, line.text, line.tone) for line in lines]


def _pointing_at(lines: list[Line], run: Run, verdict: list[Line]) -> list[Line]:
    """Where there is a verdict, the next thing to look at is its reasons."""
    if not verdict:
        return lines
    again = f"greta analyze {shlex.quote(shortened(run.folder.path))}"
    return [replace(line, text=again) if line.title == "next" else line for line in lines]


def _record(options: argparse.Namespace) -> Run:
    device = choose_run_device(options.device, sim_settings(options))
    request = RunRequest(
        command=options.program,
        environment=_environment(device, options.watch_host),
        device=device.facts,
        recorder=find_recorder(),
        out=options.out,
        ring=options.ring,
        watch_host=options.watch_host,
        follow_children=not options.drop_late_output,
    )
    if options.watch_host:
        require_watch(request.recorder)
    try:
        return record(request)
    except OSError as error:
        raise refusal(options.program[0], error) from None


def _environment(device: RunDevice, watch_host: bool) -> dict[str, str]:
    if not watch_host or device.facts["kind"] != "hip":
        return device.environment
    # A GPU reaches pinned memory through the process' page tables, unless the driver allocates it;
    # only then can the pages be protected without taking them away from the GPU.
    return {"HSA_USERPTR_FOR_PAGED_MEM": "0", **device.environment}


def _print(lines: list[Line], at_line_start: bool) -> None:
    # The program's output and ours meet in a terminal, or where both go to one file.
    sys.stderr.write("\n" if at_line_start else "\n\n")
    if sys.stderr.isatty():
        _print_in_terminal(lines)
    else:
        _print_in_log(lines)
    sys.stderr.flush()


def _print_in_terminal(lines: list[Line]) -> None:
    from greta.reports.terminal import print_in_colour

    print_in_colour(lines, Console(stderr=True, highlight=False))


def _print_in_log(lines: list[Line]) -> None:
    from greta.reports.layout import plain_spaces, printable

    width = max(len(line.title) for line in lines)
    for line in lines:
        text = plain_spaces(printable(line.text))
        print(f"greta: {line.title:<{width}}  {text}", file=sys.stderr)


def _ring(text: str) -> int:
    match = re.fullmatch(r"([0-9]{1,9})([kM]?)", text)
    records = int(match[1]) * _SCALES[match[2]] if match else 0
    if not _LEAST_RING <= records <= _MOST_RING:
        raise argparse.ArgumentTypeError(
            f"must be a number of records from {_LEAST_RING} to {_MOST_RING:,} (1.2 GiB for each "
            f"thread), such as 100k, not {text!r}"
        )
    return records
