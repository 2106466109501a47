"""Which process of a recording a fault or a message is about.

A program's output is one for all its processes. A fault goes to the process that it names; else to
the only one that ran the kernel it names, or that had memory where it happened; else to the one
whose calls failed or did not return; else to the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from greta.forensics.evidence import DeviceFault, Message, ModelFact
from greta.forensics.trace import Trace
from greta.ingest.logged import Story

_NEAR: Final = 1 << 16
"""How far outside a buffer a fault may be and still be laid to it."""


@dataclass
class Share:
    """What is given to one process."""

    faults: list[DeviceFault] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    models: list[ModelFact] = field(default_factory=list)


def shared_out(traces: Sequence[Trace], stories: Sequence[Story]) -> list[Share]:
    """One share for each trace. Faults of processes that were not recorded are left out."""
    shares = [Share() for _ in traces]
    pids = {trace.pid: index for index, trace in enumerate(traces)}
    for story in stories:
        for fault in story.faults:
            pid = fault.pid or story.pid
            if pid and pid not in pids and any(pids):
                continue
            index = pids[pid] if pid in pids and pid else _owner(traces, fault)
            shares[index].faults.append(fault)
        index = pids.get(story.pid, -1) if story.pid else -1
        index = index if index >= 0 else _failing(traces)
        shares[index].messages.extend(story.messages)
        for share in shares:
            share.models.extend(story.models)
    return shares


def _owner(traces: Sequence[Trace], fault: DeviceFault) -> int:
    tests: tuple[Callable[[Trace, DeviceFault], bool], ...] = (_ran_kernel, _had_memory)
    for test in tests:
        fitting = [index for index, trace in enumerate(traces) if test(trace, fault)]
        if len(fitting) == 1:
            return fitting[0]
    return _failing(traces)


def _ran_kernel(trace: Trace, fault: DeviceFault) -> bool:
    return fault.kernel is not None and fault.kernel in trace.kernels


def _had_memory(trace: Trace, fault: DeviceFault) -> bool:
    if not fault.address or not len(trace.allocations):
        return False
    starts = trace.allocations["address"].astype(object)
    ends = starts + trace.allocations["bytes"].astype(object)
    at = fault.address
    return bool(np.any((starts - _NEAR <= at) & (at < ends + _NEAR)))


def _failing(traces: Sequence[Trace]) -> int:
    """A process that a signal ended or whose calls failed; else the first."""
    for index, trace in enumerate(traces):
        operations = trace.operations
        if trace.signal is not None or operations["failed"].any():
            return index
    for index, trace in enumerate(traces):
        if len(trace.operations) and not trace.operations["finished"].all():
            return index
    return 0
