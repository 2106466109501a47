"""Continuations of many records at once are those of each record."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from greta.recording import Process, RecordingError, open_recording
from tests.recording.sample import DAMAGES, sample


def assert_same(process: Process) -> int:
    rows = np.arange(len(process))
    owner, found = process.columns.continuations(rows)
    for row in rows.tolist():
        lane = process.lanes[process.columns.lane_place[row]]
        one_by_one = lane.continuations(int(process.columns.lane_row[row]))
        together = found[owner == row]
        # One record's way ends at the first slot that is no continuation; what is there is equal.
        assert together[: len(one_by_one)].tobytes() == one_by_one.tobytes()
    return len(found)


@pytest.mark.parametrize("ring", [False, True])
def test_of_a_whole_recording(tmp_path: Path, ring: bool) -> None:
    sample(tmp_path / "4711.1", ring=ring).write()
    (process,) = open_recording(tmp_path).processes
    assert assert_same(process) > 0
    some = np.arange(0, len(process), 2)
    owner, found = process.columns.continuations(some)
    expected = process.columns.records(some)["more"].tolist()
    assert np.bincount(owner, minlength=len(some)).tolist() == expected
    assert len(found) == sum(expected)


@pytest.mark.parametrize("seed", range(40))
def test_of_a_damaged_one(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - damage, not secrets
    folder = sample(tmp_path / "4711.1", ring=bool(seed % 2)).write()
    for path in folder.glob("lane.*"):
        content = bytearray(path.read_bytes())
        dice.choice(DAMAGES)(dice, content)
        path.write_bytes(content)
    try:
        processes = open_recording(tmp_path).processes
    except RecordingError:
        return
    for process in processes:
        process.columns.continuations(np.arange(len(process)))
