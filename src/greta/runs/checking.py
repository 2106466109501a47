"""What the tools of `greta check` find in a run that was recorded for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from greta.forensics.saying import Saying, Value
from greta.forensics.verdict import RACES, Verdict
from greta.recording import Process
from greta.recording.notes import DeviceNote
from greta.runs.device_faults import approximate_kernels
from greta.runs.tally import Tally
from greta.trace.reading import Describer
from greta.trace.trace import Where
from greta.typed_json import Json

MEMCHECK, INITCHECK, RACECHECK, LEAKCHECK = "memcheck", "initcheck", "racecheck", "leakcheck"
TOOLS: Final = (MEMCHECK, INITCHECK, RACECHECK, LEAKCHECK)
_HYPOTHESES: Final = {
    MEMCHECK: ("byte_size_mismatch", "use_after_free", "bad_pointer", "upstream_kernel_fault"),
    INITCHECK: ("uninitialized_read",),
    RACECHECK: RACES,
}
_LOST: Final = ("illegal_access", "trap")
_SIDE: Final = (
    r"(read|write|atomic update) by thread (\d+,\d+,\d+) of block (\d+,\d+,\d+)"
    r"(?:, (.+?:\d+))?"
)
_RACE: Final = re.compile(
    r"race at (?:byte (?P<shared>\d+) of the block's shared memory"
    r"|byte (?P<byte>\d+) of the buffer of (?P<bytes>\d+) bytes? at (?P<address>0x[0-9a-f]+)"
    r"|(?P<place>.+?)) in (?P<kernel>.+): " + _SIDE + "; " + _SIDE
)
_BARRIER: Final = re.compile(
    r"barrier in (?P<kernel>.+): reached by thread (?P<here>\d+,\d+,\d+) of block (?P<block>\S+?)"
    r"(?:, (?P<line>.+?:\d+))?; not by thread (?P<absent>\d+,\d+,\d+) of block \S+"
)
"""As the device writes both: native/simdevice/gfx/fault_text.h."""


@dataclass(frozen=True)
class CheckFinding:
    tool: str
    code: str
    told: Saying
    lines: tuple[Saying, ...] = ()
    """What explains it."""
    call: int | None = None
    kernel: str | None = None
    sides: tuple[Json, ...] = ()
    where: Where = field(default_factory=Where)


@dataclass
class CheckOutcome:
    findings: list[CheckFinding] = field(default_factory=list)
    limits: list[tuple[str, Saying]] = field(default_factory=list)
    """Why a tool could not look, or not everywhere."""
    approximate: dict[str, list[str]] = field(default_factory=dict)
    """Instructions whose last bits may differ on hardware, by kernel."""


Places = Callable[["int | None"], Where]


def checked(
    processes: Sequence[Process], verdict: Verdict, counts: Tally, tools: Sequence[str]
) -> CheckOutcome:
    outcome, where = CheckOutcome(), _places(processes)
    outcome.findings += _of_verdict(verdict, tools, where)
    for process in processes:
        notes = process.device_faults()
        if MEMCHECK in tools:
            outcome.findings += [_trap(one) for one in notes if one.event == "trap"]
        if RACECHECK in tools:
            outcome.findings += [_race(one, where) for one in notes if one.event == "race"]
        if LEAKCHECK in tools:
            outcome.findings += _leaks(process, notes, where)
    outcome.limits += _limits(counts, processes, tools)
    outcome.limits += _undecided(verdict, outcome.findings, processes, tools)
    outcome.approximate = approximate_kernels(processes)
    return outcome


def _places(processes: Sequence[Process]) -> Places:
    """Where in the source a call is; numbers of calls are unique in one process alone."""
    used = [process for process in processes if len(process)]
    describe = Describer(used[0]) if len(used) == 1 else None
    return lambda seq: describe(seq).where if describe and seq else Where()


def _called(where: Where) -> list[Saying]:
    place = where.text
    return [Saying("check_called", {"place": place})] if place else []


def _of_verdict(verdict: Verdict, tools: Sequence[str], where: Places) -> Iterator[CheckFinding]:
    rulings = {ruling.hypothesis: ruling for ruling in verdict.rulings if ruling.confirmed}
    for tool in tools:
        for hypothesis in _HYPOTHESES.get(tool, ()):
            for one in rulings[hypothesis].findings if hypothesis in rulings else ():
                kernel, place = one.data.get("kernel"), where(one.seq)
                lines = [*_access_lines(verdict, one.seq), *_called(place)]
                lines += _called(where(one.other)) if one.other else []
                told = Saying(one.code, one.words)
                name = kernel if isinstance(kernel, str) else None
                yield CheckFinding(tool, one.code, told, tuple(lines), one.seq, name, where=place)


def _access_lines(verdict: Verdict, seq: int) -> Iterator[Saying]:
    access = verdict.cause.access if verdict.cause and verdict.cause.seq == seq else None
    if access is None:
        return
    if access.thread and access.block and access.kind and access.bytes:
        thread, block = (",".join(map(str, one)) for one in (access.thread, access.block))
        data: dict[str, Value] = {"thread": thread, "block": block, "bytes": access.bytes}
        yield Saying("check_access", {"access": Saying(f"access_{access.kind}"), **data})
    if access.line:
        yield Saying("check_at", {"place": access.line})


def _trap(note: DeviceNote) -> CheckFinding:
    told = Saying("check_trap", {"kernel": note.kernel or "?", "seq": note.seq})
    said = (Saying("check_said", {"text": note.message}),)
    return CheckFinding(MEMCHECK, "trap", told, said, note.seq, note.kernel)


def _race(note: DeviceNote, where: Places) -> CheckFinding:
    called = where(note.seq)
    if told := _BARRIER.fullmatch(note.message):
        data = {**told.groupdict(), "seq": note.seq}
        at = [Saying("check_at", {"place": told["line"]})] if told["line"] else []
        lines, name = (*at, *_called(called)), told["kernel"]
        sentence = Saying("check_barrier", data)
        return CheckFinding(RACECHECK, "barrier", sentence, lines, note.seq, name, where=called)
    told = _RACE.fullmatch(note.message)
    if told is None:
        said = Saying("check_said", {"text": note.message})
        return CheckFinding(RACECHECK, "race", said, (), note.seq, note.kernel, where=called)
    place: Saying | str = told["place"] or ""
    if told["shared"]:
        place = Saying("check_race_shared", {"byte": told["shared"]})
    elif told["byte"]:
        data = {name: told[name] for name in ("byte", "address", "bytes")}
        place = Saying("check_race_buffer", data)
    groups = told.groups()
    sides = [
        dict(zip(("access", "thread", "block", "line"), groups[at : at + 4], strict=True))
        for at in (len(groups) - 8, len(groups) - 4)
    ]
    lines = (*map(_side, sides), *_called(called))
    name = told["kernel"]
    sentence = Saying("check_race", {"kernel": name, "seq": note.seq, "place": place})
    return CheckFinding(
        RACECHECK, "race", sentence, lines, note.seq, name, tuple(sides), where=called
    )


def _side(side: Json) -> Saying:
    kind = Saying(f"access_{side['access'].partition(' ')[0]}")
    data = {**side, "access": kind}
    return Saying("check_side_at" if side["line"] else "check_side", data)


def _leaks(process: Process, notes: Sequence[DeviceNote], where: Places) -> Iterator[CheckFinding]:
    if process.ending.how != "exit" or any(one.event in _LOST for one in notes):
        return
    for one in process.allocations():
        if not one.live or one.made_by is None or one.kind.name == "REGISTERED_MEMORY":
            continue
        data = {"bytes": one.bytes, "address": f"{one.address:#x}", "seq": one.made_by}
        told = Saying("check_leak", {**data, "call": process.event(one.made_by).call})
        place = where(one.made_by)
        yield CheckFinding(LEAKCHECK, "leak", told, tuple(_called(place)), one.made_by, where=place)


def _limits(
    counts: Tally, processes: Sequence[Process], tools: Sequence[str]
) -> Iterator[tuple[str, Saying]]:
    launches = counts.launches - counts.failed_launches + counts.graph_launches
    noted = sum(_noted_launches(process) for process in processes)
    if INITCHECK in tools and noted < launches:
        data = {"count": launches - noted, "all": launches}
        yield INITCHECK, Saying("check_limit_launches", data)
    if RACECHECK in tools and launches == 0:
        yield RACECHECK, Saying("check_limit_no_kernels")
    if LEAKCHECK in tools and any(process.ending.how != "exit" for process in processes):
        yield LEAKCHECK, Saying("check_limit_ended")
    faults = [one for process in processes for one in process.device_faults()]
    for code, is_cut in (("check_limit_hiprtc", False), ("check_limit_cut", True)):
        unwatched = {
            one.kernel for one in faults if one.event == "unwatched" and is_cut == bool(one.message)
        }
        if names := sorted(name or "?" for name in unwatched):
            yield RACECHECK, Saying(code, {"kernels": tuple(names[:8])})
    if LEAKCHECK in tools and any(one.event in _LOST for one in faults):
        yield LEAKCHECK, Saying("check_limit_lost")


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
) -> Iterator[tuple[str, Saying]]:
    """What the verdict leaves open was not found right by the tool that looks for it."""
    for tool in tools:
        for doubt in verdict.doubts:
            if doubt.hypothesis in _HYPOTHESES.get(tool, ()):
                yield tool, Saying(f"doubt_{doubt.code}", doubt.data)
    notes = (one for process in processes for one in process.device_faults())
    faulted = any(one.event == "illegal_access" for one in notes)
    faulted |= verdict.word == "REPRODUCED" and not verdict.confirmed
    if MEMCHECK in tools and faulted and not any(one.tool == MEMCHECK for one in findings):
        yield MEMCHECK, Saying("check_limit_unexplained")
