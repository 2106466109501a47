"""`greta verify`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from greta.cli.common_options import (
    STDOUT,
    add_json_option,
    add_language_option,
    write_json_output,
)
from greta.errors import ExitCode, UsageError
from greta.forensics.analysis import analyze
from greta.forensics.verdict import exit_code_of
from greta.lab.artifacts import DEFAULT_ROOT
from greta.lab.cases.history import JudgedRuns, KeptAudit, read_entry, require_case
from greta.lab.cases.verification import (
    ComparedRuns,
    SideChanges,
    Verification,
    compare_sides,
    verify,
)
from greta.lab.environment import run_ran_with
from greta.lab.summary_json import read_summary
from greta.outside import is_there
from greta.reports.comparison import NOT_BETTER, side_lines, verification_lines
from greta.reports.lang import Say
from greta.reports.terminal import print_lines
from greta.runs.gather import gather
from greta.trace.evidence import Expectations


class VerifyCommand:
    """Say whether a fix is proven, or whether the same numbers would appear by luck.

    RUN is an audit's folder (all its iterations count), a run folder or a log (one run), or
    FAILURES/RUNS.
    An exact test compares before and after. Exit code: 0 proven, 3 not proven, 1 nothing improved.

    examples:
      greta verify logits --before artifacts/2026-11-14/logits --after artifacts/2026-11-16/logits
      greta verify logits --before 9/20 --after 0/20
    """

    name = "verify"
    usage = "greta verify ID --before RUN [RUN ...] --after RUN [RUN ...]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("id", metavar="ID", help="the case")
        parser.add_argument("--before", nargs="+", required=True, metavar="RUN", help="unfixed")
        parser.add_argument("--after", nargs="+", required=True, metavar="RUN", help="fixed")
        parser.add_argument("--out", metavar="DIR", default=str(DEFAULT_ROOT), help="(artifacts)")
        add_language_option(parser)
        add_json_option(parser, "the numbers")

    def run(self, options: argparse.Namespace) -> int:
        before, after = (
            [two for one in runs for two in _given(one, options)]
            for runs in (options.before, options.after)
        )
        given = [*before, *after]
        # Numbers alone need no case; whatever else is given was found by somebody who has one.
        if any(one.compared for one in given) and all(one.case != options.id for one in given):
            require_case(Path(options.out), options.id)
        found = verify([one.judged for one in before], [one.judged for one in after])
        sides = compare_sides(_compared(before), _compared(after))
        foreign = [one for one in given if one.case not in (None, options.id)]
        if options.json:
            write_json_output(options.json, _as_json(options.id, found, sides))
        if options.json != STDOUT:
            say = Say(options.lang)
            others = [(one.name, str(one.case)) for one in foreign]
            lines = verification_lines(found, say)
            print_lines([*lines, *side_lines(sides, others, options.id, say)])
        if found.proven:
            return ExitCode.OK
        return ExitCode.FAULT if found.code in NOT_BETTER else ExitCode.INCONCLUSIVE


@dataclass(frozen=True)
class _Given:
    name: str
    judged: JudgedRuns
    compared: ComparedRuns | None = None
    """What it ran with; None if it is only numbers."""
    case: str | None = None
    """The case of an audit."""


def _compared(given: Sequence[_Given]) -> list[ComparedRuns]:
    return [one.compared for one in given if one.compared is not None]


def _given(text: str, options: argparse.Namespace) -> list[_Given]:
    failures, slash, runs = text.partition("/")
    if slash and failures.isdecimal() and runs.isdecimal() and int(failures) <= int(runs):
        return [_Given(text, JudgedRuns(int(runs), int(failures)))]
    path = Path(text)
    if is_there(path / "summary.json"):
        summary = read_summary(path / "summary.json")
        if summary is None:
            raise UsageError(f"{path / 'summary.json'} is no summary of an audit")
        return [_of_audit(KeptAudit(path, summary, read_entry(path)))]
    if path.exists():
        # Of a log nobody knows what it ran with.
        compared = ComparedRuns(*run_ran_with(path)) if is_there(path / "run.json") else None
        return [_Given(text, _of_run(path), compared)]
    dated = [one for one in require_case(Path(options.out), options.id) if one.date == text]
    if not dated:
        raise UsageError(
            f"{text!r} is neither an audit's folder, a run folder, a log, FAILURES/RUNS nor a day "
            f"with an entry of the case {options.id}"
        )
    return [_of_audit(one) for one in dated]


def _of_audit(audit: KeptAudit) -> _Given:
    return _Given(str(audit.folder), audit.judged, ComparedRuns.of(audit.summary), audit.case)


def _of_run(path: Path) -> JudgedRuns:
    code = exit_code_of(analyze(gather(path, Expectations())).word)
    if code == ExitCode.INCONCLUSIVE:
        return JudgedRuns(0, 0, 1)
    return JudgedRuns(1, int(code == ExitCode.FAULT))


def _as_json(case: str, found: Verification, sides: SideChanges) -> dict[str, object]:
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
        "fix": [vars(change) for change in sides.fix],
        "other_differences": [vars(change) for change in sides.others],
    }
