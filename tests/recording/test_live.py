from __future__ import annotations

import os

from greta.recording import LiveKind
from tests.recording.opened import open_one, open_process
from tests.recording.writer import OPEN, ProcessWriter

MEMORY = LiveKind.DEVICE_MEMORY


def test_entries_are_in_the_order_they_were_made(writer: ProcessWriter) -> None:
    writer.live_entry(LiveKind.STREAM, 0x20, number=7, flags=1)
    writer.live_entry(LiveKind.FREE, 0x99, number=1)
    ids = {"stack": 7, "annotation": 8, "call": 9}
    writer.live_entry(MEMORY, 0x10, bytes=256, number=2, since=5, site=6, device=-1, **ids)
    live = open_process(writer).live
    assert [entry.kind for entry in live.entries] == [MEMORY, LiveKind.STREAM]
    memory, stream = live.entries
    assert (memory.handle, memory.bytes, memory.since, memory.site) == (0x10, 256, 5, 6)
    assert (memory.stack, memory.annotation, memory.call, memory.device) == (7, 8, 9, -1)
    assert (stream.handle, stream.flags, stream.number) == (0x20, 1, 7)
    assert (live.peak_device_bytes, live.device_bytes) == (4096, 1024)


def test_a_table_that_is_cut_gives_what_is_left(writer: ProcessWriter) -> None:
    for number in range(4):
        writer.live_entry(LiveKind.EVENT, 0x10 + number, number=number)
    os.truncate(writer.write() / "live", 4096 + 2 * 64 + 10)
    process = open_one(writer.folder)
    assert len(process.live.entries) == 2
    assert process.problems == ["live, byte 4224: is cut short: 2 of 4 slots are there"]


def test_an_unknown_kind_is_left_out(writer: ProcessWriter) -> None:
    writer.live_entry(LiveKind.EVENT, 0x10)
    writer.live_entry(99, 0x20)
    process = open_process(writer)
    assert len(process.live.entries) == 1
    assert process.problems == ["live, byte 4160: 1 slots are of an unknown kind; left out"]


def test_a_table_may_be_about_to_begin_while_the_process_runs(writer: ProcessWriter) -> None:
    writer.end = OPEN
    (writer.write() / "live").write_bytes(bytes(4096))
    process = open_one(writer.folder)
    assert process.live.entries == []
    assert process.problems == []
