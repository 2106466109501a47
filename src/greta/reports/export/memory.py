"""The device memory in use over time."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from greta.recording import Allocation, LiveKind, Process

DEVICE_KINDS = (LiveKind.DEVICE_MEMORY, LiveKind.MANAGED_MEMORY, LiveKind.POOL_MEMORY)

Ticks = int
Device = int | None


def device_bytes(process: Process) -> Iterator[tuple[Ticks, Device, int]]:
    """When the bytes in use of a device changed, and what they then were."""
    in_use: dict[Device, int] = {}
    for ticks, device, change in sorted(_changes(process), key=itemgetter(0)):
        in_use[device] = in_use.get(device, 0) + change
        yield ticks, device, in_use[device]


def _changes(process: Process) -> Iterator[tuple[Ticks, Device, int]]:
    later: dict[int, Allocation] = {}  # the next allocation at the same address
    for allocation in reversed(process.allocations()):
        if allocation.kind in DEVICE_KINDS and allocation.bytes:
            yield allocation.made_ticks, allocation.device, allocation.bytes
            end = _end(allocation, later.get(allocation.address))
            if end is not None:
                yield end, allocation.device, -allocation.bytes
        later[allocation.address] = allocation


def _end(allocation: Allocation, later: Allocation | None) -> Ticks | None:
    """When it was freed, or at the latest: when its address was given out again."""
    if allocation.ended_ticks is not None or not allocation.replaced or later is None:
        return allocation.ended_ticks
    return later.made_ticks
