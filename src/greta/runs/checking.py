"""What the tools of `greta check` find in a run that was recorded for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from greta.forensics import kernel_races
from greta.forensics.saying import Saying, Value
from greta.forensics.verdict import (
    RACES,
    STOPS,
    Doubt,
    FaultAccess,
    Finding,
    LackedCall,
    Verdict,
)
from greta.recording import Process
from greta.recording.notes import DeviceNote
from greta.runs.device_faults import LOST, approximate_kernels, leaks
from greta.runs.device_faults import kernel_races as races_in
from greta.runs.tally import Tally
from greta.symbols.sites import Demangler
from greta.trace.evidence import KernelRace, Leak, ThreadAccess
from greta.trace.reading import Describer
from greta.trace.trace import Where
from greta.typed_json import Json

MEMCHECK, INITCHECK, RACECHECK, LEAKCHECK = "memcheck", "initcheck", "racecheck", "leakcheck"
TOOLS: Final = (MEMCHECK, INITCHECK, RACECHECK, LEAKCHECK)
_HYPOTHESES: Final = {
    MEMCHECK: (
        *("byte_size_mismatch", "use_after_free", "bad_pointer", "upstream_kernel_fault"),
        "bad_launch",
    ),
    INITCHECK: ("uninitialized_read",),
    RACECHECK: RACES,
}


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
    count: int = 1
    """How many there are of it: pairs of instructions, in each launch."""
    calls: tuple[int, ...] = ()
    """The launches they are of, where there may be several."""
    where: Where = field(default_factory=Where)
    """Of the call."""
    places: tuple[Where, ...] = ()
    """In the kernel's own source, that of the access first; none where that is not known."""


@dataclass
class CheckOutcome:
    findings: list[CheckFinding] = field(default_factory=list)
    limits: list[tuple[str, Saying]] = field(default_factory=list)
    """Why a tool could not look, or not everywhere."""
    approximate: dict[str, list[str]] = field(default_factory=dict)
    """Instructions whose last bits may differ on hardware, by kernel."""
    is_lacking: bool = False
    """The simulated device could not run the program as it is: how that ended says nothing."""
    looked: bool = True
    """False if no kernel ran for that."""


Places = Callable[["int | None"], Where]


def checked(
    processes: Sequence[Process], verdict: Verdict, counts: Tally, tools: Sequence[str]
) -> CheckOutcome:
    outcome, where, demangler = CheckOutcome(), _places(processes), Demangler()
    outcome.findings += _of_verdict(verdict, tools, where)
    if INITCHECK in tools:
        outcome.findings += _loads(verdict, where)
    for process in processes:
        lack = _lack_of(verdict, process)
        notes = _notes_before(process, lack)
        if MEMCHECK in tools:
            traps = [one for one in notes if one.event == "trap"]
            outcome.findings = _without_stops(outcome.findings, traps)
            names = [demangler.readable(one.kernel or "?") for one in traps]
            outcome.findings += [_trap(*one, where) for one in zip(traps, names, strict=True)]
        if RACECHECK in tools:
            races = races_in(process)
            kept = [one for one in races if lack is None or one.seq < lack.seq]
            outcome.findings += [_race(one, where) for one in kept]
            if lack and len(kept) < len(races):
                outcome.limits.append((RACECHECK, _went_on(lack)))
        if LEAKCHECK in tools and not (verdict.is_lacking or (lack and lack.is_code)):
            outcome.findings += [_leak(one, where) for one in leaks(process)]
    _note_lacks(outcome, verdict, counts, tools)
    outcome.limits += _limits(counts, processes, tools, outcome.looked)
    outcome.limits += _undecided(verdict, outcome.findings, processes, tools)
    outcome.approximate = {
        demangler.readable(kernel): list(names)
        for process in processes
        for kernel, names in approximate_kernels(process).items()
    }
    return outcome


def _lack_of(verdict: Verdict, process: Process) -> LackedCall | None:
    return next((one for one in verdict.lacks if one.pid in (None, process.pid)), None)


def _notes_before(process: Process, lack: LackedCall | None) -> list[DeviceNote]:
    """What kernels did afterwards may be for what the simulated device could not do."""
    notes = process.device_faults()
    return [one for one in notes if lack is None or (one.seq is not None and one.seq < lack.seq)]


def _went_on(lack: LackedCall) -> Saying:
    return Saying("verdict_simulator_ignored", {"call": lack.call, "seq": lack.seq})


def _note_lacks(
    outcome: CheckOutcome, verdict: Verdict, counts: Tally, tools: Sequence[str]
) -> None:
    """A tool that found nothing in a program that could not run has not looked."""
    of_code = next((one.reason for one in verdict.lacks if one.is_code), None)
    reason = verdict.reason if verdict.is_lacking else of_code
    if reason is None:
        return
    outcome.is_lacking = True
    outcome.looked = _launches(counts) > 0 or not any(one.is_code for one in verdict.lacks)
    outcome.limits += [(tool, reason) for tool in tools]


def _launches(counts: Tally) -> int:
    """Those that ran."""
    return counts.launches - counts.failed_launches + counts.graph_launches


def _places(processes: Sequence[Process]) -> Places:
    """Where in the source a call is; numbers of calls are unique in one process alone."""
    used = [process for process in processes if len(process)]
    describe = Describer(used[0]) if len(used) == 1 else None
    return lambda seq: describe(seq).where if describe and seq else Where()


def _called(where: Where) -> list[Saying]:
    place = where.text
    return [Saying("check_called", {"place": place})] if place else []


def _other_called(seq: int, where: Places) -> list[Saying]:
    place = where(seq).text
    return [Saying("check_other_called", {"seq": seq, "place": place})] if place else []


def _of_verdict(verdict: Verdict, tools: Sequence[str], where: Places) -> Iterator[CheckFinding]:
    rulings = {ruling.hypothesis: ruling for ruling in verdict.rulings if ruling.confirmed}
    for tool in tools:
        for hypothesis in _HYPOTHESES.get(tool, ()):
            found = rulings[hypothesis].findings if hypothesis in rulings else ()
            for one in found:
                kernel, place = one.data.get("kernel"), where(one.seq)
                access = _access(verdict, one, found)
                lines = [*(_access_lines(access) if access else ()), *_called(place)]
                lines += _other_called(one.other, where) if one.other else []
                at = (_place_of(access.line),) if access and access.line else ()
                name = kernel if isinstance(kernel, str) else None
                yield CheckFinding(
                    *(tool, one.code, Saying(one.code, one.words), tuple(lines), one.seq, name),
                    where=place,
                    places=at,
                )


def _is_load(doubt: Doubt) -> bool:
    """To initcheck a read of what nobody wrote is a finding, whatever comes of it."""
    return doubt.code == "unwritten_read"


_FOUND: Final = ("unwritten_read", "kernel_race", "missed_barrier")
"""Doubts of a verdict that are findings of a tool."""


def _loads(verdict: Verdict, where: Places) -> Iterator[CheckFinding]:
    for one in filter(_is_load, verdict.doubts):
        seq, code = one.operations[0], "kernel_reads_unwritten"
        place, kernel = where(seq), str(one.data.get("kernel") or "") or None
        told, lines = Saying(code, one.data), tuple(_called(place))
        yield CheckFinding(INITCHECK, code, told, lines, seq, kernel, where=place)


def _access(verdict: Verdict, finding: Finding, others: Sequence[Finding]) -> FaultAccess | None:
    """Of a launch that was given several bad pointers, only of the one that it accessed."""
    cause = verdict.cause
    access = cause.access if cause and cause.seq == finding.seq else None
    if access is None:
        return None
    holding = [one for one in others if one.seq == finding.seq and _holds(one, access.address)]
    return access if not holding or finding in holding else None


def _place_of(line: str) -> Where:
    file, _, number = line.rpartition(":")
    return Where(file, int(number))


def _access_lines(access: FaultAccess) -> Iterator[Saying]:
    if access.thread and access.block and access.kind and access.bytes:
        thread, block = (",".join(map(str, one)) for one in (access.thread, access.block))
        data: dict[str, Value] = {"thread": thread, "block": block, "bytes": access.bytes}
        yield Saying("check_access", {"access": Saying(f"access_{access.kind}"), **data})
    if access.line:
        yield Saying("check_at", {"place": access.line})


def _holds(finding: Finding, address: str | None) -> bool:
    begin, size = finding.data.get("buffer"), finding.data.get("buffer_bytes")
    if address is None or not isinstance(begin, str) or not isinstance(size, int):
        return False
    return 0 <= int(address, 16) - int(begin, 16) < size


def _without_stops(
    findings: Sequence[CheckFinding], traps: Sequence[DeviceNote]
) -> list[CheckFinding]:
    """Of a launch that trapped the device tells more than that it stopped."""
    trapped = {one.seq for one in traps}
    return [one for one in findings if one.code not in STOPS or one.call not in trapped]


def _trap(note: DeviceNote, kernel: str, where: Places) -> CheckFinding:
    place = where(note.seq)
    told = Saying("check_trap", {"kernel": kernel, "seq": note.seq})
    lines = (Saying("check_said", {"text": note.message}), *_called(place))
    return CheckFinding(MEMCHECK, "trap", told, lines, note.seq, kernel, where=place)


def _race(race: KernelRace, where: Places) -> CheckFinding:
    called = where(race.seq)
    sides = tuple(map(_as_json, race.sides)) if race.what == "race" else ()
    return CheckFinding(
        *(RACECHECK, race.what, kernel_races.told(race)),
        lines=(*kernel_races.lines(race), *_called(called)),
        call=race.seq,
        kernel=race.kernel,
        sides=sides,
        count=race.count,
        calls=race.calls,
        where=called,
        places=tuple(dict.fromkeys(one.where for one in race.sides if one.where.file)),
    )


def _as_json(side: ThreadAccess) -> Json:
    named = {"access": side.access, "thread": side.thread, "block": side.block}
    return {**named, "line": side.line}


def _leak(leak: Leak, where: Places) -> CheckFinding:
    place = where(leak.seq)
    return CheckFinding(
        *(LEAKCHECK, leak.what, kernel_races.told_leak(leak)),
        lines=(*kernel_races.lines_of_leak(leak), *_called(place)),
        call=leak.seq,
        kernel=leak.kernel,
        count=leak.count,
        where=place,
    )


def _limits(
    counts: Tally, processes: Sequence[Process], tools: Sequence[str], looked: bool
) -> Iterator[tuple[str, Saying]]:
    launches = _launches(counts)
    noted = sum(_noted_launches(process) for process in processes)
    if INITCHECK in tools and noted < launches:
        data = {"count": launches - noted, "all": launches}
        yield INITCHECK, Saying("check_limit_launches", data)
    if RACECHECK in tools and launches == 0 and looked:
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
    lost = {one.kernel or "?" for one in faults if one.event == "heap" and one.message}
    if LEAKCHECK in tools and lost:
        yield LEAKCHECK, Saying("check_limit_heap", {"kernels": tuple(sorted(lost)[:8])})
    if LEAKCHECK in tools and any(one.event in LOST for one in faults):
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
            if doubt.hypothesis in _HYPOTHESES.get(tool, ()) and doubt.code not in _FOUND:
                yield tool, Saying(f"doubt_{doubt.code}", doubt.data)
    if MEMCHECK in tools and not any(one.tool == MEMCHECK for one in findings):
        yield from _unexplained(verdict, processes)


def _unexplained(verdict: Verdict, processes: Sequence[Process]) -> Iterator[tuple[str, Saying]]:
    """A fault without a cause; else a call that failed, as the verdict tells of it."""
    reason = verdict.reason
    lacks = [(process, _lack_of(verdict, process)) for process in processes]
    notes = (one for process, lack in lacks for one in _notes_before(process, lack))
    if any(one.event == "illegal_access" for one in notes):
        yield MEMCHECK, Saying("check_limit_unexplained")
    elif verdict.word == "REPRODUCED" and not verdict.confirmed:
        refused = reason is not None and reason.code == "verdict_launch_refused"
        yield MEMCHECK, reason if reason and refused else Saying("check_limit_unexplained")
