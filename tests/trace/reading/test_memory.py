"""Which life of memory calls mean, what frees wait for, and what is kept of calls that failed."""

from __future__ import annotations

import numpy as np

from greta.trace.trace import NONE, Kind, Memory, Role, Waits
from tests.trace.reading.conftest import Traced


def test_a_call_with_freed_memory_names_the_life_that_is_over(traced: Traced) -> None:
    shown = traced("memory")
    after_free = shown.calls("hipMemsetAsync")[0]
    assert after_free.touched[0].where == (1, 0)
    assert shown.trace.allocations["freed_at"][1] == shown.calls("hipFree")[0].number
    assert shown.trace.allocations["freed_at"][1] < after_free.number


def test_frees_wait_for_the_device_unless_there_is_nothing_to_wait_for(traced: Traced) -> None:
    shown = traced("memory")
    plain, nothing, inside, twice, pool = shown.calls("hipFree")
    assert plain.waits is Waits.FOR_DEVICE
    assert (nothing.waits, nothing.touched) == (Waits.NO, ())
    assert pool.waits is Waits.NO
    assert (inside.row["failed"], inside.touched[0].where, inside.touched[0].bytes) == (
        *(True, (0, 4), 0),
    )
    assert (twice.row["failed"], twice.row["allocation"]) == (True, 1)
    of_pool, of_plain = shown.calls("hipFreeAsync")
    assert (of_pool.waits, of_plain.waits) == (Waits.NO, Waits.FOR_DEVICE)
    assert shown.call("hipHostFree").waits is Waits.FOR_DEVICE


def test_a_free_names_all_of_what_it_frees(traced: Traced) -> None:
    freed = traced("memory").calls("hipFree")[0]
    assert freed.touched[0].role is Role.FREED
    assert freed.touched[0].bytes == 4096
    assert freed.row["allocation"] == 1


def test_an_address_that_a_pool_gives_out_again_is_another_life(traced: Traced) -> None:
    shown = traced("memory")
    _, first, second = shown.calls("hipMemsetAsync")
    assert first.touched[0].row["address"] == second.touched[0].row["address"]
    lives = [one.touched[0].row["allocation"] for one in (first, second)]
    allocations = shown.trace.allocations[lives]
    assert allocations["memory"].tolist() == [Memory.POOL, Memory.POOL]
    assert allocations["generation"].tolist() == [1, 2]
    freed_on = shown.calls("hipFreeAsync")[0].row["stream"]
    assert allocations["free_stream"].tolist() == [freed_on, NONE]
    assert [one.row["allocation"] for one in shown.calls("hipMallocAsync")] == lives


def test_kinds_of_memory(traced: Traced) -> None:
    shown = traced("memory")
    managed = shown.call("hipMemset")
    assert shown.memory(managed.touched[0]) is Memory.MANAGED
    assert managed.waits is Waits.FOR_IT
    pitched = shown.call("hipMemset2D").touched[0]
    assert pitched.where is not None
    assert shown.trace.allocations["bytes"][pitched.where[0]] == 1024
    variable = shown.call("hipMemsetD8").touched[0]
    assert shown.memory(variable) is Memory.SYMBOL
    assert shown.trace.allocations["bytes"][variable.where[0] if variable.where else NONE] == 16


def test_a_copy_that_was_refused_keeps_what_it_named(traced: Traced) -> None:
    copy = traced("memory").call("hipMemcpy")
    assert copy.row["failed"]
    assert [one.bytes for one in copy.touched] == [5000, 5000]


def test_a_reset_ends_the_memory_of_its_device(traced: Traced) -> None:
    shown = traced("memory")
    reset = shown.call("hipDeviceReset")
    assert (reset.kind, reset.waits) == (Kind.RESET, Waits.FOR_DEVICE)
    ended = np.flatnonzero(shown.trace.allocations["freed_at"] == reset.number)
    assert 0 in ended.tolist()


def test_a_call_says_where_it_was_made(traced: Traced) -> None:
    shown = traced("memory")
    call = shown.trace.describe(int(shown.call("hipHostFree").row["seq"]))
    assert call.name == "hipHostFree"
    assert call.where.function == "main"
    assert call.where.file is not None
    assert call.where.file.endswith("memory.cpp")
    assert call.where.line is not None
