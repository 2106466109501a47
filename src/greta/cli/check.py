"""`greta check`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from greta import api
from greta.cli.common_options import (
    add_language_option,
    whole_number,
    write_json_output,
    write_output,
)
from greta.cli.hipcc import kernel_compiler
from greta.errors import ExitCode, UsageError
from greta.forensics.verdict import RACES, Verdict
from greta.printable import printable
from greta.recording import Process, RecordingError
from greta.recording.notes import DeviceNote
from greta.reports.lang import Say
from greta.reports.layout import plain_spaces
from greta.reports.sentences import place_of
from greta.runs.folder import shortened
from greta.trace.reading import Describer
from greta.typed_json import Json

_MEMCHECK, _INITCHECK, _RACECHECK, _LEAKCHECK = "memcheck", "initcheck", "racecheck", "leakcheck"
TOOLS = (_MEMCHECK, _INITCHECK, _RACECHECK, _LEAKCHECK)
_HYPOTHESES = {
    _MEMCHECK: ("byte_size_mismatch", "use_after_free", "bad_pointer", "upstream_kernel_fault"),
    _INITCHECK: ("uninitialized_read",),
    _RACECHECK: RACES,
}
_LOST = ("illegal_access", "trap")
_SIDE = (
    r"(read|write|atomic update) by thread (\d+,\d+,\d+) of block (\d+,\d+,\d+)"
    r"(?:, (.+?:\d+))?"
)
_RACE = re.compile(
    r"race at (?:byte (?P<shared>\d+) of the block's shared memory"
    r"|byte (?P<byte>\d+) of the buffer of (?P<bytes>\d+) bytes? at (?P<address>0x[0-9a-f]+)"
    r"|(?P<place>.+?)) in (?P<kernel>.+): " + _SIDE + "; " + _SIDE
)
_BARRIER = re.compile(
    r"barrier in (?P<kernel>.+): reached by thread (?P<here>\d+,\d+,\d+) of block (?P<block>\S+?)"
    r"(?:, (?P<line>.+?:\d+))?; not by thread (?P<absent>\d+,\d+,\d+) of block \S+"
)
"""As the device writes both: native/simdevice/gfx/fault_text.h."""


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
      leakcheck  memory that was not freed when the program ended

    After a memory fault nothing runs on the device, as on hardware; all other findings let the
    program go on. Findings go to stderr or to --log-file. Everything is kept in a run folder,
    and `greta analyze` tells the rest of it. Source lines take -g.

    exit codes: that of the program, 1 or --error-exitcode if something was found, 3 if nothing was
    found but a tool could not look.

    examples:
      greta check -- ./a.out
      greta check --tools memcheck,initcheck,racecheck,leakcheck -- python train.py
      greta check --tools racecheck --json races.json --error-exitcode 70 -- ./a.out
    """

    name = "check"
    usage = "greta check [--tools LIST] [options] -- COMMAND [ARGUMENT ...]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        option = parser.add_argument
        option("--tools", type=_tools, default=(_MEMCHECK,), metavar="LIST", help=", ".join(TOOLS))
        option(
            "--print-limit",
            type=whole_number(1, 1_000_000, "1 to 1,000,000"),
            default=100,
            metavar="N",
            help="how many findings are printed (100)",
        )
        option(
            "--error-exitcode",
            type=whole_number(1, 125, "1 to 125"),
            metavar="N",
            help="end with N if something was found (1)",
        )
        option("--log-file", metavar="FILE", help="print the findings there")
        option("--json", metavar="FILE", help="write all findings as JSON; - is stdout")
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
            strict=_MEMCHECK in options.tools,
            footprints=_INITCHECK in options.tools,
            environment=_race_settings() if _RACECHECK in options.tools else None,
        )
        say = Say(options.lang)
        outcome = check(run, options.tools, say)
        _print(outcome, run.path, options, say)
        if options.json:
            write_json_output(options.json, _as_json(outcome, run, options.tools))
        if outcome.findings:
            return options.error_exitcode or ExitCode.FAULT
        return run.exit_code or (ExitCode.INCONCLUSIVE if outcome.limits else ExitCode.OK)


def _race_settings() -> dict[str, str]:
    """Machine code is watched; where clang is there, hipRTC makes that too."""
    settings = {"GRETA_SIM_RACES": "1"}
    with suppress(UsageError):  # what hipRTC compiles for the CPU is then told as a limit
        settings["GRETA_SIM_GPU_COMPILER"] = "\n".join(kernel_compiler())
    return settings


@dataclass(frozen=True)
class CheckFinding:
    tool: str
    code: str
    text: str
    lines: tuple[str, ...] = ()
    call: int | None = None
    kernel: str | None = None
    sides: tuple[Json, ...] = ()


@dataclass
class CheckOutcome:
    findings: list[CheckFinding] = field(default_factory=list)
    limits: list[tuple[str, str]] = field(default_factory=list)


def check(run: api.Run, tools: Sequence[str], say: Say) -> CheckOutcome:
    """All that these tools say of a run that was recorded for them."""
    outcome = CheckOutcome()
    try:
        processes = run.recording.processes
    except RecordingError:
        outcome.limits = [(tool, say("check_limit_unrecorded")) for tool in tools]
        return outcome
    where = _places(processes)
    verdict = run.verdict()
    outcome.findings += _of_verdict(verdict, tools, where, say)
    for process in processes:
        notes = process.device_faults()
        if _MEMCHECK in tools:
            outcome.findings += [_trap(one, say) for one in notes if one.event == "trap"]
        if _RACECHECK in tools:
            outcome.findings += [_race(one, where, say) for one in notes if one.event == "race"]
        if _LEAKCHECK in tools:
            outcome.findings += _leaks(process, notes, where, say)
    outcome.limits += _limits(run, processes, tools, say)
    outcome.limits += _undecided(verdict, outcome.findings, processes, tools, say)
    return outcome


Places = Callable[["int | None"], str]


def _places(processes: Sequence[Process]) -> Places:
    """Where in the source a call is; numbers of calls are unique in one process alone."""
    used = [process for process in processes if len(process)]
    describe = Describer(used[0]) if len(used) == 1 else None

    def place(seq: int | None) -> str:
        return place_of(describe(seq).where) if describe and seq else ""

    return place


def _of_verdict(
    verdict: Verdict, tools: Sequence[str], where: Places, say: Say
) -> Iterator[CheckFinding]:
    rulings = {ruling.hypothesis: ruling for ruling in verdict.rulings if ruling.confirmed}
    for tool in tools:
        for hypothesis in _HYPOTHESES.get(tool, ()):
            for one in rulings[hypothesis].findings if hypothesis in rulings else ():
                kernel = one.data.get("kernel")
                lines = [*_access_lines(verdict, one.seq, say), *_called(where(one.seq), say)]
                lines += _called(where(one.other), say) if one.other else []
                text = say.of(one.code, one.words)
                name = kernel if isinstance(kernel, str) else None
                yield CheckFinding(tool, one.code, text, tuple(lines), one.seq, name)


def _access_lines(verdict: Verdict, seq: int, say: Say) -> Iterator[str]:
    access = verdict.cause.access if verdict.cause and verdict.cause.seq == seq else None
    if access is None:
        return
    if access.thread and access.block and access.kind and access.bytes:
        yield say(
            "check_access",
            access=say(f"access_{access.kind}"),
            bytes=access.bytes,
            thread=_triple(access.thread),
            block=_triple(access.block),
        )
    if access.line:
        yield say("check_at", place=access.line)


def _triple(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


def _called(place: str, say: Say) -> list[str]:
    return [say("check_called", place=place)] if place else []


def _trap(note: DeviceNote, say: Say) -> CheckFinding:
    text = say("check_trap", kernel=note.kernel or "?", seq=note.seq)
    return CheckFinding(_MEMCHECK, "trap", text, (note.message,), note.seq, note.kernel)


def _race(note: DeviceNote, where: Places, say: Say) -> CheckFinding:
    if told := _BARRIER.fullmatch(note.message):
        text = say("check_barrier", **{**told.groupdict(), "seq": note.seq})
        lines = [say("check_at", place=told["line"])] if told["line"] else []
        called = (*lines, *_called(where(note.seq), say))
        return CheckFinding(_RACECHECK, "barrier", text, called, note.seq, told["kernel"])
    told = _RACE.fullmatch(note.message)
    if told is None:
        return CheckFinding(_RACECHECK, "race", note.message, (), note.seq, note.kernel)
    place = told["place"]
    if told["shared"]:
        place = say("check_race_shared", byte=told["shared"])
    elif told["byte"]:
        words = {"byte": told["byte"], "address": told["address"], "bytes": told["bytes"]}
        place = say("check_race_buffer", **words)
    groups = told.groups()
    sides = [
        dict(zip(("access", "thread", "block", "line"), groups[at : at + 4], strict=True))
        for at in (len(groups) - 8, len(groups) - 4)
    ]
    lines = [_side(side, say) for side in sides] + _called(where(note.seq), say)
    text = say("check_race", kernel=told["kernel"], seq=note.seq, place=place)
    name = told["kernel"]
    return CheckFinding(_RACECHECK, "race", text, tuple(lines), note.seq, name, tuple(sides))


def _side(side: Json, say: Say) -> str:
    kind = say(f"access_{side['access'].partition(' ')[0]}")
    text = say("check_side", access=kind, thread=side["thread"], block=side["block"])
    return f"{text}, {side['line']}" if side["line"] else text


def _leaks(
    process: Process, notes: Sequence[DeviceNote], where: Places, say: Say
) -> Iterator[CheckFinding]:
    if process.ending.how != "exit" or any(one.event in _LOST for one in notes):
        return
    for one in process.allocations():
        if not one.live or one.made_by is None or one.kind.name == "REGISTERED_MEMORY":
            continue
        call = process.event(one.made_by).call
        text = say(
            "check_leak",
            bytes=one.bytes,
            address=f"{one.address:#x}",
            call=call,
            seq=one.made_by,
        )
        lines = tuple(_called(where(one.made_by), say))
        yield CheckFinding(_LEAKCHECK, "leak", text, lines, one.made_by)


def _limits(
    run: api.Run, processes: Sequence[Process], tools: Sequence[str], say: Say
) -> Iterator[tuple[str, str]]:
    counts = run.summary
    launches = counts.launches - counts.failed_launches + counts.graph_launches
    noted = sum(_noted_launches(process) for process in processes)
    if _INITCHECK in tools and noted < launches:
        yield _INITCHECK, say("check_limit_launches", count=launches - noted, all=launches)
    if _RACECHECK in tools and launches == 0:
        yield _RACECHECK, say("check_limit_no_kernels")
    if _LEAKCHECK in tools and any(process.ending.how != "exit" for process in processes):
        yield _LEAKCHECK, say("check_limit_ended")
    faults = [one for process in processes for one in process.device_faults()]
    for code, is_cut in (("check_limit_hiprtc", False), ("check_limit_cut", True)):
        unwatched = {
            one.kernel for one in faults if one.event == "unwatched" and is_cut == bool(one.message)
        }
        if names := sorted(name or "?" for name in unwatched):
            yield _RACECHECK, say(code, kernels=", ".join(names[:8]))
    if _LEAKCHECK in tools and any(one.event in _LOST for one in faults):
        yield _LEAKCHECK, say("check_limit_lost")


def _noted_launches(process: Process) -> int:
    """Calls, those that launch a graph too, all of whose kernels told what they read."""
    told: dict[int | None, bool] = {}
    for one in process.footprints():
        told[one.seq] = told.get(one.seq, True) and one.complete
    return sum(told.values())


def _undecided(
    verdict: Verdict,
    findings: Sequence[CheckFinding],
    processes: Sequence[Process],
    tools: Sequence[str],
    say: Say,
) -> Iterator[tuple[str, str]]:
    """What the verdict leaves open was not found right by the tool that looks for it."""
    for tool in tools:
        for doubt in verdict.doubts:
            if doubt.hypothesis in _HYPOTHESES.get(tool, ()):
                yield tool, say.of(f"doubt_{doubt.code}", doubt.data)
    notes = (one for process in processes for one in process.device_faults())
    faulted = any(one.event == "illegal_access" for one in notes)
    faulted |= verdict.word == "REPRODUCED" and not verdict.confirmed
    if _MEMCHECK in tools and faulted and not any(one.tool == _MEMCHECK for one in findings):
        yield _MEMCHECK, say("check_limit_unexplained")


def _print(outcome: CheckOutcome, path: Path, options: argparse.Namespace, say: Say) -> None:
    lines = []
    for one in outcome.findings[: options.print_limit]:
        lines.append(f"{one.tool}: {one.text}")
        lines += [f"    {line}" for line in one.lines]
    hidden = len(outcome.findings) - options.print_limit
    lines += [say("check_more", count=hidden)] if hidden > 0 else []
    lines += [f"{tool}: {text}" for tool, text in outcome.limits]
    count = len(outcome.findings)
    found = say("check_found", count=count) if count else say("check_none")
    lines.append(f"{found}; {say('kept_in')} {shortened(path)}")
    text = "".join(f"greta: {printable(plain_spaces(line))}\n" for line in lines)
    if options.log_file is None:
        sys.stderr.write(text)
        return
    write_output("--log-file", options.log_file, text)


def _as_json(outcome: CheckOutcome, run: api.Run, tools: Sequence[str]) -> Json:
    return {
        "schema": 1,
        "run": str(run.path),
        "exit_code": run.exit_code,
        "tools": list(tools),
        "findings": [
            {**vars(one), "lines": list(one.lines), "sides": list(one.sides)}
            for one in outcome.findings
        ],
        "limits": [{"tool": tool, "text": text} for tool, text in outcome.limits],
    }


def _tools(text: str) -> tuple[str, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in TOOLS]
    if unknown or not names:
        raise argparse.ArgumentTypeError(f"must be some of {', '.join(TOOLS)}, not {text!r}")
    return tuple(name for name in TOOLS if name in names)
