"""`greta pin`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial

from greta.cli.common_options import (
    STDOUT,
    add_json_option,
    add_language_option,
    whole_number,
    write_json_output,
)
from greta.errors import ExitCode
from greta.reports.lang import Say
from greta.reports.layout import TitledLine
from greta.reports.terminal import print_lines
from greta.runs.folder import Pin, pin_json
from greta.runs.pinning import Search, open_original
from greta.symbols.sites import Demangler, short_name

_MOST_TRIES = 100


class PinCommand:
    """Run a faulty program again with added synchronization, until one operation is left.

    A device's error comes late: the call that brings it is rarely the one that made it. This runs
    the command of RUN again, as it was run then, and lets the recorder wait after every launch and
    copy. The first operation after which the error is there made it.

    If the fault is gone when everything is waited for, it is a matter of timing. Then the number of
    operations that are waited for is halved until one is left whose wait makes it vanish.

    If kernels only load bytes that nobody wrote (--footprints), the program runs four times with
    every operation waited for, twice with other bytes in fresh memory. Where what a copy brings to
    the host, or what the program prints, goes with those bytes, they are used.

    A call that HIP refuses, such as a copy that is too long, is not pinned: HIP says so at once,
    and the call itself is to blame. `greta analyze RUN` says what is wrong with it.

    Nothing is recompiled and nothing in the program changes; added waits are not among its calls.
    Every run is kept in RUN/pin/, the result in RUN/pin.json, where `greta analyze RUN` finds it.
    The program must be the file that ran then, and gets no input. A folder is data: RUN must be
    your own, and what it would run is shown and asked for, unless --yes is given. Secrets on the
    command line are not kept; they are asked for, or the command is given again after `--`.

    examples:
      greta run --out r -- ./a.out
      greta pin r                     one to three runs, if the fault is not a matter of timing
      greta pin r --yes               without being asked, as in a script
      greta pin r --tries 20          a fault that shows in one run of ten

    exit codes: 1 the operation was found, or bytes that nobody wrote are used, 3 not found, 0 those
    bytes did not reach the host, 2 the run cannot be repeated or has nothing to look for.
    """

    name = "pin"
    usage = "greta pin RUN [--tries N] [--yes] [--json FILE] [-- COMMAND [ARGUMENT ...]]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("run_folder", metavar="RUN", help="the folder that `greta run` made")
        parser.add_argument(
            "--tries",
            type=whole_number(1, _MOST_TRIES, f"a number from 1 to {_MOST_TRIES}"),
            default=3,
            metavar="N",
            help="runs in which a fault has to stay away before it counts as gone (default 3)",
        )

        parser.add_argument(
            "--yes", action="store_true", help="run the command that RUN names without asking"
        )
        add_language_option(parser)
        add_json_option(parser, "the result, as in RUN/pin.json,")
        parser.add_argument("program", nargs="*", help=argparse.SUPPRESS)

    def run(self, options: argparse.Namespace) -> int:
        say = Say(options.lang)
        original = open_original(options.run_folder, options.program, say)
        original.require_consent(yes=options.yes)
        tell = partial(print, "greta:", file=sys.stderr, flush=True)
        result = Search(original, options.tries, tell, say).pin()
        if options.json:
            write_json_output(options.json, pin_json(result))
        if options.json != STDOUT:
            print_lines([TitledLine("", text) for text in _told(result, say)])
        if result.fresh_bytes == "none":
            return ExitCode.OK
        return ExitCode.FAULT if result.pinned else ExitCode.INCONCLUSIVE


def _told(pin: Pin, say: Say) -> Iterator[str]:
    runs = say.counted("pin_runs", pin.runs)
    if pin.fresh_bytes:
        what = f"{pin.call} (#{pin.seq})" if pin.seq else pin.call or ""
        yield say("pin_compared", reason=f"{what}: {pin.reason}" if what else pin.reason, runs=runs)
        return
    if not pin.pinned:
        yield say("pin_not_found", reason=pin.reason, runs=runs)
        return
    call = pin.call or "?"
    what = call
    if pin.kernel:
        name = short_name(Demangler().readable(pin.kernel))
        what = say("pin_of_kernel", call=call, kernel=name)
    which = say("pin_operation", number=pin.operation)
    if pin.seq is not None:
        which = say("pin_call", seq=str(pin.seq))
    yield say("pin_found", which=which, what=what, reason=pin.reason, runs=runs)
    if not pin.persists_serialized:
        yield say("pin_timing_means")
    if pin.seq is None:
        yield say("pin_not_mapped")
    elif not pin.exact_mapping:
        yield say("pin_mapped_by_name")
