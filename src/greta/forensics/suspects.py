"""Operations that may have made the device fault, and what speaks against each.

A fault shows itself at a later call. What the host had waited for by then, with success, is out;
the launches that are left are the suspects, and those copies and fills that were given bad memory
or whose host memory may be gone.
What counts against one is what its pointers were: freed, null or unknown, buffers too small for
its grid, buffers near the fault's address, and whether the device itself named its kernel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from greta.forensics.fault_address import (
    NEAR,
    PAGE,
    FaultAddress,
    Nearness,
    WildWord,
    beyond_own_memory,
    freed_memory_at,
    is_misaligned,
    leads_there,
    left_buffer,
    reported_address,
    reported_kernel,
    same_kernel,
    wild_word,
)
from greta.forensics.scan import KERNEL_ROLES, Lifetimes
from greta.trace.evidence import Evidence
from greta.trace.trace import NONE, Kind, Memory, Role, Row, Seq, Space, Table, Trace

MOST: Final = 1 << 15
"""So many pointers are looked at one by one."""


@dataclass(frozen=True)
class Pointer:
    """What is wrong with one pointer that an operation was given."""

    access: Row
    hypothesis: str
    """Which fault it would be."""
    place: Nearness = Nearness.ELSEWHERE
    too_small: bool = False
    explains_address: bool = False
    led: bool = False
    """The launch's own numbers lead from it to the address."""

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
class _GivenPointer:
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
        self._lifetimes = Lifetimes(evidence.trace)
        self._freed_there = freed_memory_at(evidence.trace, self._address)

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
        accesses, lifetimes = self._trace.accesses[start:stop], self._lifetimes
        allocation = accesses["allocation"]
        odd = (allocation == NONE) | (accesses["operation"] > lifetimes.freed_at[allocation])
        reach = np.maximum(accesses["reach"], accesses["bytes"])
        odd |= reach > lifetimes.end[allocation] - accesses["address"]
        if self._address is not None:
            odd |= self._near(self._address)[allocation]
            if self._address.is_near_null:
                odd |= accesses["address"] % np.maximum(accesses["element"], 1) != 0
        wanted = np.zeros(len(self._trace.operations), bool)
        wanted[rows] = True
        odd &= wanted[accesses["operation"]]
        return np.flatnonzero(odd)[:MOST] + start

    def _near(self, address: FaultAddress) -> Table:
        start, near = np.uint64(min(address.start, 1 << 63)), np.uint64(NEAR)  # no sum may run over
        return (self._lifetimes.address <= start + near) & (self._lifetimes.end + near > start)

    def _judged(self, access: Row) -> Pointer | None:
        record = self._trace.accesses[access]
        kernels = int(record["role"]) in KERNEL_ROLES
        if kernels and self._is_of_another_kernel(int(record["origin"])):
            return None
        given = _GivenPointer(
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

    def _outside(self, given: _GivenPointer) -> Pointer | None:
        """Null, or in no allocation. With an address it must explain that.

        Of a transfer's host side only the first page: further on, it may be too short instead.
        """
        address = self._address
        if address is None:
            return None if self._may_be_hosts(given) else Pointer(given.access, "bad_pointer")
        low = given.start - NEAR if given.is_kernels and given.start else given.start
        far = max(given.reach, NEAR) if given.is_kernels else min(given.reach, PAGE)
        if not address.overlaps(low, given.start + far):
            return None
        return Pointer(given.access, "bad_pointer", explains_address=True)

    def _may_be_hosts(self, given: _GivenPointer) -> bool:
        """Memory of the host that HIP need not know of."""
        return given.is_host or (self._trace.reaches_pageable and given.start > PAGE)

    def _inside(self, given: _GivenPointer, allocation: Row) -> Pointer | None:
        low, end = int(self._lifetimes.address[allocation]), int(self._lifetimes.end[allocation])
        known = bool(self._lifetimes.known_bytes[allocation])
        address, freed_at = self._address, int(self._lifetimes.freed_at[allocation])
        if given.row > freed_at:
            stop = max(end, low + 1) if known else low + NEAR
            explains = address is not None and address.overlaps(low, stop)
            return Pointer(given.access, "use_after_free", Nearness.INSIDE, False, explains)
        # Freed since, and the fault is there: the work was still in flight.
        in_flight = known and freed_at < len(self._trace.operations)
        in_flight = in_flight and address is not None and address.overlaps(low, end)
        if in_flight or self._is_gone(given, allocation, low, end):
            return Pointer(given.access, "use_after_free", Nearness.INSIDE, explains_address=True)
        # What it was seen to access is no pointer that it was given; a range may span variables.
        if int(self._trace.accesses["role"][given.access]) == Role.FOOTPRINT:
            return None
        if not given.is_kernels:
            past = known and given.start + given.reach > end
            return Pointer(given.access, "byte_size_mismatch", too_small=True) if past else None
        # A misaligned access has no address, and is reported at null.
        is_odd = address is not None and address.start == 0
        is_odd = is_odd and is_misaligned(self._trace.accesses[given.access])
        if is_odd or (known and self._is_out_of_reach(given, allocation, low, end)):
            return Pointer(given.access, "bad_pointer", Nearness.INSIDE, explains_address=True)
        return self._live(given, low, end) if known else None

    def _is_out_of_reach(self, given: _GivenPointer, allocation: Row, low: int, end: int) -> bool:
        """Whether it is another device's memory, and the fault is in it: nobody gave access."""
        if self._address is None or not low <= self._address.start < end:
            return False
        devices = {
            int(self._trace.operations["device"][given.row]),
            int(self._trace.allocations["device"][allocation]),
        }
        is_device = bool(self._lifetimes.is_device[allocation])
        return is_device and len(devices) == 2 and NONE not in devices

    def _is_gone(self, given: _GivenPointer, allocation: Row, low: int, end: int) -> bool:
        """Whether the fault is in host memory that was registered: the program took it away."""
        if self._address is None or int(self._lifetimes.memory[allocation]) != Memory.REGISTERED:
            return False
        if given.is_kernels:
            return low <= self._address.start and self._address.start + self._address.size <= end
        return self._address.overlaps(given.start, given.start + given.reach)

    def _live(self, given: _GivenPointer, low: int, end: int) -> Pointer | None:
        small = given.start + given.reach > end
        place = Nearness.ELSEWHERE
        if self._address is not None:
            place = self._address.place(low, end, given.start + given.reach - low)
        explains = place > Nearness.BEFORE
        if place == Nearness.PAST and self._has_live_before_fault(end, given.row):
            explains = False
        if place == Nearness.PAST and self._freed_there != NONE and not small:
            explains = False  # it is in memory that has been freed, and need not have come this way
        led = place in (Nearness.BEFORE, Nearness.PAST)
        led = led and leads_there(self._trace, given.row, given.access, self._address)
        explains |= led
        if not explains and (self._address is not None or not small):
            return None  # what it is too small for is an estimate, and the fault is elsewhere
        return Pointer(given.access, "upstream_kernel_fault", place, small, explains, led)

    def _has_live_before_fault(self, end: int, row: Row) -> bool:
        """Whether other live memory lies between a buffer's end and the fault, or at the fault."""
        stop = min(self._address.start + self._address.size, 1 << 63) if self._address else 0
        made = self._trace.allocations["made_at"]
        between = (self._lifetimes.address[:-1] >= end) & (self._lifetimes.address[:-1] < stop)
        live = (made <= row) & (self._lifetimes.freed_at[:-1] > row)
        return bool((between & live).any())


LOOKED_AT: Final = 4096
"""If there are more suspects, only those with a charge are looked at."""
INDEXED: Final = 1024
"""Of so many equal suspects it is asked where their numbers lead."""


@dataclass(frozen=True)
class Suspect:
    row: Row
    seq: Seq
    named: bool = False
    """The device named its kernel."""
    pointer: Pointer | None = None
    """The one that speaks most against it."""
    fault_is_near_null: bool = False
    freed_there: Row = NONE
    """The allocation that the fault is in, where that has been freed."""
    is_transfer: bool = False
    host_memory: Row = NONE
    """The access of a transfer to memory that the program registered."""
    wild: WildWord | None = None
    """A word of a struct that it was given, which leads to the fault and to no memory."""

    @property
    def is_mere_transfer(self) -> bool:
        """Nothing is known against it but that it was under way."""
        return self.is_transfer and self.pointer is None

    @property
    def is_plain(self) -> bool:
        """Its own pointers and numbers explain the fault, whatever it read from memory."""
        pointer = self.pointer
        if pointer is None:
            return self.wild is not None
        return pointer.too_small or pointer.led or pointer.is_bad_memory

    @property
    def _came_another_way(self) -> bool:
        """Not by a pointer that is among those it was seen to be given."""
        explained = self.pointer is not None and self.pointer.explains_address
        return not explained and not self.is_transfer and self.wild is None

    @property
    def reached_freed(self) -> bool:
        return self.freed_there != NONE and self._came_another_way

    @property
    def reached_null(self) -> bool:
        return self.fault_is_near_null and self._came_another_way

    @property
    def hypothesis(self) -> str:
        if self.reached_null or self.wild:
            return "bad_pointer"
        if self.reached_freed:
            return "use_after_free"
        if self.pointer:
            return self.pointer.hypothesis
        if not self.is_transfer:
            return "upstream_kernel_fault"
        return "bad_pointer" if self.host_memory == NONE else "use_after_free"

    @property
    def weight(self) -> tuple[int, int, int]:
        """What speaks against it: the device's word, the address, its pointers."""
        pointer = self.pointer
        fit = pointer.fit if pointer else 2 if self.wild else 0
        return (int(self.named), fit, int(pointer is not None or self.wild is not None))


def ranked(
    evidence: Evidence,
    launches: Table,
    transfers: Table,
    *,
    all_transfers: bool = False,
    trapped: bool = False,
) -> tuple[Suspect, ...]:
    """Most incriminated first; else in their order.

    `trapped`: a kernel is known to have stopped itself, whatever pointers it was given.
    Of transfers only those that were given bad memory, and, where no address says more, those whose
    host memory is the program's own and may be gone: HIP has checked the others.
    """
    trace, kernel = evidence.trace, reported_kernel(evidence.faults)
    address = reported_address(evidence.faults)
    if beyond_own_memory(evidence.faults) or (trapped and len(launches)):
        return _by_no_pointer(trace, launches, kernel)
    null = address is not None and address.is_near_null
    named = _named(trace, launches, kernel)
    judge = PointerJudge(evidence)
    pointers = judge.worst(launches) | judge.worst(transfers)
    if len(launches) > LOOKED_AT:
        interesting = launches[np.isin(launches, list(named | set(pointers)))]
        launches = (interesting if len(interesting) else launches)[:LOOKED_AT]
    freed = freed_memory_at(trace, address)
    seqs = trace.operations["seq"]
    found = [
        Suspect(row, int(seqs[row]), row in named, pointers.get(row), null, freed)
        for row in launches.tolist()
    ]
    found = [_with_wild_word(trace, one, address) for one in found[:INDEXED]] + found[INDEXED:]
    for row in transfers.tolist():
        pointer, memory = pointers.get(row), _host_memory(trace, row)
        if pointer or all_transfers or (address is None and memory != NONE):
            seq = int(seqs[row])
            found.append(Suspect(row, seq, False, pointer, is_transfer=True, host_memory=memory))
    return _in_order(trace, found, address)


def _with_wild_word(trace: Trace, suspect: Suspect, address: FaultAddress | None) -> Suspect:
    if suspect.pointer and suspect.pointer.explains_address:
        return suspect
    wild = wild_word(trace, suspect.row, address)
    return replace(suspect, wild=wild, pointer=None) if wild else suspect


def _by_no_pointer(trace: Trace, launches: Table, kernel: str | None) -> tuple[Suspect, ...]:
    """Launches of the kernel that the device told; their pointers did not lead there."""
    named = _named(trace, launches, kernel)
    rows = sorted(named) or launches[:LOOKED_AT].tolist()
    return tuple(Suspect(row, int(trace.operations["seq"][row]), row in named) for row in rows)


def _host_memory(trace: Trace, row: Row) -> Row:
    """The access of a transfer that works on after its call, in memory that the program registered.

    HIP is not told when the program unmaps it.
    """
    place = trace.access_rows(row)
    sides = trace.accesses[place]
    memory = np.append(trace.allocations["memory"], 0)[sides["allocation"]]
    found = np.flatnonzero((memory == Memory.REGISTERED) & ~sides["at_call"])
    return int(found[0]) + place.start if len(found) else NONE


# --- suspects of which the same would be said -----------------------------------------------------

Charge: TypeAlias = "tuple[int, str, int, int]"
"""Kernel, hypothesis, argument and allocation."""


class Charges:
    """What would be said of each: equal for launches that differ in nothing but their turn."""

    def __init__(self, evidence: Evidence) -> None:
        self._trace = evidence.trace
        self._address = reported_address(evidence.faults)
        self._left: dict[tuple[int, bytes], Row] = {}

    def of(self, suspect: Suspect) -> Charge:
        """For a graph or a transfer: its own."""
        kernel = int(self._trace.operations["kernel"][suspect.row])
        if suspect.is_transfer or kernel == NONE:
            return (NONE, suspect.hypothesis, NONE, suspect.row)
        access = self._access(suspect, kernel)
        if access == NONE:
            argument = suspect.wild.argument if suspect.wild else NONE
            return (kernel, suspect.hypothesis, argument, NONE)
        record = self._trace.accesses[access]
        return (kernel, suspect.hypothesis, int(record["argument"]), int(record["allocation"]))

    def _access(self, suspect: Suspect, kernel: int) -> Row:
        if suspect.reached_freed or suspect.reached_null or suspect.wild:
            return NONE
        if suspect.pointer:
            return suspect.pointer.access
        given = kernel, self._trace.accesses_of(suspect.row)["allocation"].tobytes()
        if given not in self._left:
            self._left[given] = left_buffer(self._trace, suspect.row, self._address)
        return self._left[given]


def _in_order(
    trace: Trace, found: list[Suspect], address: FaultAddress | None
) -> tuple[Suspect, ...]:
    """By weight; among equals those that are unlike others, led to it by an index, or nearest."""
    most = max((suspect.weight for suspect in found), default=None)
    equal = [suspect for suspect in found if suspect.weight == most]
    unlike_others = dissimilarity(trace, [suspect.row for suspect in equal])
    led = {
        one.row
        for one in (equal[:INDEXED] if len(equal) > 1 else ())
        if one.pointer and leads_there(trace, one.row, one.pointer.access, address)
    }

    def key(suspect: Suspect) -> tuple[float, ...]:
        against = (-weight for weight in suspect.weight)
        distance = _distance(trace, suspect, address)
        unlike = -unlike_others.get(suspect.row, 0.0)
        return (*against, unlike, suspect.row not in led, distance, suspect.row)

    return tuple(sorted(found, key=key))


def _distance(trace: Trace, suspect: Suspect, address: FaultAddress | None) -> int:
    """From what the operation was given to the address of the fault."""
    if address is None or suspect.pointer is None or not suspect.pointer.explains_address:
        return 0
    return abs(address.start - int(trace.accesses["address"][suspect.pointer.access]))


def _named(trace: Trace, rows: Table, kernel: str | None) -> set[Row]:
    """Suspects that launch the kernel that the device named, or a graph with it."""
    if kernel is None or len(rows) == 0:
        return set()
    names = [i for i, name in enumerate(trace.kernels) if same_kernel(name, kernel)]
    found: set[Row] = set(rows[np.isin(trace.operations["kernel"][rows], names)].tolist())
    graphs = rows[trace.operations["kind"][rows] == Kind.GRAPH_LAUNCH][:LOOKED_AT]
    return found | {row for row in graphs.tolist() if _nodes_of(trace, row) & set(names)}


def _nodes_of(trace: Trace, row: Row) -> set[int]:
    """The kernels of a graph."""
    nodes = [trace.row_of(int(origin)) for origin in np.unique(trace.accesses_of(row)["origin"])]
    return {int(trace.operations["kernel"][node]) for node in nodes if node != NONE}


# --- launches of one kernel that differ from the others -------------------------------------------

_COMPARED: Final = 256
"""So many launches are compared, the last ones."""

_NULL, _POINTER = "null", "pointer"


_Arguments: TypeAlias = "tuple[object, tuple[object, ...]]"
"""Grid and block; what a launch was given beside. Of a pointer only whether it is null: each layer
has its own."""


def dissimilarity(trace: Trace, rows: Sequence[Row]) -> dict[Row, float]:
    """For each launch: in how many arguments it is alone, weighed by how many are otherwise."""
    found: dict[Row, float] = {}
    kernels = trace.operations["kernel"][list(rows)].tolist()
    for kernel in set(kernels) - {NONE}:
        own = [row for row, one in zip(rows, kernels, strict=True) if one == kernel]
        found |= _within_kernel(trace, kernel, own)
    return found


def _within_kernel(trace: Trace, kernel: int, rows: Sequence[Row]) -> dict[Row, float]:
    if len(rows) < 2:
        return {}
    table = trace.operations
    alike = np.flatnonzero((table["kind"] == Kind.LAUNCH) & (table["kernel"] == kernel))
    alike = alike[alike <= max(rows)][-_COMPARED:]
    given = {row: _arguments_of(trace, row) for row in {*alike.tolist(), *rows[:_COMPARED]}}
    return {row: _difference(given[row], list(given.values())) for row in rows[:_COMPARED]}


def _arguments_of(trace: Trace, row: Row) -> _Arguments:
    call = trace.describe(int(trace.operations["seq"][row]))
    return (call.grid, call.block), tuple(
        (_POINTER if value else _NULL) if "*" in kind else value
        for _, kind, value in call.kernel_arguments
    )


def _difference(one: _Arguments, every: Sequence[_Arguments]) -> float:
    shape, arguments = one
    alike = [other for other in every if len(other[1]) == len(arguments)]
    same_size = [other for other in alike if other[0] == shape]
    total = 0.0
    for place, value in enumerate(arguments):
        others = alike if value in (_NULL, _POINTER) else same_size
        counts = Counter(other[1][place] for other in others)
        if counts[value] < max(counts.values()):
            total += 1 - counts[value] / len(others)
    return total
