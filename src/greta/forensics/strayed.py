"""Launches that were seen to access live memory which nobody had given them: no fault tells of it.

A footprint shows what was accessed, not why. A kernel that can have taken a pointer from memory (a
table, a struct, a __device__ variable) may have been led there as it should; that stays open.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from greta.forensics.fault_address import FaultAddress, leads_there
from greta.forensics.scan import AccessBlock, Mask, where
from greta.forensics.verdict import Finding, Value
from greta.forensics.wording import (
    ACCESS_FIELDS,
    BUFFER_FIELDS,
    KEPT,
    buffer_words,
    finding_of,
)
from greta.trace.trace import NONE, Memory, Role, Row, Table, Trace

REACHED_FIELDS: Final = ("reached", "reached_buffer", "reached_bytes", "reached_by", "deed")
CODES: Final[dict[str, tuple[str, ...]]] = {
    "kernel_reached_other": (*ACCESS_FIELDS, *BUFFER_FIELDS, *REACHED_FIELDS),
}
_NUMBERS: Final = re.compile(
    r"(?:const |volatile )*(?:float|double|_Float16|__half|int|unsigned(?: int)?|short|"
    r"unsigned short|u?int(?:16|32)_t)[234]?(?: const)?"
)
"""What no pointer can be in: whole numbers of 64 bits and bytes may be parts of one."""
_KERNELS: Final = (Role.ARGUMENT, Role.STRUCT_WORD)
_DEEDS: Final = {1: "reads", 2: "writes", 4: "updates"}


class Strayed:
    """Launches whose footprint is in memory that none of their arguments is in."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._has_symbols = bool((trace.allocations["memory"] == Memory.SYMBOL).any())
        self._plain: dict[int, bool] = {}
        accesses = self._of_strangers()
        plain = [self._is_plain(int(trace.accesses["operation"][one])) for one in accesses]
        decided = np.array(plain, bool)
        self.is_open = not decided.all()
        """Some of them may have been led there by what they read."""
        self._accesses: Table = accesses[decided]

    def findings(self) -> tuple[Finding, ...]:
        """The first of them."""
        return tuple(self._finding(int(one)) for one in self._accesses[:KEPT])

    def _of_strangers(self) -> Table:
        """For each such launch the first access to memory that it was not given."""
        trace = self._trace
        seen, given = where(trace, _is_seen, _is_given)
        operation, allocation = trace.accesses["operation"], trace.accesses["allocation"]
        count = len(trace.allocations) + 1
        known = operation[given] * count + allocation[given]
        strange = ~np.isin(operation[seen] * count + allocation[seen], known)
        memory = np.append(trace.allocations["memory"], Memory.SYMBOL)[allocation[seen]]
        strange &= memory != Memory.SYMBOL
        rows: Table = seen[strange]
        return rows[np.unique(operation[rows], return_index=True)[1]]

    def _is_plain(self, row: Row) -> bool:
        """Whether all of its pointers are known, and lead to numbers that are no pointers."""
        given = self._trace.accesses_of(row)
        pointers = given[np.isin(given["role"], _KERNELS)]
        if self._has_symbols or len(pointers) == 0 or (pointers["allocation"] == NONE).any():
            return False
        kernel = int(self._trace.operations["kernel"][row])
        if kernel not in self._plain:
            arguments = self._trace.describe(int(self._trace.operations["seq"][row]))
            self._plain[kernel] = all(
                _NUMBERS.fullmatch(type_.replace("__restrict__", "").rstrip(" *").strip())
                and type_.count("*") < 2
                for _, type_, _ in arguments.kernel_arguments
            )
        return self._plain[kernel]

    def _finding(self, access: Row) -> Finding:
        trace, record = self._trace, self._trace.accesses[access]
        reached = int(record["allocation"])
        there = buffer_words(trace, reached)
        more: dict[str, Value] = {
            "reached": hex(int(record["address"])),
            "reached_buffer": there["buffer"],
            "reached_bytes": there["buffer_bytes"],
            "reached_by": there["allocated_by"],
            "deed": _DEEDS.get(int(record["mode"]), "reads"),
        }
        led = self._led_from(int(record["operation"]), int(record["address"]))
        if led == NONE:
            return finding_of(trace, "kernel_reached_other", access, 1, more)
        return finding_of(trace, "kernel_reached_other", led, 2, more)

    def _led_from(self, row: Row, address: int) -> Row:
        """The one pointer from which its own numbers lead there."""
        places = self._trace.access_rows(row)
        given = np.flatnonzero(np.isin(self._trace.accesses["role"][places], _KERNELS))
        there = FaultAddress(address, 1)
        ways = [one for one in (given + places.start) if leads_there(self._trace, row, one, there)]
        return int(ways[0]) if len(ways) == 1 else NONE


def _is_seen(block: AccessBlock) -> Mask:
    mask: Mask = block.counts & (block.rows["role"] == Role.FOOTPRINT)
    return mask


def _is_given(block: AccessBlock) -> Mask:
    return block.counts & block.is_kernels
