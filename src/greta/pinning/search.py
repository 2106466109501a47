"""The search: serialized first; if the fault is gone then, by halves over the operations.

A fault that shows in one run of many is looked for in up to `tries` runs each time.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from greta.pinning.counterpart import counterpart, kernel_of
from greta.pinning.fault import fault_of, same_fault
from greta.pinning.marks import Exposed, exposed_operation, marked_operation, operations_in
from greta.pinning.original import Original
from greta.pinning.quiet import nothing_passed_on
from greta.pinning.result import Attempt, Pin
from greta.recording import ERROR_NAMES, Recording, RecordingError, open_recording
from greta.runs import record, review

# What makes AMD's library wait as well: launches, then kernels and copies one at a time.
SERIALIZED = {
    "HIP_LAUNCH_BLOCKING": "1",
    "AMD_SERIALIZE_KERNEL": "3",
    "AMD_SERIALIZE_COPY": "3",
}
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Rerun:
    """One more run of the program, read."""

    recording: Recording
    shows: bool
    operations: int


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
        result = replace(self._searched(), history=self._history)
        result.write(self._original.path / "pin.json")
        return result

    def _searched(self) -> Pin:
        self._tell(f"looking for {self._original.fault.text}, every operation waited for")
        serialized = self._until_it_shows("all", SERIALIZED)
        if serialized.shows:
            return self._from_serialized(serialized)
        self._tell("it does not show when every operation is waited for: a matter of timing")
        if not self._until_it_shows(None).shows:
            return Pin(False, f"the fault did not show again in {len(self._history)} runs")
        return self._from_halves(serialized.operations)

    def _until_it_shows(self, sync: str | None, more: Mapping[str, str] | None = None) -> Rerun:
        """The run in which the fault shows, or the last of `tries` in which it does not."""
        for _ in range(self._tries - 1):
            rerun = self._run(sync, more or {})
            if rerun.shows:
                return rerun
        return self._run(sync, more or {})

    def _run(self, sync: str | None, more: Mapping[str, str]) -> Rerun:
        folder = self._new_folder()
        with nothing_passed_on():
            run = record(self._original.request(folder, sync, more))
            review(run)
        recording = _read(folder)
        fault = fault_of(run.facts, recording)
        rerun = Rerun(recording, same_fault(self._original.fault, fault), operations_in(recording))
        self._keep(sync, folder, rerun, fault.text if fault else "no fault")
        return rerun

    def _new_folder(self) -> Path:
        folders = (self._original.path / "pin" / str(number) for number in itertools.count(1))
        return next(folder for folder in folders if not folder.exists())

    def _keep(self, sync: str | None, folder: Path, rerun: Rerun, ending: str) -> None:
        number = len(self._history) + 1
        place = f"pin/{folder.name}"
        self._history.append(Attempt(number, sync, place, rerun.shows, ending, rerun.operations))
        self._tell(f"run {number}: {_waits(sync)}: {ending}")

    def _from_serialized(self, rerun: Rerun) -> Pin:
        exposed = exposed_operation(rerun.recording)
        if exposed is None:
            reason = "the fault shows, but at no operation that the recorder could wait for"
            return Pin(False, reason, persists_serialized=True)
        reason = "the error was there as soon as it was waited for"
        return self._mapped(rerun, exposed, reason, persists=True)

    def _from_halves(self, total: int) -> Pin:
        """Which operation, waited for, makes the fault vanish."""
        number = self._smallest_that_hides(total)
        alone = self._until_it_shows(str(number)) if number else None
        if alone is None or alone.shows:
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

    def _mapped(self, rerun: Rerun, exposed: Exposed, reason: str, *, persists: bool) -> Pin:
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


def _read(folder: Path) -> Recording:
    try:
        return open_recording(folder / "recording")
    except RecordingError:
        return Recording(folder, [], [])


def _waits(sync: str | None) -> str:
    if sync is None:
        return "nothing added"
    if sync == "all":
        return "all operations waited for"
    if sync.startswith(".."):
        return f"operations up to {sync[2:]} waited for"
    return f"operation {sync} waited for"
