"""What the source cannot show, where the run has something of that kind: the limits of rulings.

A hypothesis with a limit is not refuted. What would lift the limit is said with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from greta.forensics.case import Case
from greta.forensics.scan import (
    NEVER,
    WORK,
    AccessBlock,
    Lifetimes,
    Mask,
    is_kind,
    launches_without_memory,
    ran,
    shares_events,
    uses_shared,
)
from greta.forensics.verdict import (
    BLOCKS,
    DEVICE_POINTERS,
    GRAPH_COPIES,
    HOST_ACCESSES,
    KERNEL_REACH,
    LED_BY_MEMORY,
    LIMITS,
    MANAGED,
    OTHER_PROCESSES,
    PAGEABLE_SIZES,
    RACES,
    REGISTERED_MEMORY,
    THREAD_TIMING,
    UNNOTED,
    UNWATCHED,
    ZERO_COPY,
    Outcome,
    Ruling,
)
from greta.forensics.wording import RULING_FIELDS
from greta.recording import HostWait, effects_of
from greta.trace.run_facts import RunFacts, notes_footprints
from greta.trace.trace import NONE, Kind, Known, Memory, Mode, Space, Trace, Waits

CODES: Final[dict[str, tuple[str, ...]]] = {"ruling_limited": RULING_FIELDS}

_SYNC, _STAGING, _OVERLAPPING = RACES
_PAGE: Final = 4096
_MOST_WATCHED: Final = 1024
"""Copies in flight at once, as native/recorder/watch/flights.cpp has it."""


def limits_of(case: Case) -> dict[str, tuple[str, ...]]:
    noted = _Noted(case)
    case.survey.look_through(noted.look_at)
    noted.look_at_launches()
    order = LIMITS.index
    return {name: tuple(sorted(found, key=order)) for name, found in noted.limits.items()}


def limited(ruling: Ruling, limits: tuple[str, ...]) -> Ruling:
    """Not looked at is not refuted. What is open for other reasons says those."""
    if not limits or ruling.outcome is not Outcome.REFUTED:
        return ruling
    data = {**ruling.data, "missing": limits}
    open_ = Outcome.INCONCLUSIVE
    return replace(ruling, outcome=open_, code="ruling_limited", data=data, missing=limits)


def without_done_advice(ruling: Ruling, run: RunFacts) -> Ruling:
    """Where --footprints was given, what it did not tell is not to be seen with it."""
    named = {KERNEL_REACH: UNNOTED, DEVICE_POINTERS: UNNOTED}
    if not notes_footprints(run) or not named.keys() & set(ruling.missing):
        return ruling
    missing = tuple(dict.fromkeys(named.get(one, one) for one in ruling.missing))
    return replace(ruling, missing=missing, data={**ruling.data, "missing": missing})


class _Noted:
    """Which limits the accesses of a trace bring about."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._trace = case.trace
        self._watch = _Watch(case) if case.evidence.run.watch_host else None
        self._memory = Lifetimes(case.trace).memory
        self._users = _Users(case.trace)
        self._has_pointers = self._has_symbols = self._has_arguments = False
        self._has_written_symbols = False
        self.limits: dict[str, set[str]] = {}

    def look_at(self, block: AccessBlock) -> None:
        used = block.counts & ~block.of_operation("failed") & (block.bytes > 0)
        writes = block.rows["mode"] != Mode.READ
        reads = block.rows["mode"] != Mode.WRITE
        memory = self._memory[block.allocation]
        known = block.allocation != NONE
        pinned = used & block.is_pinned
        self._look_at_host_memory(block, writes)
        self._note(MANAGED, used & known & (memory == Memory.MANAGED), writes, reads)
        if (used & known & (memory == Memory.REGISTERED)).any():
            self._add(REGISTERED_MEMORY, "use_after_free")
        self._note(ZERO_COPY, pinned & block.is_kernels, writes, reads)
        pageable = used & block.is_transfer & ~known & (block.rows["space"] == Space.HOST)
        if pageable.any():
            self._add(PAGEABLE_SIZES, "byte_size_mismatch")
        symbols = used & block.is_transfer & (memory == Memory.SYMBOL) & known
        followed = (block.rows["known"] & Known.FOLLOWED) != 0
        unfollowed = used & block.is_kernels & ~followed
        pointers = unfollowed & ((block.rows["known"] & Known.POINTERS) != 0)
        self._has_pointers |= bool(pointers.any())
        self._has_symbols |= bool(symbols.any())
        self._has_written_symbols |= bool((symbols & writes).any())
        self._has_arguments |= bool(unfollowed.any())
        self._users.take(block, used & known, writes)

    def _look_at_host_memory(self, block: AccessBlock, writes: Mask) -> None:
        """What copies do with pinned memory while the host goes on."""
        in_flight = _are_in_flight(block)
        if self._watch is None:
            self._note_in_flight(HOST_ACCESSES, in_flight, writes)
            return
        of_graphs = block.of_operation("kind") == Kind.GRAPH_LAUNCH
        self._note_in_flight(GRAPH_COPIES, in_flight & of_graphs, writes)
        unwatched = ~self._watch.covers(block)
        self._note_in_flight(UNWATCHED, in_flight & ~of_graphs & unwatched, writes)

    def _note_in_flight(self, limit: str, in_flight: Mask, writes: Mask) -> None:
        self._note(limit, in_flight, writes, ~writes)
        if (in_flight & writes).any():
            self._add(limit, _OVERLAPPING)

    def _note(self, limit: str, shared: Mask, writes: Mask, reads: Mask) -> None:
        """The host may read what is written there, and overwrite what is read."""
        if (shared & writes).any():
            self._add(limit, _SYNC)
        if (shared & reads).any():
            self._add(limit, _STAGING)

    def _add(self, limit: str, *hypotheses: str) -> None:
        for hypothesis in hypotheses:
            self.limits.setdefault(hypothesis, set()).add(limit)

    def look_at_launches(self) -> None:
        """What all accesses together mean."""
        if self._watch and self._watch.lost_some():
            self._add(UNWATCHED, *RACES)
        works, stream = ran(self._trace, *WORK), self._trace.column("stream")
        first = int(works.argmax()) if len(works) else 0
        several = bool((works & (stream != stream[first : first + 1])).any())
        if self._has_arguments:
            self._add(KERNEL_REACH, "upstream_kernel_fault", *(RACES if several else ()))
        if self._has_pointers or (self._has_written_symbols and self._has_arguments):
            self._add(DEVICE_POINTERS, "use_after_free", "bad_pointer")
        names_variables = self._has_symbols and self._has_arguments
        if several and (self._has_pointers or names_variables or self._uses_only_variables()):
            self._add(DEVICE_POINTERS, *RACES)
        if self._case.strayed.is_open:
            self._add(LED_BY_MEMORY, "upstream_kernel_fault")
        if self._trace.carved_by and not len(self._trace.blocks):
            self._add(BLOCKS, "byte_size_mismatch", "use_after_free", "upstream_kernel_fault")
        if self._users.are_several():
            self._add(THREAD_TIMING, "use_after_free", *RACES)
        if uses_shared(self._trace) or shares_events(self._trace):
            self._add(OTHER_PROCESSES, "use_after_free", *RACES)

    def _uses_only_variables(self) -> bool:
        """Whether launches that were given no memory, and of which nobody noted any, use some."""
        if not (self._trace.allocations["memory"] == Memory.SYMBOL).any():
            return False
        blind, noted = launches_without_memory(self._trace), self._case.evidence.noted_launches
        return any(seq not in noted for seq in self._trace.operations["seq"][blind].tolist())


def _are_in_flight(block: AccessBlock) -> Mask:
    """What copies do with pinned memory while the host goes on."""
    used = block.counts & ~block.of_operation("failed") & (block.bytes > 0)
    goes_on = block.is_transfer & (block.of_operation("waits") != Waits.FOR_IT)
    in_flight: Mask = used & goes_on & block.is_pinned & ~block.rows["at_call"]
    return in_flight


class _Watch:
    """Which transfers in flight --watch-host follows (docs/recording.md lists what it does not)."""

    def __init__(self, case: Case) -> None:
        self._case = case
        trace, device = case.trace, case.evidence.run.device
        self._calls = np.array([_is_watched(name) for name in trace.calls], bool)
        self._memory = Lifetimes(trace)
        self._registered = bool(device and device.kind == "sim")
        # A host function runs on a thread of HIP's, which is not watched.
        self._calls &= not is_kind(trace, Kind.HOST_FUNCTION).any()

    def covers(self, block: AccessBlock) -> Mask:
        watched = _are_in_flight(block) & (block.of_operation("kind") != Kind.GRAPH_LAUNCH)
        watched &= self._calls[block.of_operation("call")]
        # Where a copy says that pinned memory is the device's, it is not known for the host's.
        watched &= block.rows["space"] != Space.DEVICE
        registered = self._memory.memory[block.allocation] == Memory.REGISTERED
        watched &= ~registered | self._in_whole_pages(block)
        return watched

    def _in_whole_pages(self, block: AccessBlock) -> Mask:
        """The pages at the ends of registered memory hold other things, and are left open."""
        page, end = np.uint64(_PAGE), self._memory.end[block.allocation]
        first = (self._memory.address[block.allocation] + page - np.uint64(1)) // page * page
        inside = (block.address >= first) & (block.address + block.bytes <= end // page * page)
        found: Mask = inside & self._registered
        return found

    def lost_some(self) -> bool:
        """Whether so many copies were in flight at once that the oldest were given up."""
        (watched,) = self._case.survey.where(self.covers)
        rows = np.unique(self._case.trace.accesses["operation"][watched])
        if len(rows) <= _MOST_WATCHED:
            return False
        known_by = self._case.completion.known_by[rows]
        landed = np.sort(np.where(known_by == NONE, NEVER, known_by))
        before = np.searchsorted(landed, np.sort(rows), "left")
        return bool((np.arange(1, len(rows) + 1) - before > _MOST_WATCHED).any())


def _is_watched(call: str) -> bool:
    """A copy that returns at once and names both sides itself, as contract/watched.py has it."""
    does = effects_of(call)
    if does is None or does.host is not HostWait.IF_PAGEABLE or does.direction == "D2D":
        return False
    sides = (does.reads, does.writes)
    return all(one and len(one.address) == 1 and "@" not in one.address[0] for one in sides)


class _Users:
    """Which host threads gave work on an allocation, and whether any of it writes."""

    def __init__(self, trace: Trace) -> None:
        self._first = np.full(len(trace.allocations), NONE, np.int64)
        self._several = np.zeros(len(trace.allocations), bool)
        self._written = np.zeros(len(trace.allocations), bool)

    def take(self, block: AccessBlock, chosen: Mask, writes: Mask) -> None:
        allocation, thread = block.allocation[chosen], block.of_operation("thread")[chosen]
        new = self._first[allocation] == NONE
        self._first[allocation[new]] = thread[new]
        self._several[allocation[self._first[allocation] != thread]] = True
        self._written[block.allocation[chosen & writes]] = True

    def are_several(self) -> bool:
        return bool((self._several & self._written).any())
