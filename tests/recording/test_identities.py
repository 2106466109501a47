"""Who is meant by an address or a handle."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greta.recording import Allocation, LiveKind, Process
from greta.recording.identities import Identities
from tests.recording.opened import open_process
from tests.recording.writer import OPEN, ProcessWriter

MEMORY = LiveKind.DEVICE_MEMORY
A, B = 0x7000, 0x8000


def lives(process: Process) -> list[tuple[int, int, int | None, int | None, int | None]]:
    return [
        (one.address, one.generation, one.bytes, one.made_by, one.ended_by)
        for one in process.allocations()
    ]


def test_an_address_that_is_used_again_is_another_allocation(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.call("hipMalloc", [A, 64], begin=1, end=2)
    lane.call("hipFree", [A], begin=3, end=4)
    lane.call("hipMalloc", [A, 128], begin=5, end=6)
    lane.call("hipFree", [A], begin=7, end=8)
    lane.call("hipMalloc", [B, 256], begin=9, end=10)
    process = open_process(writer)
    assert lives(process) == [(A, 1, 64, 1, 2), (A, 2, 128, 3, 4), (B, 1, 256, 5, None)]
    assert [one.live for one in process.allocations()] == [False, False, True]


def test_a_free_counts_from_its_begin_an_allocation_from_its_end(writer: ProcessWriter) -> None:
    """One thread is handed the address that another one is about to have freed."""
    first, second = writer.lane(1), writer.lane(2)
    first.call("hipMalloc", [A, 64], begin=1, end=2)
    second.call("hipMalloc", [A, 128], begin=3, end=20)  # waits for the free below
    first.call("hipFree", [A], begin=10, end=30)
    assert lives(open_process(writer)) == [(A, 1, 64, 1, 3), (A, 2, 128, 2, None)]


def test_calls_that_failed_change_nothing(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.call("hipMalloc", [B, 64], begin=1, end=2, result=2)
    lane.call("hipMalloc", [A, 64], begin=3, end=4)
    lane.call("hipFree", [A], begin=5, end=6, result=700)
    lane.call("hipFree", [0], begin=7, end=8)
    lane.call("hipMalloc", [0, 0], begin=9, end=10)
    assert lives(open_process(writer)) == [(A, 1, 64, 2, None)]


def test_a_free_that_never_returned_has_ended_it(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.call("hipMalloc", [A, 64], begin=1, end=2)
    lane.call("hipFree", [A], begin=3)
    lane.call("hipFree", [B], begin=4)  # of what nobody knows: it may not even have existed
    assert lives(open_process(writer)) == [(A, 1, 64, 1, 2)]


def test_an_allocation_that_never_returned_is_none(writer: ProcessWriter) -> None:
    writer.lane().call("hipMalloc", [A, 64], begin=1)
    assert lives(open_process(writer)) == []


def test_an_address_handed_out_twice_replaces_the_first(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.call("hipMalloc", [A, 64], begin=1, end=2)
    lane.call("hipMalloc", [A, 128], begin=3, end=4)
    first, second = open_process(writer).allocations()
    assert (first.replaced, first.live, second.live) == (True, False, True)


def test_a_free_without_an_allocation_makes_one_of_unknown_origin(writer: ProcessWriter) -> None:
    writer.lane().call("hipFree", [A], begin=3, end=4)
    assert lives(open_process(writer)) == [(A, 1, None, None, 1)]


def test_a_clock_that_stands_still_is_no_trouble(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.call("hipMalloc", [A, 64], begin=5, end=5)
    lane.call("hipFree", [A], begin=5, end=5)
    lane.call("hipMalloc", [B, 64], begin=5, end=5)
    assert lives(open_process(writer)) == [(A, 1, 64, 1, 2), (B, 1, 64, 3, None)]


@pytest.mark.parametrize(
    ("call", "words", "kind", "size"),
    [
        ("hipMalloc", [A, 100], LiveKind.DEVICE_MEMORY, 100),
        ("hipMallocPitch", [A, 512, 500, 3], LiveKind.DEVICE_MEMORY, 1536),
        ("hipMallocManaged", [A, 100, 1], LiveKind.MANAGED_MEMORY, 100),
        ("hipHostMalloc", [A, 100, 2], LiveKind.HOST_MEMORY, 100),
        ("hipHostRegister", [A, 100, 0], LiveKind.REGISTERED_MEMORY, 100),
        ("hipMallocAsync", [A, 100, 0], LiveKind.POOL_MEMORY, 100),
    ],
)
def test_kinds_of_memory(
    writer: ProcessWriter, call: str, words: list[int], kind: LiveKind, size: int
) -> None:
    writer.lane().call(call, words, begin=1, end=2)
    (one,) = open_process(writer).allocations()
    assert isinstance(one, Allocation)
    assert (one.kind, one.address, one.bytes) == (kind, A, size)


@pytest.mark.parametrize(
    ("make", "end", "kind"),
    [
        ("hipStreamCreate", "hipStreamDestroy", LiveKind.STREAM),
        ("hipEventCreateWithFlags", "hipEventDestroy", LiveKind.EVENT),
        ("hipModuleLoad", "hipModuleUnload", LiveKind.MODULE),
        ("hipGraphCreate", "hipGraphDestroy", LiveKind.GRAPH),
        ("hipGraphInstantiate", "hipGraphExecDestroy", LiveKind.GRAPH_EXEC),
        ("hipMemPoolCreate", "hipMemPoolDestroy", LiveKind.POOL),
    ],
)
def test_a_handle_that_is_used_again_is_another_one(
    writer: ProcessWriter, make: str, end: str, kind: LiveKind
) -> None:
    lane = writer.lane()
    for start in (10, 20):
        lane.call(make, [0x90], begin=start, end=start + 1)
        lane.call("hipDeviceSynchronize", begin=start + 2, end=start + 3)
        lane.call(end, [0x90], begin=start + 4, end=start + 5)
    process = open_process(writer)
    first, second = process.handles(kind)
    assert (first.generation, first.made_by, first.ended_by) == (1, 1, 3)
    assert (second.generation, second.made_by, second.ended_by) == (2, 4, 6)
    assert process.allocations() == []


def test_devices_are_those_the_threads_have_set(writer: ProcessWriter) -> None:
    first, second = writer.lane(1), writer.lane(2)
    first.call("hipSetDevice", [1], begin=1, end=2)
    first.call("hipMalloc", [0x10, 1], begin=3, end=4)
    second.call("hipMalloc", [0x20, 1], begin=5, end=6)
    second.call("hipSetDevice", [9], begin=7, end=8, result=101)
    second.call("hipMalloc", [0x30, 1], begin=9, end=10)
    first.call("hipSetDevice", [0], begin=11, end=12)
    first.call("hipMalloc", [0x40, 1], begin=13, end=14)
    assert [one.device for one in open_process(writer).allocations()] == [1, 0, 0, 0]


def test_a_device_reset_ends_what_the_device_has(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.call("hipMalloc", [0x10, 1], begin=1, end=2)
    lane.call("hipStreamCreate", [0x20], begin=3, end=4)
    lane.call("hipHostRegister", [0x30, 1, 0], begin=5, end=6)
    lane.call("hipEventCreateWithFlags", [0x40, 0], begin=7, end=8)
    lane.call("hipSetDevice", [1], begin=9, end=10)
    lane.call("hipMalloc", [0x50, 1], begin=11, end=12)
    lane.call("hipSetDevice", [0], begin=13, end=14)
    lane.call("hipDeviceReset", begin=15, end=16)
    process = open_process(writer)
    assert [one.ended_by for one in process.allocations()] == [8, None, None]
    assert [one.ended_by for one in process.handles(LiveKind.STREAM)] == [8]
    assert [one.ended_by for one in process.handles(LiveKind.EVENT)] == [None]


def test_an_unmapping_ends_all_that_begins_in_its_bytes(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.call("hipMemMap", [0x1000, 0x1000], begin=1, end=2)
    lane.call("hipMemMap", [0x2000, 0x1000], begin=3, end=4)
    lane.call("hipMemMap", [0x3000, 0x1000], begin=5, end=6)
    lane.call("hipMalloc", [0x4000, 1], begin=7, end=8)
    lane.call("hipMemUnmap", [0x1000, 0x2000], begin=9, end=10)
    process = open_process(writer)
    assert [one.ended_by for one in process.allocations()] == [5, 5, None, None]


# --- completed from the live table ----------------------------------------------------------------


def test_the_live_table_completes_a_ring(writer: ProcessWriter) -> None:
    writer.ring_records, writer.end = 4, OPEN
    lane = writer.lane()
    lane.call("hipSetDevice", [3], begin=1, end=2)
    lane.call("hipMalloc", [A, 64], begin=3, end=4)
    lane.call("hipStreamCreate", [0x90], begin=5, end=6)
    lane.call("hipMalloc", [B, 32], begin=7, end=8)
    for start in range(10, 50, 10):
        lane.call("hipMalloc", [0xC0 + start, 16], begin=start, end=start + 1)
    lane.call("hipFree", [B], begin=60, end=61)
    writer.live_entry(MEMORY, A, bytes=64, number=1, since=4, device=3)
    writer.live_entry(LiveKind.STREAM, 0x90, number=2, since=6, device=3)
    writer.live_entry(MEMORY, 0xC0 + 40, bytes=16, number=7, since=41, device=3)
    process = open_process(writer)
    by_address = {one.address: one for one in process.allocations()}
    assert (by_address[A].bytes, by_address[A].made_by, by_address[A].live) == (64, None, True)
    assert (by_address[A].device, by_address[A].number) == (3, 1)
    assert (by_address[B].bytes, by_address[B].ended_by) == (None, 4)
    latest = by_address[0xC0 + 40]
    assert (latest.generation, latest.number, latest.device) == (1, 7, 3)
    assert by_address[0xC0 + 30].device is None  # what the thread had set is overwritten
    (stream,) = process.handles(LiveKind.STREAM)
    assert (stream.made_by, stream.number) == (None, 2)


def test_what_ended_after_the_live_table_was_read_has_ended(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.call("hipMalloc", [A, 64], begin=1, end=2)
    lane.call("hipFree", [A], begin=3, end=4)
    lane.call("hipFree", [B], begin=5, end=6)
    writer.live_entry(MEMORY, A, bytes=64, number=1, since=2)
    writer.live_entry(MEMORY, B, bytes=32, number=2, since=4)
    process = open_process(writer)
    assert lives(process) == [(B, 1, 32, None, 3), (A, 1, 64, 1, 2)]
    assert [one.number for one in process.allocations()] == [2, 1]


def test_a_live_table_that_contradicts_the_records_adds_a_life_of_its_own(
    writer: ProcessWriter,
) -> None:
    lane = writer.lane()
    lane.call("hipMalloc", [A, 64], begin=2, end=7)
    lane.call("hipFree", [A], begin=8, end=9)
    writer.live_entry(MEMORY, A, bytes=32, number=1, since=5)
    process = open_process(writer)
    assert lives(process) == [(A, 1, 32, None, None), (A, 2, 64, 1, 2)]
    assert [one.replaced for one in process.allocations()] == [True, False]


# --- against an allocator that really runs --------------------------------------------------------


@dataclass
class Made:
    """What the allocator of the test knows."""

    handle: int
    generation: int
    made_by: int
    ended_by: int | None = None


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=60))
def test_lives_are_those_of_an_allocator(steps: list[tuple[int, bool]]) -> None:
    identities = Identities()
    truth: dict[int, list[Made]] = {}
    for seq, (handle, is_free) in enumerate(((h + 1, f) for h, f in steps), start=1):
        known = truth.setdefault(handle, [])
        is_live = bool(known) and known[-1].ended_by is None
        if is_free == is_live and is_live:
            known[-1].ended_by = seq
            identities.end(MEMORY, handle, seq, seq, certain=True)
        elif not is_free and not is_live:
            known.append(Made(handle, len(known) + 1, seq))
            made = Allocation(MEMORY, handle, made_by=seq)
            made.made_ticks = seq
            identities.make(made)
    expected = sorted(
        (m.made_by, m.handle, m.generation, m.ended_by) for all_ in truth.values() for m in all_
    )
    found = [
        (one.made_by, one.handle, one.generation, one.ended_by)
        for one in identities.of_kinds(MEMORY)
    ]
    assert found == expected
