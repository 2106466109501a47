"""Where the recorder waited for an operation, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from greta.recording import CallEvent, Process, Recording, effects_of
from greta.runs.pinning.fault import rows_of_device_errors

MARK = "greta_added_sync"
OURS = "greta_"
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Exposed:
    """The operation after which the fault was there at once."""

    process: Process
    event: CallEvent
    number: int
    """Among the enqueued operations of its process, from 1."""
    error: int | None
    """None: there was none, or the process died while the recorder waited."""


def operations_in(recording: Recording) -> int:
    """The largest number of an operation that was waited for."""
    numbers = (_numbers(process, _marks(process)) for process in recording.processes)
    return max((int(each.max()) for each in numbers if len(each)), default=0)


def exposed_operation(recording: Recording, *, died: bool) -> Exposed | None:
    """Looks for the first wait or operation that failed or, if the program died, never ended.

    With every operation waited for, whatever fails first in a process is the operation itself. None
    if no process has one.
    """
    each = (_exposed_in(process, died) for process in recording.processes)
    return next((exposed for exposed in each if exposed), None)


def _exposed_in(process: Process, died: bool) -> Exposed | None:
    """None too if the error came with a call that enqueues nothing: it cannot have made it."""
    marks = _marks(process)
    failed = rows_of_device_errors(process)
    if died:
        failed = np.union1d(failed, _unfinished_work(process, marks))
    if len(failed) == 0:
        return None
    first = int(failed[0])
    if np.isin(first, marks):
        return _before(process, first)
    return _failed_itself(process, first, marks) if _enqueues(process, first) else None


def _unfinished_work(process: Process, marks: Rows) -> Rows:
    """Waits and operations under way at the end: other calls may be those of a bystander."""
    rows = np.flatnonzero(~process.columns.finished).tolist()
    known = frozenset(marks.tolist())
    return np.array([r for r in rows if r in known or _enqueues(process, r)], dtype=np.int64)


def _enqueues(process: Process, row: int) -> bool:
    does = effects_of(process.event(row + 1).call)
    return does is not None and does.enqueues


def marked_operation(recording: Recording, number: int) -> Exposed | None:
    """The operation of that number, in the first process that waited for it."""
    for process in recording.processes:
        rows = _marks(process)
        found = rows[_numbers(process, rows) == number]
        if len(found):
            return _before(process, int(found[0]))
    return None


def _marks(process: Process) -> Rows:
    calls = process.tables.calls.items()
    number = next((number for number, entry in calls if entry.name == MARK), 0)
    return np.flatnonzero(process.columns.call == number).astype(np.int64)


def _numbers(process: Process, rows: Rows) -> Rows:
    return process.columns.words_of(rows)[:, 0].astype(np.int64)


def _before(process: Process, row: int) -> Exposed | None:
    """What the same thread did just before it was made to wait."""
    mark = process.event(row + 1)
    number = int(_numbers(process, np.array([row]))[0])
    for seq in range(mark.seq - 1, 0, -1):
        event = process.event(seq)
        if event.lane == mark.lane:
            error = mark.result if mark.finished and mark.result else None
            return Exposed(process, event, number, error)
    return None


def _failed_itself(process: Process, row: int, marks: Rows) -> Exposed:
    """The call that brought the error made it: all before it had been waited for."""
    event = process.event(row + 1)
    done = _numbers(process, marks[marks < row])
    error = event.result if event.finished else None
    return Exposed(process, event, int(done.max(initial=0)) + 1, error)
