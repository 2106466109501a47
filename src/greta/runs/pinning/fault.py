"""What went wrong in a run, so that it can be recognized in the next one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from greta.recording import ERROR_NAMES, Process, Recording, can_fail
from greta.trace.run_facts import ExitFacts, RunFacts

# Errors that a device reports about work that it was given before, whatever call brings them:
# illegal address, launch timeout, assertion, launch failure, unknown.
DEVICE_ERRORS = frozenset((700, 702, 710, 719, 999))


@dataclass(frozen=True)
class Fault:
    """A device's error, a signal that ended the program, or an exit code that is not 0."""

    kind: Literal["error", "signal", "exit"]
    code: int | str

    @property
    def text(self) -> str:
        """As a person calls it."""
        if self.kind == "error":
            return f"{ERROR_NAMES.get(int(self.code), 'error')} ({self.code})"
        return str(self.code) if self.kind == "signal" else f"exit code {self.code}"


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
    failed = columns.finished & np.isin(columns.result, sorted(DEVICE_ERRORS))
    silent = [n for n, entry in process.tables.calls.items() if not can_fail(entry.name)]
    return np.flatnonzero(failed & ~np.isin(columns.call, silent)).astype(np.int64)
