"""`greta doctor`."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text

import greta
from greta.cli.common_options import STDOUT, write_json_output
from greta.errors import ExitCode
from greta.machine import MachineCheck, State, examine

_WORDS: dict[State, str] = {"ok": "ok", "note": "note", "missing": "MISSING"}
_STYLES: dict[State, str] = {"ok": "green", "note": "yellow", "missing": "bold red"}


class DoctorCommand:
    """Show what this machine has, and what to do about what is missing.

    Looks for a GPU and AMD's library, says which device is chosen and why, and runs a copy and a
    kernel on the simulated device.

    exit codes: 0 HIP programs can run here, 1 something that takes is missing.

    examples:
      greta doctor
      greta doctor --json machine.json       for a bug report
      greta doctor --json | jq .ready
    """

    name = "doctor"
    usage = "greta doctor [--json FILE]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--json",
            metavar="FILE",
            nargs="?",
            const=STDOUT,
            help="write it as JSON, to a file or to stdout",
        )

    def run(self, options: argparse.Namespace) -> int:
        checks = examine()
        ready = all(check.state != "missing" for check in checks)
        if options.json is not None:
            found = [vars(check) for check in checks]
            about = {"schema": 1, "greta": greta.__version__, "ready": ready, "checks": found}
            write_json_output(options.json, about)
        if options.json != STDOUT:
            _print(checks, ready)
        return ExitCode.OK if ready else ExitCode.FAULT


def _print(checks: list[MachineCheck], ready: bool) -> None:
    if sys.stdout.isatty():
        table = Table(box=None, show_header=False, pad_edge=False)
        for check in checks:
            found = Text(check.found)
            if check.advice:
                found.append(f"\n{check.advice}", style="dim")
            table.add_row(Text(_WORDS[check.state], _STYLES[check.state]), check.title, found)
        Console().print(table)
    else:
        _print_lines(checks)
    print("This machine can run HIP programs." if ready else "Something that is needed is missing.")


def _print_lines(checks: list[MachineCheck]) -> None:
    word = max(len(text) for text in _WORDS.values())
    title = max(len(check.title) for check in checks)
    for check in checks:
        print(f"{_WORDS[check.state]:<{word}}  {check.title:<{title}}  {check.found}")
        if check.advice:
            print(f"{'':<{word}}  {'':<{title}}  {check.advice}")
