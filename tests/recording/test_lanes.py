"""What is read of a lane: whole, cut, with holes, in a ring."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from greta.recording import RecordingError
from greta.recording.lanes import BLOCK_RECORDS
from tests.recording.opened import is_merge_of_lanes, open_one, open_process
from tests.recording.writer import KERNARG, OPEN, PAGE, SLOT, Payload, ProcessWriter, filler

SYNC = "hipDeviceSynchronize"


def begins(writer: ProcessWriter) -> list[int]:
    ticks: list[int] = open_process(writer).columns.begin_ticks.tolist()
    return ticks


def test_continuations_are_no_rows(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.call("hipModuleLaunchKernel", begin=1, end=2, payloads=[Payload(KERNARG, 0, bytes(300))])
    lane.call(SYNC, begin=3, end=4)
    process = open_process(writer)
    assert process.columns.index.tolist() == [0, 4]
    assert len(process.event(1).payloads[0].data) == 300
    assert process.problems == []


def test_room_that_was_reserved_is_the_end(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.call(SYNC, begin=1, end=2)
    lane.spare_slots = 100
    process = open_process(writer)
    assert len(process) == 1
    assert process.problems == []


def test_a_record_that_was_being_written_is_not_there(writer: ProcessWriter) -> None:
    writer.end = OPEN
    lane = writer.lane()
    lane.call(SYNC, begin=1, end=2)
    lane.call("hipModuleLaunchKernel", begin=3, payloads=[Payload(KERNARG, 0, bytes(8))])
    lane.slots[1] = bytes(4) + lane.slots[1][4:]  # `call` is written last
    process = open_process(writer)
    assert len(process) == 1
    assert process.problems == []


def test_records_past_the_count_are_read(writer: ProcessWriter) -> None:
    """A process can be killed after it wrote a record and before it counted it."""
    lane = writer.lane()
    for number in range(5):
        lane.call(SYNC, begin=number, end=number)
    path = writer.write() / "lane.0"
    content = bytearray(path.read_bytes())
    content[32] = 2
    path.write_bytes(content)
    process = open_one(writer.folder)
    assert len(process) == 5
    assert process.problems == []


def test_a_hole_is_told_and_what_follows_is_kept(writer: ProcessWriter) -> None:
    lane = writer.lane()
    for number in range(4):
        lane.call(SYNC, begin=number, end=number)
    lane.slots[1] = bytes(SLOT)
    assert begins(writer) == [0, 2, 3]
    (problem,) = open_one(writer.folder).problems
    assert problem.startswith(f"lane.0, byte {PAGE + SLOT}: 1 empty slots")


@pytest.mark.parametrize("sparse", [True, False])
def test_so_is_one_of_megabytes(writer: ProcessWriter, sparse: bool) -> None:
    lane, slots = writer.lane(), 3 * BLOCK_RECORDS
    lane.call(SYNC, begin=1, end=2)
    lane.slots += [bytes(SLOT)] * slots
    lane.call(SYNC, begin=3, end=4)
    path = writer.write() / "lane.0"
    if sparse:
        content = path.read_bytes()
        path.write_bytes(content[: PAGE + SLOT])
        os.truncate(path, len(content) - SLOT)
        with path.open("ab") as file:
            file.write(content[-SLOT:])
    process = open_one(writer.folder)
    assert process.columns.begin_ticks.tolist() == [1, 3]
    (problem,) = process.problems
    assert problem.startswith(f"lane.0, byte {PAGE + SLOT}: {slots} empty slots")


def test_space_behind_the_last_record_that_was_reserved_is_no_hole(writer: ProcessWriter) -> None:
    writer.lane().call(SYNC, begin=1, end=2)
    path = writer.write() / "lane.0"
    os.truncate(path, path.stat().st_size + 4 * BLOCK_RECORDS * SLOT)
    process = open_one(writer.folder)
    assert len(process) == 1
    assert process.problems == []


def test_fillers_at_the_end_of_a_segment_belong_to_nobody(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.call(SYNC, begin=1, end=2)
    lane.slots += [filler(), filler()]
    lane.call(SYNC, begin=3, end=4)
    process = open_process(writer)
    assert process.columns.index.tolist() == [0, 3]
    assert process.problems == []


def test_a_record_with_too_few_continuations_is_told(writer: ProcessWriter) -> None:
    lane = writer.lane()
    argument = Payload(KERNARG, 0, bytes(200))
    lane.call("hipModuleLaunchKernel", begin=1, end=2, payloads=[argument])
    lane.call(SYNC, begin=5, end=6)
    del lane.slots[2]
    process = open_process(writer)
    assert process.problems == [
        f"lane.0, byte {PAGE}: 1 records have fewer continuations than they say"
    ]
    (payload,) = process.event(1).payloads
    assert (len(payload.data), payload.total, payload.complete) == (112, 200, False)


def test_continuations_that_are_nobodys_are_told(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.slots += Payload(KERNARG, 0, bytes(8)).parts()
    lane.call(SYNC, begin=1, end=2)
    lane.slots += Payload(KERNARG, 0, bytes(200)).parts()
    lane.call(SYNC, begin=5, end=6)
    process = open_process(writer)
    assert process.columns.index.tolist() == [1, 4]
    assert process.problems == [
        f"lane.0, byte {PAGE}: 3 continuations belong to no record; left out"
    ]


def test_a_file_that_is_cut_gives_what_is_left(writer: ProcessWriter) -> None:
    lane = writer.lane()
    for number in range(100):
        lane.call(SYNC, begin=number, end=number)
    path = writer.write() / "lane.0"
    os.truncate(path, PAGE + 10 * SLOT + 5)
    process = open_one(writer.folder)
    assert len(process) == 10
    assert process.problems == [
        f"lane.0, byte {PAGE + 10 * SLOT}: ends within a record, after 5 bytes of it",
        f"lane.0, byte {PAGE + 10 * SLOT}: 90 records are missing",
    ]


def test_space_that_was_half_taken_when_the_process_died_is_no_damage(
    writer: ProcessWriter,
) -> None:
    lane = writer.lane()
    for number in range(10):
        lane.call(SYNC, begin=number, end=number)
    path = writer.write() / "lane.0"
    os.truncate(path, (path.stat().st_size - PAGE) // SLOT * SLOT + PAGE + 5)
    process = open_one(writer.folder)
    assert (len(process), process.problems) == (10, [])


def test_a_file_that_is_cut_after_it_was_opened_is_an_error_and_no_crash(
    writer: ProcessWriter,
) -> None:
    lane = writer.lane()
    for number in range(100):
        lane.call(SYNC, begin=number, end=number)
    process = open_process(writer)
    os.truncate(writer.folder / "lane.0", PAGE)
    with pytest.raises(RecordingError, match="has become shorter"):
        process.event(50)
    (writer.folder / "lane.0").unlink()
    with pytest.raises(RecordingError, match="can no longer be read"):
        process.event(50)


def test_an_event_is_as_it_was_when_the_recording_was_opened(writer: ProcessWriter) -> None:
    writer.lane().call("hipMalloc", [0x7000, 8], begin=1)
    process = open_process(writer)
    finished = ProcessWriter(writer.folder)
    finished.lane().call("hipMalloc", [0x7000, 8], begin=1, end=2)
    finished.write()
    event = process.event(1)
    assert not event.finished
    assert event.end_ns == 0
    assert event.arguments == {"ptr": None, "size": 8}


def test_more_lanes_than_a_process_may_open_files(writer: ProcessWriter) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    for number in range(200):
        writer.lane(number).call(SYNC, begin=number, end=number)
    writer.write()
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, before[1]))
    try:
        process = open_one(writer.folder)
        assert [event.thread_id for event in process.events()] == list(range(200))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


# --- rings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("calls", [0, 1, 7, 8, 9, 15, 16, 17, 30])
def test_a_ring_keeps_the_last_records(writer: ProcessWriter, calls: int) -> None:
    writer.ring_records = 8
    lane = writer.lane()
    for number in range(calls):
        lane.call(SYNC, begin=number, end=number)
    process = open_process(writer)
    kept = list(range(calls))[-8:]
    assert process.columns.begin_ticks.tolist() == kept
    assert process.columns.index.tolist() == kept
    assert process.overwritten == process.dropped == calls - len(kept)
    assert process.complete == (calls <= 8)
    assert process.ring
    assert process.problems == []
    assert [event.begin_ticks for event in process.events()] == kept


def test_continuations_whose_record_is_overwritten_are_skipped(writer: ProcessWriter) -> None:
    writer.ring_records = 8
    lane = writer.lane()
    for number in range(5):
        argument = Payload(KERNARG, 0, bytes([number]) * 200)
        lane.call("hipModuleLaunchKernel", begin=number, end=number, payloads=[argument])
    process = open_process(writer)
    assert process.columns.begin_ticks.tolist() == [3, 4]
    assert [event.payloads[0].data[0] for event in process.events()] == [3, 4]
    assert process.overwritten == 9
    assert process.problems == []


def test_the_slot_that_is_being_written_anew_is_no_problem(writer: ProcessWriter) -> None:
    writer.ring_records, writer.end = 8, OPEN
    lane = writer.lane()
    for number in range(12):
        lane.call(SYNC, begin=number, end=number)
    path = writer.write() / "lane.0"
    content = bytearray(path.read_bytes())
    oldest = PAGE + (12 % 8) * SLOT
    content[oldest : oldest + 4] = bytes(4)
    path.write_bytes(content)
    process = open_one(writer.folder)
    assert process.columns.begin_ticks.tolist() == list(range(5, 12))
    assert process.problems == []


def test_a_ring_that_is_cut_tells_so(writer: ProcessWriter) -> None:
    writer.ring_records = 8
    lane = writer.lane()
    for number in range(12):
        lane.call(SYNC, begin=number, end=number)
    os.truncate(writer.write() / "lane.0", PAGE + 6 * SLOT)
    process = open_one(writer.folder)
    assert process.columns.begin_ticks.tolist() == [4, 5, 8, 9, 10, 11]
    assert any("2 records of the ring are missing" in problem for problem in process.problems)


def test_a_ring_that_is_longer_than_any_file_is_not_made_room_for(writer: ProcessWriter) -> None:
    writer.ring_records = 8
    lane = writer.lane()
    lane.call(SYNC, begin=1, end=1)
    path = writer.write() / "lane.0"
    content = bytearray(path.read_bytes())
    content[24:40] = b"\xff" * 16
    path.write_bytes(content)
    assert open_one(writer.folder).problems


def test_lanes_of_a_recording_are_merged_validly(writer: ProcessWriter) -> None:
    for thread in range(3):
        lane = writer.lane(thread)
        for number in range(50):
            lane.call(SYNC, begin=(number * (thread + 3)) % 40, end=100)
    process = open_process(writer)
    assert is_merge_of_lanes(process.columns)
    assert sum("times go back" in problem for problem in process.problems) == 3


def test_a_sparse_file_of_a_terabyte_takes_no_time(writer: ProcessWriter, tmp_path: Path) -> None:
    for ring in (0, 1 << 33):
        writer.lanes.clear()
        lane = writer.lane()
        lane.call(SYNC, begin=1, end=2)
        content = lane.content()
        path = writer.write() / "lane.0"
        patched = bytearray(content)
        patched[24:32] = ring.to_bytes(8, "little")
        patched[32:40] = (1 << 40).to_bytes(8, "little")
        path.write_bytes(patched)
        os.truncate(path, 1 << 40)
        process = open_one(writer.folder)
        assert len(process) <= 1
        assert process.problems
