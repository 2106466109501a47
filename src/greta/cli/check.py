"""`greta check`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from greta import api
from greta.cli.common_options import (
    add_ci_options,
    add_language_option,
    whole_number,
    write_json_output,
    write_output,
)
from greta.errors import ExitCode, UsageError
from greta.forensics.saying import Saying
from greta.printable import printable
from greta.recording import RecordingError
from greta.reports.ci_files import check_junit, check_sarif
from greta.reports.lang import Say
from greta.reports.layout import plain_spaces
from greta.reports.sentences import approximate_sentence
from greta.runs.checking import (
    INITCHECK,
    LEAKCHECK,
    MEMCHECK,
    RACECHECK,
    TOOLS,
    CheckOutcome,
    checked,
)
from greta.runs.folder import shortened
from greta.runs.hip_compiler import kernel_compiler
from greta.typed_json import Json


class CheckCommand:
    """Run a HIP program on the simulated device, and check what its kernels access.

    --tools says what is looked for, separated by commas:
      memcheck   accesses outside of what is allocated, to the byte, with thread and source line;
                 copies that are too long, freed memory, bad pointers (the default)
      initcheck  reads of device memory that nothing has written
      racecheck  two threads access the same bytes, one writes, and nothing orders them: through
                 shared memory between barriers, through global memory within a launch; and
                 operations of streams that lack a synchronization. Both sides are named. Threads
                 of one wave run together and do not race. Also barriers that not all threads of
                 a block reach
      leakcheck  memory that was not freed when the program ended, that of malloc in kernels too

    After a memory fault nothing runs on the device, as on hardware; all other findings let the
    program go on. Findings go to stderr or to --log-file. Everything is kept in a run folder,
    and `greta analyze` tells the rest of it. Source lines take -g.

    exit codes: 1 or --error-exitcode if something was found; 3 if nothing was found and the
    simulated device could not run the program; else that of the program; if that is 0 and a tool
    could not look, 3.

    examples:
      greta check -- ./a.out
      greta check --tools memcheck,initcheck,racecheck,leakcheck -- python train.py
      greta check --tools racecheck --sarif races.sarif --error-exitcode 70 -- ./a.out
    """

    name = "check"
    usage = "greta check [--tools LIST] [options] -- COMMAND [ARGUMENT ...]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        option = parser.add_argument
        option("--tools", type=_tools, default=(MEMCHECK,), metavar="LIST", help=", ".join(TOOLS))
        option(
            "--print-limit",
            type=whole_number(1, 1_000_000, "1 to 1,000,000"),
            default=100,
            metavar="N",
            help="how many findings are printed (100)",
        )
        option("--log-file", metavar="FILE", help="print the findings there")
        add_ci_options(parser, "all findings", "something was found (1)")
        option("--out", metavar="DIR", help="the run folder: new, or empty")
        add_language_option(parser)
        option("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)

    def run(self, options: argparse.Namespace) -> int:
        if not options.program:
            raise UsageError(f"no program given; usage: {self.usage}")
        run = api.run(
            options.program,
            device="sim",
            out=options.out,
            echo=True,
            strict=MEMCHECK in options.tools,
            # Which bytes launches use decides races between streams.
            footprints=bool({INITCHECK, RACECHECK}.intersection(options.tools)),
            checks=options.tools,
            environment=_settings(options.tools),
        )
        say = Say(options.lang)
        outcome = _check(run, options.tools)
        _print(outcome, run.path, options, say)
        if options.json:
            write_json_output(options.json, _as_json(outcome, run, options.tools, say))
        name = Path(options.program[0]).name
        if options.junit:
            text = check_junit(outcome, options.tools, name, say)
            write_output("--junit", options.junit, text)
        if options.sarif:
            log = check_sarif(outcome, options.tools, say, Path.cwd())
            write_output("--sarif", options.sarif, json.dumps(log, indent=1))
        if outcome.findings:
            return options.error_exitcode or ExitCode.FAULT
        if outcome.is_lacking:  # the program's code may be for that, and would pass for a finding
            return ExitCode.INCONCLUSIVE
        return run.exit_code or (ExitCode.INCONCLUSIVE if outcome.limits else ExitCode.OK)


def _settings(tools: Sequence[str]) -> dict[str, str]:
    settings = _race_settings() if RACECHECK in tools else {}
    return settings | ({"GRETA_SIM_HEAP": "1"} if LEAKCHECK in tools else {})


def _race_settings() -> dict[str, str]:
    """Machine code is watched; where clang is there, hipRTC makes that too."""
    settings = {"GRETA_SIM_RACES": "1"}
    with suppress(UsageError):  # what hipRTC compiles for the CPU is then told as a limit
        settings["GRETA_SIM_GPU_COMPILER"] = "\n".join(kernel_compiler())
    return settings


def _check(run: api.Run, tools: Sequence[str]) -> CheckOutcome:
    try:
        processes = run.recording.processes
    except RecordingError:
        return CheckOutcome(limits=[(tool, Saying("check_limit_unrecorded")) for tool in tools])
    outcome = checked(processes, run.verdict(), run.summary, tools)
    if run.completed and run.completed.ending.signal is not None:
        found = {LEAKCHECK, *(one.tool for one in outcome.findings)}  # leakcheck speaks for itself
        cut_short = Saying("check_limit_cut_short")
        outcome.limits += [(tool, cut_short) for tool in tools if tool not in found]
    return outcome


def _print(outcome: CheckOutcome, path: Path, options: argparse.Namespace, say: Say) -> None:
    lines = []
    for one in outcome.findings[: options.print_limit]:
        lines.append(f"{one.tool}: {say.saying(one.told)}")
        lines += [f"    {say.saying(line)}" for line in one.lines]
    hidden = len(outcome.findings) - options.print_limit
    lines += [say("check_more", count=hidden)] if hidden > 0 else []
    lines += [f"{tool}: {say.saying(why)}" for tool, why in outcome.limits]
    if outcome.approximate:
        lines.append(approximate_sentence(outcome.approximate.items(), say))
    count = len(outcome.findings)
    nothing = "check_none" if outcome.looked else "check_none_looked"
    found = say("check_found", count=count) if count else say(nothing)
    lines.append(f"{found}; {say('kept_in')} {shortened(path)}")
    text = "".join(f"greta: {printable(plain_spaces(line))}\n" for line in lines)
    if options.log_file is None:
        sys.stderr.write(text)
        return
    write_output("--log-file", options.log_file, text)


def _as_json(outcome: CheckOutcome, run: api.Run, tools: Sequence[str], say: Say) -> Json:
    findings = [
        {
            "tool": one.tool,
            "code": one.code,
            "text": say.saying(one.told),
            "lines": [say.saying(line) for line in one.lines],
            "call": one.call,
            "kernel": one.kernel,
            "sides": list(one.sides),
            "count": one.count,
            "calls": list(one.calls),
        }
        for one in outcome.findings
    ]
    return {
        "schema": 1,
        "run": str(run.path),
        "exit_code": run.exit_code,
        "tools": list(tools),
        "findings": findings,
        "limits": [{"tool": tool, "text": say.saying(why)} for tool, why in outcome.limits],
        "approximate": {kernel: list(names) for kernel, names in outcome.approximate.items()},
    }


def _tools(text: str) -> tuple[str, ...]:
    if text.rstrip().endswith(","):  # the rest has become another word
        raise argparse.ArgumentTypeError(f"must have no space behind a comma: {text}")
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in TOOLS]
    if unknown or not names:
        raise argparse.ArgumentTypeError(f"must be some of {', '.join(TOOLS)}, not {text!r}")
    return tuple(name for name in TOOLS if name in names)
