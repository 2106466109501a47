"""`greta diff`."""

from __future__ import annotations

import argparse
from pathlib import Path

from greta.api import reported_at
from greta.cli.common_options import (
    STDOUT,
    add_json_option,
    add_language_option,
    write_json_output,
)
from greta.errors import ExitCode
from greta.forensics.analysis import analyze
from greta.forensics.verdict_json import dump_verdict
from greta.lab.difference import difference
from greta.lab.trace_difference import TOLERANCE, is_trace_file, trace_difference
from greta.outside import is_there
from greta.reports.comparison import (
    difference_lines,
    trace_difference_lines,
    verdict_difference_lines,
)
from greta.reports.lang import Say
from greta.reports.terminal import print_lines
from greta.runs.gather import gather
from greta.trace.evidence import Expectations
from greta.typed_json import Json, encode


class DiffCommand:
    """Show two runs side by side: order of calls, sizes, results, timing, what ran, verdict.

    Calls are compared by what they ask for; addresses and handles differ from run to run anyway.
    `a | b` stands for the value in A and in B. Logs, audits and their summary.json are compared by
    what is said of them. Of two trace files of `greta infer --trace`, it names the first site,
    layer and step whose numbers differ.

    examples:
      greta diff greta-runs/before greta-runs/after
      greta diff greta-runs/before greta-runs/after --lang es
      greta diff 2026-02-06.log greta-runs/after
      greta diff good.jsonl bad.jsonl --tolerance 1e-4
    """

    name = "diff"
    usage = "greta diff A B [--tolerance T] [--json FILE] [--lang es|en]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "a", metavar="A", help="a run folder, an audit, a log, or a trace file (.jsonl)"
        )
        parser.add_argument("b", metavar="B", help="another")
        parser.add_argument(
            "--tolerance",
            type=_tolerance,
            default=TOLERANCE,
            metavar="T",
            help="of trace files: which part of the largest number is no difference (%(default)s)",
        )
        add_language_option(parser)
        add_json_option(parser)

    def run(self, options: argparse.Namespace) -> int:
        say, paths = Say(options.lang), [Path(options.a), Path(options.b)]
        data: Json = {"schema": 1, "a": options.a, "b": options.b}
        if any(map(is_trace_file, paths)):
            traces = trace_difference(paths[0], paths[1], options.tolerance)
            data |= {"kind": "traces", **encode(traces)}
            lines = trace_difference_lines(traces, say)
        elif all(map(_is_run, paths)):
            words = [analyze(gather(path, Expectations())).word.value for path in paths]
            found = difference(paths[0], paths[1])
            data |= {"kind": "runs", "verdicts": words, **encode(found)}
            lines = difference_lines(found, (words[0], words[1]), say)
        else:
            one, two = (reported_at(path) for path in paths)
            verdicts = [dump_verdict(side.verdict, say.of) for side in (one, two)]
            data |= {"kind": "verdicts", "verdicts": verdicts}
            lines = verdict_difference_lines(one, two, say)
        if options.json:
            write_json_output(options.json, data)
        if options.json != STDOUT:
            print_lines(lines)
        return ExitCode.OK


def _is_run(path: Path) -> bool:
    return (path / "recording").is_dir() and not is_there(path / "summary.json")


def _tolerance(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value
