"""GRETA_RECORD_SYNC: the recorder waits for operations, and says what came of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.recording import Process
from tests.recorder.conftest import Build, Record
from tests.recorder.test_host_watch import touches, watching

SYNC = "greta_added_sync"


def waited_for(process: Process) -> list[tuple[object, str]]:
    """The number of each operation that was waited for, and the call before the wait."""
    events = list(process.events())
    marks = [event for event in events if event.call == SYNC]
    assert all(mark.finished and mark.result == 0 for mark in marks)
    return [(mark.arguments["operation"], events[mark.seq - 2].call) for mark in marks]


@pytest.mark.parametrize(
    ("sync", "expected"),
    [
        ("all", [(1, "hipMemsetAsync"), (3, "hipGraphLaunch"), (4, "hipMemcpyAsync")]),
        ("4", [(4, "hipMemcpyAsync")]),
        ("..3", [(1, "hipMemsetAsync"), (3, "hipGraphLaunch")]),
        ("2", []),  # it was only captured
        ("0", []),
        ("nonsense", []),
    ],
)
def test_which_operations(
    build: Build, record: Record, sync: str, expected: list[tuple[int, str]]
) -> None:
    (process,) = record([build("captured")], GRETA_RECORD_SYNC=sync)
    assert waited_for(process) == expected


def test_the_programs_own_calls_are_the_same(build: Build, record: Record) -> None:
    def calls(**variables: str) -> list[str]:
        (process,) = record([build("captured")], **variables)
        return [event.call for event in process.events() if event.call != SYNC]

    assert calls(GRETA_RECORD_SYNC="all") == calls()


def test_what_is_captured_is_not_watched(build: Build, record: Record, recorder: Path) -> None:
    (process,) = record([build("captured")], **watching(recorder))
    assert touches(process) == []
