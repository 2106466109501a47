"""Conflicts sorted by hypothesis: one missing order is one fault, and belongs to one of them.

    read after write                                    missing_sync
    used before it is allocated (hipMallocAsync)        missing_sync
    write after read                                    staging_reuse
    write after write, one at least a transfer          overlapping_copies
    write after write, by two kernels                   missing_sync

A kernel's pointer that is not const is taken for a write that also uses what was there. The first
conflict between two streams about an allocation decides for all of them: in a loop that forgets
one wait, what is read too early is also overwritten too early, a turn later.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from greta.forensics.case import Case
from greta.forensics.failures import last_that_counts
from greta.forensics.gaps import LOST_LIFETIMES, hiding, present
from greta.forensics.order import (
    REMEDIES,
    Conflict,
    ConflictKind,
    Conflicts,
    Remedy,
    Sign,
    would_order,
)
from greta.forensics.scan import NEVER, AccessBlock, Mask, where
from greta.forensics.verdict import Finding, Outcome, Ruling, Value
from greta.forensics.wording import (
    ACCESS_FIELDS,
    BUFFER_FIELDS,
    KEPT,
    OPERATION_FIELDS,
    RULING_FIELDS,
    access_words,
    buffer_words,
    operation_words,
    ruling_codes,
    settled,
    stream_name,
)
from greta.trace.trace import NONE, Gap, Kind, Mode, Role, Row, Seq, Table, Trace

UNSURE_ORDER: Final = LOST_LIFETIMES | {Gap.NO_ORDER}
"""With these gaps a wait may be among what is not known, so that no missing order is proven."""

_REMEDY_FIELDS: Final = tuple(sorted({name for names in REMEDIES.values() for name in names}))
FINDING_FIELDS: Final = (
    *ACCESS_FIELDS,
    *BUFFER_FIELDS,
    *(f"other_{name}" for name in OPERATION_FIELDS),
    "shared",
    "repeats",
    "may_write",
    "remedy",
    *(f"remedy_{name}" for name in _REMEDY_FIELDS),
)
"""other_...: of the operation that came first. shared: how many bytes both access. may_write: 1 if
a kernel's pointer is taken for a write only because it is not const. remedy: a code of
order.REMEDIES, with its data; streams by name."""

_FRACTIONS: Final = ("float", "double", "_Float16", "__half")

DOUBTS: Final = ("callback", "estimated_extent", "shared_input")
"""What `missing` may name beside gaps: why something without order is not called a fault.

callback: a host function may have told the program. estimated_extent: the bytes are the same only
if a kernel reaches as far as its grid. shared_input: both may only read what a kernel may write.
"""
LIMITS: Final = (
    "unknown_streams",
    "unknown_events",
    "scattered_accesses",
    "too_many_streams",
    "unread_graphs",
    "too_many_conflicts",
)
"""And what could not be looked at, or not be kept."""


def race_codes(hypothesis: str, *findings: str) -> dict[str, tuple[str, ...]]:
    """All codes of one of the three checks."""
    refuted = {f"{hypothesis}_refuted_unwatched": (*RULING_FIELDS, "unwatched")}
    return dict.fromkeys(findings, FINDING_FIELDS) | ruling_codes(hypothesis) | refuted


def rule(
    case: Case,
    hypothesis: str,
    examined: int,
    unwatched: int = 0,
    doubts: tuple[str, ...] = (),
) -> Ruling:
    """What the order of operations says of one of the three hypotheses.

    `unwatched`: memory that the host could have accessed too early without anybody seeing it.
    `doubts`: what else could hide a fault.
    """
    trace = case.trace
    sorted_out = _SortedOut(trace, case.conflicts)
    found = sorted_out.faults.get(hypothesis, [])
    missing = (*_unseen(trace, case.conflicts), *sorted_out.doubts.get(hypothesis, ()), *doubts)
    if present(trace, UNSURE_ORDER):
        return settled(hypothesis, examined, (), missing, len(found))
    findings = tuple(_finding(trace, conflict) for conflict in found[:KEPT])
    ruling = settled(hypothesis, examined, findings, missing, len(found))
    if ruling.outcome is Outcome.REFUTED and unwatched and not case.evidence.run.watch_host:
        ruling = dataclasses.replace(
            ruling, code=f"{ruling.code}_unwatched", data={**ruling.data, "unwatched": unwatched}
        )
    return ruling


class _SortedOut:
    """Which conflicts are faults of which hypothesis, and which are only doubts."""

    def __init__(self, trace: Trace, conflicts: Conflicts) -> None:
        self._trace = trace
        self.faults: dict[str, list[Conflict]] = {}
        self.doubts: dict[str, dict[str, None]] = {}
        decided: set[tuple[Row, Row, Row]] = set()
        for conflict in _that_count(trace, conflicts):
            hypothesis = hypothesis_of(trace, conflict)
            doubt = doubt_about(trace, conflict) or self._doubt_about_writing(conflict)
            if doubt is not None:
                self.doubts.setdefault(hypothesis, {})[doubt] = None
                continue
            about = _about(trace, conflict)
            if about not in decided:
                decided.add(about)
                self.faults.setdefault(hypothesis, []).append(conflict)
        for hypothesis, pairs in _doubtful(conflicts).items():
            if pairs:
                self.doubts.setdefault(hypothesis, {})["estimated_extent"] = None

    def _doubt_about_writing(self, conflict: Conflict) -> str | None:
        """Nothing goes wrong if all that is known to be done there is reading."""
        writers = {
            ConflictKind.READ_AFTER_WRITE: (Sign.FIRST_MAY_WRITE,),
            ConflictKind.WRITE_AFTER_READ: (Sign.SECOND_MAY_WRITE,),
            ConflictKind.WRITE_AFTER_WRITE: (Sign.FIRST_MAY_WRITE, Sign.SECOND_MAY_WRITE),
        }.get(conflict.kind, ())
        known = [self._surely_writes(conflict, writer) for writer in writers]
        return None if any(known) or not known else "shared_input"

    def _surely_writes(self, conflict: Conflict, writer: Sign) -> bool:
        """Of the first or the second operation, told by the sign that it may."""
        is_first = writer is Sign.FIRST_MAY_WRITE
        sole = Sign.FIRST_SOLE if is_first else Sign.SECOND_SOLE
        if writer not in conflict.signs or sole in conflict.signs:
            return True
        access = conflict.first_access if is_first else conflict.second_access
        argument = int(self._trace.accesses["argument"][access])
        return (kernel_of(self._trace, access), argument) in self._outputs

    @cached_property
    def _outputs(self) -> frozenset[Output]:
        return kernel_outputs(self._trace)


def _doubtful(found: Conflicts) -> dict[str, int]:
    """Pairs that are a fault of that hypothesis if an estimated extent is right."""
    return {
        "missing_sync": found.doubtful_read_after_write,
        "staging_reuse": found.doubtful_write_after_read,
        "overlapping_copies": found.doubtful_write_after_write,
    }


def _that_count(trace: Trace, conflicts: Conflicts) -> Iterator[Conflict]:
    """Not what is freed in flight, and not what only repeats a fault of the device."""
    last = last_that_counts(trace)
    return (
        conflict
        for conflict in conflicts
        if conflict.kind is not ConflictKind.FREED_IN_FLIGHT and conflict.second <= last
    )


def _about(trace: Trace, conflict: Conflict) -> tuple[Row, Row, Row]:
    """The allocation and the two streams, whichever came first."""
    streams = trace.operations["stream"]
    low, high = sorted((int(streams[conflict.first]), int(streams[conflict.second])))
    return conflict.allocation, low, high


def hypothesis_of(trace: Trace, conflict: Conflict) -> str:
    """Which hypothesis a conflict confirms; FREED_IN_FLIGHT is none of these."""
    if conflict.kind is ConflictKind.WRITE_AFTER_READ:
        return "staging_reuse"
    if conflict.kind is not ConflictKind.WRITE_AFTER_WRITE:
        return "missing_sync"
    if _looks_like_input(conflict):
        return "staging_reuse"
    accesses = (conflict.first_access, conflict.second_access)
    if any(_is_transfer(trace, access) for access in accesses):
        return "overlapping_copies"
    return "missing_sync"


def _looks_like_input(conflict: Conflict) -> bool:
    """A kernel's pointer that is not const, to data that a copy brought, and not its only one."""
    signs = conflict.signs
    may_be_input = Sign.FIRST_MAY_WRITE | Sign.CONTENT_COPIED
    return may_be_input in signs and Sign.FIRST_SOLE not in signs


def _is_transfer(trace: Trace, access: Row) -> bool:
    role = int(trace.accesses["role"][access])
    return role in (Role.SOURCE, Role.DESTINATION)


def doubt_about(trace: Trace, conflict: Conflict) -> str | None:
    """Why a conflict is not called a fault, or None."""
    if Sign.CALLBACK in conflict.signs:
        return "callback"
    if _both_may_write(conflict) and _same_argument(trace, conflict):
        return "shared_input"
    if _told_to_write_elsewhere(trace, conflict):
        return "estimated_extent"
    return None


def _told_to_write_elsewhere(trace: Trace, conflict: Conflict) -> bool:
    """Two launches of a kernel on the same memory with different numbers: positions in a cache."""
    if Sign.FIRST_MAY_WRITE | Sign.SECOND_MAY_WRITE not in conflict.signs:
        return False
    kernels = trace.operations["kernel"][[conflict.first, conflict.second]]
    origins = trace.accesses["origin"][[conflict.first_access, conflict.second_access]]
    if kernels[0] != kernels[1] or kernels[0] == NONE:
        return False
    return _numbers(trace, int(origins[0])) != _numbers(trace, int(origins[1]))


def _numbers(trace: Trace, seq: Seq) -> list[int | None]:
    """What a kernel is given beside pointers and fractions, which are no positions."""
    given = trace.describe(seq).kernel_arguments
    return [value for _, kind, value in given if "*" not in kind and kind not in _FRACTIONS]


def _both_may_write(conflict: Conflict) -> bool:
    """Two kernels that could write there, and both could also have written elsewhere only."""
    signs = conflict.signs
    sure = signs & (Sign.FIRST_SOLE | Sign.SECOND_SOLE)
    return not sure and (Sign.FIRST_MAY_WRITE | Sign.SECOND_MAY_WRITE) in signs


def _same_argument(trace: Trace, conflict: Conflict) -> bool:
    """Two launches that are given the same memory in the same place, beside what else they write.

    So are weights. Only if a copy brought them, or it is the same kernel, is it taken for that.
    """
    arguments = trace.accesses["argument"][[conflict.first_access, conflict.second_access]]
    kernels = trace.operations["kernel"][[conflict.first, conflict.second]]
    same_kernel = kernels[0] == kernels[1] != NONE
    return bool(
        arguments[0] == arguments[1] and (same_kernel or Sign.CONTENT_COPIED in conflict.signs)
    )


def strength_of(trace: Trace, conflict: Conflict) -> int:
    """1 where a kernel may not have written, or not so far, what it could have."""
    if conflict.kind is ConflictKind.USED_BEFORE_ALLOCATED or _is_by_estimate(trace, conflict):
        return 1
    signs = conflict.signs
    if conflict.kind is ConflictKind.WRITE_AFTER_READ:
        unsure = Sign.SECOND_MAY_WRITE in signs and Sign.SECOND_SOLE not in signs
    elif conflict.kind is ConflictKind.WRITE_AFTER_WRITE:
        unsure = _looks_like_input(conflict)
    else:
        sure = signs & (Sign.FIRST_SOLE | Sign.SECOND_SOLE)
        unsure = Sign.FIRST_MAY_WRITE in signs and not sure
    return 1 if unsure else 2


def _is_by_estimate(trace: Trace, conflict: Conflict) -> bool:
    """Whether the two meet only in what a kernel reaches by its estimated extent."""
    first, second = trace.accesses[[conflict.first_access, conflict.second_access]]
    return any(
        bool(one["estimated"])
        and not other["address"] <= one["address"] < other["address"] + other["bytes"]
        for one, other in ((first, second), (second, first))
    )


def _finding(trace: Trace, conflict: Conflict) -> Finding:
    seqs = trace.operations["seq"]
    access = conflict.second_access
    return Finding(
        code=_code(trace, conflict),
        seq=int(seqs[conflict.second]),
        other=int(seqs[conflict.first]),
        allocation=conflict.allocation,
        access=access,
        data=_words(trace, conflict),
        strength=strength_of(trace, conflict),
    )


def _code(trace: Trace, conflict: Conflict) -> str:
    """Names of findings say who came too early: the host, a transfer or a kernel."""
    if conflict.kind is ConflictKind.USED_BEFORE_ALLOCATED:
        return "used_before_allocated"
    who = "host" if trace.operations["kind"][conflict.second] == Kind.HOST_TOUCH else None
    who = who or ("transfer" if _is_transfer(trace, conflict.second_access) else "kernel")
    hypothesis = hypothesis_of(trace, conflict)
    deeds = {"missing_sync": "uses_unfinished", "staging_reuse": "overwrites_in_use"}
    return f"{who}_{deeds.get(hypothesis, 'writes_over_write')}"


def _words(trace: Trace, conflict: Conflict) -> dict[str, Value]:
    first = (
        access_words(trace, conflict.first_access)
        if conflict.first_access != NONE
        else operation_words(trace, conflict.first)
    )
    remedy = would_order(trace, conflict.first, conflict.second)
    may_write = Sign.FIRST_MAY_WRITE | Sign.SECOND_MAY_WRITE
    return {
        **access_words(trace, conflict.second_access),
        **buffer_words(trace, conflict.allocation),
        **{f"other_{name}": first[name] for name in OPERATION_FIELDS},
        "shared": conflict.bytes,
        "repeats": conflict.repeats,
        "may_write": int(bool(conflict.signs & may_write)),
        "remedy": remedy.code,
        **{f"remedy_{name}": value for name, value in _remedy_words(trace, remedy).items()},
    }


def _remedy_words(trace: Trace, remedy: Remedy) -> dict[str, Value]:
    """Streams by the names that reports give them; nothing where the remedy has no such field."""
    words: dict[str, Value] = dict.fromkeys(_REMEDY_FIELDS)
    words |= remedy.data
    streams = ((name, words[name]) for name in ("stream", "other_stream"))
    return words | {name: stream_name(trace, row) for name, row in streams if isinstance(row, int)}


def _unseen(trace: Trace, conflicts: Conflicts) -> tuple[str, ...]:
    """Why "nothing found" may not be "nothing there"."""
    gaps = hiding(
        trace,
        Gap.NO_ADDRESSES,
        Gap.NO_SIZES,
        Gap.NO_ARGUMENTS,
        Gap.UNKNOWN_KERNELS,
        Gap.NO_ORDER,
    )
    return (*gaps, *_limits(conflicts))


def _limits(found: Conflicts) -> Iterator[str]:
    reached = (
        found.unknown_streams > 0,
        found.unknown_events > 0,
        found.inexact > 0,
        not found.complete,
        found.graphs_left_off > 0,
        found.left_off > 0,
    )
    return (name for name, is_reached in zip(LIMITS, reached, strict=True) if is_reached)


# --- pointers that a kernel surely writes ---------------------------------------------------------

Output: TypeAlias = tuple[int, int]
"""A kernel, by its place in Trace.kernels, and the number of an argument."""


def kernel_outputs(trace: Trace) -> frozenset[Output]:
    """All that are known."""
    writes, given = where(trace, _writes, _is_given_to_write)
    first = _first_writes(trace, writes)
    accesses = trace.accesses[given]
    fresh = first[accesses["allocation"]] == accesses["operation"]
    fresh &= trace.allocations["made_at"][accesses["allocation"]] != NONE
    found = accesses[fresh]
    pairs = zip(_kernels(trace, found).tolist(), found["argument"].tolist(), strict=True)
    return frozenset((kernel, argument) for kernel, argument in pairs if kernel != NONE)


def kernel_of(trace: Trace, access: int) -> int:
    """Whose pointer it is; of a graph's node, that of the node."""
    return int(_kernels(trace, trace.accesses[access : access + 1])[0])


def _writes(block: AccessBlock) -> Mask:
    mask: Mask = block.counts & (block.rows["mode"] != Mode.READ) & (block.allocation != NONE)
    return mask & ~block.of_operation("failed")


def _is_given_to_write(block: AccessBlock) -> Mask:
    """Only in memory of the device alone: what the host puts elsewhere is not seen."""
    return _writes(block) & block.is_kernels & block.in_device_memory


def _first_writes(trace: Trace, writes: Table) -> Table:
    """For each allocation the first operation that may have written there."""
    first = np.full(len(trace.allocations), NEVER, np.int64)
    accesses = trace.accesses[writes]
    np.minimum.at(first, accesses["allocation"], accesses["operation"])
    return first


def _kernels(trace: Trace, accesses: Table) -> Table:
    seqs, operation, origin = trace.operations["seq"], accesses["operation"], accesses["origin"]
    at = np.minimum(np.searchsorted(seqs, origin), len(seqs) - 1)
    row = np.where(seqs[at] == origin, at, operation)
    kernels: Table = trace.operations["kernel"][row]
    return kernels
