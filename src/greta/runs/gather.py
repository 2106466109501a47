"""Everything that is known of a run, from its files: a list of evidence, one for each process.

A path may be a run folder, a recording, a log, or a folder of logs; several paths are one run.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from greta.errors import UsageError
from greta.outside import is_there, open_outside
from greta.recording import (
    Recording,
    RecordingError,
    is_recording,
    open_recording,
    unrecorded_processes,
)
from greta.recording.notes import read_started
from greta.runs.binary import binary_facts, require_sense
from greta.runs.device_faults import (
    approximate_kernels,
    device_logs,
    kernel_races,
    leaks,
    noted_launches,
)
from greta.runs.files import model_facts
from greta.runs.folder import read_pin, read_run
from greta.runs.unfollowed import unfollowed_processes
from greta.trace import trace as t
from greta.trace.evidence import (
    DeviceFault,
    DeviceRemark,
    Evidence,
    Expectations,
    FreshBytes,
    Message,
    ModelFact,
    Pinned,
    Unseen,
)
from greta.trace.logs.formats.hrr import is_hrr
from greta.trace.logs.formats.rocpd import MAGIC as ROCPD
from greta.trace.logs.lines import read_lines
from greta.trace.logs.logged import NEAR, ProcessLog, most_likely, owner_of
from greta.trace.logs.read import (
    evidence_of,
    process_logs_if_any,
    process_logs_of_output,
    read_process_logs,
)
from greta.trace.memory_history import MemoryHistory, is_memory_history, read_memory_history
from greta.trace.reading import traces_of
from greta.trace.run_facts import LEAKCHECK, RunFacts, UnfollowedProcess
from greta.trace.trace import Gap, Trace

Paths = Path | str | Iterable[Path | str]

NOTHING_EXPECTED: Final = Expectations()
_WANTED: Final = "give a run folder, a recording, a log, or a folder of logs"
_MOST_LOGS: Final = 1000
_LOOK: Final = 4096
_LOGS: Final = ("stdout.log", "stderr.log")
_LAST: Final = int(np.iinfo(np.uint64).max)
# native/recorder/lanes/process_recording.cpp; "for now": it goes on trying.
_FOR_GOOD: Final = "the program goes on unrecorded"
_SAID: Final = re.compile(rf"greta: (.+); ({_FOR_GOOD}|not recorded for now)")


def gather(paths: Paths, expectations: Expectations = NOTHING_EXPECTED) -> list[Evidence]:
    """The evidence, one for each process; raises UsageError if there is none to be had.

    Several paths are about one run: at most one of them is a run folder or a recording.
    """
    require_sense(expectations)
    given = [Path(paths)] if isinstance(paths, Path | str) else [Path(path) for path in paths]
    for path in given:
        if not path.exists():
            raise UsageError(f"{path} does not exist; {_WANTED}")
    if not given:
        raise UsageError(f"nothing was given to analyze; {_WANTED}")
    recorded = [path for path in given if path.is_dir() and is_recorded(path)]
    if len(recorded) > 1:
        raise UsageError(f"{recorded[0]} and {recorded[1]} are two runs; give one of them")
    others = [path for path in given if path not in recorded]
    histories = [path for path in others if is_memory_history(path)]
    if histories and (len(histories) > 1 or not recorded):
        alone = "only one is read" if recorded else "give the run that it belongs to as well"
        raise UsageError(f"{histories[-1]} tells which blocks an allocator gave out; {alone}")
    logs = [log for path in others if path not in histories for log in _logs_at(path)]
    if recorded:
        history = read_memory_history(histories[0]) if histories else None
        return gather_recorded(recorded[0], logs, expectations, history=history)
    return [replace(one, expectations=expectations) for one in evidence_of(logs, others)]


def _logs_at(path: Path) -> list[ProcessLog]:
    if not path.is_dir() or is_hrr(path):
        return read_process_logs(path)
    found = logs_in(path)
    if not found:
        raise UsageError(f"{path} is neither a run nor a recording, and has no log; {_WANTED}")
    return found


def logs_in(folder: Path) -> list[ProcessLog]:
    """The logs among the regular files directly in a folder that are text, or databases."""
    try:
        files = sorted(path for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror or error}") from None
    if len(files) > _MOST_LOGS:
        raise UsageError(f"{folder} has {len(files)} files; give the logs of one run by name")
    return [log for path in files if _may_be_log(path) for log in process_logs_if_any(path)]


def _may_be_log(path: Path) -> bool:
    try:
        with open_outside(path, within=path.parent) as file:
            start = file.read(_LOOK)
            return b"\0" not in start or start.startswith(ROCPD)
    except OSError:
        return False


def is_recorded(path: Path) -> bool:
    """Whether a folder is a run's, or a recording."""
    return is_there(path / "run.json") or is_recording(path) or (path / "recording").is_dir()


def runs_at(path: Path) -> list[Path]:
    """The run itself, those of an audit, or those directly in a folder."""
    if is_recorded(path):
        return [path]
    inner = path / "run" if (path / "summary.json").is_file() else path
    return [one for one in sorted(inner.glob("*")) if one.is_dir() and is_recorded(one)]


def gather_recorded(
    path: Path,
    others: Sequence[ProcessLog] = (),
    expectations: Expectations = NOTHING_EXPECTED,
    recording: Recording | None = None,
    history: MemoryHistory | None = None,
) -> list[Evidence]:
    """The evidence of each recorded process; one without operations if no HIP call was made.

    `others`: logs beside the run's own. `recording`: the run's, if it is open already. `history`:
    what the allocator of one of the processes said of its blocks.
    """
    facts = read_run(path)
    recording = recording or _opened(path)
    traces = _traces(path, recording, history, is_run=facts is not None)
    run = facts or RunFacts()
    written = [log for name in _LOGS if is_there(log := path / name)]
    for log in written:
        open_outside(log, within=path).close()
    logs = [one for log in written for one in process_logs_of_output(log)]
    logs += device_logs(recording) if recording else []
    models = model_facts(run.models)
    recorded = recording.processes if recording else ()
    noted = {one.pid: noted_launches(one) for one in recorded}
    approximate = {one.pid: approximate_kernels(one) for one in recorded}
    races = {one.pid: kernel_races(one) for one in recorded}
    checked_for = recorded if LEAKCHECK in run.checks else ()
    leaked = {one.pid: leaks(one) for one in checked_for}
    evidence = [
        Evidence(
            trace=trace,
            noted_launches=noted.get(trace.pid, {}),
            races=races.get(trace.pid, ()),
            leaks=leaked.get(trace.pid, ()),
            approximate=approximate.get(trace.pid, {}),
            models=models,
            run=run,
            binary=binary_facts(run, trace.pid, expectations, written),
            expectations=expectations,
            pinned=_pinned(path, trace.pid),
            fresh_bytes=_fresh_bytes(path, trace.pid),
        )
        for trace in traces
    ]
    unseen = [
        Evidence(
            trace=_nothing(
                Gap.UNSEEN, f"process {one.pid} ({one.command}): {one.why}, {one.reach}"
            ),
            run=run,
            unseen=one,
        )
        for one in unseen_processes(path, run)
    ]
    if unseen:  # where only processes that nobody saw may have used HIP, they are to be named
        evidence = [
            one for one in evidence if one.trace.pid or Gap.NO_RECORDING not in one.trace.gaps
        ]
    return [*_with_logs(evidence, [*logs, *others]), *unseen]


def _opened(path: Path) -> Recording | None:
    try:
        return open_recording(path)
    except RecordingError:
        return None


def _pinned(path: Path, pid: int) -> Pinned | None:
    """None if the process was not pinned, or not to a call of this recording.

    A fault that is a matter of timing is pinned to the operation whose wait hides it, which need
    not be the one that causes it: no evidence of the cause.
    """
    pin = read_pin(path)
    if pin is None or not pin.pinned or pin.pid != pid or pin.seq is None:
        return None
    return Pinned(pin.seq, pin.runs, pin.kernel) if pin.persists_serialized else None


def _fresh_bytes(path: Path, pid: int) -> FreshBytes | None:
    pin = read_pin(path)
    if pin is None or pin.fresh_bytes is None or pin.pid not in (None, pid):
        return None
    return FreshBytes(pin.fresh_bytes, pin.seq)


def _traces(
    path: Path, opened: Recording | None, history: MemoryHistory | None, *, is_run: bool
) -> list[Trace]:
    lost = unrecorded(path)
    unseen = [_nothing(Gap.UNRECORDED, lost)] if lost else []
    try:
        recording = opened or open_recording(path)
    except RecordingError as error:
        if unseen:
            return unseen
        if is_run or (path / "recording").is_dir():
            return [_nothing(Gap.NO_RECORDING, str(error))]
        raise
    # Processes whose files exist but cannot be read.
    blank = unrecorded_processes(recording.path)
    damaged = [why for folder, why in recording.unopened.items() if folder not in blank]
    unseen += [_nothing(Gap.DAMAGED, why) for why in damaged]
    traces = [trace for process in recording.processes for trace in traces_of(process)]
    if history is not None:
        traces = _with_history(recording, traces, history)
    return [*traces, *unseen]


def _with_history(recording: Recording, traces: list[Trace], history: MemoryHistory) -> list[Trace]:
    """With the blocks of the one process whose memory they lie in."""
    told = [trace for one in recording.processes for trace in traces_of(one, history)]
    pairs = zip(traces, told, strict=True)
    pids = {after.pid for before, after in pairs if len(after.blocks) > len(before.blocks)}
    if len(pids) != 1:
        which = "no memory of this run" if not pids else f"memory of {len(pids)} processes"
        raise UsageError(f"{history.path} tells of blocks in {which}; give that of one process")
    return told


def _nothing(gap: Gap, reason: str) -> Trace:
    """The trace of a program that made no HIP call, or none that was recorded."""

    def describe(seq: int) -> t.Call:
        raise KeyError(seq)

    return Trace(
        operations=np.zeros(0, t.OPERATION),
        accesses=np.zeros(0, t.ACCESS),
        allocations=np.zeros(0, t.ALLOCATION),
        streams=np.zeros(0, t.STREAM),
        calls=(),
        describe=describe,
        gaps={gap: reason},
    )


def _with_logs(evidence: list[Evidence], logs: Sequence[ProcessLog]) -> list[Evidence]:
    shares = shared_out([one.trace for one in evidence], logs)
    return [
        replace(
            one,
            faults=tuple(share.faults),
            messages=tuple(share.messages),
            remarks=tuple(share.remarks),
            models=one.models or tuple(share.models),
            printed=tuple(share.models),
        )
        for one, share in zip(evidence, shares, strict=True)
    ]


@dataclass(eq=False)
class Share:
    """A recorded process, and what is given to it of what the logs say.

    A program's output is one for all its processes. A fault goes to the process that it names; else
    to the one that greta.trace.logs.logged finds.
    """

    trace: Trace
    faults: list[DeviceFault] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    remarks: list[DeviceRemark] = field(default_factory=list)
    models: list[ModelFact] = field(default_factory=list)

    def ran(self, kernel: str) -> bool:
        """Whether it launched a kernel of this name."""
        return kernel in self.trace.kernels

    def had_memory_near(self, address: int) -> bool:
        """Whether an allocation is there, or next to it."""
        if not 0 <= address <= _LAST:
            return False
        at = np.uint64(address)
        starts, sizes = (self.trace.allocations[name] for name in ("address", "bytes"))
        before = (starts > at) & (starts - at <= NEAR)
        # What is not before its beginning; differences do not run over, as ends may.
        within = (starts <= at) & (at - starts < np.minimum(sizes, _LAST - NEAR) + np.uint64(NEAR))
        return bool((before | within).any())

    def was_running_at(self, _: float) -> bool:
        """Not known: a recording has a clock of its own."""
        return False

    @property
    def failed(self) -> bool:
        """Whether a signal ended it or a call failed."""
        return self.trace.signal is not None or bool(self.trace.operations["failed"].any())

    @property
    def unfinished(self) -> bool:
        """Whether a call did not return."""
        return not self.trace.operations["finished"].all()


def shared_out(traces: Sequence[Trace], logs: Sequence[ProcessLog]) -> list[Share]:
    """One share for each trace. Faults of processes that were not recorded are left out."""
    shares = [Share(trace) for trace in traces]
    by_pid: dict[int, list[Share]] = {}  # several where it had several HIP libraries
    for share in shares:
        if share.trace.pid:
            by_pid.setdefault(share.trace.pid, []).append(share)
    for log in logs:
        for fault in log.faults:
            pid = fault.pid or log.pid
            if not (pid and by_pid):
                owner_of(fault, shares).faults.append(fault)
            elif pid in by_pid:
                owner_of(fault, by_pid[pid]).faults.append(fault)
        most_likely(by_pid.get(log.pid) or shares).messages.extend(log.messages)
        for remark in log.remarks:
            owner_of_remark(remark, by_pid.get(remark.pid or log.pid) or shares).append(remark)
        for share in shares:
            share.models.extend(log.models)
    return shares


def owner_of_remark(remark: DeviceRemark, shares: Sequence[Share]) -> list[DeviceRemark]:
    """The remarks of the process that had such an allocation."""
    near = [share for share in shares if share.had_memory_near(remark.buffer)]
    return (near or shares)[0].remarks


def unseen_processes(path: Path, run: RunFacts) -> list[Unseen]:
    """Processes that may have used HIP and of which there is no recording.

    Either the recorder was not in them, or their folders, which run.json or processes.jsonl lists,
    are gone. `path` is of a run or a recording, `run` what run.json says.
    """
    if path.name.partition(".")[0].isdecimal() and (path / "header").exists():
        return []  # one process was asked for
    inner = path / "recording"
    recording = inner if inner.is_dir() else path
    left = unfollowed_processes(path) if run.unfollowed is None else run.unfollowed
    # One that was alive when the run ended may have called HIP, and been recorded, after that.
    silent = [one for one in left if one.why != "alive" or not any(recording.glob(f"{one.pid}.*"))]
    return [*_gone(path, recording, run), *map(_unseen, silent)]


def _unseen(one: UnfollowedProcess) -> Unseen:
    words = str(one.command), str(one.why), str(one.reach)
    return Unseen(str(one.pid or one.by_pid), *words, is_child=not one.pid)


def _gone(path: Path, recording: Path, run: RunFacts) -> Iterator[Unseen]:
    listed = [
        (str(one.pid), shlex.join(one.arguments) or str(one.executable))
        for one in run.processes
        if one.pid is not None
    ]
    commands = dict(listed)
    there = Counter(folder.name.partition(".")[0] for folder in recording.glob("*.*"))
    # One process has several folders if it became another program by exec.
    started = Counter(str(pid) for pid, _ in read_started(path).recorded)
    expected = started | Counter(pid for pid, _ in listed)
    for pid in sorted(expected):
        if there[pid] < expected[pid]:
            yield Unseen(pid, commands.get(pid, "?"), "gone", "called")


def unrecorded(path: Path) -> str | None:
    """Why a process of a run was not recorded, and who says so; None if there is no such."""
    log = path / "stderr.log"
    lines = read_lines(log) if is_there(log) else ()
    matches = (_SAID.fullmatch(line.text) for line in lines)
    said = [(match[1], match[2]) for match in matches if match]
    for folder in unrecorded_processes(path):
        of_it = [words for words, _ in said if folder.name in words]
        return f"stderr.log: {of_it[0]}" if of_it else f"{folder.name}: empty"
    return next((f"stderr.log: {words}" for words, end in said if end == _FOR_GOOD), None)
