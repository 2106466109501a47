"""What logs say, given to the processes of a recording.

A program's output is one for all its processes. A fault goes to the process that it names; else to
the one that greta.trace.logs.logged finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from greta.trace.evidence import DeviceFault, Message, ModelFact
from greta.trace.logs.logged import NEAR, ProcessLog, most_likely, owner_of
from greta.trace.trace import Trace

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
