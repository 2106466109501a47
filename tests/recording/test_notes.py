"""device.jsonl as it comes from a recorder, from a killed process and from a hostile hand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from greta.recording.files import Problems
from greta.recording.notes import MOST_RANGES, DeviceNotes, read_device_notes

FOOTPRINT = {"t": "footprint", "call": [0, 7], "kernel": "k", "read": [4096, 16, 0, 1]}
FAULT = {"t": "fault", "event": "illegal_access", "call": [1, 9], "address": "0x1000"}


def read(
    folder: Path, *lines: object, still_written: bool = False
) -> tuple[DeviceNotes, list[str]]:
    text = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
    (folder / "device.jsonl").write_text(text)
    problems = Problems()
    notes = read_device_notes(folder, problems, still_written=still_written)
    return notes, problems.sentences()


def test_a_recording_without_the_file_has_no_notes(tmp_path: Path) -> None:
    problems = Problems()
    notes = read_device_notes(tmp_path, problems, still_written=False)
    assert (notes.footprints, notes.faults, problems.sentences()) == ([], [], [])


def test_what_was_written_is_read(tmp_path: Path) -> None:
    ranges = [4096, 4, 8, 3, 8192, 100, 0, 1]
    line = {**FOOTPRINT, "write": ranges, "cut": ["write"], "node": [2, 3], "stopped": 1}
    fault = {
        **FAULT,
        "bytes": 4,
        "access": "write",
        "block": [1, 2, 3],
        "thread": [4, 5, 6],
        "allocation": "0xf00",
        "allocation_bytes": 256,
        "code": "code.0123456789abcdef",
        "instruction": "0x20",
    }
    notes, problems = read(tmp_path, line, fault)
    assert problems == []
    (footprint,), (note,) = notes.footprints, notes.faults
    assert footprint.written.ranges().tolist() == [
        *([4096, 4100], [4104, 4108], [4112, 4116]),
        [8192, 8292],
    ]
    assert footprint.read.ranges().tolist() == [[4096, 4112]]
    assert (footprint.call, footprint.node, footprint.stopped) == ((0, 7), (2, 3), True)
    assert footprint.written.cut
    assert not footprint.complete
    assert (note.block, note.thread, note.past_end) == ((1, 2, 3), (4, 5, 6), 0)
    assert note.code == tmp_path / "code.0123456789abcdef"


LARGE = 1 << 63


@pytest.mark.parametrize(
    "line",
    [
        [],
        {"t": "other"},
        {**FOOTPRINT, "call": None},
        {**FOOTPRINT, "call": [0]},
        {**FOOTPRINT, "call": "0,7"},
        {**FOOTPRINT, "call": [-1, 7]},
        {**FOOTPRINT, "kernel": 3},
        {**FOOTPRINT, "read": [4096, 16, 0]},
        {**FOOTPRINT, "read": [4096, 0, 0, 1]},
        {**FOOTPRINT, "read": [4096, 16, 0, 0]},
        {**FOOTPRINT, "read": [4096, 16, 8, 2]},
        {**FOOTPRINT, "read": [4096, 16, 0, 1, 4100, 4, 0, 1]},
        {**FOOTPRINT, "read": [4096, 16, 16, MOST_RANGES + 1]},
        {**FOOTPRINT, "read": [LARGE, LARGE, 0, 1]},
        {**FOOTPRINT, "read": [4096, 16, LARGE, 3]},
        {**FOOTPRINT, "read": [4096, 16, 0, True]},
        {**FOOTPRINT, "read": [4096.5, 16, 0, 1]},
        {**FOOTPRINT, "read": {"0": 1}},
        {**FOOTPRINT, "cut": ["all"]},
        {"t": "variable", "address": "0x0", "bytes": 4},
        {"t": "variable", "address": "0xffffffffffffffff", "bytes": 4},
        {"t": "variable", "address": "0x1000"},
        {**FAULT, "event": "boredom"},
        {**FAULT, "access": "taste"},
        {**FAULT, "thread": [1, 2]},
        {**FAULT, "thread": [1, 2, 1 << 32]},
        {**FAULT, "address": 4096},
        {**FAULT, "code": "../header"},
        {**FAULT, "code": "code.0123456789abcdeg"},
        "{" * 100_000 + "\n",
        "nothing\n",
        '{"t":"fault","event":"trap","device":' + "9" * 5000 + "}\n",
    ],
    ids=str,
)
def test_a_line_that_makes_no_sense_is_left_out_and_named(tmp_path: Path, line: object) -> None:
    notes, problems = read(tmp_path, line, FAULT)
    assert (len(notes.footprints), len(notes.faults)) == (0, 1)
    assert len(problems) == 1
    assert problems[0].startswith("device.jsonl, byte 0: line 1 ")


def test_a_line_that_is_being_written_is_no_damage(tmp_path: Path) -> None:
    cut = json.dumps(FOOTPRINT)[:-9]
    assert read(tmp_path, FAULT, cut, still_written=True)[1] == []
    assert len(read(tmp_path, FAULT, cut)[1]) == 1


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(json.dumps(FAULT) + "\n")
    (tmp_path / "device.jsonl").symlink_to(elsewhere)
    problems = Problems()
    notes = read_device_notes(tmp_path, problems, still_written=False)
    assert notes.faults == []
    assert len(problems.sentences()) == 1


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "device.jsonl")
    problems = Problems()
    read_device_notes(tmp_path, problems, still_written=False)
    assert len(problems.sentences()) == 1
