"""Each recorded process is opened once by a command, those of children too."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

import greta
from greta.cli.main import main
from greta.hip import SimTree
from greta.recording import RecordingError, process
from greta.recording.process import Process

PARENT = """
import ctypes, os, subprocess, sys
hip = ctypes.CDLL("libamdhip64.so")
buffer = ctypes.c_void_p()
hip.hipMalloc(ctypes.byref(buffer), ctypes.c_size_t(64))
if len(sys.argv) == 1:
    subprocess.run([sys.executable, __file__, "child"], check=True)
"""


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    counts: Counter[str] = Counter()
    before = process._open_process

    def counting(folder: Path) -> Process | RecordingError:
        counts[folder.name] += 1
        return before(folder)

    monkeypatch.setattr(process, "_open_process", counting)
    return counts


def test_a_command_opens_each_process_once(
    sim_tree: SimTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: Counter[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(greta.__file__).parents[1]))
    Path("parent.py").write_text(PARENT)
    program = [sys.executable, "parent.py"]
    assert main(["run", "--device", "sim", "--out", "run", "--", *program]) == 0
    processes = {path.name for path in Path("run/recording").iterdir() if path.is_dir()}
    assert len(processes) == 2
    assert opened == dict.fromkeys(processes, 1)
    for command in (
        ["analyze", "run"],
        ["analyze", "run/recording"],
        ["report", "run"],
        ["report", "run", "--format", "html", "-o", "report.html"],
    ):
        opened.clear()
        main(command)
        assert opened == dict.fromkeys(processes, 1), command
