"""Everything that is known of a run, from its files: a list of evidence, one for each process.

    for evidence in gather("greta-runs/20260101-120000-app", Expectations(texts=("[D2H_CHECK]",))):
        ...

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
from greta.recording import Recording, RecordingError, open_recording, unrecorded_processes
from greta.recording.started import read_started
from greta.runs.binary import binary_facts, require_sense
from greta.runs.folder import read_run
from greta.runs.models import model_facts
from greta.runs.pin_json import read_pin
from greta.runs.unfollowed import unfollowed_processes
from greta.trace import trace as t
from greta.trace.evidence import (
    DeviceFault,
    Evidence,
    Expectations,
    Message,
    ModelFact,
    Pinned,
    Unseen,
)
from greta.trace.logs import (
    evidence_of,
    process_logs_if_any,
    process_logs_of_output,
    read_process_logs,
)
from greta.trace.logs.lines import read_lines
from greta.trace.logs.logged import ProcessLog
from greta.trace.logs.owners import NEAR, most_likely, owner_of
from greta.trace.reading import traces_of
from greta.trace.run_facts import RunFacts, UnfollowedProcess
from greta.trace.trace import Gap, Trace

Paths = Path | str | Iterable[Path | str]

_NOTHING: Final = Expectations()
_WANTED: Final = "give a run folder, a recording, a log, or a folder of logs"
_MOST: Final = 1000
_LOOK: Final = 4096


def gather(paths: Paths, expectations: Expectations = _NOTHING) -> list[Evidence]:
    """The evidence, one for each process; raises UsageError if there is none to be had.

    Several paths speak of one run: at most one of them is a run folder or a recording.
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
    logs = [path for path in given if path not in recorded]
    stories = [story for path in logs for story in _stories(path)]
    if recorded:
        return gather_recorded(recorded[0], stories, expectations)
    return [_expecting(evidence, expectations) for evidence in evidence_of(stories, logs)]


def _stories(path: Path) -> list[ProcessLog]:
    if not path.is_dir():
        return read_process_logs(path)
    found = stories_in(path)
    if not found:
        raise UsageError(f"{path} is neither a run nor a recording, and has no log; {_WANTED}")
    return found


def _expecting(evidence: Evidence, expectations: Expectations) -> Evidence:
    return replace(evidence, expectations=expectations)


def stories_in(folder: Path) -> list[ProcessLog]:
    """Of the regular files directly in it that are text."""
    try:
        files = sorted(path for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror or error}") from None
    if len(files) > _MOST:
        raise UsageError(f"{folder} has {len(files)} files; give the logs of one run by name")
    return [story for path in files if _is_text(path) for story in process_logs_if_any(path)]


def _is_text(path: Path) -> bool:
    try:
        with open_outside(path, within=path.parent) as file:
            return b"\0" not in file.read(_LOOK)
    except OSError:
        return False


_LOGS = ("stdout.log", "stderr.log")
NOTHING_EXPECTED = Expectations()


def is_recorded(path: Path) -> bool:
    """Whether a folder is a run's, or a recording."""
    if is_there(path / "run.json"):
        return True
    try:
        open_recording(path)
    except RecordingError:
        return (path / "recording").is_dir()
    return True


def gather_recorded(
    path: Path,
    others: Sequence[ProcessLog] = (),
    expectations: Expectations = NOTHING_EXPECTED,
    recording: Recording | None = None,
) -> list[Evidence]:
    """Of each recorded process; of a run in which no HIP call was made, one without operations.

    `others`: what logs beside the run's own tell. `recording`: the run's, if it is open already.
    """
    facts = read_run(path)
    traces = _traces(path, recording, is_run=facts is not None)
    run = facts or RunFacts()
    written = [log for name in _LOGS if is_there(log := path / name)]
    for log in written:
        open_outside(log, within=path).close()
    stories = [story for log in written for story in process_logs_of_output(log)]
    models = model_facts(run.models)
    evidence = [
        Evidence(
            trace=trace,
            models=models,
            run=run,
            binary=binary_facts(run, trace.pid, expectations, written),
            expectations=expectations,
            pinned=_pinned(path, trace.pid),
        )
        for trace in traces
    ]
    unseen = [
        Evidence(trace=_nothing(Gap.UNSEEN, _named(one)), run=run, unseen=one)
        for one in unseen_processes(path, run)
    ]
    return [*_with_stories(_without_empty(evidence, unseen), [*stories, *others]), *unseen]


def _pinned(path: Path, pid: int) -> Pinned | None:
    """None if the process was not pinned, or not to a call of this recording.

    A fault that is a matter of timing is pinned to the operation whose wait hides it, which need
    not be the one that makes it: no evidence of the cause.
    """
    pin = read_pin(path)
    if pin is None or not pin.pinned or pin.pid != pid or pin.seq is None:
        return None
    return Pinned(pin.seq, pin.runs, pin.kernel) if pin.persists_serialized else None


def _named(unseen: Unseen) -> str:
    return f"process {unseen.pid} ({unseen.command}): {unseen.why}, {unseen.reach}"


def _without_empty(evidence: list[Evidence], unseen: list[Evidence]) -> list[Evidence]:
    """Of a run in which only processes that nobody saw may have used HIP, they are to be named."""
    empty = [one for one in evidence if Gap.NO_RECORDING in one.trace.gaps and not one.trace.pid]
    return [one for one in evidence if not unseen or one not in empty]


def _traces(path: Path, opened: Recording | None, *, is_run: bool) -> list[Trace]:
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
    unseen += _damaged(recording)
    traces = [trace for process in recording.processes for trace in traces_of(process)]
    return [*traces, *unseen]


def _damaged(recording: Recording) -> list[Trace]:
    """Of processes of which there is something, and nothing that can be read."""
    blank = unrecorded_processes(recording.path)
    whys = [why for folder, why in recording.unopened.items() if folder not in blank]
    return [_nothing(Gap.DAMAGED, why) for why in whys]


def _nothing(gap: Gap, reason: str) -> Trace:
    """Of a program that made no HIP call, or none that was recorded."""

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


def _with_stories(evidence: list[Evidence], stories: Sequence[ProcessLog]) -> list[Evidence]:
    """What the program's output and other logs say, given to the process it is about."""
    shares = shared_out([one.trace for one in evidence], stories)
    return [
        replace(
            one,
            faults=tuple(share.faults),
            messages=tuple(share.messages),
            models=one.models or tuple(share.models),
            printed=tuple(share.models),
        )
        for one, share in zip(evidence, shares, strict=True)
    ]


_LAST: Final = int(np.iinfo(np.uint64).max)


@dataclass(eq=False)
class Share:
    """A recorded process, and what is given to it."""

    trace: Trace
    faults: list[DeviceFault] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
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


def shared_out(traces: Sequence[Trace], stories: Sequence[ProcessLog]) -> list[Share]:
    """One share for each trace. Faults of processes that were not recorded are left out."""
    shares = [Share(trace) for trace in traces]
    by_pid: dict[int, list[Share]] = {}  # several where it had several HIP libraries
    for share in shares:
        if share.trace.pid:
            by_pid.setdefault(share.trace.pid, []).append(share)
    for story in stories:
        for fault in story.faults:
            pid = fault.pid or story.pid
            if not (pid and by_pid):
                owner_of(fault, shares).faults.append(fault)
            elif pid in by_pid:
                owner_of(fault, by_pid[pid]).faults.append(fault)
        own = most_likely(by_pid.get(story.pid) or shares)
        own.messages.extend(story.messages)
        for share in shares:
            share.models.extend(story.models)
    return shares


# native/recorder/lanes/process_recording.cpp; "for now": it goes on trying.
_FOR_GOOD: Final = "the program goes on unrecorded"
_SAID: Final = re.compile(rf"greta: (.+); ({_FOR_GOOD}|not recorded for now)")


def unseen_processes(path: Path, run: RunFacts) -> list[Unseen]:
    """`path` is of a run or a recording, `run` what run.json says."""
    if path.name.partition(".")[0].isdecimal() and (path / "header").exists():
        return []  # one process was asked for
    left = unfollowed_processes(path) if run.unfollowed is None else run.unfollowed
    return [*_gone(path, run), *(_unseen(one) for one in left if not _is_recorded(path, one))]


def _is_recorded(path: Path, one: UnfollowedProcess) -> bool:
    """Whether a process that was alive when the run ended has called HIP after that."""
    return one.why == "alive" and any(_recording(path).glob(f"{one.pid}.*"))


def _unseen(one: UnfollowedProcess) -> Unseen:
    words = str(one.command), str(one.why), str(one.reach)
    return Unseen(str(one.pid or one.by_pid), *words, is_child=not one.pid)


def _gone(path: Path, run: RunFacts) -> Iterator[Unseen]:
    recording = _recording(path)
    commands = dict(_listed(run))
    there = Counter(folder.name.partition(".")[0] for folder in recording.glob("*.*"))
    # One process has several folders if it became another program by exec.
    expected = Counter(str(pid) for pid, _ in read_started(path).recorded) | Counter(
        pid for pid, _ in _listed(run)
    )
    for pid in sorted(expected):
        if there[pid] < expected[pid]:
            yield Unseen(pid, commands.get(pid, "?"), "gone", "called")


def _recording(path: Path) -> Path:
    inner = path / "recording"
    return inner if inner.is_dir() else path


def _listed(run: RunFacts) -> Iterator[tuple[str, str]]:
    for process in run.processes:
        if process.pid is not None:
            yield str(process.pid), shlex.join(process.arguments) or str(process.executable)


def unrecorded(path: Path) -> str | None:
    """Why a process of a run was not recorded, and who says so; None if there is no such."""
    said = _said(path / "stderr.log")
    for folder in unrecorded_processes(path):
        of_it = [words for words, _ in said if folder.name in words]
        return f"stderr.log: {of_it[0]}" if of_it else f"{folder.name}: empty"
    return next((f"stderr.log: {words}" for words, end in said if end == _FOR_GOOD), None)


def _said(log: Path) -> list[tuple[str, str]]:
    """The recorder's words, and what follows from them."""
    lines = read_lines(log) if is_there(log) else ()
    matches = (_SAID.fullmatch(line.text) for line in lines)
    return [(match[1], match[2]) for match in matches if match]
