"""`greta run`."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING

from rich.console import Console

from greta import api
from greta.cli.common_options import (
    add_ci_options,
    add_device_option,
    add_language_option,
    add_sim_options,
    exit_code,
    tell,
    wants_verdict,
    write_ci_files,
)
from greta.errors import GretaError, UsageError

if TYPE_CHECKING:
    from greta.reports.lang import Say
    from greta.reports.layout import TitledLine
    from greta.runs.record import CompletedRun
    from greta.runs.review import Review

_SOON_READ_BYTES = 64 << 20
_LEAST_RING, _MOST_RING = 64, 10_000_000
_MOST_FRAMES = 128  # kMostFrames in native/recorder/sites/native_stack.h
_SCALES = {"": 1, "k": 1_000, "M": 1_000_000}


class RunCommand:
    """Run any HIP program under the recorder, and keep what it did.

    Every HIP call of the program and of its children is recorded, however they reach HIP and
    however they end. What they write passes through unchanged; Ctrl-C and signals reach the
    program; its exit code is this command's (128 + N if signal N ended it). At the end a summary
    goes to stderr, and the verdict: with its cause if something went wrong, else in one line.

    A run folder, greta-runs/DATE-TIME-PROGRAM/ or the one that --out names, keeps the recording,
    stdout.log, stderr.log, and run.json: which program, libraries, model, device and environment
    it was.

    examples:
      greta run -- python script.py          on a GPU where there is one, else simulated
      greta run --device sim --strict -- ./a.out
      greta run --out before -- ./a.out --model m.gguf
      greta run --ring 100k -- ./server      for weeks: the last calls of each thread
      greta run --watch-host -- ./a.out      and does it read results too early?
      greta run --guard -- ./a.out           an overrun faults where it happens
      greta run --error-exitcode 70 --junit greta.xml -- ./a.out       in CI
    """

    name = "run"
    usage = "greta run [options] -- COMMAND [ARGUMENT ...]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        option = parser.add_argument
        add_device_option(parser)
        option("--out", metavar="DIR", help="the run folder: new, or empty")
        option(
            "--ring",
            type=_ring,
            metavar="N",
            help="keep only the last N records of each thread, such as 100k or 1M, and all that is "
            "allocated; takes N x 128 bytes for each thread",
        )
        option(
            "--watch-host",
            action="store_true",
            help="also notice when the program itself accesses pinned memory that a copy is still "
            "writing to, or changes what one is still reading; see docs/recording.md for its cost "
            "and its limits",
        )
        option(
            "--debug-agent",
            action="store_true",
            help="on a GPU: load AMD's debug agent (librocm-debug-agent.so.2), which prints the "
            "waves that a fault stopped, their kernel and source line; the verdict uses it",
        )
        option(
            "--stacks",
            type=_frames,
            metavar="N",
            help="how many native frames of a call to keep, 0 to 128 (32); up to 16 Python frames "
            "are kept beside them",
        )
        option(
            "--guard",
            nargs="?",
            const="::",
            type=_guard,
            metavar="MIN:MAX:BUDGET",
            help="place each hipMalloc before an unmapped page, so that an overrun faults at its "
            "kernel; sizes of allocations to guard and bytes to guard at once, such as 4k:1G:8G, "
            "each of which may be left out (all sizes, a quarter of the device's memory)",
        )
        option(
            "--disk",
            type=_bytes,
            metavar="SIZE",
            help="what the recording may take, such as 500M or 20G, before it keeps only the last "
            "calls of each thread (a tenth of what is free, at least 2G)",
        )
        option(
            "--keep-running",
            action="store_true",
            help="if this command is interrupted or killed, the program lives on and is recorded "
            "to its end; it gets no input from the terminal (without this it ends, too)",
        )
        option("--quiet", action="store_true", help="no summary at the end")
        add_language_option(parser)
        add_ci_options(parser)
        # For whoever ends the children that outlive the program, as an audit does.
        option("--drop-late-output", action="store_true", help=argparse.SUPPRESS)
        add_sim_options(parser, "the simulated device")
        option("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)

    def run(self, options: argparse.Namespace) -> int:
        if not options.program:
            raise UsageError(f"no program given; usage: {self.usage}")
        run = api.run(
            options.program,
            device=options.device,
            out=options.out,
            ring=options.ring,
            watch_host=options.watch_host,
            debug_agent=options.debug_agent,
            stacks=options.stacks,
            guard=options.guard,
            disk=options.disk,
            echo=True,
            devices=options.sim_devices,
            vram=options.vram,
            strict=options.strict,
            footprints=options.footprints,
            abort_on_fault=options.abort_on_fault,
            follow_children=not options.drop_late_output,
            keep_running=options.keep_running,
            tell=lambda text: tell(text, options.lang),
            read=False,
        )
        from greta.reports.lang import Say  # now: the program need not wait for what reports take

        say = Say(options.lang)
        try:
            review = run.review
            if run.completed and review and not options.quiet:
                _print_summary(run, run.completed, review, say)
            if wants_verdict(options):
                reported = run.reported()
                write_ci_files(options, reported, say)
                return exit_code(options, reported.verdict.word, run.exit_code or 0)
        except KeyboardInterrupt:
            told = say("run_interrupted", folder=str(run.path))
            print(f"\ngreta: {told}", file=sys.stderr)
        return run.exit_code or 0


def _print_summary(run: api.Run, completed: CompletedRun, review: Review, say: Say) -> None:
    from greta.reports.run_summary import next_line, summarize

    lines = summarize(completed, review, say)
    wrong = bool(run.exit_code) or any(line.tone == "bad" for line in lines)
    verdict = _verdict(run, wrong, say) if wrong or review.bytes <= _SOON_READ_BYTES else []
    lines += next_line(completed, review.counts, say, judged=bool(verdict))
    _print(lines, completed.at_line_start)
    if verdict:
        _print(verdict, at_line_start=True)


def _verdict(run: api.Run, wrong: bool, say: Say) -> list[TitledLine]:
    """The verdict, with its cause if something went wrong or is in doubt.

    Of a long recording without an error it is not asked for: that may take many seconds.
    """
    from greta.forensics.verdict import VerdictWord
    from greta.reports.layout import TitledLine
    from greta.reports.terminal import cause_lines, verdict_line

    try:
        verdict = run.judged()
    except GretaError as error:
        none = TitledLine(say("run_verdict"), say("run_no_verdict", why=str(error)), "odd")
        return [none] if wrong else []
    reported = api.reported_run(verdict, run.facts, run.path)
    if wrong or verdict.doubts or verdict.word is VerdictWord.REPRODUCED:
        return cause_lines(reported, say)
    return verdict_line(reported, say) if verdict.coverage.calls else []


def _print(lines: list[TitledLine], at_line_start: bool) -> None:
    # The program's output and ours meet in a terminal, or where both go to one file.
    sys.stderr.write("\n" if at_line_start else "\n\n")
    if sys.stderr.isatty():
        from greta.reports.terminal import print_in_colour

        print_in_colour(lines, Console(stderr=True, highlight=False))
    else:
        from greta.reports.layout import plain_spaces, printable

        width = max(len(line.title) for line in lines)
        for line in lines:
            text = plain_spaces(printable(line.text))
            print(f"greta: {line.title:<{width}}  {text}", file=sys.stderr)
    sys.stderr.flush()


def _frames(text: str) -> int:
    if not text.isdecimal() or int(text) > _MOST_FRAMES:
        raise argparse.ArgumentTypeError(f"a number from 0 to {_MOST_FRAMES}, not {text!r}")
    return int(text)


def _bytes(text: str) -> int:
    match = re.fullmatch(r"([0-9]{1,12})([kKMGT]?)", text)
    if not match or not int(match[1]):
        raise argparse.ArgumentTypeError(f"a size such as 500M or 20G, not {text!r}")
    return int(match[1]) << 10 * " KMGT".index(match[2].upper() or " ")


def _guard(text: str) -> str:
    parts = text.split(":")
    if len(parts) > 3:
        raise argparse.ArgumentTypeError(f"MIN:MAX:BUDGET, not {text!r}")
    return ":".join(str(_bytes(part)) if part else "" for part in [*parts, "", ""][:3])


def _ring(text: str) -> int:
    match = re.fullmatch(r"([0-9]{1,9})([kM]?)", text)
    records = int(match[1]) * _SCALES[match[2]] if match else 0
    if not _LEAST_RING <= records <= _MOST_RING:
        raise argparse.ArgumentTypeError(
            f"must be a number of records from {_LEAST_RING} to {_MOST_RING:,} (1.2 GiB for each "
            f"thread), such as 100k, not {text!r}"
        )
    return records
