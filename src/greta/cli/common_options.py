"""What several commands have in common: --lang, files for CI, the simulated device."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from greta.cli.main import load_command
from greta.errors import UsageError
from greta.printable import plain, without_controls

if TYPE_CHECKING:
    from greta.forensics.verdict import VerdictWord
    from greta.reports.lang import Say
    from greta.reports.reported import Reported
    from greta.typed_json import Json

STDOUT = "-"
_LANGUAGES = ("en", "es")  # greta.reports.lang has their words, and is slow to import
_SIZE = re.compile(r"(\d+)([KMGT]?)(i?B)?", re.IGNORECASE)
_LEAST_VRAM = 1 << 20
_MOST_DEVICES = 16


def language_of(words: Sequence[str] = ()) -> str:
    """As --lang says; else as LC_ALL, LC_MESSAGES or LANG, the first that is set."""
    asked = [two for one, two in pairwise(words) if one == "--lang"]
    asked += [word[7:] for word in words if word.startswith("--lang=")]
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((value for name in names if (value := os.environ.get(name))), "")[:2]
    return next((one for one in (*asked, locale) if one in _LANGUAGES), "en")


def tell(text: str, language: str) -> None:
    """One line on stderr, of what happens meanwhile or went wrong.

    Names in it may come from anybody's file.
    """
    if language == "es":
        from greta.reports.lang.errors_es import in_spanish  # here: only in need

        text = in_spanish(text)
    print("greta:", plain(without_controls(text)), file=sys.stderr, flush=True)


def add_language_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lang",
        choices=_LANGUAGES,
        default=language_of(),
        help="language of what is written (that of LANG)",
    )


def add_json_option(parser: argparse._ActionsContainer, what: str = "it") -> None:
    parser.add_argument("--json", metavar="FILE", help=f"write {what} as JSON; - is stdout")


def add_ci_options(
    parser: argparse.ArgumentParser, what: str = "the verdict", when: str = "a fault was seen"
) -> None:
    option = parser.add_argument
    add_json_option(parser, what)
    option("--junit", metavar="FILE", help="write JUnit's XML, for CI systems; - is stdout")
    option("--sarif", metavar="FILE", help="write SARIF 2.1.0, for code hosts; - is stdout")
    option(
        "--error-exitcode",
        type=whole_number(1, 125, "1 to 125"),
        metavar="N",
        help=f"end with N if {when}",
    )


def report_format(output: str | None, known: Sequence[str]) -> str:
    """What the ending of the file says; md of one without."""
    suffix = Path(output or "").suffix
    if not suffix:
        return "md"
    if suffix[1:] in known:
        return suffix[1:]
    endings, add = ", ".join(f".{one}" for one in known), f"add --format {'|'.join(known)}"
    raise UsageError(
        f"the ending {suffix!r} of {output!r} does not say the format; known are {endings}; or "
        f"{add}"
    )


def wants_verdict(options: argparse.Namespace) -> bool:
    files = (options.json, options.junit, options.sarif)
    return any(files) or options.error_exitcode is not None


def write_ci_files(options: argparse.Namespace, reported: Reported, say: Say) -> None:
    from greta.reports.ci_files import junit_xml, sarif

    if options.json:
        write_json_output(options.json, _as_json(reported, say))
    if options.junit:
        write_output("--junit", options.junit, junit_xml(reported, _suite_name(reported), say))
    if options.sarif:
        log = sarif(reported, say, Path.cwd())
        write_output("--sarif", options.sarif, json.dumps(log, indent=1))


def _suite_name(reported: Reported) -> str:
    """Of a run the program's: a history of tests goes by it, and folders are named by the time."""
    command = () if reported.summary.tests else reported.rerun.command
    program = Path(command[0]).name if command else ""
    return program or reported.summary.case or Path(reported.kept).name or "greta"


def _as_json(reported: Reported, say: Say) -> Json:
    """verdict.json of a run, summary.json of an audit."""
    from greta.forensics.verdict_json import dump_verdict
    from greta.lab.summary_json import dump_summary

    if reported.summary.tests:
        return dump_summary(reported.summary, say.of)
    return dump_verdict(reported.verdict, say.of)


def write_json_output(name: str, data: Mapping[str, object]) -> None:
    write_output("--json", name, json.dumps(data, indent=1))


def exit_code(options: argparse.Namespace, word: VerdictWord, otherwise: int) -> int:
    """What --error-exitcode says where there was a fault."""
    if options.error_exitcode is not None and word.value == "REPRODUCED":
        return int(options.error_exitcode)
    return otherwise


def write_output(option: str, name: str, text: str) -> None:
    """To the file that `option` was given; "-" is stdout."""
    whole = text if text.endswith("\n") else f"{text}\n"
    if name == STDOUT:
        sys.stdout.write(whole)
        return
    try:
        Path(name).write_text(whole, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{option}: cannot write {name}: {error.strerror}") from None


def add_device_option(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--device",
        choices=("auto", "hip", "sim"),
        help="a GPU (hip), the simulated device (sim), or what there is (auto, the default)",
    )


def add_expectations(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--expect-build", metavar="BUILD", help="the path, SHA-256 or build id meant to run"
    )
    parser.add_argument(
        "--expect-text",
        metavar="TEXT",
        action="append",
        default=[],
        help="text that the program's file must contain; may be given several times",
    )


def whole_number(least: int, most: int, allowed: str) -> Callable[[str], int]:
    """For `type=`; `allowed` says in words what is meant."""

    def read(text: str) -> int:
        number = int(text) if text.isdecimal() and len(text) < 20 else -1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"must be {allowed}, not {text!r}")
        return number

    return read


def add_sim_options(parser: argparse.ArgumentParser, title: str) -> None:
    devices = whole_number(1, _MOST_DEVICES, f"1 to {_MOST_DEVICES}")
    device = parser.add_argument_group(title)
    device.add_argument("--sim-devices", type=devices, metavar="N", help="how many (1)")
    # As it was called before `greta audit --devices LIST` came to mean which of the devices.
    device.add_argument("--devices", type=devices, dest="sim_devices", help=argparse.SUPPRESS)
    device.add_argument(
        "--vram",
        type=_size,
        metavar="SIZE",
        help="memory of each, such as 16G (three quarters of the host's)",
    )
    device.add_argument(
        "--strict",
        action="store_true",
        help="check every access of a kernel, so that an overrun of one byte faults (slower)",
    )
    device.add_argument(
        "--footprints",
        action="store_true",
        help="record which bytes each launch reads and writes (slower)",
    )
    device.add_argument(
        "--abort-on-fault",
        action="store_true",
        help="on a memory fault print AMD's message and abort, as HIP 6 did",
    )


def _size(text: str) -> int:
    match = _SIZE.fullmatch(text)
    scale = "KMGT".find(match[2].upper()) + 1 if match and match[2] else 0
    size = int(match[1]) << 10 * scale if match else 0
    if size < _LEAST_VRAM:
        raise argparse.ArgumentTypeError(f"must be a size such as 16G, 1M or more, not {text!r}")
    return size


@dataclass(frozen=True)
class OfferedOption:
    """An option as a shell offers it."""

    names: tuple[str, ...]
    help: str
    value: str = ""
    """What it takes, if it takes something: a word such as FILE."""
    choices: tuple[str, ...] = ()


def options_of(name: str) -> list[OfferedOption]:
    parser = argparse.ArgumentParser(prog=f"greta {name}")
    load_command(name).add_options(parser)
    return [
        OfferedOption(
            tuple(one.option_strings),
            (one.help or "").replace("%(default)s", str(one.default)).replace("%%", "%"),
            "" if one.nargs == 0 else str(one.metavar or one.dest.upper()),
            tuple(map(str, one.choices or ())),
        )
        for one in parser._actions
        if one.option_strings and one.help != argparse.SUPPRESS
    ]
