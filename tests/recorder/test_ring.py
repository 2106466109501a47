"""The flight recorder: the last calls, all that is live, and no more memory than that."""

from __future__ import annotations

import os
from pathlib import Path

from greta.recording import LiveKind
from tests import children
from tests.recorder.conftest import Build, Record

RING = 1000
# 50 million take a few seconds on a quiet machine.
CALLS = int(os.environ.get("GRETA_TEST_RING_CALLS", "500000"))


def test_the_last_calls_are_there(build: Build, record: Record) -> None:
    (process,) = record([build("many"), 10_000], GRETA_RECORD_RING=str(RING))
    assert process.ring
    assert len(process) == RING
    assert process.overwritten == 10_001 - RING
    assert set(process.calls_by_name) == {"hipPeekAtLastError"}
    assert process.problems == []


def test_what_is_live_is_known_although_its_record_is_gone(build: Build, record: Record) -> None:
    (process,) = record([build("many"), 10_000], GRETA_RECORD_RING=str(RING))
    (allocation,) = process.allocations()
    assert (allocation.kind, allocation.bytes) == (LiveKind.DEVICE_MEMORY, 4096)
    assert allocation.ended_by is None


def test_memory_stays_flat(
    build: Build, tmp_path: Path, recorded_environment: dict[str, str]
) -> None:
    env = {**recorded_environment, "GRETA_RECORD_RING": str(RING)}
    done = children.run([build("many"), CALLS], env=env, check=True, timeout=600)
    half, end = (int(word) for word in done.stdout.split())
    assert end <= half + 256  # KiB
    sizes = [path.stat().st_size for path in (tmp_path / "recording").rglob("lane.*")]
    assert sizes, "nothing was recorded"
    assert sum(sizes) < 4096 * (1 + len(sizes)) + RING * 128 * len(sizes)


def test_a_lane_becomes_a_ring_when_the_disk_budget_is_spent(
    build: Build, record: Record, tmp_path: Path
) -> None:
    budget = 1_000_000
    (process,) = record([build("many"), 50_000], GRETA_RECORD_BUDGET=str(budget))
    assert process.header.spent
    assert process.ring
    lane = tmp_path / "recording" / process.folder.name / "lane.0"
    assert lane.stat().st_size <= 4096 + budget
    assert len(process) > 1000
    assert len(process) + process.overwritten == 50_001
    assert process.event(len(process)).call == "hipPeekAtLastError"
    assert process.problems == []
    assert any("budget" in note for note in process.tables.notes)
    used = int.from_bytes((tmp_path / "recording" / "used").read_bytes()[:8], "little")
    assert lane.stat().st_size - 4096 <= used <= budget


def test_a_budget_that_suffices_changes_nothing(build: Build, record: Record) -> None:
    (process,) = record([build("many"), 5_000], GRETA_RECORD_BUDGET="1000000")
    assert not process.header.spent
    assert process.complete
    assert len(process) == 5_001


def test_processes_share_the_budget(build: Build, record: Record, tmp_path: Path) -> None:
    program = build("many")
    processes = record(
        ["/bin/sh", "-c", f"{program} 6000; {program} 6000"], GRETA_RECORD_BUDGET="1200000"
    )
    assert [process.header.spent for process in processes] == [False, True]
    assert all(process.problems == [] for process in processes)
    sizes = [path.stat().st_size for path in (tmp_path / "recording").rglob("lane.*")]
    first = 4096 + 64 * 1024  # which every thread gets
    assert sum(sizes) <= 1_200_000 + 2 * first
