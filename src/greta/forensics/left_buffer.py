"""Which buffer a launch left, where its fault is far from all of them.

A wrong index leads anywhere, so nearness says nothing. But a launch that was given one buffer can
have left no other; and an address that is a pointer of the launch plus one of its whole numbers,
counted in elements, was reached from there.

Not if the fault is in memory that is or was another buffer: a pointer in memory led there.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from greta.forensics.fault_address import FaultAddress
from greta.trace.trace import NONE, Kind, Role, Row, Table, Trace

_KERNELS: Final = (Role.ARGUMENT, Role.STRUCT_WORD)


def left_buffer(trace: Trace, row: Row, address: FaultAddress | None) -> Row:
    """The launch's pointer into the one buffer that it can have left; else NONE.

    Not of a graph, whose nodes have pointers each; and not if a pointer leads to unknown memory.
    """
    if int(trace.operations["kind"][row]) != Kind.LAUNCH:
        return NONE
    first = int(trace.access_rows(row).start)
    accesses = trace.accesses_of(row)
    pointers = np.flatnonzero(np.isin(accesses["role"], _KERNELS) & (accesses["address"] != 0))
    if (accesses["allocation"][pointers] == NONE).any() or _is_in_a_buffer(trace, address):
        return NONE
    numbers = _numbers(trace, row)
    reached = [p for p in pointers.tolist() if _leads_to(accesses[p], numbers, address)]
    for some in (pointers, np.array(reached, np.int64)):
        if len(np.unique(accesses["allocation"][some])) == 1:
            return int(some[0]) + first
    return NONE


def leads_there(trace: Trace, row: Row, access: Row, address: FaultAddress | None) -> bool:
    """Whether a whole number of a launch, or two multiplied, lead from its pointer to the fault.

    Position times width is how caches are indexed.
    """
    numbers = _numbers(trace, row)
    products = [one * other for i, one in enumerate(numbers) for other in numbers[i + 1 :]]
    return _leads_to(trace.accesses[access], numbers + products, address)


def _is_in_a_buffer(trace: Trace, address: FaultAddress | None) -> bool:
    """Whether the fault is where memory is or was allocated; this is asked of no given pointer."""
    if address is None:
        return False
    table, start = trace.allocations, np.uint64(min(address.start, 1 << 63))
    inside = (table["address"] <= start) & (start < table["address"] + table["bytes"])
    return bool(inside.any())


def _numbers(trace: Trace, row: Row) -> list[int]:
    """The whole numbers among a launch's arguments."""
    arguments = trace.describe(int(trace.operations["seq"][row])).kernel_arguments
    return [value for _, type_, value in arguments if value is not None and "*" not in type_]


def _leads_to(access: Table, numbers: list[int], address: FaultAddress | None) -> bool:
    """Whether pointer plus number, and as far from there as the grid goes, meets the address."""
    if address is None:
        return False
    start, element = int(access["address"]), int(access["element"]) or 1
    reach = max(int(access["reach"]), element)
    ways = (start + number * element for number in numbers)
    return any(address.overlaps(way, way + reach) for way in ways)
