"""Operations that may have made the device fault, and what speaks against each.

A fault shows itself at a later call. What the host had waited for by then, with success, is out;
the launches that are left are the suspects, and those copies and fills that were given bad memory.
What counts against one is what its pointers were: freed, null or unknown, buffers too small for
its grid, buffers near the fault's address, and whether the device itself named its kernel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from greta.forensics.fault_address import (
    FaultAddress,
    reported_address,
    reported_kernel,
    same_kernel,
)
from greta.forensics.left_buffer import leads_there
from greta.forensics.likeness import strangeness
from greta.forensics.suspect_pointers import Pointer, PointerJudge
from greta.trace.evidence import Evidence
from greta.trace.trace import NONE, Kind, Row, Seq, Table, Trace

Hypothesis: TypeAlias = str
LOOKED_AT: Final = 4096
"""Of more suspects than this only those are looked at that something speaks against."""
INDEXED: Final = 1024
"""Of so many equal suspects it is asked where their numbers lead."""
LAUNCHES: Final = (Kind.LAUNCH, Kind.GRAPH_LAUNCH)
TRANSFERS: Final = (Kind.COPY, Kind.FILL)


@dataclass(frozen=True)
class Suspect:
    """An operation that may have faulted."""

    row: Row
    seq: Seq
    named: bool = False
    """The device named its kernel."""
    pointer: Pointer | None = None
    """The one that speaks most against it."""
    fault_is_near_null: bool = False

    @property
    def reached_null(self) -> bool:
        """It used a null pointer that is not among those it was seen to be given."""
        explained = self.pointer is not None and self.pointer.explains_address
        return self.fault_is_near_null and not explained

    @property
    def hypothesis(self) -> Hypothesis:
        """Which fault it would be."""
        if self.reached_null:
            return "bad_pointer"
        return self.pointer.hypothesis if self.pointer else "upstream_kernel_fault"

    @property
    def weight(self) -> tuple[int, int, int]:
        """What speaks against it: the device's word, the address, its pointers."""
        pointer = self.pointer
        return (int(self.named), pointer.fit if pointer else 0, int(pointer is not None))


def ranked(evidence: Evidence, launches: Table, transfers: Table) -> tuple[Suspect, ...]:
    """Those first that most speaks against; else in their order.

    Of transfers only those that were given bad memory: HIP has checked the others.
    """
    trace, kernel = evidence.trace, reported_kernel(evidence.faults)
    address = reported_address(evidence.faults)
    null = address is not None and address.is_near_null
    named = _named(trace, launches, kernel)
    judge = PointerJudge(evidence)
    pointers = judge.worst(launches) | judge.worst(transfers)
    if len(launches) > LOOKED_AT:
        interesting = launches[np.isin(launches, list(named | set(pointers)))]
        launches = (interesting if len(interesting) else launches)[:LOOKED_AT]
    rows = [*launches.tolist(), *(row for row in transfers.tolist() if row in pointers)]
    seqs = trace.operations["seq"]
    found = [Suspect(row, int(seqs[row]), row in named, pointers.get(row), null) for row in rows]
    return _in_order(trace, found, address)


def _in_order(
    trace: Trace, found: list[Suspect], address: FaultAddress | None
) -> tuple[Suspect, ...]:
    """By weight; among equals those that are unlike others, led to it by an index, or nearest."""
    most = max((suspect.weight for suspect in found), default=None)
    equal = [suspect for suspect in found if suspect.weight == most]
    strange = strangeness(trace, [suspect.row for suspect in equal])
    led = _led_there(trace, equal, address) if len(equal) > 1 else set()

    def key(suspect: Suspect) -> tuple[float, ...]:
        against = (-weight for weight in suspect.weight)
        distance = _distance(trace, suspect, address)
        unlike = -strange.get(suspect.row, 0.0)
        return (*against, unlike, suspect.row not in led, distance, suspect.row)

    return tuple(sorted(found, key=key))


def _led_there(trace: Trace, suspects: list[Suspect], address: FaultAddress | None) -> set[Row]:
    """Those whose whole numbers, as an index, lead from their pointer to the fault."""
    return {
        one.row
        for one in suspects[:INDEXED]
        if one.pointer and leads_there(trace, one.row, one.pointer.access, address)
    }


def _distance(trace: Trace, suspect: Suspect, address: FaultAddress | None) -> int:
    """From what the operation was given to the address of the fault."""
    if address is None or suspect.pointer is None or not suspect.pointer.explains_address:
        return 0
    return abs(address.start - int(trace.accesses["address"][suspect.pointer.access]))


def _named(trace: Trace, rows: Table, kernel: str | None) -> set[Row]:
    """Those that launch the kernel that the device named, or a graph with it."""
    if kernel is None or len(rows) == 0:
        return set()
    names = [i for i, name in enumerate(trace.kernels) if same_kernel(name, kernel)]
    found: set[Row] = set(rows[np.isin(trace.operations["kernel"][rows], names)].tolist())
    graphs = rows[trace.operations["kind"][rows] == Kind.GRAPH_LAUNCH][:LOOKED_AT]
    return found | {row for row in graphs.tolist() if _has_node(trace, row, names)}


def _has_node(trace: Trace, row: Row, names: list[int]) -> bool:
    nodes = [trace.row_of(int(origin)) for origin in np.unique(trace.accesses_of(row)["origin"])]
    return any(int(trace.operations["kernel"][node]) in names for node in nodes if node != NONE)
