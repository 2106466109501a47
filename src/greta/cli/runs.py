"""`greta runs`."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

from greta.cli.common_options import (
    STDOUT,
    add_json_option,
    add_language_option,
    whole_number,
    write_json_output,
)
from greta.errors import ExitCode, GretaError, UsageError
from greta.reports.blocks import Cell, Table
from greta.reports.lang import Say, sized
from greta.reports.layout import TitledLine
from greta.reports.terminal import print_lines
from greta.runs.folder import DEFAULT_PARENT, shortened
from greta.runs.kept import KeptRun, chosen_to_go, find_runs, remove_run
from greta.typed_json import Json

_SOON_JUDGED = 64 << 20
_UNITS = {"d": 1.0, "h": 1 / 24, "w": 7.0}
_LONGEST = 48


class RunsCommand:
    """List the run folders that are kept, with verdict and size, and remove old ones.

    DIR is where the folders are (greta-runs). The verdict of a recording above 64 MiB is not asked
    for here: `greta analyze` gives it. `prune` removes runs that are older than --older and not
    among the newest --keep; it shows them and asks first, unless --yes is given. A run that is
    still going on, or was cut, is never removed.

    examples:
      greta runs
      greta runs prune --older 14d --keep 10
      greta runs prune --keep 5 --yes
    """

    name = "runs"
    usage = "greta runs [list|prune] [DIR] [--older AGE] [--keep N] [--yes] [--json FILE]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        option, count = parser.add_argument, whole_number(0, 999_999, "a number of runs")
        option("words", nargs="*", metavar="[list|prune] [DIR]", help="what to do, and where")
        option("--older", type=_age, metavar="AGE", help="prune: older than, such as 12h, 14d, 2w")
        option("--keep", type=count, metavar="N", help="prune: all but the newest N")
        option("--yes", action="store_true", help="prune: without asking")
        add_json_option(parser, "the list")
        add_language_option(parser)

    def run(self, options: argparse.Namespace) -> int:
        words = list(options.words)
        action = words.pop(0) if words and words[0] in ("list", "prune") else "list"
        if len(words) > 1:
            raise UsageError(f"one folder at a time; usage: {self.usage}")
        parent = Path(words[0]) if words else DEFAULT_PARENT
        runs = find_runs(parent) if words or parent.exists() else []
        say = Say(options.lang)
        if action == "prune":
            return _prune(runs, options, say)
        if options.json:
            found = [_as_json(run, say) for run in runs]
            write_json_output(options.json, {"schema": 1, "runs": found})
        if options.json != STDOUT:
            print_lines(_lines(runs, say))
        return ExitCode.OK


def _as_json(run: KeptRun, say: Say) -> Json:
    started = run.started.isoformat() if run.started else None
    about = {"folder": str(run.path), "started": started, "bytes": run.bytes}
    return {**about, "command": list(run.facts.command), "verdict": _verdict(run, say)}


def _prune(runs: list[KeptRun], options: argparse.Namespace, say: Say) -> int:
    if options.older is None and options.keep is None:
        raise UsageError("which runs? say --older AGE, --keep N, or both")
    going = chosen_to_go(runs, datetime.now(timezone.utc), options.older, options.keep)
    total = sized(sum(run.bytes for run in going))
    if not going:
        print(say("runs_none_to_go"))
        return ExitCode.OK
    print_lines(_lines(going, say))
    if not options.yes and not _agreed(say("runs_ask", count=len(going), size=total)):
        raise UsageError("nothing was removed; --yes removes them without asking")
    for run in going:
        remove_run(run)
    print(say("runs_removed", count=len(going), size=total))
    return ExitCode.OK


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        return False
    return input(f"{question} [y/N] ").strip().lower() in ("y", "yes", "s", "sí", "si")


def _lines(runs: list[KeptRun], say: Say) -> list[TitledLine]:
    if not runs:
        return [TitledLine(say("runs_title"), say("runs_none"))]
    header = tuple(
        say(f"runs_{name}") for name in ("folder", "started", "verdict", "size", "command")
    )
    table = Table(header, tuple(_row(run, say) for run in runs))
    total = sized(sum(run.bytes for run in runs))
    return [
        TitledLine(say("runs_title"), "", table=table),
        TitledLine("", say("runs_total", count=len(runs), size=total)),
    ]


def _row(run: KeptRun, say: Say) -> tuple[Cell, ...]:
    command = shlex.join(run.facts.command)
    short = command if len(command) <= _LONGEST else f"{command[: _LONGEST - 1]}…"
    started = run.started.strftime("%Y-%m-%d %H:%M") if run.started else "?"
    cells = (shortened(run.path), started, _verdict(run, say), sized(run.bytes), short)
    return tuple(Cell(text, number=place == 3) for place, text in enumerate(cells))


def _verdict(run: KeptRun, say: Say) -> str:
    if not run.facts.finished:
        return say("runs_unfinished")
    if run.bytes > _SOON_JUDGED:
        return say("runs_not_judged")
    from greta.api import open_run

    try:
        return open_run(run.path).verdict().word.value
    except GretaError:
        return say("runs_unreadable")


def _age(text: str) -> timedelta:
    match = re.fullmatch(r"([0-9]{1,5})([hdw])", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no age; write it as 12h, 14d or 2w")
    return timedelta(days=int(match[1]) * _UNITS[match[2]])
