"""AMD's own library, as Debian has it, on a machine without a GPU."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from greta.recording import open_recording
from tests import children
from tests.recorder.conftest import PROGRAMS

LIBRARY = Path("/usr/lib/x86_64-linux-gnu/libamdhip64.so.5")
NO_DEVICE = 100


@pytest.mark.skipif(not LIBRARY.exists(), reason="Debian's libamdhip64-5 is not installed")
def test_no_device_is_no_device(tmp_path: Path, recorder: Path) -> None:
    program = tmp_path / "no_device"
    compiler = os.environ.get("CC", "gcc")
    children.run([compiler, PROGRAMS / "no_device.c", "-o", program, LIBRARY], check=True)
    plain = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    recording = tmp_path / "recording"
    under_recorder = {**plain, "LD_PRELOAD": str(recorder), "GRETA_RECORD": str(recording)}
    without = children.run([program], env=plain, check=True)
    recorded = children.run([program], env=under_recorder, check=True)
    assert without.stdout.split()[0] == str(NO_DEVICE)
    assert recorded.stdout == without.stdout
    (process,) = open_recording(recording).processes
    events = list(process.events())
    calls = ["hipGetDeviceCount", "hipMalloc", "hipGetLastError", "hipGetLastError"]
    assert [event.call for event in events] == calls
    assert [str(event.result) for event in events] == without.stdout.split()
    assert process.tables.process.hip_library.endswith("libamdhip64.so.5")
