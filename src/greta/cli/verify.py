"""`greta verify`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from greta.cli.json_output import STDOUT, write_json_output
from greta.cli.language import add_language_option
from greta.cli.verdict_exit import exit_code_of
from greta.errors import ExitCode, UsageError
from greta.forensics.analysis import analyze, to_json
from greta.gather import Expectations, gather
from greta.lab.artifacts import DEFAULT_ROOT
from greta.lab.cases import KeptAudit, verify
from greta.lab.cases.history import read_summary, require_case
from greta.lab.cases.verification import Tally
from greta.reports.lang import Say
from greta.reports.terminal import print_lines
from greta.reports.verification import NOT_BETTER, verification_lines


class VerifyCommand:
    """Say whether a fix is proven, or whether the same numbers would appear by luck.

    RUN is an audit's folder (all its iterations count), a run folder (one run), or FAILURES/RUNS.
    An exact test compares before and after. Exit code: 0 proven, 3 not proven, 1 nothing improved.

    examples:
      greta verify logits --before artifacts/2026-11-14/logits --after artifacts/2026-11-16/logits
      greta verify logits --before 9/20 --after 0/20
    """

    name = "verify"
    usage = "greta verify ID --before RUN [RUN ...] --after RUN [RUN ...]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Declares the options."""
        parser.add_argument("id", metavar="ID", help="the case")
        parser.add_argument("--before", nargs="+", required=True, metavar="RUN", help="unfixed")
        parser.add_argument("--after", nargs="+", required=True, metavar="RUN", help="fixed")
        parser.add_argument("--out", metavar="DIR", default=str(DEFAULT_ROOT), help="(artifacts)")
        add_language_option(parser)
        parser.add_argument("--json", metavar="FILE", help="write the numbers; - is stdout")

    def run(self, options: argparse.Namespace) -> int:
        """Compares."""
        before, after = (
            [_tally(one, options) for one in runs] for runs in (options.before, options.after)
        )
        found = verify(before, after)
        if options.json:
            write_json_output(options.json, _as_json(options.id, found))
        if options.json != STDOUT:
            print_lines(verification_lines(found, Say(options.lang)))
        if found.proven:
            return ExitCode.OK
        return ExitCode.FAULT if found.code in NOT_BETTER else ExitCode.INCONCLUSIVE


def _tally(text: str, options: argparse.Namespace) -> Tally:
    failures, slash, runs = text.partition("/")
    if slash and failures.isdecimal() and runs.isdecimal() and int(failures) <= int(runs):
        return Tally(int(runs), int(failures))
    path = Path(text)
    if (path / "summary.json").is_file():
        summary = read_summary(path / "summary.json")
        if summary is None:
            raise UsageError(f"{path / 'summary.json'} is no summary of an audit")
        return KeptAudit(path, summary).tally
    if path.exists():
        return _of_run(path)
    dated = [one for one in require_case(Path(options.out), options.id) if one.date == text]
    if not dated:
        raise UsageError(
            f"{text!r} is neither an audit's folder, a run folder, FAILURES/RUNS nor a day with an "
            f"audit of the case {options.id}"
        )
    tallies = [one.tally for one in dated]
    return Tally(
        sum(one.runs for one in tallies),
        sum(one.failures for one in tallies),
        sum(one.inconclusive for one in tallies),
    )


def _of_run(path: Path) -> Tally:
    verdict = to_json(analyze(gather(path, Expectations())), Say("en").of)["verdict"]
    code = exit_code_of(verdict)
    if code == ExitCode.INCONCLUSIVE:
        return Tally(0, 0, 1)
    return Tally(1, int(code == ExitCode.FAULT))


def _as_json(case: str, found: Any) -> dict[str, Any]:
    test = found.test
    return {
        "schema": 1,
        "case": case,
        "result": found.code,
        "proven": found.proven,
        "before": vars(found.before),
        "after": vars(found.after),
        "p_value": test.p_value if test else None,
        "chance_unchanged": test.chance_unchanged if test else None,
        "runs_for_proof": test.runs_for_proof if test else None,
        "after_upper_95": test.after.upper if test else None,
    }
