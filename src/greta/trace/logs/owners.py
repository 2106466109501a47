"""Which of several processes a fault or a message is about that does not say so.

A fault goes to the only process that ran the kernel it names, or that had memory where it happened,
or that was running when it happened; else, as messages do, to the one whose calls failed or did not
return; else to the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeVar

from greta.trace.evidence import DeviceFault

NEAR: Final = 1 << 16
"""How far outside a buffer a fault may be and still be laid to it; faults are told by the page."""


class FaultOwner(Protocol):
    """What a log or a recording knows of a process."""

    def ran(self, kernel: str) -> bool:
        """Whether it launched a kernel of this name."""

    def had_memory_near(self, address: int) -> bool:
        """Whether an allocation is there, or not farther than NEAR."""

    def was_running_at(self, seconds: float, /) -> bool:
        """By the clock of the kernel's log; False where that cannot be known."""

    @property
    def failed(self) -> bool:
        """Whether a call failed."""

    @property
    def unfinished(self) -> bool:
        """Whether a call did not return."""


AnyOwner = TypeVar("AnyOwner", bound=FaultOwner)


def owner_of(fault: DeviceFault, processes: Sequence[AnyOwner]) -> AnyOwner:
    """The process that a fault without pid belongs to."""
    tests: tuple[Callable[[FaultOwner, DeviceFault], bool], ...] = (_ran_kernel, _had_memory, _then)
    for test in tests:
        fitting = [process for process in processes if test(process, fault)]
        if len(fitting) == 1:
            return fitting[0]
    return most_likely(processes)


def most_likely(processes: Sequence[AnyOwner]) -> AnyOwner:
    """The one that has something to say of a failure."""
    failed = (process for process in processes if process.failed)
    unfinished = (process for process in processes if process.unfinished)
    return next(failed, None) or next(unfinished, None) or processes[0]


def _ran_kernel(process: FaultOwner, fault: DeviceFault) -> bool:
    return fault.kernel is not None and process.ran(fault.kernel)


def _had_memory(process: FaultOwner, fault: DeviceFault) -> bool:
    return bool(fault.address) and process.had_memory_near(fault.address or 0)


def _then(process: FaultOwner, fault: DeviceFault) -> bool:
    return fault.time is not None and process.was_running_at(fault.time)
