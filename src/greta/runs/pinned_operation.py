"""What repeated runs show: the fault, the operation that was waited for, and its counterpart.

Runs of one program differ in addresses and times; threads differ in how they interleave. What one
thread calls, in its order, is what stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np
import numpy.typing as npt

from greta.recording import ERROR_NAMES, CallEvent, Process, Recording, can_fail, effects_of
from greta.trace.device_errors import STICKY
from greta.trace.run_facts import ExitFacts, RunFacts


@dataclass(frozen=True)
class Fault:
    """A device's error, a signal that ended the program, or an exit code that is not 0."""

    kind: Literal["error", "signal", "exit"]
    code: int | str

    def text(self, say: Callable[..., str]) -> str:
        if self.kind == "error":
            return f"{ERROR_NAMES.get(int(self.code), 'error')} ({self.code})"
        return str(self.code) if self.kind == "signal" else say("pin_exit_code", code=self.code)


def fault_of(facts: RunFacts, recording: Recording) -> Fault | None:
    """The fault of a run with this run.json; None if nothing went wrong."""
    for process in recording.processes:
        rows = rows_of_device_errors(process)
        if len(rows):
            return Fault("error", int(process.columns.result[rows[0]]))
    ended = facts.exit or ExitFacts()
    if ended.signal:
        return Fault("signal", ended.signal)
    return Fault("exit", ended.code) if ended.code else None


def same_fault(first: Fault, again: Fault | None) -> bool:
    """Whether it is the first one that shows again.

    A device's error may come by another number, or end the program where it did not before; and it
    may show only now that it is waited for, where a signal or an exit code was all that showed.
    """
    if again is None:
        return False
    if again.kind == "error" or (first.kind, again.kind) == ("error", "signal"):
        return True
    return first == again


def rows_of_device_errors(process: Process) -> npt.NDArray[np.int64]:
    """The rows of calls that returned one, in order."""
    columns = process.columns
    failed = columns.finished & np.isin(columns.result, STICKY)
    silent = [n for n, entry in process.tables.calls.items() if not can_fail(entry.name)]
    return np.flatnonzero(failed & ~np.isin(columns.call, silent)).astype(np.int64)


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


@dataclass(frozen=True)
class Counterpart:
    """The call in the other run; `exact`: the same call number of the same thread."""

    process: Process
    event: CallEvent
    exact: bool


def counterpart(
    process: Process, event: CallEvent, here: Recording, there: Recording
) -> Counterpart | None:
    """Looks for `event`, of `process` in `here`, in `there`; None if it is not there."""
    places = [each.folder for each in here.processes]
    others = there.processes
    index = places.index(process.folder)
    if index >= len(others):
        return None
    other = others[index]
    found = _by_place(process, event, other)
    if found is not None and not other.overwritten:
        return Counterpart(other, found, exact=True)
    found = _by_occurrence(process, event, other)
    return Counterpart(other, found, exact=False) if found is not None else None


def _by_place(process: Process, event: CallEvent, other: Process) -> CallEvent | None:
    number = sum(each.lane == event.lane for each in _calls_up_to(process, event))
    calls = (each for each in other.events() if not each.call.startswith(OURS))
    found = _nth(number, (each for each in calls if each.lane == event.lane))
    return found if found is not None and _is_same(found, event) else None


def _by_occurrence(process: Process, event: CallEvent, other: Process) -> CallEvent | None:
    number = sum(_is_same(each, event) for each in _calls_up_to(process, event))
    return _nth(number, (each for each in other.events() if _is_same(each, event)))


def _nth(number: int, events: Iterator[CallEvent]) -> CallEvent | None:
    return next(islice(events, number - 1, None), None) if number else None


def _calls_up_to(process: Process, event: CallEvent) -> list[CallEvent]:
    """The program's own calls up to this one, which is among them."""
    return [
        each
        for each in process.events()
        if each.seq <= event.seq and not each.call.startswith(OURS)
    ]


def _is_same(one: CallEvent, other: CallEvent) -> bool:
    return one.call == other.call and kernel_of(one) == kernel_of(other)


def kernel_of(event: CallEvent) -> str | None:
    return event.kernel.name if event.kernel is not None else None
