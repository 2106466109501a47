"""The loops in C++ make the rows that a few lines of NumPy would."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from greta import reading_library
from greta.errors import UsageError
from greta.reading_library import (
    Begun,
    CallColumns,
    Gathering,
    check_layout,
    fill_operations,
    gather_slots,
    look_at_slots,
    scan_slots,
    sort_accesses,
)
from greta.recording import _format as f
from greta.recording.files import opened
from greta.recording.header import FARTHEST_NS, Clock
from greta.recording.lanes import Scan
from greta.trace.trace import ACCESS, NONE, OPERATION

SEEDS = pytest.mark.parametrize("seed", range(8))


def some_slots(random: np.random.Generator, count: int) -> np.ndarray[Any, Any]:
    """Calls with their continuations, and now and then damage."""
    slots: np.ndarray[Any, Any]
    slots = np.frombuffer(random.bytes(count * f.RECORD_BYTES), f.RECORD).copy()
    slots["call"] = random.integers(1, 5, count)
    slots["more"] = 0
    at = 0
    while at < count:
        more = int(random.integers(0, 3))
        slots["more"][at] = more
        slots["call"][at + 1 : at + 1 + more] = f.CALL_MORE
        at += 1 + more
    if random.random() < 0.5:
        slots["call"][random.integers(0, count)] = random.choice([0, f.CALL_MORE, 3])
    return slots


@SEEDS
def test_the_calls_among_slots(seed: int) -> None:
    random = np.random.default_rng(seed)
    slots = some_slots(random, 50)
    numbers = np.arange(7, 57)
    seen = look_at_slots(slots, numbers, 6, 0)
    is_call = (slots["call"] != 0) & (slots["call"] != f.CALL_MORE)
    assert seen.calls == np.count_nonzero(is_call)
    assert seen.filled == np.flatnonzero(slots["call"])[-1] + 1
    assert seen.last == np.flatnonzero(is_call)[-1]
    calls, more = np.append(6, numbers[is_call]), np.append(0, slots["more"][is_call])
    whole = (np.diff(calls) - 1 == more[:-1]).all() and slots["call"].all()
    assert seen.in_order == (whole and numbers[-1] - calls[-1] <= more[-1])
    names = list(Scan.__dataclass_fields__)
    types = [np.int64 if name == "index" else f.RECORD[name] for name in names]
    columns = [np.empty(seen.calls, one) for one in types]
    scan_slots(slots, numbers, columns)
    for name, column in zip(names, columns, strict=True):
        expected = numbers[is_call] if name == "index" else slots[name][is_call]
        assert (name, column.tolist()) == (name, expected.tolist())


def test_no_slots() -> None:
    seen = look_at_slots(np.empty(0, f.RECORD), np.empty(0, np.int64), 3, 1)
    assert (seen.calls, seen.filled, seen.last, seen.in_order) == (0, 0, NONE, 0)


@SEEDS
@pytest.mark.parametrize("ns_per_tick", [1.0, 0.4166667, 0.5, 3.7])
def test_what_is_the_same_for_all_calls(seed: int, ns_per_tick: float) -> None:
    random = np.random.default_rng(seed)
    records = np.frombuffer(random.bytes(40 * f.RECORD_BYTES), f.RECORD).copy()
    records["call"], records["kernel"] = random.integers(0, 9, (2, 40))
    records["result"] = random.choice([0, 600, 700, -1], 40)
    records["begin"][:30] >>= 20
    seqs, threads, devices = random.integers(0, 100, (3, 40))
    calls, kernels = np.array([1, 4, 7]), np.array([], np.int64)
    clock = Clock(int(records["begin"][0]), ns_per_tick)
    operations = np.zeros(40, OPERATION)
    operations["kind"] = operations["waits"] = 9
    places = random.permutation(40)
    given = CallColumns(records[places], places, seqs, threads, devices, calls, kernels)
    fill_operations(operations, given, clock.start_ticks, ns_per_tick, FARTHEST_NS)
    finished = (records["flags"] & 1) != 0
    expected = {
        "seq": seqs,
        "kind": [9] * 40,
        "waits": [9] * 40,
        "finished": finished,
        "failed": finished & ~np.isin(records["result"], (0, 600)),
        "captured": [False] * 40,
        "device": devices,
        "result": records["result"],
        "thread": threads,
        "call": [calls.tolist().index(id_) if id_ in calls else NONE for id_ in records["call"]],
        "kernel": [NONE] * 40,
        "first_access": [0] * 40,
        "begin": clock.ns(records["begin"]),
        "end": np.where(finished, clock.ns(records["end"]), 0),
        **dict.fromkeys(("stream", "event", "allocation", "start_event"), [NONE] * 40),
    }
    assert expected.keys() == set(OPERATION.names or ())
    for name, column in expected.items():
        assert (name, operations[name].tolist()) == (name, np.asarray(column).tolist())


@SEEDS
def test_accesses_by_operation(seed: int) -> None:
    random = np.random.default_rng(seed)
    pieces = [np.zeros(int(random.integers(0, 20)), ACCESS) for _ in range(5)]
    for number, piece in enumerate(pieces):
        piece["operation"] = 100 + random.integers(0, 10, len(piece))
        piece["address"], piece["argument"] = np.arange(len(piece)), number
    joined = np.concatenate(pieces)
    out = np.empty(len(joined), ACCESS)
    starts = sort_accesses(pieces, 100, 12, out)
    order = np.argsort(joined["operation"], kind="stable")
    assert (out == joined[order]).all()
    assert starts.tolist() == np.searchsorted(out["operation"], np.arange(100, 112)).tolist()


def test_an_access_of_another_block_is_no_row() -> None:
    stray = np.zeros(1, ACCESS)
    with pytest.raises(AssertionError):
        sort_accesses([stray], 1, 5, np.empty(1, ACCESS))
    assert sort_accesses([], 0, 0, np.empty(0, ACCESS)).tolist() == []


@SEEDS
def test_the_last_that_has_begun(seed: int) -> None:
    random = np.random.default_rng(seed)
    group, begins = random.integers(0, 6, 40), random.integers(0, 50, 40)
    begun = Begun(group, begins)
    asked, when = random.integers(-1, 8, 200), random.integers(-1, 60, 200)
    for one, time, place in zip(asked, when, begun.places(asked, when), strict=True):
        item = begun.items[place] if place != NONE else NONE
        before = np.flatnonzero((group == one) & (begins <= time))
        if not len(before):
            assert item == NONE
            continue
        latest = begins[before].max()
        assert item == before[begins[before] == latest][-1]


def test_a_library_with_other_tables_is_refused() -> None:
    with pytest.raises(UsageError, match="built from other sources"):
        check_layout(0)


def test_so_is_one_that_lacks_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_library, "_find", lambda: "libc.so.6")
    reading_library._library.cache_clear()
    try:
        with pytest.raises(UsageError, match="built from other sources"):
            reading_library._library()
    finally:
        reading_library._library.cache_clear()


@SEEDS
def test_slots_that_are_gathered(seed: int, tmp_path: Path) -> None:
    """Near ones and far ones, in any order of their places; more than are read at once."""
    random = np.random.default_rng(seed)
    slots = some_slots(random, 6000)
    path = tmp_path / "lane.0"
    path.write_bytes(bytes(f.PAGE_BYTES) + slots.tobytes())
    steps = random.choice([3, 4, 40, 900], 40, p=[0.6, 0.2, 0.1, 0.1])
    numbers = np.cumsum(steps)[np.cumsum(steps) < 5000]
    following = random.integers(0, 3, len(numbers))
    following[-1] = random.choice([0, 980])
    places = random.permutation(len(numbers))
    behind = len(numbers) + np.cumsum(following) - following
    wanted = Gathering(numbers, following, places, behind)
    found = np.zeros(len(numbers) + following.sum(), f.RECORD)
    with opened(path) as descriptor:
        assert gather_slots(descriptor, wanted, found)
    assert found[places].tobytes() == slots[numbers].tobytes()
    each = [slots[at + 1 : at + 1 + more] for at, more in zip(numbers, following, strict=True)]
    assert found[len(numbers) :].tobytes() == np.concatenate(each).tobytes()
    os.truncate(path, f.PAGE_BYTES + int(numbers[-1] + following[-1]) * f.RECORD_BYTES)
    with opened(path) as descriptor:
        assert not gather_slots(descriptor, wanted, found)
