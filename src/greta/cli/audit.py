"""`greta audit`."""

from __future__ import annotations

import argparse
import math
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TypeVar

from greta.cli.common_options import (
    STDOUT,
    add_ci_options,
    add_device_option,
    add_expectations,
    add_language_option,
    exit_code,
    write_ci_files,
)
from greta.cli.progress import audit_progress, download_bar
from greta.errors import ExitCode, UsageError
from greta.lab.artifacts import DEFAULT_ROOT
from greta.lab.merge import merge
from greta.lab.plan import PROFILES
from greta.lab.prepare import AuditPlan, plan_again, plan_audit
from greta.lab.request import requested, require_count, require_seconds
from greta.lab.session import AuditSession
from greta.lab.summary import AuditOptions
from greta.lab.trouble import NO_CALL
from greta.reports.audit_files import keep
from greta.reports.lang import Say
from greta.reports.reported import Reported
from greta.reports.terminal import audit_lines, print_lines
from greta.runs.again import require_consent

T = TypeVar("T", int, float)


class AuditCommand:
    """Run a workload again and again, watch every HIP call, and say what that shows.

    With no argument the workload is our own inference engine on what the machine has. Three tests
    take place: A as it is, B with every transfer to the host written down, C under stress (several
    streams, random delays, memory pressure). Every child is recorded; a crash costs one iteration
    and is analysed. Any other program is audited with `-- COMMAND`: each iteration is then a
    process of its own.

    The verdict, what it rests on and a report in English and Spanish are kept in
    artifacts/DATE/CASE/. Exit code: 0 NOT_REPRODUCED, 1 REPRODUCED, 3 INCONCLUSIVE.

    examples:
      greta audit                                  200 iterations, about a minute without a GPU
      greta audit --case logits --iters 20 --stress-iters 0
      greta audit --profiles none,serialize        does it persist when all is serialized?
      greta audit --fail-fast -- ./my_program arg  stop at the first failure
      greta audit --expect-output "sum=10" -- ./my_program
      greta audit --devices all -- ./my_program    iterations dealt out to all devices
      greta audit --ray head:6379 -- ./my_program  and to those of a cluster
      greta audit --part 2/8 -- ./my_program       the second of eight jobs of an array
      greta audit merge DIR1 DIR2 ...              what the jobs of an array came to, together
      greta audit --resume artifacts/2026-11-16/logits     shows what it would run, and asks
    """

    name = "audit"
    usage = "greta audit [options] [-- COMMAND [ARGUMENT ...]] | greta audit merge DIR ..."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        option = parser.add_argument
        option("--model", metavar="M", help="a GGUF file, smollm2 or tiny")
        add_device_option(parser)
        option("--iters", type=_count, default=50, metavar="N", help="of A and of B (50)")
        option(
            "--stress-iters", type=_count, default=100, metavar="N", help="iterations of C (100)"
        )
        option("--prompts", metavar="P,..", help="p0_short, p1_mid, p2_long (all), or files")
        option("--max-tokens", type=_count, default=10, metavar="N", help="a prompt (10)")
        option("--seed", type=int, default=0, metavar="S", help="of prompts and stress (0)")
        option("--fail-fast", action="store_true", help="stop at the first iteration that fails")
        option(  # its former name
            "--strict", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS
        )
        option("--case", metavar="ID", help="collect audits under this name")
        option("--out", metavar="DIR", default=str(DEFAULT_ROOT), help="(artifacts)")
        option(
            "--profiles",
            "--profile",
            metavar="P,..",
            default="none",
            help=f"debug environments, each a matrix of its own: {', '.join(PROFILES)}",
        )
        option(
            "--timeout", type=_seconds, default=120.0, metavar="SECONDS", help="an iteration (120)"
        )
        option("--devices", metavar="LIST", help="such as 0-7, or all: a worker for each")
        option(
            "--ray",
            metavar="ADDRESS",
            help="on the nodes of a Ray cluster (local: of this machine); see docs/many-devices.md",
        )
        option("--part", metavar="I/N", help="only part I of N, for `greta audit merge`")
        option("--resume", metavar="DIR", help="go on with an audit that was cut short")
        option("--yes", action="store_true", help="--resume runs what DIR names without asking")
        add_language_option(parser)
        add_ci_options(parser)
        add_expectations(parser)
        option(
            "--expect-output",
            metavar="REGEX",
            help="in what the command prints to stdout; a run that does not print it has failed",
        )
        option(
            "--watch-host",
            action="store_true",
            help="also notice when the program itself accesses pinned memory too early; slower, "
            "see docs/recording.md",
        )
        option("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)

    def run(self, options: argparse.Namespace) -> int:
        say = Say(options.lang)
        if options.program[:1] == ["merge"] and not getattr(options, "is_program", False):
            return _merge(options, say)
        if getattr(options, "strict", False):
            print(f"greta: {say('strict_is_fail_fast')}", file=sys.stderr)
        plan = _plan(options, say)
        session = AuditSession(plan, Say("en").of, keep, ["greta", *sys.argv[1:]])
        with _ended_as_by_ctrl_c(), audit_progress(say) as progress:
            session.conduct(progress, Path(options.resume) if options.resume else None)
        if STDOUT not in (options.json, options.junit, options.sarif):
            _tell(session, say)
        write_ci_files(options, Reported(session.summary, str(session.folder)), say)
        verdict = session.summary.verdict
        if session.unkept and verdict.exit_code == ExitCode.OK:
            return ExitCode.INCONCLUSIVE
        return exit_code(options, verdict.word, verdict.exit_code)


def _merge(options: argparse.Namespace, say: Say) -> int:
    folders = [Path(word) for word in options.program[1:]]
    if len(folders) < 2:
        raise UsageError("greta audit merge: name the folders of two parts or more")
    folder, summary = merge(folders, Path(options.out), Say("en").of)
    keep(folder, summary)
    if STDOUT not in (options.json, options.junit, options.sarif):
        print_lines(audit_lines(summary, say, folder))
    if summary.problem:
        print(f"greta: {say.of(summary.problem.code, summary.problem.data)}", file=sys.stderr)
    write_ci_files(options, Reported(summary, str(folder)), say)
    return exit_code(options, summary.verdict.word, summary.verdict.exit_code)


@contextmanager
def _ended_as_by_ctrl_c() -> Iterator[None]:
    """SIGTERM, and the end of the terminal, raise KeyboardInterrupt: what is known is kept."""
    asks = (signal.SIGTERM, signal.SIGHUP)
    heeded = [one for one in asks if signal.getsignal(one) is not signal.SIG_IGN]  # nohup
    before = {number: signal.signal(number, signal.default_int_handler) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _plan(options: argparse.Namespace, say: Say) -> AuditPlan:
    names = [one.name for one in fields(AuditOptions)]
    given = {name: value for name, value in vars(options).items() if name in names}
    given |= {name: tuple(given[name]) for name in ("expect_text", "program")}
    asked = requested(AuditOptions(**given))
    with download_bar(say("progress_model")) as downloaded:
        if options.resume:
            plan, words = plan_again(Path(options.resume), asked, downloaded)
        else:
            plan = plan_audit(asked, downloaded)
    if plan.stand_in:
        print(f"greta: {say('tiny_stands_in', why=plan.stand_in)}", file=sys.stderr)
    if options.resume:
        require_consent(words, str(Path.cwd()), {}, yes=options.yes)
    return plan


def _tell(session: AuditSession, say: Say) -> None:
    print_lines(audit_lines(session.summary, say, session.folder))
    problem = session.unkept or session.audit.problem
    if problem:
        why = say.of(problem.code, problem.data)
        text = why if problem.code == NO_CALL else say("audit_stopped", problem=why)
        print(f"greta: {text}", file=sys.stderr)
    elif session.summary.partial:
        command = f"greta audit --resume {shlex.quote(str(session.folder))}"
        print(f"greta: {say('audit_resume', command=command)}", file=sys.stderr)


def _count(text: str) -> int:
    count = int(text) if text.isdecimal() and len(text) < 8 else -1
    return _checked(require_count, count, text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    return _checked(require_seconds, seconds, text)


def _checked(require: Callable[..., None], value: T, text: str) -> T:
    try:
        require(value, said=text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return value
