"""Which pointers kernels surely write through: what is found in one pass is what the rule says."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from greta.forensics.failures import last_that_counts
from greta.forensics.order_library import find_outputs
from greta.forensics.scan import KERNEL_ROLES, fresh_memory, kernel_outputs
from greta.trace.trace import NONE, Known, Memory, Mode, Role, Table, Trace
from tests.forensics import random_programs
from tests.forensics.test_order_properties import garbage
from tests.forensics.tracing import TraceBuilder

Pointer = tuple[int, int]


class Rule:
    """The rule as one would say it: all of an allocation's accesses, one allocation at a time."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.fresh, self.last = trace, fresh_memory(trace), last_that_counts(trace)
        self.uses = [one for one in trace.accesses if self.ran(one)]
        self.led = set(self.led_by_memory())

    def ran(self, access: Table) -> bool:
        operation = self.trace.operations[access["operation"]]
        refused = operation["failed"] or operation["captured"]
        return not refused and int(access["operation"]) <= self.last

    def led_by_memory(self) -> list[int]:
        unseen = [
            one
            for one in self.uses
            if one["role"] in KERNEL_ROLES and not one["known"] & Known.FOLLOWED
        ]
        symbols = [
            int(one["operation"])
            for one in self.uses
            if one["allocation"] != NONE
            and self.trace.allocations["memory"][one["allocation"]] == Memory.SYMBOL
            and one["bytes"]
            and one["mode"] != Mode.READ
        ]
        since = min(symbols, default=len(self.trace.operations))
        return [
            int(one["operation"])
            for one in unseen
            if one["role"] == Role.STRUCT_WORD
            or one["known"] & Known.POINTERS
            or one["operation"] > since
        ]

    def pointer(self, access: Table) -> Pointer:
        operation = self.trace.operations[access["operation"]]
        if access["origin"] != operation["seq"]:
            node = self.trace.row_of(int(access["origin"]))
            operation = self.trace.operations[node] if node != NONE else operation
        return int(operation["kernel"]), int(access["argument"])

    def found(self, allocation: int) -> Pointer | None:
        own = [one for one in self.uses if one["allocation"] == allocation and one["bytes"]]
        writes = [one for one in own if one["mode"] != Mode.READ]
        if not writes or not self.fresh[allocation]:
            return None
        first = min(int(one["operation"]) for one in writes)
        made_at = self.trace.allocations["made_at"][allocation]
        by_kernels = [one for one in writes if one["role"] in KERNEL_ROLES]
        pointers = {self.pointer(one) for one in by_kernels if one["operation"] == first}
        if len(pointers) != 1 or any(made_at <= one < first for one in self.led):
            return None
        (pointer,) = pointers
        later = [one for one in own if one["operation"] > first and self.pointer(one) != pointer]
        if pointer[0] < 0 or not later:
            return None
        then = min(int(one["operation"]) for one in later)
        reads = [self.surely_reads(one) for one in later if one["operation"] == then]
        return pointer if all(reads) else None

    def surely_reads(self, access: Table) -> bool:
        uses = access["role"] not in KERNEL_ROLES or bool(access["known"] & Known.ACCESSED)
        return uses and int(access["mode"]) == Mode.READ

    def outputs(self) -> list[bool]:
        known = {self.found(number) for number in range(len(self.trace.allocations))} - {None}
        return [
            one["role"] in KERNEL_ROLES and one["mode"] != Mode.READ and self.pointer(one) in known
            for one in self.trace.accesses
        ]


@settings(max_examples=300)
@given(random_programs.actions, st.sampled_from([0, 15, 60]))
def test_what_is_found_is_what_the_rule_says(
    actions: list[random_programs.Action], spread: int
) -> None:
    trace = random_programs.program(actions, spread).build()
    assert kernel_outputs(trace).tolist() == Rule(trace).outputs()


@settings(max_examples=300)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(0, 200))
def test_so_it_is_of_any_tables(seed: int, operations: int, accesses: int) -> None:
    trace = garbage(seed, operations, accesses, wild=False)
    random = np.random.default_rng(seed)
    trace.operations["seq"] = np.arange(operations)
    trace.operations["kernel"] = random.integers(-1, 3, operations)
    trace.accesses["allocation"] = random.integers(-1, 9, accesses)
    trace.accesses["argument"] = random.integers(0, 2, accesses)
    trace.accesses["mode"] = random.integers(0, 4, accesses)
    own = random.random(accesses) < 0.7
    trace.accesses["origin"][own] = trace.accesses["operation"][own]
    rule = Rule(trace)
    rule.fresh, rule.last = random.random(9) < 0.8, operations
    assert find_outputs(trace, rule.fresh, rule.last).tolist() == rule.outputs()


def test_garbage_is_survived() -> None:
    for seed in range(40):
        trace = garbage(seed, 50, 100, wild=True)
        fresh = np.ones(len(trace.allocations), bool)
        assert len(find_outputs(trace, fresh, 1 << 40)) == 100


def test_a_pointer_through_which_fresh_memory_was_written_is_an_output() -> None:
    assert kernel_outputs(written_and_read()).any()


def test_one_that_wrote_where_a_copy_had_written_is_not() -> None:
    assert not kernel_outputs(written_and_read(copied=True)).any()


def written_and_read(*, copied: bool = False) -> Trace:
    build = TraceBuilder()
    buffer, host = build.allocate(64), build.allocate(64, memory=Memory.PINNED)
    if copied:
        build.copy(buffer[:], host[:])
    build.launch(may_write=[buffer[:]])
    build.copy(host[:], buffer[:])
    return build.build()
