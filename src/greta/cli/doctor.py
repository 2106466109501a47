"""`greta doctor`."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import replace

from rich.console import Console
from rich.table import Table
from rich.text import Text

import greta
from greta.cli.common_options import STDOUT, add_language_option, write_json_output
from greta.errors import ExitCode
from greta.machine import MachineCheck, State, examine
from greta.reports.lang import Say
from greta.reports.sentences import fact_value

_STYLES: dict[State, str] = {"ok": "green", "note": "yellow", "missing": "bold red"}


class DoctorCommand:
    """Show what this machine has, and what to do about what is missing.

    Looks for a GPU and AMD's library, says which device is chosen and why, and runs a copy and a
    kernel on the simulated device.

    exit codes: 0 HIP programs can run here, 1 something that takes is missing.

    examples:
      greta doctor
      greta doctor --json machine.json       for a bug report
      greta doctor --json - | jq .ready
    """

    name = "doctor"
    usage = "greta doctor [--json FILE] [--lang es|en]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--json",
            metavar="FILE",
            nargs="?",
            const=STDOUT,
            help="write it as JSON; - or nothing is stdout",
        )
        add_language_option(parser)

    def run(self, options: argparse.Namespace) -> int:
        say = Say(options.lang)
        checks = [
            replace(check, found=_told(check.found, say), advice=_told(check.advice, say))
            for check in examine(say)
        ]
        ready = all(check.state != "missing" for check in checks)
        if options.json is not None:
            found = [{"title": say(f"doctor_{check.id}"), **vars(check)} for check in checks]
            about = {"schema": 1, "greta": greta.__version__, "ready": ready, "checks": found}
            write_json_output(options.json, about)
        if options.json != STDOUT:
            _print(checks, ready, say)
        return ExitCode.OK if ready else ExitCode.FAULT


def _told(text: str, say: Say) -> str:
    """Why a device was chosen, or there is none, is said by greta.hip, which speaks English."""
    return "".join(fact_value(part, say) for part in re.split("(: |; )", text))


def _print(checks: list[MachineCheck], ready: bool, say: Say) -> None:
    words = {state: say(f"doctor_state_{state}") for state in _STYLES}
    titles = {check.id: say(f"doctor_{check.id}") for check in checks}
    if sys.stdout.isatty():
        table = Table(box=None, show_header=False, pad_edge=False)
        for check in checks:
            found = Text(check.found)
            if check.advice:
                found.append(f"\n{check.advice}", style="dim")
            table.add_row(Text(words[check.state], _STYLES[check.state]), titles[check.id], found)
        Console().print(table)
    else:
        word, title = max(map(len, words.values())), max(map(len, titles.values()))
        for check in checks:
            print(f"{words[check.state]:<{word}}  {titles[check.id]:<{title}}  {check.found}")
            if check.advice:
                print(f"{'':<{word}}  {'':<{title}}  {check.advice}")
    print(say("doctor_ready" if ready else "doctor_not_ready"))
