"""`greta report`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from greta.api import rendered, reported_at
from greta.cli.common_options import add_language_option, report_format
from greta.errors import ExitCode, UsageError

_FORMATS = ("md", "html", "json")


class ReportCommand:
    """Write the report of an audit or of a run, for a person who has to decide something.

    RUN is the folder of an audit (artifacts/DATE/CASE), a run folder, or a summary.json. The HTML
    page is one file that needs no network. Every number in it comes from summary.json, or from
    verdict.json if it is one run.

    examples:
      greta report artifacts/2026-11-16/logits --lang es --format html -o informe.html
      greta report greta-runs/20261116-101500-app
    """

    name = "report"
    usage = "greta report RUN [--lang es|en] [--format md|html|json] [-o FILE]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("run", metavar="RUN", help="an audit's folder, or a run folder")
        add_language_option(parser)
        parser.add_argument(
            "--format",
            choices=_FORMATS,
            help="default: what the name of FILE says, or md",
        )
        parser.add_argument("-o", "--output", metavar="FILE", help="default: stdout")

    def run(self, options: argparse.Namespace) -> int:
        format_ = options.format or report_format(options.output, _FORMATS)
        reported = reported_at(Path(options.run))
        if options.output is None:
            sys.stdout.write(rendered(reported, options.lang, format_, None))
            return ExitCode.OK
        try:
            rendered(reported, options.lang, format_, options.output)
        except UsageError as error:
            raise UsageError(f"-o: {error}") from None
        return ExitCode.OK
