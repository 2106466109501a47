"""The run whose fault is to be pinned, and how to run its program again as it was run."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from greta.errors import UsageError
from greta.pinning.fault import Fault, fault_of
from greta.recording import Recording, RecordingError, open_recording
from greta.runs import RunRequest, find_recorder
from greta.runs.environment import HIDDEN, PREFIXES
from greta.runs.files import sha256_of
from greta.runs.program import find_program
from greta.runs.tally import tally


@dataclass(frozen=True)
class Original:
    """A run folder that has been read."""

    path: Path
    facts: dict[str, Any]
    recording: Recording
    fault: Fault

    def environment(self, current: Mapping[str, str]) -> dict[str, str]:
        """`current` with the kept variables as they were: run.json does not have the others."""
        kept = {n: v for n, v in self.facts["environment"].items() if v != HIDDEN}
        others = {n: v for n, v in current.items() if not n.startswith(PREFIXES)}
        return {**others, **kept}

    def request(self, out: Path, sync: str | None, more: Mapping[str, str]) -> RunRequest:
        """The same command, with operations waited for as `sync` says."""
        return RunRequest(
            command=self.facts["command"],
            environment={**self.environment(os.environ), **more},
            device=self.facts["device"],
            recorder=find_recorder(),
            out=str(out),
            sync=sync,
        )

    def require_same_program(self) -> None:
        """Raises UsageError if what would run now is not what ran then."""
        command = self.facts["command"]
        folder = Path(self.facts["folder"])
        if not folder.is_dir():
            raise UsageError(f"the folder that the run was started in, {folder}, is gone")
        try:
            os.chdir(folder)
            program = find_program(command, self.environment(os.environ))
        except OSError as error:
            raise UsageError(f"{command[0]} cannot be run again: {error.strerror}") from None
        _require_same(program.path, self.facts["program"])
        if program.script is not None and self.facts.get("script"):
            _require_same(program.script, self.facts["script"])


def open_original(path: str) -> Original:
    """Reads a run folder; raises UsageError where there is none, or no fault in it."""
    folder = Path(path).absolute()
    try:
        facts = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        for name in ("command", "folder", "environment", "device", "program"):
            facts[name]  # a KeyError says which one is missing
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"{path} is not a run folder: it has no run.json") from None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"{path}/run.json cannot be read: {error}") from None
    try:
        recording = open_recording(folder)
    except RecordingError as error:
        raise UsageError(f"{error}; there is no operation that could be pinned") from None
    fault = fault_of(facts, recording)
    if fault is None:
        raise UsageError(
            f"the run in {path} has no fault to look for: it ended with 0 and the device reported "
            f"no error{refused_call(recording, path)}"
        )
    return Original(folder, facts, recording, fault)


def refused_call(recording: Recording, run: str) -> str:
    """What to say of a call that HIP refused: it is no fault of the device, and comes at once."""
    failed = tally(recording).first_error
    if failed is None:
        return ""
    return (
        f"; {failed.call} (call {failed.seq}) was refused with {failed.error}, which HIP says at "
        f"once: there is nothing to pin, and `greta analyze {shlex.quote(run)}` says what is wrong "
        "with that call"
    )


def _require_same(path: Path, before: dict[str, Any]) -> None:
    known = before.get("sha256")
    if known is None:
        return
    if sha256_of(Path(os.path.realpath(path))) != known:
        raise UsageError(
            f"{path} is not the file that ran then: its hash is another; record the new one with "
            "`greta run` first"
        )
