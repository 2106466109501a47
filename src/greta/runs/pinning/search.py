"""The search: serialized first; if the fault is gone then, by halves over the operations.

A fault that shows in one run of many is looked for in up to `tries` runs each time.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from greta.recording import ERROR_NAMES, Recording
from greta.runs.pinning.counterpart import counterpart, kernel_of
from greta.runs.pinning.fault import Fault, fault_of, same_fault
from greta.runs.pinning.marks import Exposed, exposed_operation, marked_operation, operations_in
from greta.runs.pinning.original import Original, refused_call
from greta.runs.pinning.result import NAME as PIN_FILE
from greta.runs.pinning.result import Attempt, Pin
from greta.runs.record import record
from greta.runs.review import review

# What makes AMD's library wait as well: launches, then kernels and copies one at a time.
SERIALIZED = {
    "HIP_LAUNCH_BLOCKING": "1",
    "AMD_SERIALIZE_KERNEL": "3",
    "AMD_SERIALIZE_COPY": "3",
}
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Repeat:
    """One more run of the program, read."""

    recording: Recording
    fault: Fault | None
    shows: bool
    """Whether that is the fault that is looked for."""
    operations: int

    @property
    def ending(self) -> str:
        """As the history tells it."""
        if self.fault is None:
            return "no fault"
        return self.fault.text if self.shows else f"{self.fault.text}, which is another failure"


class Search:
    """Runs the program again and again; every run is kept under RUN/pin/."""

    def __init__(self, original: Original, tries: int, tell: Tell) -> None:
        self._original = original
        self._tries = tries
        self._tell = tell
        self._history: list[Attempt] = []

    def pin(self) -> Pin:
        """All of it; the result is in RUN/pin.json too."""
        self._original.require_same_program()
        result = replace(self._searched(), history=tuple(self._history))
        result.write(self._original.path / PIN_FILE)
        return result

    def _searched(self) -> Pin:
        self._tell(f"looking for {self._original.fault.text}, every operation waited for")
        serialized = self._until_it_shows("all", SERIALIZED)
        if serialized.shows:
            return self._from_serialized(serialized)
        self._tell("it does not show when every operation is waited for; now with no wait added")
        if not self._until_it_shows(None).shows:
            return Pin(False, "the fault did not show again, with waits or without")
        self._tell("it shows with no wait added: a matter of timing")
        return self._from_halves(serialized.operations)

    def _until_it_shows(self, sync: str | None, more: Mapping[str, str] | None = None) -> Repeat:
        """The run in which the fault shows, or the last of `tries` in which it does not."""
        for _ in range(self._tries - 1):
            rerun = self._run(sync, more or {})
            if rerun.shows:
                return rerun
        return self._run(sync, more or {})

    def _run(self, sync: str | None, more: Mapping[str, str]) -> Repeat:
        folder = self._new_folder()
        run = record(self._original.request(folder, sync, more))
        recording = review(run).recording or Recording(folder, [], {})
        fault = fault_of(run.facts, recording)
        shows = same_fault(self._original.fault, fault)
        rerun = Repeat(recording, fault, shows, operations_in(recording))
        self._keep(sync, folder, rerun)
        return rerun

    def _new_folder(self) -> Path:
        folders = (self._original.path / "pin" / str(number) for number in itertools.count(1))
        return next(folder for folder in folders if not folder.exists())

    def _keep(self, sync: str | None, folder: Path, rerun: Repeat) -> None:
        number = len(self._history) + 1
        place, ending = f"pin/{folder.name}", rerun.ending
        self._history.append(Attempt(number, sync, place, rerun.shows, ending, rerun.operations))
        self._tell(f"run {number}: {_waits(sync)}: {ending}")

    def _from_serialized(self, rerun: Repeat) -> Pin:
        died = rerun.fault is not None and rerun.fault.kind == "signal"
        exposed = exposed_operation(rerun.recording, died=died)
        if exposed is None:
            return Pin(False, self._why_none(rerun.fault), persists_serialized=True)
        return self._mapped(rerun, exposed, _why(exposed), persists=True)

    def _why_none(self, fault: Fault | None) -> str:
        """Every operation was waited for, the fault shows, and no wait brought it."""
        if fault is None or fault.kind == "error":
            return "the error came with no operation that the recorder could wait for"
        refused = refused_call(self._original.recording, os.path.relpath(self._original.path))
        return (
            f"the program ends with {fault.text} even if every operation is waited for, and the "
            f"device reports no error: waits do not single out an operation{refused}"
        )

    def _from_halves(self, total: int) -> Pin:
        """Which operation, waited for, makes the fault vanish."""
        if total == 0:
            reason = "the fault does not show in every run, and there is no operation to wait for"
            return Pin(False, reason, persists_serialized=False)
        number = self._smallest_that_hides(total)
        alone = self._until_it_shows(str(number))
        if alone.shows:
            reason = "the fault vanishes when operations are waited for, but not by one alone"
            return Pin(False, reason, persists_serialized=False)
        exposed = marked_operation(alone.recording, number)
        if exposed is None:
            reason = f"operation {number}, whose wait hides the fault, did not come again"
            return Pin(False, reason, persists_serialized=False, operation=number)
        reason = f"the fault stayed away in {self._tries} runs in which this one was waited for"
        return self._mapped(alone, exposed, reason, persists=False)

    def _smallest_that_hides(self, total: int) -> int:
        """Waiting for that many operations hides the fault, and for one less does not."""
        shows, hides = 0, total
        while hides - shows > 1:
            self._tell(f"{hides - shows} operations are left")
            middle = (shows + hides) // 2
            if self._until_it_shows(f"..{middle}").shows:
                shows = middle
            else:
                hides = middle
        return hides

    def _mapped(self, rerun: Repeat, exposed: Exposed, reason: str, *, persists: bool) -> Pin:
        found = counterpart(
            exposed.process, exposed.event, rerun.recording, self._original.recording
        )
        error = exposed.error
        where: dict[str, Any] = {}
        if found is not None:
            where = {"pid": found.process.pid, "seq": found.event.seq}
        return Pin(
            pinned=True,
            reason=reason,
            persists_serialized=persists,
            call=exposed.event.call,
            kernel=kernel_of(exposed.event),
            operation=exposed.number,
            error=error,
            error_name=ERROR_NAMES.get(error) if error is not None else None,
            exact_mapping=found is not None and found.exact,
            **where,
        )


def _why(exposed: Exposed) -> str:
    """Why it is this operation; launches wait for themselves then (HIP_LAUNCH_BLOCKING)."""
    if exposed.error is None:
        return "the process died while it was waited for"
    return "the error was there as soon as it was waited for"


def _waits(sync: str | None) -> str:
    if sync is None:
        return "no wait added"
    if sync == "all":
        return "all operations waited for"
    if sync.startswith(".."):
        return f"operations up to {sync[2:]} waited for"
    return f"operation {sync} waited for"
