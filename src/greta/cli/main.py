"""The entry point: finds the subcommand, runs it, and turns errors into one sentence."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NoReturn, Protocol, cast

import greta
from greta.errors import ExitCode, GretaError, UsageError
from greta.inherited import abandon_stdout, heed_children, mend_standard_streams, outlast_readers
from greta.runs.masking import masked_words


class Command(Protocol):
    """A subcommand: its name, its options, what it does.

    The class' docstring is its help: the first line stands in `greta --help`, all of it in
    `greta NAME --help`.
    """

    name: str
    usage: str

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Declares the options."""

    def run(self, options: argparse.Namespace) -> int:
        """Does the work; returns the exit code."""


COMMANDS: dict[str, str] = {
    "infer": "Run a Llama model from a GGUF file on a HIP device, with or without a GPU.",
    "audit": "Run a workload again and again, watch every HIP call, and say what that shows.",
    "run": "Run any HIP program under the recorder, and keep what it did.",
    "analyze": "Say what a run or a log shows: the fault and its cause, or that the evidence is "
    "not there.",
    "case": "Keep the case file: what was seen of a fault over days, and what became of it.",
    "verify": "Say whether a fix is proven, or whether the same numbers would appear by luck.",
    "diff": "Show two runs side by side: order of calls, sizes, results, timing, what ran, "
    "verdict.",
    "report": "Write the report of an audit or of a run, for a person who has to decide something.",
    "runs": "List the run folders that are kept, with verdict and size, and remove old ones.",
    "pin": "Run a faulty program again with added synchronization, until one operation is left.",
    "drill": "Stage known faults in the running engine, and see whether they are found.",
    "sim": "Run any HIP program on the simulated device.",
    "check": "Run a HIP program on the simulated device, and check what its kernels access.",
    "hipcc": "Compile HIP C++ for the simulated device, where there is no ROCm.",
    "kernels": "Show which kernels a program, code object or run has, and what each takes.",
    "doctor": "Show what this machine has, and what to do about what is missing.",
    "export": "Write a recording for other tools: JSON Lines, Parquet, Perfetto.",
    "completion": "Print a script that lets a shell complete the words of greta's command line.",
    "man": "Print the manual page of greta and all of its commands.",
}
"""By name, also of its module: the first line of the docstring, so that a list imports nothing."""


def load_command(name: str) -> Command:
    """Imported when it is asked for: one command must not wait for another's needs."""
    module = import_module(f"greta.cli.{name}")
    return cast(Command, getattr(module, f"{name.capitalize()}Command")())


_STREAMING = ("infer", "export")
"""Commands that write for as long as somebody reads; who has seen enough ends them."""

_RAW = ("hipcc",)
"""Commands whose words are another program's."""

HELP = "help"
"""No command of its own: another way to write --help."""

EPILOG = """\
examples:
  greta run -- ./a.out                   run a HIP program; if it fails, say why
  greta run --strict -- ./a.out          and check every access: byte, thread and line of a fault
  greta analyze RUN                      the verdict, the evidence, what to do next
  greta audit                            200 runs of an inference engine, and what they prove
  greta audit --case c -- ./a.out        how often does it fail?
  greta export RUN --format perfetto     what a run did, on a time line
  greta infer --prompt "Hello"           run a language model
  greta sim -- python script.py          run a HIP program with no GPU
  greta sim --strict -- ./a.out          and see what reaches past a buffer
  gcc a.c $(greta sim --cflags --libs)   build a program with HIP where there is no ROCm
  greta help run                         all about one command

exit codes: 0 nothing wrong, 1 a fault was found, 2 bad usage or bad input, 3 the evidence does not
allow an answer; `greta run` and `greta sim` end with the exit code of the program they ran.
"""


_EXTRAS: Final = {"ray": "cluster", "gguf": "engine", "rocm": "engine", "tokenizers": "engine"}
"""What installs a package that not everybody needs."""


class _Parser(argparse.ArgumentParser):
    """Reports bad usage as the rest of the product does."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see `{self.prog} --help`")


def _report(text: str, words: list[str]) -> None:
    from greta.cli.common_options import language_of, tell  # here: only in need

    tell(text, language_of(words))


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    ours = words[: words.index("--")] if "--" in words else words
    debug = "--debug" in ours
    heed_children()
    mend_standard_streams()
    try:
        code = _run(words)
        sys.stdout.flush()  # now, while an error can still be reported
        return code
    except GretaError as error:
        if debug:
            raise
        _report(str(error), ours)
        return _ended(error.exit_code)
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get((error.name or "").split(".")[0])
        if debug or extra is None:
            raise
        _report(
            f"this needs the package {error.name}, which is not installed; install it with: "
            f"pip install 'gretacore[{extra}]'",
            ours,
        )
        return ExitCode.BAD_USAGE
    except BrokenPipeError:  # the reader went away
        abandon_stdout()
        return ExitCode.OK
    except OSError as error:
        if debug:
            raise
        # Without a file it was stdout, as a rule: all others are opened by name.
        what = repr(os.fspath(error.filename)) if error.filename else "stdout"
        why = error.strerror or error
        _report(f"{what} cannot be used: {why}; --debug shows where", ours)
        return _ended(ExitCode.BAD_USAGE)
    except KeyboardInterrupt:
        return 130


def _ended(code: int) -> int:
    """The exit code, once nothing is left that Python would try to write at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        abandon_stdout()
    return code


def _run(words: list[str]) -> int:
    if words[:1] == [HELP]:  # `greta help NAME` is `greta NAME --help`
        words = [*words[1:2], "--help", *words[2:]]
    name = next((word for word in words if not word.startswith("-")), None)
    _refuse_unknown_command(name)
    if name in _RAW and words[1:2] not in (["--help"], ["-h"]):
        return load_command(words[0]).run(argparse.Namespace(words=words[1:]))
    parser = _parser(name)
    at = words.index("--") if "--" in words else None
    ours, program = words[:at], None if at is None else words[at + 1 :]
    options, unknown = parser.parse_known_args(ours)
    if unknown:
        asked = f"greta {options.command.name}" if options.command else "greta"
        shown = " ".join(masked_words(["", *unknown])[0][1:])
        if near := _near_option(unknown[0], options):
            raise UsageError(f"unrecognized arguments: {shown}; did you mean `{near}`?")
        raise UsageError(f"unrecognized arguments: {shown}; see `{asked} --help`")
    if program is not None:
        _hand_over(program, options)
    if options.command is None:
        parser.print_help()
        return ExitCode.OK
    command: Command = options.command
    if command.name not in _STREAMING:
        outlast_readers()
    return command.run(options)


def _parser(name: str | None) -> argparse.ArgumentParser:
    """The parser of one command; without one, a parser that lists all by name."""
    parser = _Parser(
        prog="greta",
        usage="greta [--version] [--debug] [--help] COMMAND ...",
        description=(greta.__doc__ or "").partition("\n")[0],  # the rest is for Python
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"greta {greta.__version__}")
    parser.set_defaults(command=None, debug=False)
    _add_debug(parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    if name is not None:
        _add_command(commands, name)
        return parser
    for each, summary in COMMANDS.items():
        commands.add_parser(each, help=summary)
    return parser


def _add_command(commands: argparse._SubParsersAction[_Parser], name: str) -> None:
    import inspect  # slow to import, as most commands are anyway

    command = load_command(name)
    subparser = commands.add_parser(
        name,
        prog=f"greta {name}",
        usage=command.usage,
        help=COMMANDS[name],
        description=inspect.getdoc(type(command)),  # none under python -OO
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_debug(subparser)
    command.add_options(subparser)
    subparser.set_defaults(command=command, parser=subparser)


def _near_option(word: str, options: argparse.Namespace) -> str | None:
    """The option of the command that was probably meant."""
    if not word.startswith("--") or options.command is None:
        return None
    import difflib  # only to be of help
    import re

    known = re.findall(r"--[a-z][a-z-]+", options.parser.format_help())
    near = difflib.get_close_matches(word.partition("=")[0], known, n=1, cutoff=0.8)
    return near[0] if near else None


def _add_debug(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--debug",
        action="store_true",
        default=argparse.SUPPRESS,
        help="on an error, show where it happened",
    )


def _hand_over(program: list[str], options: argparse.Namespace) -> None:
    if not hasattr(options, "program"):
        raise UsageError("this command runs no program; drop the `--` and what follows it")
    if options.program:
        raise UsageError(f"unexpected {options.program[0]!r} before `--`")
    options.program, options.is_program = program, True


def _refuse_unknown_command(name: str | None) -> None:
    if name is None or name in COMMANDS:
        return
    import difflib  # only to be of help

    near = difflib.get_close_matches(name, [*COMMANDS, HELP], n=1)
    hint = f"did you mean `greta {near[0]}`?" if near else f"there are: {', '.join(COMMANDS)}"
    raise UsageError(f"there is no command {name!r}; {hint}")
