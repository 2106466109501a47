"""Reads the recording of a run that has ended: completes run.json, and counts what there was."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from greta.recording import Recording, open_recording
from greta.runs.nothing import why_nothing
from greta.runs.record import CompletedRun
from greta.runs.recorded import with_recorded
from greta.runs.tally import Tally, recording_bytes, tally
from greta.runs.unfollowed import main_program, still_running, unfollowed_processes
from greta.trace.run_facts import UnfollowedProcess


@dataclass(frozen=True)
class Review:
    """What the recording of a run holds."""

    recording: Recording | None
    """None if there is none, or none that can be read."""
    counts: Tally = field(default_factory=Tally)
    bytes: int = 0
    nothing: str = ""
    """Why there may be no calls."""


def review(run: CompletedRun) -> Review:
    """Opens it; whatever is wrong with it is among the problems of the run."""
    recording, counts = None, Tally()
    program = run.facts.program.real_path if run.facts.program else ""
    nothing = f"none recorded: {why_nothing(Path(program))}"
    try:
        run.keep_facts(replace(run.facts, unfollowed=_unfollowed(run, Path(program))))
        if any(path.is_dir() for path in run.folder.recording.iterdir()):
            recording = open_recording(run.folder.recording)
            run.keep_facts(with_recorded(run.facts, recording))
            counts = tally(recording)
    except Exception as error:
        # Whatever is wrong with the recording: how the program ended is known, and is told.
        run.problems.append(f"the recording cannot be read: {error}")
        nothing = "not known"
    return Review(recording, counts, recording_bytes(run.folder.recording), nothing)


def _unfollowed(run: CompletedRun, program: Path) -> tuple[UnfollowedProcess, ...]:
    return (
        *main_program(run.pid, program, run.facts.command),
        *unfollowed_processes(run.folder.path),
        *still_running(run.folder.recording),
    )
