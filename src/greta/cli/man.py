"""`greta man`: the manual page, made from the parsers of all commands."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator

import greta
from greta.cli.common_options import OfferedOption, options_of
from greta.cli.main import COMMANDS, EPILOG, load_command
from greta.errors import ExitCode


class ManCommand:
    """Print the manual page of greta and all of its commands.

    examples:
      greta man | man -l -                          read it
      greta man > ~/.local/share/man/man1/greta.1   then `man greta` finds it
    """

    name = "man"
    usage = "greta man"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        pass

    def run(self, options: argparse.Namespace) -> int:
        del options
        sys.stdout.write("\n".join(_page()) + "\n")
        return ExitCode.OK


def _page() -> Iterator[str]:
    about = (greta.__doc__ or "").strip().partition("\n")[0]
    yield f'.TH GRETA 1 "" "greta {greta.__version__}" "User Commands"'
    yield from (".SH NAME", f"greta \\- {_roff(about.rstrip('.'))}")
    yield from (".SH SYNOPSIS", ".B greta", "COMMAND [options]")
    yield ".SH COMMANDS"
    for name in COMMANDS:
        yield from _command(name)
    examples, _, codes = EPILOG.partition("exit codes:")
    yield from (".SH EXIT STATUS", _roff(codes.strip()))
    yield from (".SH EXAMPLES", ".nf", _roff(examples.partition("\n")[2].rstrip()), ".fi")


def _command(name: str) -> Iterator[str]:
    command = load_command(name)
    yield from (f".SS greta {name}", ".nf", _roff(command.usage), ".fi", ".PP")
    text = inspect.getdoc(type(command)) or COMMANDS[name]  # none under python -OO
    yield from (".nf", _roff(text), ".fi")
    for one in options_of(name):
        yield from (".TP", _flags(one), _roff(one.help))


def _flags(one: OfferedOption) -> str:
    takes = "|".join(one.choices) or one.value
    flags = ", ".join(f"\\fB{_roff(flag)}\\fR" for flag in one.names)
    return f"{flags} \\fI{_roff(takes)}\\fR" if takes else flags


def _roff(text: str) -> str:
    """As it stands: no letter of it is a request or an escape, and a hyphen can be copied."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines)
