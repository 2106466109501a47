"""Short ways to write and open a recording, and to look at all of it."""

from __future__ import annotations

from pathlib import Path

from greta.recording import CallEvent, Columns, LiveKind, Process, open_recording
from tests.recording.writer import ProcessWriter

COLUMNS = [
    *("seq", "lane", "index", "thread_id", "call", "result", "begin_ns", "end_ns"),
    *("finished", "annotation"),
]


def open_process(writer: ProcessWriter) -> Process:
    """Write it and open it."""
    return open_one(writer.write())


def open_one(folder: Path) -> Process:
    (process,) = open_recording(folder).processes
    return process


def only_event(writer: ProcessWriter) -> CallEvent:
    (event,) = open_process(writer).events()
    return event


def look_at_everything(process: Process) -> None:
    """Use all that the reader offers; nothing of it may fail, whatever was read."""
    for name in COLUMNS:
        assert len(getattr(process.columns, name)) == len(process)
    for event in process.events():
        look_at_event(event)
    look_at_identities(process)
    assert process.ending.how
    assert isinstance(process.complete, bool)
    assert sum(process.calls_by_id.values()) == len(process)
    assert all(isinstance(problem, str) for problem in process.problems)


def look_at_event(event: CallEvent) -> None:
    assert repr(event)
    assert event.pointed is not None
    assert event.kernel_arguments is not None
    assert event.annotations is not None
    assert event.begin_ns == event.begin_ns
    assert event.stack_id >= 0


def look_at_identities(process: Process) -> None:
    for kind in LiveKind:
        for identity in process.handles(kind):
            assert identity.generation >= 1
    assert all(one.kind.is_memory for one in process.allocations())


def is_merge_of_lanes(columns: Columns) -> bool:
    """Whether each lane's records are in the order of its file."""
    return all(
        bool(
            (
                columns.index[columns.lane == lane][1:] > columns.index[columns.lane == lane][:-1]
            ).all()
        )
        for lane in set(columns.lane.tolist())
    )
