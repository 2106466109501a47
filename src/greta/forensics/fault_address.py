"""Where a reported fault address lies, seen from a pointer that a kernel was given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np

from greta.forensics.scan import KERNEL_ROLES, bounds_of, live_at
from greta.forensics.verdict import Value
from greta.trace.device_errors import ASSERT, ILLEGAL_ADDRESS
from greta.trace.evidence import ASSERTION, DeviceFault, DeviceRemark, Evidence
from greta.trace.trace import LOST_LIFETIMES, NONE, Gap, Kind, Row, Table, Trace, present

PAGE: Final = 4096
NEAR: Final = 64 * 1024
"""How far past a buffer, or from null, an address is still taken for one of its own."""


class Nearness(IntEnum):
    ELSEWHERE = 0
    BEFORE = 1
    """A little below the buffer."""
    WITHIN_REACH = 2
    """Past the end, as far as the launch can reach from there by its grid."""
    PAST = 3
    """Just past the end."""
    INSIDE = 4
    """In it, or in the page that holds its end."""


ALIGNED: Final = (2, 4, 8, 16)
"""Sizes of elements that are their alignment too; those of structs need not be."""


def is_misaligned(access: Table) -> bool:
    element = int(access["element"])
    return element in ALIGNED and int(access["address"]) % element != 0


@dataclass(frozen=True)
class FaultAddress:
    """Bytes of which at least one was accessed: one, or a page if the report means a page."""

    start: int
    size: int
    block: tuple[int, int, int] | None = None
    thread: tuple[int, int, int] | None = None
    """Who accessed it, where the device told."""

    @property
    def is_near_null(self) -> bool:
        """Whether it is where a null pointer with a small offset leads: nothing is mapped there."""
        return self.start < NEAR

    def overlaps(self, start: int, end: int) -> bool:
        """Whether it may be in a range."""
        return self.start < end and start < self.start + self.size

    def surrounds(self, start: int, end: int) -> bool:
        """Whether it has bytes on both sides of a range: either may have been reached."""
        return self.start < start and end < self.start + self.size

    def place(self, start: int, end: int, reach: int) -> Nearness:
        """Seen from a buffer and from how far a launch reaches from `start` by its grid."""
        if end <= self.start < end + NEAR:
            return Nearness.PAST
        if self.overlaps(start, end):
            return Nearness.INSIDE
        if end <= self.start < start + reach:
            return Nearness.WITHIN_REACH
        return Nearness.BEFORE if start - NEAR <= self.start < start else Nearness.ELSEWHERE


def reported_address(faults: tuple[DeviceFault, ...]) -> FaultAddress | None:
    """The first address that a report gives; an exact one is better than that of a page."""
    known = sorted((not f.exact, i) for i, f in enumerate(faults) if f.address is not None)
    if not known:
        return None
    fault = faults[known[0][1]]
    if not fault.exact:
        return FaultAddress(fault.address or 0, PAGE)
    return FaultAddress(fault.address or 0, 1, fault.block, fault.thread)


def address_words(address: FaultAddress | None) -> dict[str, Value]:
    """For a finding: where, and how many bytes the report may mean by it."""
    if address is None:
        return {"fault_address": None, "fault_bytes": None}
    return {"fault_address": hex(address.start), "fault_bytes": address.size}


def reported_kernel(faults: tuple[DeviceFault, ...]) -> str | None:
    return next((fault.kernel for fault in faults if fault.kernel), None)


def beyond_own_memory(faults: tuple[DeviceFault, ...]) -> DeviceFault | None:
    """An access beyond shared or private memory: no pointer of the launch leads there."""
    return next((fault for fault in faults if fault.space is not None), None)


def names_memory(faults: tuple[DeviceFault, ...]) -> bool:
    return any(fault.address is not None or fault.space is not None for fault in faults)


def has_trapped(evidence: Evidence, error: int) -> bool:
    """Whether a kernel is known to have stopped itself: no pointer of the launch led there.

    The error alone does not tell: HIP has one of its own for wrong accesses to memory, but not in
    every version and system, and a flag that is freed makes a kernel without end.
    """
    if error == ILLEGAL_ADDRESS or names_memory(evidence.faults):
        return False
    told = any(one.source == "device" for one in evidence.faults)
    asserted = any(one.source == ASSERTION for one in evidence.messages)
    return told or asserted or error == ASSERT


def same_kernel(one: str, other: str) -> bool:
    """Whether two names are of one kernel: mangled, demangled, or with the suffix of a symbol."""
    return one == other or _plain(one) == _plain(other)


def _plain(name: str) -> str:
    """rope of rope.kd, rope(float*, int), void rope<4>(float*) and _Z4ropePfi."""
    name = name.strip().removesuffix(".kd")
    mangled = re.match(r"_Z(\d+)", name)
    if mangled:
        start = mangled.end()
        return name[start : start + int(mangled.group(1))]
    words = re.split(r"[(<]", name, maxsplit=1)[0].split()
    return words[-1] if words else name


# --- which buffer a launch left -------------------------------------------------------------------

FRACTIONS: Final = ("float", "double", "_Float16", "__half")
"""Types of numbers that are no positions."""


def left_buffer(trace: Trace, row: Row, address: FaultAddress | None) -> Row:
    """The launch's pointer into the one buffer that it can have left; else NONE.

    Not of a graph, whose nodes have pointers each; and not if a pointer leads to unknown memory.
    """
    if int(trace.operations["kind"][row]) != Kind.LAUNCH:
        return NONE
    first = int(trace.access_rows(row).start)
    accesses = trace.accesses_of(row)
    pointers = np.flatnonzero(np.isin(accesses["role"], KERNEL_ROLES) & (accesses["address"] != 0))
    if (accesses["allocation"][pointers] == NONE).any() or _is_in_a_buffer(trace, address):
        return NONE
    indices = _indices(trace, row)
    reached = [
        p
        for p in pointers.tolist()
        if _leads_to(accesses[p], indices, address)
        or _leads_back(trace, row, accesses[p], address)
        or below_zero(trace, row, accesses[p], address)
    ]
    for some in (pointers, np.array(reached, np.int64)):
        if len(np.unique(accesses["allocation"][some])) == 1:
            left = accesses[some[0]]
            return int(some[0]) + first if _is_in_range(left, address) else NONE
    return NONE


def given_above(trace: Trace, row: Row, address: FaultAddress | None) -> Row:
    """The launch's pointer into the one live buffer that the fault is a little below; else NONE.

    That it left this one is not said: an index that went wrong leads anywhere.
    """
    if address is None:
        return NONE
    first, accesses = int(trace.access_rows(row).start), trace.accesses_of(row)
    given = np.isin(accesses["role"], KERNEL_ROLES)
    given &= np.append(live_at(trace.allocations, row), False)[accesses["allocation"]]
    starts = np.append(trace.allocations["address"], np.uint64(0))[accesses["allocation"]]
    low = np.uint64(min(address.start, 1 << 62))
    above = np.flatnonzero(given & (starts > low) & (starts - low <= NEAR))
    alone = len(np.unique(accesses["allocation"][above])) == 1
    return first + int(above[0]) if alone else NONE


_FARTHEST: Final = 1 << 38
"""As far as an index of 32 bits leads in elements of 64 bytes; beyond are other pointers."""


def _is_in_range(pointer: Table, address: FaultAddress | None) -> bool:
    return address is None or abs(address.start - int(pointer["address"])) <= _FARTHEST


def below_zero(trace: Trace, row: Row, pointer: Table, address: FaultAddress | None) -> int:
    """By how many bytes, at most, an index is below zero that leads there as unsigned; or 0.

    int - unsigned is unsigned: 32 bits of elements above the pointer there is nothing else, unless
    other live memory is near, which may have been left instead.
    """
    element = int(pointer["element"])
    if address is None or not element:
        return 0
    below = int(pointer["address"]) + (element << 32) - address.start
    is_between_elements = address.size == 1 and below % element != 0
    if not 0 < below <= NEAR or is_between_elements or _has_live_near(trace, row, address):
        return 0
    return below


def _has_live_near(trace: Trace, row: Row, address: FaultAddress) -> bool:
    table, start = trace.allocations, np.uint64(min(address.start, 1 << 63))
    near = table["address"] <= start + np.uint64(address.size + NEAR)
    near &= start < table["address"] + table["bytes"] + np.uint64(NEAR)
    return bool((near & live_at(table, row)).any())


def leads_there(trace: Trace, row: Row, access: Row, address: FaultAddress | None) -> bool:
    """Whether a whole number of a launch, or two multiplied, lead from its pointer to the fault.

    Position times width is how caches are indexed.
    """
    record = trace.accesses[access]
    led = _leads_to(record, _indices(trace, row), address)
    led = led or below_zero(trace, row, record, address) > 0
    return led or _leads_back(trace, row, record, address)


def leads_to_start(trace: Trace, row: Row, access: Table, address: int) -> bool:
    """Whether a whole number of a launch, or two multiplied, lead right there from its pointer."""
    start, element = int(access["address"]), int(access["element"]) or 1
    return any(start + index * element == address for index in _indices(trace, row))


@dataclass(frozen=True)
class WildWord:
    """Part of a struct that a launch was given: an address at which there never was memory."""

    argument: int
    address: int


def wild_word(trace: Trace, row: Row, address: FaultAddress | None) -> WildWord | None:
    """The word of a struct right from which the fault is reached; not near null, nor in a buffer.

    Other numbers in structs are no addresses: that one leads there by chance is next to impossible.
    """
    is_launch = int(trace.operations["kind"][row]) == Kind.LAUNCH
    if not is_launch or address is None or address.is_near_null or _is_in_a_buffer(trace, address):
        return None
    if trace.reaches_pageable or present(trace, LOST_LIFETIMES | {Gap.OVERWRITTEN}):
        return None  # it may be the host's, or of an allocation that is not shown
    words = trace.describe(int(trace.operations["seq"][row])).struct_words
    near = [(a, w) for a, w in words if w >= NEAR and address.overlaps(w, w + NEAR)]
    # The byte before: the end of a buffer is a pointer that structs hold.
    known = [one for one in near if not _is_in_a_buffer(trace, FaultAddress(one[1] - 1, 2))]
    return WildWord(*max(known, key=lambda one: one[1])) if known else None


def freed_memory_at(trace: Trace, address: FaultAddress | None) -> Row:
    """The allocation that the fault is in and that has been freed; NONE if one there is live."""
    if address is None:
        return NONE
    table = trace.allocations
    start = np.uint64(min(address.start, 1 << 63))
    there = table["known_bytes"] & (table["address"] < start + np.uint64(address.size))
    there &= start < table["address"] + table["bytes"]
    found = np.flatnonzero(there)
    if len(found) == 0 or (table["freed_at"][found] < 0).any():
        return NONE
    return int(found[np.argmax(table["made_at"][found])])


def freed_before(trace: Trace, remark: DeviceRemark) -> tuple[Row, Row]:
    """The launch that was seen to access memory which had been freed, and that memory; else NONE.

    Pools keep what is freed mapped: no fault tells of it.
    """
    row = trace.row_of(remark.seq) if remark.seq is not None else NONE
    table, address = trace.allocations, np.uint64(remark.address)
    there = (table["address"] <= address) & (address < table["address"] + table["bytes"])
    there &= (table["made_at"] <= row) & table["known_bytes"]
    if remark.what != "outside" or not there.any() or (there & live_at(table, row)).any():
        return NONE, NONE
    return row, int(np.flatnonzero(there)[-1])


def freed_meanwhile(trace: Trace, remark: DeviceRemark) -> tuple[Row, Row]:
    """The launch that found memory gone which a later call freed, and that memory; else NONE.

    What it did there is in no footprint: those are of live memory.
    """
    row = trace.row_of(remark.seq) if remark.seq is not None else NONE
    table, address = trace.allocations, np.uint64(remark.address)
    there = (table["address"] <= address) & (address < table["address"] + table["bytes"])
    there &= live_at(table, row) & (table["freed_at"] > row) & table["known_bytes"]
    if remark.what != "outside" or row == NONE or not there.any():
        return NONE, NONE
    return row, int(np.flatnonzero(there)[-1])


def live_memory_below(trace: Trace, row: Row, address: FaultAddress | None) -> Row:
    """The live allocation past whose end the fault is, near, with nothing else between; or NONE."""
    if address is None:
        return NONE
    table, start = trace.allocations, np.uint64(min(address.start, 1 << 63))
    below = np.flatnonzero(live_at(table, row) & table["known_bytes"] & (table["address"] <= start))
    if len(below) == 0:
        return NONE
    nearest = int(below[np.argmax(table["address"][below])])
    end = bounds_of(table[nearest])[1]
    return nearest if end <= address.start < end + NEAR else NONE


def has_pointers_in_memory(trace: Trace, row: Row) -> bool:
    """Whether a launch was given a pointer to pointers, by its type."""
    arguments = trace.describe(int(trace.operations["seq"][row])).kernel_arguments
    return any(type_.count("*") > 1 for _, type_, _ in arguments)


_FRESH: Final = 0xCBCBCBCBCBCBCBCB
"""What the simulated device fills fresh memory with, so that it is not taken for zeros."""
_FRESH_PLACES: Final = ((_FRESH & 0xFFFFFFFF) - (1 << 32), _FRESH & 0xFFFFFFFF, _FRESH)
"""As an int, an unsigned int and a long."""
_FAR: Final = 1 << 24
"""Places nearer than this need no fresh memory to lead there."""


def comes_of_fresh_memory(evidence: Evidence, row: Row) -> bool:
    """Whether a launch went where fresh memory leads that is read as a pointer, or as a place.

    Places are taken times each of its whole numbers: a width, as a rule.
    """
    address, trace, device = reported_address(evidence.faults), evidence.trace, evidence.run.device
    if address is None or device is None or device.kind != "sim":
        return False
    exact = [place * number for place in _FRESH_PLACES for number in (1, *_numbers(trace, row))]
    indices = {index for index in (*exact, *map(_wrapped, exact)) if abs(index) > _FAR}
    pointers = trace.accesses_of(row)
    pointers = pointers[np.isin(pointers["role"], KERNEL_ROLES) & (pointers["address"] != 0)]
    starts = {(int(one["address"]), int(one["element"]) or 1) for one in pointers}
    ways = {(start + i * element) % (1 << 64) for start, element in starts for i in indices}
    return any(address.overlaps(way - NEAR, way + NEAR) for way in {_FRESH, *ways})


def _is_in_a_buffer(trace: Trace, address: FaultAddress | None) -> bool:
    """Whether the fault is where memory is or was allocated; this is asked of no given pointer."""
    if address is None:
        return False
    table, start = trace.allocations, np.uint64(min(address.start, 1 << 63))
    inside = (table["address"] <= start) & (start < table["address"] + table["bytes"])
    return bool(inside.any())


def _indices(trace: Trace, row: Row) -> list[int]:
    """Where the whole numbers of a launch lead: each, two multiplied, and those in 32 bits."""
    numbers = _numbers(trace, row)
    products = [one * other for i, one in enumerate(numbers) for other in numbers[i + 1 :]]
    exact = numbers + products
    # As an int holds them: what is too large wraps, to a negative number maybe.
    return list(dict.fromkeys([*exact, *map(_wrapped, exact)]))


def _numbers(trace: Trace, row: Row) -> list[int]:
    arguments = trace.describe(int(trace.operations["seq"][row])).kernel_arguments
    return [value for _, type_, value in arguments if value is not None and "*" not in type_]


def _wrapped(number: int) -> int:
    return ((number + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)


def _leads_back(trace: Trace, row: Row, access: Table, address: FaultAddress | None) -> bool:
    """Whether a thread that the device named went back by just one of the launch's numbers.

    A window that looks back is indexed so; and a table with a row for each block, of which -1 was
    asked for, by the thread's number in its block. Which thread it was must be known: a number that
    counts elements would lead anywhere below a buffer from some thread.
    """
    if address is None or address.block is None or address.thread is None:
        return False
    threads = trace.describe(int(trace.operations["seq"][row])).block
    if threads is None:
        return False
    in_block, in_grid = address.thread[0], address.block[0] * threads[0] + address.thread[0]
    start, element = int(access["address"]), int(access["element"]) or 1
    back = {own - number for own in (in_block, in_grid) for number in _numbers(trace, row)}
    return any(address.start == start + index * element for index in back)


def _leads_to(access: Table, indices: list[int], address: FaultAddress | None) -> bool:
    """Whether pointer plus number, and as far from there as the grid goes, meets the address."""
    if address is None:
        return False
    start, element = int(access["address"]), int(access["element"]) or 1
    reach = max(int(access["reach"]), element)
    ways = (start + index * element for index in indices)
    return any(address.overlaps(way, way + reach) for way in ways)
