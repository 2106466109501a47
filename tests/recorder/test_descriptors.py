"""The recorder's files and the program's descriptors do not get in each other's way."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.recording import open_recording
from tests import children
from tests.recorder.conftest import Build, Record, check_guest

BEHAVIOUR = ["has no descriptors at first", "logs to closed streams", "damages its recording"]


@pytest.mark.parametrize("what", BEHAVIOUR)
def test_behaviour_is_the_same(
    build: Build, recorded_environment: dict[str, str], what: str
) -> None:
    check_guest(build, recorded_environment, what)


def test_what_is_written_to_closed_streams_is_not_in_the_recording(
    build: Build, record: Record
) -> None:
    (process,) = record([build("guest"), "logs to closed streams"])
    assert len(process) == 150_000
    assert process.complete
    assert not process.problems


@pytest.mark.parametrize(("ring", "kept"), [("", 5001), ("1000", 1000)], ids=["all", "ring"])
def test_a_damaged_recording_does_not_mislead_the_recorder(
    build: Build, record: Record, ring: str, kept: int
) -> None:
    (process,) = record([build("guest"), "damages its recording"], GRETA_RECORD_RING=ring)
    assert len(process) == kept
    assert not process.header.gave_up


def test_a_recording_begins_once_there_is_a_descriptor(
    build: Build, tmp_path: Path, recorded_environment: dict[str, str]
) -> None:
    done = children.run([build("guest"), "has no descriptors at first"], env=recorded_environment)
    assert "no free file descriptor; not recorded for now" in done.stderr
    (process,) = open_recording(tmp_path / "recording").processes
    assert process.dropped >= 10
    assert len(process) + process.dropped == 110
    assert len(process) > 90
    assert not process.complete


def test_the_size_limit_is_not_taken_for_want_of_space(
    build: Build, recorded_environment: dict[str, str]
) -> None:
    done = children.run([build("guest"), "may write little"], env=recorded_environment)
    assert "the limit for the size of files is reached; the program goes on" in done.stderr
