"""What must hold of the order of any program at all."""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from greta.forensics import order, order_library
from greta.trace.trace import ACCESS, ALLOCATION, OPERATION, STREAM, Kind, Table, Trace
from tests.forensics import random_programs
from tests.forensics.tracing import TraceBuilder

SOME = settings(max_examples=200)
spreads = st.sampled_from((0, 15, 60))

WAITS = (Kind.WAIT_DEVICE, Kind.WAIT_STREAM, Kind.EVENT_RECORD, Kind.STREAM_WAIT_EVENT)


def groups(trace: Trace) -> set[tuple[int, int, tuple[int, int]]]:
    streams = trace.operations["stream"]
    found = set()
    for one in order.conflicts(trace):
        low, high = sorted((int(streams[one.first]), int(streams[one.second])))
        found.add((one.allocation, int(one.kind), (low, high)))
    return found


def in_full(trace: Trace) -> list[tuple[int, ...]]:
    return sorted(
        (c.second, c.first, c.allocation, int(c.kind), c.repeats, int(c.signs), c.bytes)
        for c in order.conflicts(trace)
    )


def with_wait(build: TraceBuilder, place: int, kind: Kind, stream: int, event: int) -> Trace:
    """The same program with one more call, in the time between two calls."""
    trace = build.build()
    place %= len(trace.operations) + 1
    extra = np.zeros(1, OPERATION)
    extra["kind"], extra["finished"], extra["thread"] = kind, True, 1 << 20
    extra["stream"] = stream % len(trace.streams) if kind != Kind.WAIT_DEVICE else -1
    # Recording an event that the program uses would take order away; waiting for it does not.
    extra["event"] = event + 1000 * (kind == Kind.EVENT_RECORD)
    extra["allocation"] = extra["kernel"] = extra["start_event"] = -1
    inside = place < len(trace.operations)
    extra["begin"] = trace.operations["begin"][place] - 2 if inside else 1 << 40
    extra["end"] = extra["begin"] + 1
    extra["first_access"] = (
        trace.operations["first_access"][place] if inside else len(trace.accesses)
    )
    operations = np.insert(trace.operations, place, extra)
    accesses, allocations = trace.accesses.copy(), trace.allocations.copy()
    accesses["operation"] += accesses["operation"] >= place
    for name in ("made_at", "freed_at"):
        allocations[name] += allocations[name] >= place
    return dataclasses.replace(
        trace, operations=operations, accesses=accesses, allocations=allocations
    )


@SOME
@given(
    random_programs.actions,
    spreads,
    st.integers(0, 60),
    st.sampled_from(WAITS),
    st.integers(0, 8),
    st.integers(0, 2),
)
def test_more_synchronization_never_adds_a_conflict(
    actions: list[random_programs.Action],
    spread: int,
    place: int,
    kind: Kind,
    stream: int,
    event: int,
) -> None:
    build = random_programs.program(actions, spread)
    assert groups(with_wait(build, place, kind, stream, event)) <= groups(build.build())


@SOME
@given(random_programs.actions, spreads, st.randoms(use_true_random=False))
def test_names_do_not_matter(
    actions: list[random_programs.Action], spread: int, random: random_programs.Random
) -> None:
    build = random_programs.program(actions, spread)
    before = build.build()
    shift = random.randrange(1, 1 << 20) * 4096
    streams = list(range(len(build.streams)))
    random.shuffle(streams)
    events = {-1: -1, **{old: 100 - old for old in range(16)}}
    after = dataclasses.replace(
        before,
        operations=before.operations.copy(),
        accesses=before.accesses.copy(),
        allocations=before.allocations.copy(),
        streams=np.empty_like(before.streams),
    )
    after.streams[streams] = before.streams
    after.streams["handle"] += 0x5000
    new = np.array([*streams, -1], np.int32)
    after.operations["stream"] = new[before.operations["stream"]]
    after.allocations["free_stream"] = new[before.allocations["free_stream"]]
    for name in ("event", "start_event"):
        after.operations[name] = [events[int(old)] for old in before.operations[name]]
    after.operations["thread"] = 7 - before.operations["thread"]
    after.allocations["address"] += shift
    after.accesses["address"] += np.uint64(shift)

    assert in_full(before) == in_full(after)


@SOME
@given(random_programs.actions, spreads, st.integers(1, 60))
def test_a_beginning_has_no_conflict_that_the_whole_does_not_have(
    actions: list[random_programs.Action], spread: int, length: int
) -> None:
    whole = random_programs.program(actions, spread).build()
    operations = whole.operations[:length].copy()
    last = int(whole.operations["first_access"][length]) if length < len(whole.operations) else None
    allocations = whole.allocations.copy()
    allocations["freed_at"][allocations["freed_at"] >= length] = -1
    part = dataclasses.replace(
        whole, operations=operations, accesses=whole.accesses[:last], allocations=allocations
    )
    assert groups(part) <= groups(whole)


@settings(max_examples=100)
@given(st.integers(0, 2**32 - 1), st.integers(0, 80), st.integers(0, 80), st.booleans())
def test_garbage_is_survived(seed: int, operations: int, accesses: int, wild: bool) -> None:
    """No row number, size or time in a table is trusted."""
    trace = garbage(seed, operations, accesses, wild)
    outputs = np.random.default_rng(seed).integers(0, 2, len(trace.accesses)).astype(bool)
    fresh = np.arange(len(trace.allocations)) % 2 == 0
    found, _ = order_library.find_conflicts(trace, order.MOST_CONFLICTS, outputs, fresh)
    assert (found["first"] >= 0).all()
    assert (found["first"] < found["second"]).all()
    assert (found["second"] < len(trace.operations)).all()
    pairs = [(int(a), int(b)) for a, b in np.random.default_rng(seed).integers(-2, 90, (20, 2))]
    assert len(order.ordered(trace, pairs)) == 20


def garbage(seed: int, operations: int, accesses: int, wild: bool) -> Trace:
    random = np.random.default_rng(seed)

    def table(count: int, dtype: np.dtype[np.void]) -> Table:
        rows: Table = np.frombuffer(random.bytes(count * dtype.itemsize), dtype).copy()
        for name in dtype.names or ():
            if dtype[name].kind == "b":
                rows[name] = random.random(count) < 0.3
            elif not wild:
                rows[name] = random.integers(0, 12, count)
        return rows

    made = table(operations, OPERATION)
    made["kind"] = random.integers(0, 20, operations)
    made["finished"] = random.random(operations) < 0.9
    touched = table(accesses, ACCESS)
    touched["operation"] = np.sort(random.integers(0, max(operations, 1), accesses))
    allocations = table(9, ALLOCATION)
    if not wild:
        made["first_access"] = np.searchsorted(touched["operation"], np.arange(operations))
        made["waits"][random.random(operations) < 0.9] = 0
        allocations["freed_at"] = allocations["made_at"] = -1
    nobody = TraceBuilder().build().describe
    return Trace(made, touched, allocations, table(7, STREAM), (), describe=nobody)


def test_many_rows_of_garbage_take_no_long_time() -> None:
    trace = garbage(1, 50_000, 100_000, wild=False)
    outputs = np.ones(len(trace.accesses), bool)
    fresh = np.ones(len(trace.allocations), bool)
    _, summary = order_library.find_conflicts(trace, order.MOST_CONFLICTS, outputs, fresh)
    assert summary["reads"] >= 0
