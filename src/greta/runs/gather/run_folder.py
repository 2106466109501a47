"""A run folder, or a recording alone, as evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from greta.outside import is_there, open_outside
from greta.recording import Recording, RecordingError, open_recording, unrecorded_processes
from greta.runs.gather.binary import binary_facts
from greta.runs.gather.device_faults import device_stories
from greta.runs.gather.models import model_facts
from greta.runs.gather.owners import shared_out
from greta.runs.gather.unseen import unrecorded, unseen_processes
from greta.runs.pinning.result import read_pin
from greta.runs.run_json import read_run
from greta.trace import trace as t
from greta.trace.evidence import Evidence, Expectations, Pinned, Unseen
from greta.trace.logs import process_logs_of_output
from greta.trace.logs.logged import ProcessLog
from greta.trace.reading import traces_of
from greta.trace.run_facts import RunFacts
from greta.trace.trace import Gap, Trace

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
    recording = recording or _opened(path)
    traces = _traces(path, recording, is_run=facts is not None)
    run = facts or RunFacts()
    written = [log for name in _LOGS if is_there(log := path / name)]
    for log in written:
        open_outside(log, within=path).close()
    stories = [story for log in written for story in process_logs_of_output(log)]
    stories += device_stories(recording) if recording else []
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


def _opened(path: Path) -> Recording | None:
    try:
        return open_recording(path)
    except RecordingError:
        return None


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
