"""The same call in another run of the same program.

Runs of one program differ in addresses and times; threads differ in how they interleave. What one
thread calls, in its order, is what stays.
"""

from __future__ import annotations

from dataclasses import dataclass

from greta.recording import CallEvent, Process, Recording
from greta.runs.pinning.marks import OURS


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
    number = sum(1 for each in _calls_up_to(process, event) if each.lane == event.lane)
    for each in other.events():
        if each.lane == event.lane and not each.call.startswith(OURS):
            number -= 1
            if number == 0:
                return each if _is_same(each, event) else None
    return None


def _by_occurrence(process: Process, event: CallEvent, other: Process) -> CallEvent | None:
    number = sum(1 for each in _calls_up_to(process, event) if _is_same(each, event))
    for each in other.events():
        if _is_same(each, event):
            number -= 1
            if number == 0:
                return each
    return None


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
    """The name of the kernel that a launch names."""
    return event.kernel.name if event.kernel is not None else None
