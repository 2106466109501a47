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
