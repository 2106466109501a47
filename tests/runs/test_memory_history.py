"""A memory snapshot beside what is analysed."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from greta.cli.main import main
from greta.runs.gather import gather
from tests.runs.recordings import DEVICE, fill, new_process


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """One allocation of 4096 bytes, at DEVICE."""
    fill(new_process(tmp_path / "recording")).write()
    return tmp_path / "recording"


def snapshot(path: Path, address: int = 0x1000) -> Path:
    block = {"address": address, "size": 64, "state": "active_allocated"}
    segment = {"address": address, "total_size": 4096, "blocks": [block]}
    path.write_bytes(pickle.dumps({"segments": [segment], "device_traces": []}))
    return path


def test_a_snapshot_alone_is_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", str(snapshot(tmp_path / "s.pickle"))]) == 2
    assert "give the run that it belongs to as well" in capsys.readouterr().err


def test_a_snapshot_of_another_run(
    tmp_path: Path, recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", str(recording), str(snapshot(tmp_path / "s.pickle"))]) == 2
    assert "no memory of this run" in capsys.readouterr().err


def test_code_in_a_snapshot_is_not_run(
    tmp_path: Path, recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.pickle"
    path.write_bytes(b"\x80\x02cos\nsystem\nX\x04\x00\x00\x00true\x85R.")
    assert main(["analyze", str(recording), str(path)]) == 2
    said = capsys.readouterr().err
    assert "names or calls code" in said
    assert len(said.strip().splitlines()) == 1


def test_blocks_of_a_snapshot_lie_in_the_allocations(tmp_path: Path, recording: Path) -> None:
    (one,) = gather([recording, snapshot(tmp_path / "s.pickle", DEVICE + 64)])
    (block,) = one.trace.blocks
    assert (int(block["address"]), int(block["bytes"])) == (DEVICE + 64, 64)
    assert not block["is_dated"]
    assert one.trace.accesses["block"].any()


def test_two_snapshots_are_refused(tmp_path: Path, recording: Path) -> None:
    several = [str(snapshot(tmp_path / name)) for name in ("a.pickle", "b.pickle")]
    assert main(["analyze", str(recording), *several]) == 2
