"""The run whose fault is to be pinned, and how to run its program again as it was run."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from greta.errors import UsageError
from greta.recording import Recording, RecordingError, open_recording
from greta.runs.again import (
    masked_then,
    require_consent,
    require_own,
    require_recorded,
    unmasked,
)
from greta.runs.masking import MASK, PREFIXES
from greta.runs.pinning.fault import Fault, fault_of
from greta.runs.program import find_program
from greta.runs.record import RunRequest
from greta.runs.recorder import find_recorder
from greta.runs.run_json import read_run
from greta.runs.tally import tally
from greta.trace.run_facts import DeviceFacts, FileFacts, RunFacts

_SET_ANEW = ("GRETA_RECORD", "GRETA_DEVICE", "GRETA_SIM_TREE")
"""By every `greta run`."""


@dataclass(frozen=True)
class Original:
    """A run folder that has been read."""

    path: Path
    facts: RunFacts
    recording: Recording
    fault: Fault
    command: list[str]
    """With what was masked in it when it was written down."""

    def environment(self, current: Mapping[str, str]) -> dict[str, str]:
        """`current` with the kept variables as they were: run.json does not have the others."""
        kept = self.facts.environment
        others = {n: v for n, v in current.items() if not n.startswith(PREFIXES)}
        return {**others, **kept, **masked_then(kept, current)}

    def request(self, out: Path, sync: str | None, more: Mapping[str, str]) -> RunRequest:
        """The same command, with operations waited for as `sync` says."""
        return RunRequest(
            command=self.command,
            environment={**self.environment(os.environ), **more},
            device=self.facts.device or DeviceFacts(),
            recorder=find_recorder(),
            out=str(out),
            sync=sync,
            echo=False,
        )

    def require_same_program(self) -> None:
        """Raises UsageError if what would run now is not what ran then."""
        command = self.command
        folder = Path(self.facts.folder or "")
        if not folder.is_dir():
            raise UsageError(f"the folder that the run was started in, {folder}, is gone")
        try:
            os.chdir(folder)
            program = find_program(command, self.environment(os.environ))
        except OSError as error:
            raise UsageError(f"{command[0]} cannot be run again: {error.strerror}") from None
        require_recorded(program.path, _hash(self.facts.program))
        if program.script is not None:
            require_recorded(program.script, _hash(self.facts.script))

    def require_consent(self, *, yes: bool) -> None:
        """Raises UsageError unless the folder is the caller's own, and he wants this run."""
        require_own(self.path, "run.json")
        self.require_same_program()
        require_consent(self.command, self.facts.folder or "", self._changed(), yes=yes)

    def _changed(self) -> dict[str, str]:
        """The variables that the folder brings and that are others now."""
        kept = self.facts.environment.items()
        return {
            name: value
            for name, value in kept
            if os.environ.get(name) != value and not name.startswith(_SET_ANEW) and value != MASK
        }


def open_original(path: str, command: Sequence[str] = ()) -> Original:
    """Reads a run folder; raises UsageError where there is none, or no fault in it."""
    folder = Path(path).absolute()
    facts = read_run(folder)
    if facts is None:
        raise UsageError(f"{path} is not a run folder: it has no run.json")
    for name in ("command", "folder", "environment", "device", "program"):
        if not getattr(facts, name):
            raise UsageError(f"{path}/run.json cannot be read: it does not say {name!r}")
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
    words = unmasked(facts.command, command, facts.masked)
    return Original(folder, facts, recording, fault, words)


def _hash(file: FileFacts | None) -> str | None:
    return file.sha256 if file else None


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
