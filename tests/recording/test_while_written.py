"""Reading what another process is writing."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from greta.recording import Process
from tests.recording.opened import open_one
from tests.recording.writer import OPEN, PAGE, SLOT, ProcessWriter

# Writes records into a mapped lane as the recorder does: `call` is emptied first and filled last,
# and the count follows. Every word of a record holds its number, so that a mixture shows.
WRITER = """
import mmap, struct, sys
path, slots, ring = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open(path, "r+b") as file:
    lane = memoryview(mmap.mmap(file.fileno(), 0))
calls, counts = lane.cast("I"), lane.cast("Q")
body = struct.Struct("<HHQQQiIII10Q")
number = 0
print("ready", flush=True)
while ring or number < slots:
    at = 4096 + number % slots * 128
    calls[at // 4] = 0
    body.pack_into(lane, at + 4, 0, 1, number, number, number, 0, 0, 0, 0, *[number] * 10)
    calls[at // 4] = 1
    number += 1
    counts[4] = number
print("done", flush=True)
"""


@contextmanager
def writing(path: Path, slots: int, *, ring: bool) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", WRITER, str(path), str(slots), str(int(ring))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


def assert_whole(process: Process) -> None:
    words = process.columns.words_of(np.arange(len(process)))
    index = process.columns.index
    assert (words == index[:, None]).all()
    assert (process.columns.begin_ticks == index).all()
    assert (index[1:] == index[:-1] + 1).all()
    assert process.problems == []


@pytest.mark.parametrize("ring", [False, True], ids=["growing", "ring"])
def test_a_snapshot_is_whole(writer: ProcessWriter, ring: bool) -> None:
    slots = 64 if ring else 200_000
    writer.end, writer.ring_records = OPEN, slots if ring else 0
    lane = writer.lane()
    lane.spare_slots = slots
    path = writer.write() / "lane.0"
    assert path.stat().st_size == PAGE + slots * SLOT
    seen = 0
    with writing(path, slots, ring=ring):
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline and seen < 200:
            process = open_one(writer.folder)
            assert_whole(process)
            seen += 1
    assert seen > 3
    assert_whole(open_one(writer.folder))


def test_a_call_that_returns_after_the_opening_had_not(writer: ProcessWriter) -> None:
    writer.end = OPEN
    lane = writer.lane()
    lane.call("hipMalloc", [7], begin=10, end=11)
    lane.call("hipMalloc", [8], begin=20)
    lane.call("hipFree", [9], begin=30, end=31, result=3)
    process = open_one(writer.write())
    before = process.columns.records(np.arange(3)).tobytes()
    lane.slots.clear()
    lane.call("hipMalloc", [7], begin=10, end=11)
    lane.call("hipMalloc", [8], begin=20, end=40, result=2)
    lane.call("hipFree", [9], begin=30, end=31, result=3)
    writer.write()
    assert process.columns.records(np.arange(3)).tobytes() == before
    read = process.columns.by_call(np.arange(3))
    assert read.records[np.argsort(read.order)].tobytes() == before
    assert open_one(writer.folder).columns.records(np.arange(3)).tobytes() != before
