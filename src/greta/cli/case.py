"""`greta case`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Final

from greta.api import reported_at
from greta.cli.common_options import (
    STDOUT,
    add_json_option,
    add_language_option,
    report_format,
    write_json_output,
    write_output,
)
from greta.errors import ExitCode, UsageError
from greta.lab.artifacts import DEFAULT_ROOT
from greta.lab.cases.case_file import (
    REASONS,
    SEVERITIES,
    Closing,
    add_entry,
    close,
    now,
    read_facts,
    write_facts,
)
from greta.lab.cases.factors import separating_factors
from greta.lab.cases.history import AddedEntry, find_audits, history, require_case
from greta.reports import html, markdown
from greta.reports.case_file import CaseStory, case_lines, case_page, list_lines
from greta.reports.lang import Say
from greta.reports.layout import TitledLine
from greta.reports.reported import dump_reported
from greta.reports.terminal import print_lines
from greta.typed_json import Json, encode

_FORMATS = ("md", "html")


class CaseCommand:
    """Keep the case file: what was seen of a fault over days, and what became of it.

    `greta audit --case ID` adds to a case; `add` takes what else there is: a run folder, another
    tool's log, an audit's folder. `show` tells each verdict, what changed since the entry before,
    how the blame moved, what is proven, and the factor (binary, library, model, variable, prompt
    ...) that separates failing iterations from passing ones, with an exact test that is corrected
    for the number of factors tried. `report` makes a page of it. `close` refuses a reason that the
    entries do not bear out; a case is open again when an entry shows the fault after that.

    examples:
      greta case add logits crash.log --date 2026-02-06 --note "first seen by the nightly run"
      greta case add logits greta-runs/20260207-101500-app
      greta case show logits --lang es
      greta case set logits --severity high --follow-up "the same for the 8B model"
      greta case close logits --reason fixed
      greta case report logits -o logits.html
    """

    name = "case"
    usage = "greta case list | add ID RUN|LOG|AUDIT | show ID | report ID | set ID | close ID"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("action", choices=tuple(_ACTIONS), help="list: all cases")
        parser.add_argument("id", nargs="?", metavar="ID", help="the case")
        parser.add_argument("what", nargs="?", metavar="RUN", help="add: a run, a log or an audit")
        parser.add_argument("--out", metavar="DIR", default=str(DEFAULT_ROOT), help="(artifacts)")
        parser.add_argument(
            "--date", type=_day, metavar="DAY", help="add: YYYY-MM-DD (that of the run, or today)"
        )
        parser.add_argument("--note", metavar="TEXT", default="", help="add, close: in your words")
        parser.add_argument("--author", metavar="NAME", default="", help="add, set, close: whose")
        parser.add_argument("--severity", choices=SEVERITIES, help="set")
        parser.add_argument(
            "--follow-up", metavar="TEXT", action="append", default=[], help="set: left to do"
        )
        parser.add_argument("--reason", choices=REASONS, help="close: why")
        parser.add_argument("--of", metavar="ID", help="close: the case that it is a duplicate of")
        parser.add_argument("--format", choices=_FORMATS, help="report (md)")
        parser.add_argument("-o", "--output", metavar="FILE", help="report: default is stdout")
        add_language_option(parser)
        add_json_option(parser, "list, show, set, close: what they print")

    def run(self, options: argparse.Namespace) -> int:
        if options.action != "list" and options.id is None:
            raise UsageError(
                f"which case? usage: greta case {options.action} ID; see `greta case list`"
            )
        if options.what is not None and options.action != "add":
            raise UsageError(f"greta case {options.action} takes one ID, and no {options.what!r}")
        _ACTIONS[options.action](options)
        return ExitCode.OK


def _list(options: argparse.Namespace) -> None:
    root, refused = Path(options.out), list[str]()
    audits = find_audits(root, refused=refused)
    facts = {audit.case: read_facts(root, audit.case) for audit in audits}
    if options.json:
        cases = {case: [one for one in audits if one.case == case] for case in facts}
        found = [
            CaseStory(case, tuple(history(own)), (), facts[case]) for case, own in cases.items()
        ]
        listed = [_as_json(story) for story in found]
        write_json_output(options.json, {"schema": 1, "cases": listed, "refused": refused})
    if options.json != STDOUT:
        print_lines(list_lines(audits, facts, Say(options.lang)))
    for why in refused:
        print(f"greta: {why}", file=sys.stderr)


def _story(options: argparse.Namespace) -> CaseStory:
    root = Path(options.out)
    audits = require_case(root, options.id)
    observations = [one for audit in audits for one in audit.observations]
    factors = tuple(separating_factors(observations))
    return CaseStory(options.id, tuple(history(audits)), factors, read_facts(root, options.id))


def _show(options: argparse.Namespace) -> None:
    story = _story(options)
    if options.json:
        write_json_output(options.json, {"schema": 1, **_as_json(story)})
    if options.json != STDOUT:
        print_lines(case_lines(story, Say(options.lang)))


def _as_json(story: CaseStory) -> Json:
    entries = [
        {
            "date": one.audit.date,
            "folder": str(one.audit.folder),
            "source": one.audit.source,
            "verdict": one.audit.word.value,
            "at_fault": one.audit.diagnosed or None,
            "diagnosis": one.diagnosis,
            "note": one.audit.entry.note,
            "runs": vars(one.audit.judged),
            "changes": encode(one.changes),
        }
        for one in story.entries
    ]
    facts = {"state": story.state, **encode(story.facts), "factors": encode(story.factors)}
    return {"case": story.case, **facts, "entries": entries}


def _report(options: argparse.Namespace) -> None:
    format_ = options.format or report_format(options.output, _FORMATS)
    page = case_page(_story(options), Say(options.lang))
    text = (html if format_ == "html" else markdown).render(page)
    write_output("-o", options.output or STDOUT, text)


def _add(options: argparse.Namespace) -> None:
    if options.what is None:
        raise UsageError("add what? usage: greta case add ID RUN|LOG|AUDIT")
    path = Path(options.what)
    reported = reported_at(path)
    source = "log" if reported.from_log else "audit" if reported.summary.tests else "run"
    entry = AddedEntry(source, str(path), now(), options.note, options.author)
    day = options.date or _started(reported.summary.started) or date.today()
    summary = dump_reported(reported, Say("en").of)
    folder = add_entry(Path(options.out), options.id, day, summary, entry)
    say = Say(options.lang)
    print_lines([TitledLine(options.id, say("case_filed", folder=str(folder)))])


def _set(options: argparse.Namespace) -> None:
    root = Path(options.out)
    require_case(root, options.id)
    facts = read_facts(root, options.id)
    changed = replace(
        facts,
        severity=options.severity or facts.severity,
        author=options.author or facts.author,
        follow_ups=(*facts.follow_ups, *options.follow_up),
    )
    write_facts(root, options.id, changed)
    _show(options)


def _close(options: argparse.Namespace) -> None:
    if options.reason is None:
        raise UsageError(f"why? --reason {', '.join(REASONS)}")
    root = Path(options.out)
    audits = require_case(root, options.id)
    if options.of is not None:
        require_case(root, options.of)
    closing = Closing(options.reason, now(), options.note, options.author, options.of)
    write_facts(root, options.id, close(read_facts(root, options.id), audits, closing))
    _show(options)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day, such as 2026-02-06") from None


def _started(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


_ACTIONS: Final[dict[str, Callable[[argparse.Namespace], None]]] = {
    "list": _list,
    "add": _add,
    "show": _show,
    "report": _report,
    "set": _set,
    "close": _close,
}
