"""`greta case`."""

from __future__ import annotations

import argparse
from pathlib import Path

from greta.cli.common_options import add_language_option
from greta.errors import ExitCode, UsageError
from greta.lab.artifacts import DEFAULT_ROOT
from greta.lab.cases.factors import separating_factors
from greta.lab.cases.history import find_audits, history, require_case
from greta.reports.case_file import case_lines, list_lines
from greta.reports.lang import Say
from greta.reports.terminal import print_lines


class CaseCommand:
    """Show the case file: all audits of a case over days, and what separates its failures.

    `greta audit --case ID` adds to a case. `show` tells each verdict, what changed since the audit
    before, how the diagnosis evolved, and the factor (binary, library, model, variable, prompt ...)
    that separates failing iterations from passing ones, with an exact test that is corrected for
    the number of factors tried.

    examples:
      greta case list
      greta case show logits --lang es
    """

    name = "case"
    usage = "greta case list | greta case show ID [options]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("action", choices=("list", "show"), help="all cases, or one")
        parser.add_argument("id", nargs="?", metavar="ID", help="the case to show")
        parser.add_argument("--out", metavar="DIR", default=str(DEFAULT_ROOT), help="(artifacts)")
        add_language_option(parser)

    def run(self, options: argparse.Namespace) -> int:
        root, say = Path(options.out), Say(options.lang)
        if options.action == "list":
            print_lines(list_lines(find_audits(root), say))
            return ExitCode.OK
        if options.id is None:
            raise UsageError("which case? usage: greta case show ID; see `greta case list`")
        audits = require_case(root, options.id)
        observations = [one for audit in audits for one in audit.observations]
        print_lines(case_lines(history(audits), separating_factors(observations), say))
        return ExitCode.OK
