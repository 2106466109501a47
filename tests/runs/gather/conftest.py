"""Run folders as `greta run` leaves them, put together by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from greta.runs.files import file_facts
from greta.runs.program import find_program
from greta.runs.provenance import provenance_facts
from greta.typed_json import encode


class RunFolders:
    """Makes run folders without a recording: a run in which no HIP call was made."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def make(self, command: list[str], **facts: Any) -> Path:
        folder = self.place / "run"
        (folder / "recording").mkdir(parents=True)
        program = find_program(command, {"PATH": "/usr/bin:/bin"})
        executed = file_facts(program.path)
        run = {
            "schema": 1,
            "command": command,
            "folder": str(self.place),
            "program": encode(executed),
            "script": encode(file_facts(program.script)) if program.script else None,
            "module": program.module,
            "provenance": None if program.script else encode(provenance_facts(executed)),
            "models": [],
            "environment": {},
            "processes": [],
            "executables": [],
            "libraries": [],
            **facts,
        }
        (folder / "run.json").write_text(json.dumps(run))
        return folder


@pytest.fixture
def runs(tmp_path: Path) -> RunFolders:
    return RunFolders(tmp_path / "place")
