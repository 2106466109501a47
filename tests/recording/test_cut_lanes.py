"""A lane that ends before what it counts is cut, however little is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.recording import open_recording
from tests.recording.writer import SLOT, ProcessWriter


@pytest.mark.parametrize("missing", [1, 3])
def test_a_lane_that_lacks_records(tmp_path: Path, missing: int) -> None:
    writer = ProcessWriter(tmp_path / "4711.1")
    lane = writer.lane()
    for begin in range(1000, 1100, 10):
        lane.call("hipDeviceSynchronize", begin=begin, end=begin + 5)
    path = writer.write() / "lane.0"
    assert open_recording(tmp_path).processes[0].complete
    path.write_bytes(path.read_bytes()[: -missing * SLOT])
    (process,) = open_recording(tmp_path).processes
    assert len(process) == 10 - missing
    assert not process.complete
    assert any(f"{missing} records are missing" in problem for problem in process.problems)


def test_a_lane_whose_last_pages_never_reached_the_disk(tmp_path: Path) -> None:
    writer = ProcessWriter(tmp_path / "4711.1")
    lane = writer.lane()
    for begin in range(1000, 1100, 10):
        lane.call("hipDeviceSynchronize", begin=begin, end=begin + 5)
    path = writer.write() / "lane.0"
    data = path.read_bytes()
    path.write_bytes(data[: -3 * SLOT] + bytes(3 * SLOT))
    (process,) = open_recording(tmp_path).processes
    assert (len(process), process.complete) == (7, False)
    assert any("3 records are missing" in problem for problem in process.problems)
