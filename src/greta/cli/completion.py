"""`greta completion`: scripts for shells, made from the parsers of all commands."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator

from greta.cli.common_options import options_of
from greta.cli.main import COMMANDS, HELP
from greta.errors import ExitCode

_FILES = ("FILE", "DIR", "RUN", "PATH", "A", "B", "LOG")


class CompletionCommand:
    """Print a script that lets a shell complete the words of greta's command line.

    examples:
      greta completion bash > ~/.local/share/bash-completion/completions/greta
      greta completion zsh > ~/.zfunc/_greta        with ~/.zfunc in fpath
      greta completion fish > ~/.config/fish/completions/greta.fish
      eval "$(greta completion bash)"               for this shell alone
    """

    name = "completion"
    usage = "greta completion bash|zsh|fish"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("shell", choices=tuple(_SHELLS), help="which shell")

    def run(self, options: argparse.Namespace) -> int:
        sys.stdout.write("\n".join(_SHELLS[options.shell]()) + "\n")
        return ExitCode.OK


def _bash() -> Iterator[str]:
    yield "_greta() {"
    yield "    local current=${COMP_WORDS[COMP_CWORD]} word options="
    yield '    local asked="${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}"'
    yield "    COMPREPLY=()"
    yield '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do'
    yield '        if [[ $word == -- ]]; then COMPREPLY=($(compgen -c -- "$current")); return; fi'
    yield "    done"
    yield "    if ((COMP_CWORD == 1)); then"
    words = " ".join((*COMMANDS, HELP))
    yield f'        COMPREPLY=($(compgen -W "{words}" -- "$current")); return'
    yield "    fi"
    yield "    case $asked in"
    for name in COMMANDS:
        for one in options_of(name):
            if one.choices:
                asked = "|".join(f'"{name} {flag}"' for flag in one.names)
                chosen = " ".join(one.choices)
                found = f'COMPREPLY=($(compgen -W "{chosen}" -- "$current")); return'
                yield f"        {asked}) {found} ;;"
    yield "    esac"
    yield "    case ${COMP_WORDS[1]} in"
    for name in COMMANDS:
        flags = " ".join(flag for one in options_of(name) for flag in one.names)
        yield f'        {name}) options="{flags}" ;;'
    yield "    esac"
    yield "    if [[ $current == -* ]]; then"
    yield '        COMPREPLY=($(compgen -W "$options --help" -- "$current"))'
    yield "    fi"
    yield "}"
    yield "complete -o default -F _greta greta"


def _zsh() -> Iterator[str]:
    yield "#compdef greta"
    yield "_greta() {"
    yield "    local -a commands"
    yield "    commands=("
    for name, summary in COMMANDS.items():
        yield f"        {shlex.quote(f'{name}:{summary}')}"
    yield "    )"
    yield "    if (( CURRENT == 2 )); then _describe command commands; return; fi"
    yield "    case $words[2] in"
    for name in COMMANDS:
        yield f"        {name}) _arguments \\"
        for one in options_of(name):
            told = one.help.replace("[", "(").replace("]", ")").replace(":", "\\:")
            takes = ""
            if one.choices:
                takes = f":{one.value or 'value'}:({' '.join(one.choices)})"
            elif one.value:
                takes = f":{one.value}:{'_files' if one.value in _FILES else ''}"
            for flag in one.names:
                yield f"            {shlex.quote(f'{flag}[{told}]{takes}')} \\"
        yield "            '*:file:_files' ;;"
    yield "    esac"
    yield "}"
    yield '_greta "$@"'


def _fish() -> Iterator[str]:
    yield "complete -c greta -f -n __fish_use_subcommand"
    for name, summary in COMMANDS.items():
        yield f"complete -c greta -n __fish_use_subcommand -a {name} -d {_fish_word(summary)}"
        for one in options_of(name):
            line = f"complete -c greta -n '__fish_seen_subcommand_from {name}'"
            for flag in one.names:
                line += f" -l {flag[2:]}" if flag.startswith("--") else f" -s {flag[1:]}"
            if one.choices:
                line += f" -x -a {_fish_word(' '.join(one.choices))}"
            elif one.value:
                line += " -r" if one.value in _FILES else " -x"
            yield f"{line} -d {_fish_word(one.help)}"


def _fish_word(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


_SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
