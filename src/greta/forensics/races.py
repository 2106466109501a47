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
import itertools
from collections.abc import Iterator
from typing import Final

import numpy as np

from greta.forensics.case import Case
from greta.forensics.failures import last_that_counts
from greta.forensics.fault_address import FRACTIONS
from greta.forensics.order import (
    REMEDIES,
    Conflict,
    ConflictKind,
    Conflicts,
    Remedy,
    Sign,
    ordered,
    would_order,
)
from greta.forensics.scan import KERNEL_ROLES
from greta.forensics.verdict import Doubt, Finding, Ruling, Value
from greta.forensics.wording import (
    ACCESS_FIELDS,
    BUFFER_FIELDS,
    KEPT,
    OPERATION_FIELDS,
    access_words,
    buffer_words,
    operation_words,
    ruling_codes,
    settled,
    stream_name,
)
from greta.recording import EFFECTS, HostWait
from greta.trace.trace import (
    LOST_LIFETIMES,
    NONE,
    RECORDING,
    Gap,
    Kind,
    Mode,
    Role,
    Row,
    Seq,
    Table,
    Trace,
    Waits,
    hiding,
    present,
)

UNSURE_ORDER: Final = LOST_LIFETIMES | {Gap.NO_ORDER}
"""With these gaps a wait may be among what is not known, so that no missing order is proven."""

_REMEDY_FIELDS: Final = tuple(sorted({name for names in REMEDIES.values() for name in names}))
FINDING_FIELDS: Final = (
    *ACCESS_FIELDS,
    *BUFFER_FIELDS,
    *(f"other_{name}" for name in OPERATION_FIELDS),
    "shared",
    "shared_estimated",
    "repeats",
    "may_write",
    "remedy",
    *(f"remedy_{name}" for name in _REMEDY_FIELDS),
)
"""other_...: of the operation that came first. shared: how many bytes both access. may_write: 1 if
a kernel's pointer is taken for a write only because it is not const. remedy: a code of
order.REMEDIES, with its data; streams by name."""

DOUBT_FIELDS: Final = (*FINDING_FIELDS, "seq", "other")
DOUBTS: Final = (
    *("callback", "estimated_overlap", "other_order", "polled_memory"),
    *("unwaited_copy", "unproven_copy"),
)
"""Why something without order is not called a fault; `missing` names them, too.

callback: a host function may have told the program. polled_memory: so may a kernel that wrote
memory which the host can read, or for which another kernel waited in memory. estimated_overlap:
whether the two meet, or whether a kernel writes there, is a guess. other_order: the program also
orders work in ways that are not followed. unwaited_copy: nothing waits for a copy to the host.
unproven_copy: the wait after it reported a fault of the device instead.
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
    return dict.fromkeys(findings, FINDING_FIELDS) | ruling_codes(hypothesis)


def rule(case: Case, hypothesis: str, examined: int, more_doubts: tuple[Doubt, ...] = ()) -> Ruling:
    trace = case.trace
    sorted_out = _SortedOut(trace, case.conflicts)
    found = sorted_out.faults.get(hypothesis, [])
    doubts = (*sorted_out.doubts_about(hypothesis), *more_doubts)
    codes = dict.fromkeys((*sorted_out.codes(hypothesis), *(one.code for one in more_doubts)))
    missing = (*_unseen(trace, case.conflicts), *codes)
    if present(trace, LOST_LIFETIMES if orders_otherwise(trace) else UNSURE_ORDER):
        return settled(hypothesis, examined, (), missing, len(found))
    findings = tuple(_finding(trace, conflict) for conflict in found[:KEPT])
    ruling = settled(hypothesis, examined, findings, missing, len(found))
    return dataclasses.replace(ruling, doubts=doubts)


def orders_otherwise(trace: Trace) -> bool:
    """Whether some order is known to be missing: work waits for more than is seen, not for less."""
    return Gap.NO_ORDER in trace.gaps and trace.source == RECORDING


_UNSURE_CALLS: Final = {name for name, does in EFFECTS.items() if does.host is HostWait.PERHAPS}


def may_be_ordered(trace: Trace, conflict: Conflict) -> bool:
    """Whether a call between the two, or one of them, may have waited for the first."""
    if _UNSURE_CALLS.isdisjoint(trace.calls):
        return False
    between = trace.operations["waits"][conflict.first : conflict.second + 1]
    return bool((between == Waits.PERHAPS).any())


class _SortedOut:
    """Which conflicts are faults of which hypothesis, and which are only doubts."""

    def __init__(self, trace: Trace, conflicts: Conflicts) -> None:
        self._trace = trace
        self.faults: dict[str, list[Conflict]] = {}
        self._doubts: dict[str, list[tuple[str, Conflict]]] = {}
        decided: set[tuple[Row, int, Row, Row]] = set()
        last = last_that_counts(trace)  # what comes after only repeats a fault of the device
        told = [
            (doubt_about(trace, one), one)
            for one in conflicts
            if one.kind is not ConflictKind.FREED_IN_FLIGHT and one.second <= last
        ]
        for doubt, conflict in sorted(told, key=lambda pair: pair[0] is not None):
            # What is a fault is no doubt as well; the first conflict decides the hypothesis.
            streams = trace.operations["stream"][[conflict.first, conflict.second]]
            block = block_of(trace, conflict)
            about = conflict.allocation, block, int(streams.min()), int(streams.max())
            hypothesis = hypothesis_of(trace, conflict)
            if about in decided:
                continue
            decided.add(about)
            if doubt is None:
                self.faults.setdefault(hypothesis, []).append(conflict)
            else:
                self._doubts.setdefault(hypothesis, []).append((doubt, conflict))

    def codes(self, hypothesis: str) -> Iterator[str]:
        """The codes of everything that is not called a fault."""
        return (code for code, _ in self._doubts.get(hypothesis, []))

    def doubts_about(self, hypothesis: str) -> Iterator[Doubt]:
        """The first ones, with both operations and the bytes in question."""
        told = self._doubts.get(hypothesis, [])
        for code, conflict in itertools.islice(told, KEPT):
            yield doubt_of(self._trace, code, hypothesis, conflict)


def doubt_of(trace: Trace, code: str, hypothesis: str, conflict: Conflict) -> Doubt:
    second, first = trace.operations["seq"][[conflict.second, conflict.first]].tolist()
    words = _words(trace, conflict) | {"seq": second, "other": first}
    return Doubt(code, (second, first), hypothesis, words)


def block_of(trace: Trace, conflict: Conflict) -> int:
    """The announced block that a conflict is about, by its number; 0: none, or several."""
    accesses = [one for one in (conflict.first_access, conflict.second_access) if one != NONE]
    blocks = {int(trace.accesses["block"][one]) for one in accesses} - {0}
    return blocks.pop() if len(blocks) == 1 else 0


def hypothesis_of(trace: Trace, conflict: Conflict) -> str:
    """Which hypothesis a conflict confirms; FREED_IN_FLIGHT is none of these."""
    if conflict.kind is ConflictKind.WRITE_AFTER_READ:
        return "staging_reuse"
    if conflict.kind is not ConflictKind.WRITE_AFTER_WRITE:
        return "missing_sync"
    may_be_input = Sign.FIRST_MAY_WRITE | Sign.CONTENT_COPIED  # not const, and a copy filled it
    if may_be_input in conflict.signs and Sign.FIRST_SOLE not in conflict.signs:
        return "staging_reuse"
    accesses = (conflict.first_access, conflict.second_access)
    if any(_is_transfer(trace, access) for access in accesses):
        return "overlapping_copies"
    return "missing_sync"


def _is_transfer(trace: Trace, access: Row) -> bool:
    role = int(trace.accesses["role"][access])
    return role in (Role.SOURCE, Role.DESTINATION)


def doubt_about(trace: Trace, conflict: Conflict) -> str | None:
    """Why a conflict is not called a fault, or None."""
    if orders_otherwise(trace) or may_be_ordered(trace, conflict):
        return "other_order"
    if Sign.CALLBACK in conflict.signs:
        return "callback"
    polled = Sign.POLLED in conflict.signs or _was_polled(trace, conflict)
    if polled or _may_wait_in_memory(trace, conflict):
        return "polled_memory"
    if (
        Sign.DOUBTFUL in conflict.signs
        or _told_to_write_elsewhere(trace, conflict)
        or _may_be_atomic(trace, conflict)
    ):
        return "estimated_overlap"
    return None


def _was_polled(trace: Trace, conflict: Conflict) -> bool:
    """Whether another kernel may have waited for the first one, in memory that both use atomically.

    Launches of one kernel that add to the same sums wait for nobody.
    """
    first = trace.accesses[conflict.first_access]
    if conflict.first_access == NONE or int(first["mode"]) != Mode.ATOMIC:
        return False
    accesses, kernels = trace.accesses, trace.operations["kernel"]
    alike = (accesses["mode"] == Mode.ATOMIC) & (accesses["allocation"] == first["allocation"])
    alike &= (accesses["address"] < first["address"] + first["bytes"]) & (
        first["address"] < accesses["address"] + accesses["bytes"]
    )
    rows = np.unique(accesses["operation"][alike])
    rows = rows[(rows < conflict.second) & (kernels[rows] != kernels[conflict.first])]
    pairs = [(int(row), conflict.second) for row in rows[-KEPT:]]
    return any(one.ordered for one in ordered(trace, pairs))


_FLAG: Final = 64
"""Bytes: flags and counters are a few words; what is more is data."""


def _may_wait_in_memory(trace: Trace, conflict: Conflict) -> bool:
    """Whether one of two kernels may wait for the other, in a word that one writes atomically.

    Waiting by an atomic read is noted as a plain one where the compiler made it a load. Launches of
    one kernel that add to the same sums wait for nobody, and nobody waits for a fraction.
    """
    rows = conflict.first, conflict.second
    kernels = trace.operations["kernel"][list(rows)]
    if kernels[0] == kernels[1] or NONE in kernels:
        return False
    first, second = (_noted(trace, row) for row in rows)
    return any(
        _meet(word, first) and _meet(word, second) and _may_be_flag(trace, rows, word)
        for word in (*first[first["mode"] == Mode.ATOMIC], *second[second["mode"] == Mode.ATOMIC])
        if int(word["bytes"]) <= _FLAG
    )


def _noted(trace: Trace, row: Row) -> Table:
    """What a launch was seen to access."""
    accesses = trace.accesses_of(row)
    return accesses[accesses["role"] == Role.FOOTPRINT]


def _meet(word: Table, accesses: Table) -> bool:
    start, stop = word["address"], word["address"] + word["bytes"]
    there = (accesses["address"] < stop) & (start < accesses["address"] + accesses["bytes"])
    return bool(there.any())


def _may_be_flag(trace: Trace, rows: tuple[Row, Row], word: Table) -> bool:
    """Whether all pointers of two launches to a word's memory are to whole numbers."""
    types = []
    for row in rows:
        arguments = trace.describe(int(trace.operations["seq"][row])).kernel_arguments
        given = trace.accesses_of(row)
        given = given[np.isin(given["role"], KERNEL_ROLES)]
        given = given[given["allocation"] == word["allocation"]]
        types += [arguments[one][1] for one in given["argument"].tolist() if one < len(arguments)]
    return not any(name in type_ for type_ in types for name in FRACTIONS)


def _may_be_atomic(trace: Trace, conflict: Conflict) -> bool:
    """Whether one of two kernels is known to use the memory atomically, and the other may as well.

    The device has said so of the one. Of the other it said nothing: it may not have finished it.
    """
    pairs = (
        (conflict.first_access, Sign.SECOND_MAY_WRITE),
        (conflict.second_access, Sign.FIRST_MAY_WRITE),
    )
    return any(
        access != NONE
        and int(trace.accesses["mode"][access]) == Mode.ATOMIC
        and other in conflict.signs
        for access, other in pairs
    )


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
    given = trace.describe(seq).kernel_arguments
    return [value for _, kind, value in given if "*" not in kind and kind not in FRACTIONS]


def strength_of(conflict: Conflict) -> int:
    """1 where two kernels may write, and only that one was given fresh memory says that it does."""
    if conflict.kind is ConflictKind.USED_BEFORE_ALLOCATED:
        return 1
    both = Sign.FIRST_MAY_WRITE | Sign.SECOND_MAY_WRITE
    return 1 if both in conflict.signs and Sign.FIRST_SOLE not in conflict.signs else 2


def _finding(trace: Trace, conflict: Conflict) -> Finding:
    seqs = trace.operations["seq"]
    access = conflict.second_access
    return Finding(
        code=_code(trace, conflict),
        seq=int(seqs[conflict.second]),
        other=int(seqs[conflict.first]),
        allocation=conflict.allocation,
        block=block_of(trace, conflict),
        access=access,
        data=_words(trace, conflict),
        strength=strength_of(conflict),
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
    second = (
        access_words(trace, conflict.second_access)
        if conflict.second_access != NONE
        else dict.fromkeys(ACCESS_FIELDS) | operation_words(trace, conflict.second)
    )
    remedy = would_order(trace, conflict.first, conflict.second)
    may_write = Sign.FIRST_MAY_WRITE | Sign.SECOND_MAY_WRITE
    return {
        **second,
        **buffer_words(trace, conflict.allocation, block_of(trace, conflict)),
        **{f"other_{name}": first[name] for name in OPERATION_FIELDS},
        "shared": conflict.bytes,
        "shared_estimated": int(_is_estimate(trace, conflict)),
        "repeats": conflict.repeats,
        "may_write": int(bool(conflict.signs & may_write)),
        "remedy": remedy.code,
        **{f"remedy_{name}": value for name, value in _remedy_words(trace, remedy).items()},
    }


def _is_estimate(trace: Trace, conflict: Conflict) -> bool:
    """Whether only its arguments say how far a kernel reaches: it may use fewer bytes."""
    accesses = [one for one in (conflict.first_access, conflict.second_access) if one != NONE]
    return bool(np.isin(trace.accesses["role"][accesses], KERNEL_ROLES).any())


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
