"""What is wrong with the pointers of an operation that may have faulted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from greta.forensics.fault_address import (
    NEAR,
    PAGE,
    FaultAddress,
    Place,
    reported_address,
    reported_kernel,
    same_kernel,
)
from greta.forensics.scan import Lives
from greta.trace.evidence import Evidence
from greta.trace.trace import NONE, Role, Row, Space, Table, Trace

MOST: Final = 1 << 15
"""So many pointers are looked at one by one."""
_KERNELS: Final = (Role.ARGUMENT, Role.STRUCT_WORD)


@dataclass(frozen=True)
class Pointer:
    """What is wrong with one pointer that an operation was given."""

    access: Row
    hypothesis: str
    """Which fault it would be."""
    place: Place = Place.ELSEWHERE
    too_small: bool = False
    explains_address: bool = False

    @property
    def is_bad_memory(self) -> bool:
        """It names memory that is not there, and not just too little."""
        return self.hypothesis in ("use_after_free", "bad_pointer")

    @property
    def fit(self) -> int:
        """How well it explains the address: 2 it names bad memory there, 1 live memory near."""
        return (2 if self.is_bad_memory else 1) if self.explains_address else 0

    @property
    def badness(self) -> tuple[int, bool, int, bool]:
        """For choosing the worst: the address, bad memory before small memory."""
        return (self.fit, self.is_bad_memory, int(self.place), self.too_small)


@dataclass(frozen=True)
class _Given:
    """A pointer as it was given."""

    access: Row
    row: Row
    start: int
    reach: int
    """How far the operation goes from there, by its grid or size; 0 if it is not known."""
    is_kernels: bool
    is_host: bool


class PointerJudge:
    """Picks the worst pointer of each operation."""

    def __init__(self, evidence: Evidence) -> None:
        self._trace: Trace = evidence.trace
        self._address: FaultAddress | None = reported_address(evidence.faults)
        self._kernel = reported_kernel(evidence.faults)
        self._lives = Lives(evidence.trace)

    def worst(self, rows: Table) -> dict[Row, Pointer]:
        """For each of these operations the pointer that speaks most against it, if one does."""
        worst: dict[Row, Pointer] = {}
        for access in self._worth_a_look(rows).tolist():
            pointer = self._judged(access)
            row = int(self._trace.accesses["operation"][access])
            if pointer and (row not in worst or pointer.badness > worst[row].badness):
                worst[row] = pointer
        return worst

    def _worth_a_look(self, rows: Table) -> Table:
        """Pointers of these operations that are not plainly in order."""
        if len(rows) == 0:
            return np.zeros(0, np.int64)
        start = self._trace.access_rows(int(rows[0])).start
        stop = self._trace.access_rows(int(rows[-1])).stop
        accesses, lives = self._trace.accesses[start:stop], self._lives
        allocation = accesses["allocation"]
        odd = (allocation == NONE) | (accesses["operation"] > lives.freed_at[allocation])
        reach = np.maximum(accesses["reach"], accesses["bytes"])
        odd |= reach > lives.end[allocation] - accesses["address"]
        if self._address is not None:
            odd |= self._near(self._address)[allocation]
        wanted = np.zeros(len(self._trace.operations), bool)
        wanted[rows] = True
        odd &= wanted[accesses["operation"]]
        found: Table = np.flatnonzero(odd)[:MOST] + start
        return found

    def _near(self, address: FaultAddress) -> Table:
        """For each allocation whether the address is near it."""
        start = np.uint64(min(address.start, 1 << 63))  # no sum may run over
        near: Table = self._lives.address <= start + np.uint64(NEAR)
        near &= self._lives.end + np.uint64(NEAR) > start
        return near

    def _judged(self, access: Row) -> Pointer | None:
        record = self._trace.accesses[access]
        kernels = int(record["role"]) in _KERNELS
        if kernels and self._is_of_another_kernel(int(record["origin"])):
            return None
        given = _Given(
            access,
            int(record["operation"]),
            int(record["address"]),
            int(record["reach"]) if kernels else int(record["bytes"]),
            kernels,
            int(record["space"]) == Space.HOST,
        )
        allocation = int(record["allocation"])
        return self._outside(given) if allocation == NONE else self._inside(given, allocation)

    def _is_of_another_kernel(self, origin: int) -> bool:
        """Whether it is a node's of a graph, and the device named another kernel."""
        node = self._trace.row_of(origin)
        if self._kernel is None or node == NONE:
            return False
        number = int(self._trace.operations["kernel"][node])
        return number != NONE and not same_kernel(self._trace.kernels[number], self._kernel)

    def _outside(self, given: _Given) -> Pointer | None:
        """Null, or in no allocation. With an address it must explain that.

        Of a transfer's host side only the first page: further on, it may be too short instead.
        """
        address = self._address
        if address is None:
            return None if given.is_host else Pointer(given.access, "bad_pointer")
        low = given.start - NEAR if given.is_kernels and given.start else given.start
        far = max(given.reach, NEAR) if given.is_kernels else min(given.reach, PAGE)
        if not address.overlaps(low, given.start + far):
            return None
        return Pointer(given.access, "bad_pointer", explains_address=True)

    def _inside(self, given: _Given, allocation: Row) -> Pointer | None:
        low, end = int(self._lives.address[allocation]), int(self._lives.end[allocation])
        known = bool(self._lives.known_bytes[allocation])
        if given.row > int(self._lives.freed_at[allocation]):
            return self._freed(given, low, end if known else low + NEAR)
        if known and self._was_freed_under_it(allocation, low, end):
            return Pointer(given.access, "use_after_free", Place.INSIDE, explains_address=True)
        if not given.is_kernels:
            past = known and given.start + given.reach > end
            return Pointer(given.access, "byte_size_mismatch", too_small=True) if past else None
        if known and self._is_out_of_reach(given, allocation, low, end):
            return Pointer(given.access, "bad_pointer", Place.INSIDE, explains_address=True)
        return self._live(given, low, end) if known else None

    def _is_out_of_reach(self, given: _Given, allocation: Row, low: int, end: int) -> bool:
        """Whether it is another device's memory, and the fault is in it: nobody gave access."""
        if self._address is None or not low <= self._address.start < end:
            return False
        own = int(self._trace.operations["device"][given.row])
        device = int(self._trace.allocations["device"][allocation])
        return (
            bool(self._lives.is_device[allocation]) and own != device and NONE not in (own, device)
        )

    def _was_freed_under_it(self, allocation: Row, low: int, end: int) -> bool:
        """Whether it has been freed since, and the fault is there: the work was still in flight."""
        freed = int(self._lives.freed_at[allocation]) < len(self._trace.operations)
        return freed and self._address is not None and self._address.overlaps(low, end)

    def _freed(self, given: _Given, low: int, end: int) -> Pointer:
        explains = self._address is not None and self._address.overlaps(low, max(end, low + 1))
        return Pointer(given.access, "use_after_free", Place.INSIDE, explains_address=explains)

    def _live(self, given: _Given, low: int, end: int) -> Pointer | None:
        small = given.start + given.reach > end
        place = Place.ELSEWHERE
        if self._address is not None:
            place = self._address.place(low, end, given.start + given.reach - low)
        explains = place > Place.BEFORE
        if place == Place.PAST and self._has_live_before_fault(end, given.row):
            explains = False
        if not explains and (self._address is not None or not small):
            return None  # what it is too small for is an estimate, and the fault is elsewhere
        return Pointer(given.access, "upstream_kernel_fault", place, small, explains)

    def _has_live_before_fault(self, end: int, row: Row) -> bool:
        """Whether other live memory lies between a buffer's end and the fault, or at the fault."""
        stop = min(self._address.start + self._address.size, 1 << 63) if self._address else 0
        made = self._trace.allocations["made_at"]
        between = (self._lives.address[:-1] >= end) & (self._lives.address[:-1] < stop)
        live = (made <= row) & (self._lives.freed_at[:-1] > row)
        return bool((between & live).any())
