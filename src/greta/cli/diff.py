"""`greta diff`."""

from __future__ import annotations

import argparse
from pathlib import Path

from greta.cli.common_options import add_language_option
from greta.errors import ExitCode, UsageError
from greta.forensics.analysis import analyze
from greta.lab.difference import difference
from greta.reports.comparison import difference_lines
from greta.reports.lang import Say
from greta.reports.terminal import print_lines
from greta.runs.folder import refuse_audit_folder
from greta.runs.gather import gather
from greta.trace.evidence import Expectations


class DiffCommand:
    """Show two runs side by side: order of calls, sizes, results, timing, what ran, verdict.

    Calls are compared by what they ask for; addresses and handles differ from run to run anyway.
    `a | b` stands for the value in A and in B.

    examples:
      greta diff greta-runs/before greta-runs/after
      greta diff greta-runs/before greta-runs/after --lang es
    """

    name = "diff"
    usage = "greta diff A B [--lang es|en]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("a", metavar="A", help="a run folder")
        parser.add_argument("b", metavar="B", help="another")
        add_language_option(parser)

    def run(self, options: argparse.Namespace) -> int:
        paths = [Path(options.a), Path(options.b)]
        for path in paths:
            refuse_audit_folder(path)
            if not (path / "recording").is_dir():
                raise UsageError(f"{path} is no run folder; name what `greta run` has kept")
        one, two = (analyze(gather(path, Expectations())).verdict.value for path in paths)
        found = difference(paths[0], paths[1])
        print_lines(difference_lines(found, (one, two), Say(options.lang)))
        return ExitCode.OK
