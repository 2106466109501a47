"""A recording that finds no room: the program goes on, and what is missing is said."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from greta.recording import open_recording
from tests import children
from tests.recorder.conftest import Build

CALLS = 200_000  # 25 MB of records
ROOM = "264m"  # of which the recorder leaves 256 to others


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "none", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("a disk of a chosen size can be had by root only")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_the_program_goes_on(
    build: Build, small_disk: Path, recorded_environment: dict[str, str]
) -> None:
    folder = small_disk / "recording"
    env = {**recorded_environment, "GRETA_RECORD": str(folder)}
    done = children.run([build("many"), CALLS], env=env)
    assert done.returncode == 0
    assert "no space on the disk; the rest is not recorded" in done.stderr
    (process,) = open_recording(folder).processes
    assert len(process) + process.dropped == CALLS + 1
    assert len(process) > 1000
    assert not process.complete


def test_no_space_is_said_only_of_a_disk(
    build: Build, tmp_path: Path, recorded_environment: dict[str, str]
) -> None:
    env = {**recorded_environment, "GRETA_RECORD": str(tmp_path / "recording")}
    limited = ["sh", "-c", 'ulimit -f 8192; exec "$@"', "sh", build("many"), str(CALLS)]
    done = children.run(limited, env=env)
    assert done.returncode == 0
    assert "the limit for the size of files is reached; the rest is not recorded" in done.stderr
    assert "no space" not in done.stderr
