"""What a child is started with."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from greta.lab.plan import MatrixTest
from greta.lab.worker import Setup, Worker


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands, in place of processes."""
    commands: list[list[str]] = []

    class Popen:
        def __init__(self, command: list[str], **_: Any) -> None:
            commands.append(command)
            self.pid = os.getpid()

    monkeypatch.setattr("subprocess.Popen", Popen)
    return commands


def start(tmp_path: Path, setup: Setup, test: MatrixTest) -> None:
    Worker(setup, test, tmp_path / "run" / "A.0", {}, recorded=True)


def test_a_calm_test_has_nothing_between_it_and_its_calls(
    tmp_path: Path, started: list[list[str]]
) -> None:
    start(tmp_path, Setup("m.gguf", "sim", 8, 128), MatrixTest("A", "baseline", 1))
    [command] = started
    assert command[:4] == [sys.executable, "-m", "greta", "run"]
    assert "--drop-late-output" in command  # whoever still writes is ended
    assert "--delays" not in command
    assert "--watch-host" not in command


def test_stress_may_ask_for_pauses(tmp_path: Path, started: list[list[str]]) -> None:
    start(tmp_path, Setup(None, "sim", 8, 128), MatrixTest("C", "stress", 1, delays=True))
    own = started[0][started[0].index("--") :]
    assert "--delays" in own


def test_the_host_is_watched_where_that_is_asked_for(
    tmp_path: Path, started: list[list[str]]
) -> None:
    setup = Setup(None, "sim", 8, 128, ("greta.lab.drills", "x"), watch_host=True)
    start(tmp_path, setup, MatrixTest("A", "repeat", 1))
    [command] = started
    assert command.index("--watch-host") < command.index("--")
    assert command[command.index("greta.lab.drills") + 1] == "x"
