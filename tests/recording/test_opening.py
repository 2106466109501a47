from __future__ import annotations

from pathlib import Path

import pytest

from greta.recording import RecordingError, open_recording
from tests.recording.opened import open_process
from tests.recording.writer import INCOMPLETE, OPEN, QUICK, SIGNAL, ProcessWriter


@pytest.fixture
def two_processes(tmp_path: Path) -> Path:
    """A run folder whose second process started first."""
    run = tmp_path / "run"
    for pid, started in ((10, 2000), (20, 1000)):
        folder = run / "recording" / f"{pid}.1"
        writer = ProcessWriter(folder, pid=pid, start=(0, 0, started))
        writer.lane().call("hipDeviceSynchronize", begin=10, end=20)
        writer.write()
    return run


def test_a_run_a_recording_and_a_process_can_be_opened(two_processes: Path) -> None:
    for path in (two_processes, two_processes / "recording", str(two_processes)):
        assert [process.pid for process in open_recording(path).processes] == [20, 10]
    one = open_recording(two_processes / "recording" / "10.1")
    assert [process.pid for process in one.processes] == [10]
    assert one.complete


def test_a_process_that_cannot_be_opened_does_not_hide_the_others(two_processes: Path) -> None:
    header = two_processes / "recording" / "10.1" / "header"
    content = bytearray(header.read_bytes())
    content[8] = 7
    header.write_bytes(content)
    recording = open_recording(two_processes)
    assert [process.pid for process in recording.processes] == [20]
    assert not recording.complete
    assert "version 7" in recording.problems[0]


def test_another_version_is_refused_in_one_sentence(writer: ProcessWriter) -> None:
    header = writer.write() / "header"
    content = bytearray(header.read_bytes())
    content[8] = 3
    header.write_bytes(content)
    with pytest.raises(RecordingError, match=r"version 3, and this greta reads versions 1 to 2"):
        open_recording(writer.folder)


def test_what_is_no_recording_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("hello")
    (tmp_path / "empty").mkdir()
    (tmp_path / "noise").mkdir()
    (tmp_path / "noise" / "header").write_bytes(b"noise")
    for name, reason in {
        "missing": "does not exist",
        "file": "is a file",
        "empty": "is not a recording",
        "noise": "nothing in it that can be read",
    }.items():
        with pytest.raises(RecordingError, match=reason):
            open_recording(tmp_path / name)


@pytest.mark.parametrize("folder", [".", "recording"])
def test_a_run_without_a_hip_call_is_told_from_what_is_no_recording(
    tmp_path: Path, folder: str
) -> None:
    (tmp_path / "recording").mkdir()
    with pytest.raises(RecordingError, match="is not a recording"):
        open_recording(tmp_path / folder)
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(RecordingError, match="a run of which no HIP call is recorded"):
        open_recording(tmp_path / folder)


def test_problems_name_the_process_they_are_of(two_processes: Path) -> None:
    (two_processes / "recording" / "10.1" / "live").unlink()
    problems = open_recording(two_processes).problems
    assert problems == ["10.1/live: cannot be read: No such file or directory"]


def test_how_a_process_ended(writer: ProcessWriter) -> None:
    writer.end_code = 3
    ending = open_process(writer).ending
    assert (ending.how, ending.code, ending.survived) == ("exit", 3, False)
    writer.end = QUICK
    assert open_process(writer).ending.how == "quick"
    writer.end = OPEN
    process = open_process(writer)
    assert process.ending.how == "open"
    assert not process.complete
    assert process.problems == []


def test_a_signal_is_survived_if_calls_come_after_it(writer: ProcessWriter) -> None:
    writer.end, writer.end_code, writer.end_ticks = SIGNAL, 6, 2000
    lane = writer.lane()
    lane.call("hipDeviceSynchronize", begin=1999)
    assert not open_process(writer).ending.survived
    assert open_process(writer).complete
    lane.call("hipDeviceSynchronize", begin=2001, end=2002)
    process = open_process(writer)
    assert process.ending.survived
    assert not process.complete  # how it really ended is not known


def test_a_recorder_that_gave_up_leaves_an_incomplete_recording(writer: ProcessWriter) -> None:
    assert open_process(writer).complete
    writer.flags, writer.dropped = INCOMPLETE, 12
    process = open_process(writer)
    assert process.dropped == 12
    assert not process.complete


def test_without_a_header_the_calls_are_still_there(writer: ProcessWriter) -> None:
    writer.lane().call("hipDeviceSynchronize", begin=10, end=20)
    (writer.write() / "header").unlink()
    process = open_recording(writer.folder).processes[0]
    assert process.pid == 4711
    assert len(process) == 1
    assert "header" in process.problems[0]
    assert not process.complete


def test_a_lane_that_is_missing_is_told(writer: ProcessWriter) -> None:
    writer.lane().call("hipDeviceSynchronize", begin=10, end=20)
    writer.lane().call("hipDeviceSynchronize", begin=11, end=20)
    (writer.write() / "lane.0").unlink()
    process = open_recording(writer.folder).processes[0]
    assert len(process) == 1
    assert process.problems == ["header: counts 1 lanes that are not there"]


def test_a_lane_may_be_about_to_begin_while_the_process_runs(writer: ProcessWriter) -> None:
    writer.end = OPEN
    writer.lane().call("hipDeviceSynchronize", begin=10, end=20)
    (writer.write() / "lane.1").write_bytes(bytes(4096))
    process = open_recording(writer.folder).processes[0]
    assert len(process.lanes) == 1
    assert process.problems == []
