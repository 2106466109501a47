"""Launches that were seen to access live memory which nobody had given them: no fault tells of it.

A footprint shows what was accessed, not why. A kernel that can have taken a pointer from memory (a
table, a struct, a __device__ variable) may have been led there as it should; that stays open.

Within one allocation the blocks that the program announced are held against each other. There an
index in a table may lead from one block to another as well, and so may an offset: that is a doubt.
A launch that runs over the end of its own block and stops within the next is wrong.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from greta.forensics.blocks import PADDING, Left, holding, live_blocks
from greta.forensics.fault_address import FRACTIONS, FaultAddress, leads_there, leads_to_start
from greta.forensics.scan import (
    KERNEL_ROLES,
    AccessBlock,
    Mask,
    Survey,
    bounds_of,
    buffer_of,
)
from greta.forensics.verdict import Finding, Value
from greta.forensics.wording import (
    ACCESS_FIELDS,
    BUFFER_FIELDS,
    KEPT,
    buffer_words,
    finding_of,
)
from greta.trace.trace import NONE, Kind, Memory, Mode, Role, Row, Table, Trace

REACHED_FIELDS: Final = (
    *("reached", "reached_buffer", "reached_bytes", "reached_by", "deed", "past_end"),
)
CODES: Final[dict[str, tuple[str, ...]]] = {
    "kernel_reached_other": (*ACCESS_FIELDS, *BUFFER_FIELDS, *REACHED_FIELDS),
}
_NUMBERS: Final = re.compile(
    r"(?:const |volatile )*(?:float|double|_Float16|__half|int|unsigned(?: int)?|short|"
    r"unsigned short|u?int(?:16|32)_t)[234]?(?: const)?"
)
"""What no pointer can be in: whole numbers of 64 bits and bytes may be parts of one."""
_DEEDS: Final = {1: "reads", 2: "writes", 4: "updates"}


def is_seen(block: AccessBlock) -> Mask:
    """What a launch was seen to access."""
    return block.counts & (block.role == Role.FOOTPRINT)


def _is_given(block: AccessBlock) -> Mask:
    return block.counts & block.is_kernels


class Strayed:
    """Launches whose footprint is in memory that none of their arguments is in."""

    def __init__(self, trace: Trace, survey: Survey) -> None:
        self._trace = trace
        self._has_symbols = bool((trace.allocations["memory"] == Memory.SYMBOL).any())
        self._plain: dict[int, bool] = {}
        (self._seen,) = survey.where(is_seen)
        self._given = self._seen[:0]
        if len(self._seen):
            (self._given,) = survey.where(_is_given)
        accesses = self._of_strangers()
        plain = [self._is_plain(int(trace.accesses["operation"][one])) for one in accesses]
        decided = np.array(plain, bool)
        out_of_blocks = self._out_of_blocks() if len(trace.blocks) else {}
        found = {kind: [a for a, one in out_of_blocks.items() if one is kind] for kind in Left}
        self.is_open = not decided.all() or bool(found[Left.RIGHTLY])
        """Some of them may have been led there by what they read."""
        self.doubtful: Table = np.array(found[Left.PERHAPS], np.int64)
        """Pointers of launches that reached other blocks than they were given; it may be meant."""
        wrong = np.array(found[Left.WRONGLY], np.int64)
        self._accesses: Table = np.sort(np.concatenate([accesses[decided], wrong]))

    def findings(self) -> tuple[Finding, ...]:
        return tuple(self._finding(int(one)) for one in self._accesses[:KEPT])

    def _of_strangers(self) -> Table:
        """For each such launch the first access to memory that it was not given."""
        trace, seen, given = self._trace, self._seen, self._given
        if not len(seen):
            return seen
        operation, allocation = trace.accesses["operation"], trace.accesses["allocation"]
        count = len(trace.allocations) + 1
        known = operation[given] * count + allocation[given]
        strange = ~np.isin(operation[seen] * count + allocation[seen], known)
        memory = np.append(trace.allocations["memory"], Memory.SYMBOL)[allocation[seen]]
        strange &= memory != Memory.SYMBOL
        rows = seen[strange]
        return rows[np.unique(operation[rows], return_index=True)[1]]

    def _out_of_blocks(self) -> dict[Row, Left]:
        """For each launch that was seen in another block of an allocation that it was given."""
        trace, seen, given = self._trace, self._seen, self._given
        operation, block = trace.accesses["operation"], trace.accesses["block"].astype(np.int64)
        count = len(trace.blocks) + 1
        known = operation[given] * count + block[given]
        strange = (block[seen] > 0) & ~np.isin(operation[seen] * count + block[seen], known)
        rows = np.unique(operation[seen[strange]])
        launches = (_BlocksOfLaunch(trace, row) for row in rows.tolist())
        told = [(one, one.judged(self._is_plain(one.row))) for one in launches]
        return {
            one.pointer if how is Left.PERHAPS else one.first_stranger: how
            for one, how in told
            if how is not None
        }

    def _is_plain(self, row: Row) -> bool:
        """Whether all of its pointers are known, and lead to numbers that are no pointers."""
        given = self._trace.accesses_of(row)
        pointers = given[np.isin(given["role"], KERNEL_ROLES)]
        if self._has_symbols or len(pointers) == 0 or (pointers["allocation"] == NONE).any():
            return False
        if int(self._trace.operations["kind"][row]) != Kind.LAUNCH:
            return False  # each node has arguments of its own
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
        there = buffer_words(trace, int(record["allocation"]), int(record["block"]))
        more: dict[str, Value] = {
            "reached": hex(int(record["address"])),
            "reached_buffer": there["buffer"],
            "reached_bytes": there["buffer_bytes"],
            "reached_by": there["allocated_by"],
            "deed": _DEEDS.get(int(record["mode"]), "reads"),
        }
        led = self._led_from(int(record["operation"]), int(record["address"]))
        if led == NONE:
            more["past_end"] = None
            return finding_of(trace, "kernel_reached_other", access, 1, more)
        more["past_end"] = self._past_end(led, int(record["address"]) + int(record["bytes"]))
        return finding_of(trace, "kernel_reached_other", led, 2, more)

    def _past_end(self, pointer: Row, stop: int) -> int | None:
        """How far behind the pointer's own memory an access ends; None: it is before it."""
        own = self._trace.accesses[pointer]
        memory = buffer_of(self._trace, int(own["allocation"]), int(own["block"]))
        end = bounds_of(memory)[1]
        return stop - end if stop > end else None

    def _led_from(self, row: Row, address: int) -> Row:
        """The one pointer from which its own numbers lead there."""
        places = self._trace.access_rows(row)
        given = np.flatnonzero(np.isin(self._trace.accesses["role"][places], KERNEL_ROLES))
        given, there = given + places.start, FaultAddress(address, 1)
        ways = [one for one in given if leads_there(self._trace, row, one, there)]
        if len(ways) != 1:
            ways = [one for one in given if self._ends_at(one, address)]
        return int(ways[0]) if len(ways) == 1 else NONE

    def _ends_at(self, access: Row, address: int) -> bool:
        """Whether a pointer's block ends at an address, or only padding lies between."""
        block = int(self._trace.accesses["block"][access])
        end = bounds_of(self._trace.blocks[block - 1])[1] if block else 0
        return bool(block) and 0 <= address - end < PADDING


class _BlocksOfLaunch:
    """The blocks that a launch was given, and those that it was seen in."""

    def __init__(self, trace: Trace, row: Row) -> None:
        self._trace, self.row = trace, row
        accesses = trace.accesses_of(row)
        first = int(trace.access_rows(row).start)
        self._given = accesses[np.isin(accesses["role"], KERNEL_ROLES)]
        self._noted = accesses[accesses["role"] == Role.FOOTPRINT]
        noted = np.flatnonzero((accesses["role"] == Role.FOOTPRINT) & (accesses["block"] > 0))
        own = np.isin(accesses["block"][noted], self._given["block"])
        ended = trace.blocks["freed_at"][accesses["block"][noted].astype(np.int64) - 1]
        live = (ended < 0) | (ended > row)
        # An allocation that was given as such, or used as a whole, is given with all its blocks.
        extents, memory = _extents(self._noted, "allocation"), trace.allocations
        used_whole = [one for one, extent in extents.items() if extent == bounds_of(memory[one])]
        whole = np.append(self._given["allocation"][self._given["block"] == 0], used_whole)
        strange = live & ~own & ~np.isin(accesses["allocation"][noted], whole)
        strange &= np.isin(accesses["allocation"][noted], self._given["allocation"])
        self._own, self._strange = accesses[noted[own]], accesses[noted[strange]]
        self.first_stranger = int(noted[strange][0]) + first if strange.any() else NONE
        named = np.isin(accesses["role"], KERNEL_ROLES) & (accesses["block"] > 0)
        self.pointer = int(np.flatnonzero(named)[0]) + first if named.any() else NONE

    def judged(self, is_plain: bool) -> Left | None:
        """RIGHTLY: what it read may have led it there; None: it was given all of them."""
        if self.first_stranger == NONE:
            return None
        if not is_plain or self._has_table():
            return Left.RIGHTLY
        if all(self._is_held(*one) for one in _extents(self._strange, "allocation").items()):
            return None
        reached = _extents(self._strange, "block")
        partly = {block for block, extent in reached.items() if extent != self._bounds(block)}
        dated = self._trace.blocks["is_dated"]
        if not partly or not all(dated[block - 1] for block in reached):
            return Left.PERHAPS
        overrun = {block for block in partly if self._ran_over_into(self._bounds(block)[0])}
        return Left.WRONGLY if overrun or not self._may_be_meant(partly) else Left.PERHAPS

    def _is_held(self, allocation: Row, reached: tuple[int, int]) -> bool:
        """Whether a block has in it what was reached, and a pointer too: others are views of it."""
        blocks = live_blocks(self._trace, allocation, self.row)
        pointers = self._given["address"][self._given["allocation"] == allocation].tolist()
        low, high = reached
        return any(holding(blocks, min(low, one), max(high, one + 1)) for one in pointers)

    def _has_table(self) -> bool:
        """Whether it reads whole numbers, which may be places."""
        call = self._trace.describe(int(self._trace.operations["seq"][self.row]))
        types = [type_ for _, type_, _ in call.kernel_arguments]
        read = set(self._own["block"][self._own["mode"] != Mode.WRITE].tolist())
        return any(
            not any(name in types[argument] for name in FRACTIONS)
            and (types[argument].startswith("const ") or block in read | {0})
            for argument, block in self._given[["argument", "block"]].tolist()
            if argument < len(types)
        )

    def _bounds(self, block: int) -> tuple[int, int]:
        return bounds_of(self._trace.blocks[block - 1])

    def _ran_over_into(self, start: int) -> bool:
        """Whether it used the bytes on both sides of where a block begins."""
        before = self._noted["address"] + self._noted["bytes"] == np.uint64(start)
        return bool(before.any() and (self._strange["address"] == np.uint64(start)).any())

    def _may_be_meant(self, blocks: set[int]) -> bool:
        """Whether its numbers lead to where blocks begin, or it was given the whole allocation."""
        writes = bool((self._strange["mode"] != Mode.READ).any())
        ways = self._given[self._given["mode"] != Mode.READ] if writes else self._given
        bases = self._trace.allocations["address"][ways["allocation"]]
        if (ways["address"] == bases).any():
            return True
        return all(
            any(leads_to_start(self._trace, self.row, way, self._bounds(block)[0]) for way in ways)
            for block in blocks
        )


def _extents(accesses: Table, of: str) -> dict[int, tuple[int, int]]:
    """From the first byte to the last that is accessed of each block, or of each allocation."""
    found: dict[int, tuple[int, int]] = {}
    for number, start, size in accesses[[of, "address", "bytes"]].tolist():
        low, high = found.get(number, (start, start + size))
        found[number] = min(low, start), max(high, start + size)
    return found
