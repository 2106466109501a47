"""On which side an address lies: the device's memory, or the host's."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from greta.recording import Allocation, LiveKind, Process

Addresses = npt.NDArray[np.uint64]
Answers = npt.NDArray[np.bool_]

_DEVICE = {LiveKind.DEVICE_MEMORY, LiveKind.POOL_MEMORY, LiveKind.MANAGED_MEMORY}
# Managed memory may be on either side.
_HOST = {LiveKind.HOST_MEMORY, LiveKind.REGISTERED_MEMORY, LiveKind.MANAGED_MEMORY}


class Sides:
    """Where addresses of a process lie, by its allocations at any time.

    An address that was both at different times, or is of managed memory, is not told apart; neither
    is any if the allocations of the process are not all known.
    """

    def __init__(self, process: Process) -> None:
        self._process = process

    def of(self, addresses: Addresses) -> npt.NDArray[np.str_]:
        """ "D", "H" or "?" for each; what HIP did not allocate is the host's."""
        if self._process.dropped:
            return np.full(len(addresses), "?")
        device, host = self._ranges
        on_host = np.where(host.hold(addresses), "?", "D")
        return np.where(device.hold(addresses), on_host, "H")

    @cached_property
    def _ranges(self) -> tuple[_Ranges, _Ranges]:
        # When first asked for: few programs leave the direction open.
        lives = self._process.allocations()
        return (
            _Ranges(life for life in lives if life.kind in _DEVICE),
            _Ranges(life for life in lives if life.kind in _HOST),
        )


class _Ranges:
    def __init__(self, lives: Iterable[Allocation]) -> None:
        ranges = sorted((life.address, life.address + (life.bytes or 1)) for life in lives)
        self._begins = np.array([begin for begin, _ in ranges], np.uint64)
        ends = np.array([min(end, (1 << 64) - 1) for _, end in ranges], np.uint64)
        self._ends = np.maximum.accumulate(ends) if ranges else ends

    def hold(self, addresses: Addresses) -> Answers:
        before = np.searchsorted(self._begins, addresses, side="right")
        ends = np.concatenate([np.zeros(1, np.uint64), self._ends])
        return addresses < ends[before]
