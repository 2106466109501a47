"""`greta analyze`."""

from __future__ import annotations

import argparse
from pathlib import Path

from greta.api import judged, reported_run
from greta.cli.common_options import (
    STDOUT,
    add_ci_options,
    add_expectations,
    add_language_option,
    exit_code,
    write_ci_files,
)
from greta.errors import UsageError
from greta.forensics.verdict import HYPOTHESES
from greta.reports.lang import Say
from greta.reports.terminal import explanation_lines, print_lines, verdict_lines
from greta.runs.folder import read_run
from greta.runs.kept import last_run
from greta.trace.evidence import Expectations


class AnalyzeCommand:
    """Say what a run or a log shows: the fault and its cause, or that the evidence is not there.

    PATH is a run folder of `greta run`, a recording, another tool's log (AMD_LOG_LEVEL, rocprofv3,
    ROCr and HIP fault lines, dmesg, PyTorch, llama.cpp, GRETA's own lines), or a folder of logs;
    several paths are taken as one run. Beside a run, PyTorch's memory snapshot or a region file of
    HRR says which blocks lie in its allocations.

    The call that reported an error and the operation that caused it are told apart. Every verdict
    names its evidence by the numbers of calls that `greta export` shows. Exit code: 0 no fault was
    seen and everything was, 1 a fault was seen, 3 the evidence does not allow a verdict.

    examples:
      greta analyze                          the last run in greta-runs/
      greta analyze greta-runs/20261116-101500-app
      greta analyze stderr.log dmesg.txt
      greta analyze RUN snapshot.pickle
      greta analyze RUN --explain missing_sync
      greta analyze RUN --json verdict.json --lang es
      greta analyze RUN --sarif greta.sarif --error-exitcode 70
    """

    name = "analyze"
    usage = "greta analyze [PATH ...] [options]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        option = parser.add_argument
        option("paths", nargs="*", metavar="PATH", help="a run folder or a log (the last run)")
        add_ci_options(parser)
        option(
            "--explain",
            metavar="HYPOTHESIS",
            help=f"the full reasoning on: {', '.join(HYPOTHESES)}",
        )
        add_language_option(parser)
        add_expectations(parser)

    def run(self, options: argparse.Namespace) -> int:
        if options.explain and options.explain not in HYPOTHESES:
            known = ", ".join(HYPOTHESES)
            raise UsageError(f"--explain: there is no {options.explain!r}; there are: {known}")
        say = Say(options.lang)
        expectations = Expectations(options.expect_build, tuple(options.expect_text))
        paths = [Path(path) for path in options.paths] or [last_run()]
        verdict = judged(paths, expectations)
        facts = read_run(paths[0]) if len(paths) == 1 else None
        reported = reported_run(verdict, facts, paths[0])
        write_ci_files(options, reported, say)
        if options.explain:
            print_lines(explanation_lines(verdict, options.explain, say))
        elif STDOUT not in (options.json, options.junit, options.sarif):
            print_lines(verdict_lines(reported, say))
        return exit_code(options, verdict.word, verdict.exit_code)
