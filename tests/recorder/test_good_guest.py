"""The recorder lives in other people's programs: what they do works as it does without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.recording import open_recording
from tests import children
from tests.recorder.conftest import Build, Record, check_guest

BEHAVIOUR = [
    *("forked child terminated", "forked child crashed", "handler chains", "small stack"),
    *("jumps out of a call", "has no descriptors", "keeps errno", "exits in a handler"),
    *("may write little", "jumps and goes deeper", "calls in a handler", "forks by itself"),
    "handler acts as before",
]


@pytest.mark.parametrize("what", BEHAVIOUR)
def test_behaviour_is_the_same(
    build: Build, recorded_environment: dict[str, str], what: str
) -> None:
    check_guest(build, recorded_environment, what)


@pytest.mark.parametrize("number", [15, 11], ids=["terminated", "crashed"])
def test_a_forked_child_has_its_own_recording(build: Build, record: Record, number: int) -> None:
    what = {15: "forked child terminated", 11: "forked child crashed"}[number]
    parent, child = record([build("guest"), what])
    assert list(child.calls_by_name) == ["hipDriverGetVersion"]
    assert (child.ending.how, child.ending.code) == ("signal", number)
    assert (parent.ending.how, parent.ending.code) == ("exit", 0)


def test_calls_after_one_that_was_left_by_a_jump_are_recorded(build: Build, record: Record) -> None:
    (process,) = record([build("guest"), "jumps out of a call"])
    assert process.calls_by_name["hipPeekAtLastError"] == 10


@pytest.mark.parametrize("what", ["jumps and goes deeper", "calls in a handler"])
def test_calls_while_another_is_under_way_or_was_left_are_the_programs(
    build: Build, record: Record, what: str
) -> None:
    (process,) = record([build("guest"), what])
    assert process.calls_by_name["hipPeekAtLastError"] == 10
    assert process.complete


def test_a_child_of_which_nobody_was_told_has_its_own_recording(
    build: Build, record: Record
) -> None:
    parent, child = record([build("guest"), "forks by itself"])
    assert parent.calls_by_name["hipPeekAtLastError"] == 40
    assert child.calls_by_name["hipPeekAtLastError"] == 50
    assert parent.complete
    assert child.complete


def test_what_could_not_be_recorded_for_a_while_is_counted(build: Build, record: Record) -> None:
    (process,) = record([build("guest"), "has no descriptors"])
    assert process.dropped > 0
    assert len(process) + process.dropped == 2001
    assert not process.complete


def test_a_process_that_may_write_little_is_recorded_as_far_as_it_may(
    build: Build, tmp_path: Path, recorded_environment: dict[str, str]
) -> None:
    children.run([build("guest"), "may write little"], env=recorded_environment, check=True)
    for process in open_recording(tmp_path / "recording").processes:
        assert not process.complete
