"""Reads the recording of a run that has ended: completes run.json, and says what there was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from greta.recording import Recording, open_recording
from greta.runs.models import with_annotated
from greta.runs.nothing import why_nothing
from greta.runs.record import Run
from greta.runs.recorded import recorded_facts
from greta.runs.summary import Line, summarize
from greta.runs.tally import Tally, recording_bytes, tally
from greta.runs.unfollowed import living_facts, main_program_facts, unfollowed_facts


def review(run: Run) -> list[Line]:
    """The summary's lines."""
    program = run.facts["program"]["real_path"]
    counts, nothing = Tally(), f"none recorded: {why_nothing(Path(program))}"
    try:
        run.keep_facts(unfollowed=_unfollowed(run, Path(program)))
        if any(path.is_dir() for path in run.folder.recording.iterdir()):
            recording = open_recording(run.folder.recording)
            run.keep_facts(**recorded_facts(recording, program), models=_models(run, recording))
            counts = tally(recording)
    except Exception as error:
        # Whatever is wrong with the recording: how the program ended is known, and is told.
        run.problems.append(f"the recording cannot be read: {error}")
        nothing = "not known"
    size = recording_bytes(run.folder.recording)
    return summarize(run, counts, size, nothing)


def _unfollowed(run: Run, program: Path) -> list[dict[str, Any]]:
    return [
        *main_program_facts(run.pid, program, run.facts["command"]),
        *unfollowed_facts(run.folder.path),
        *living_facts(run.folder.recording),
    ]


def _models(run: Run, recording: Recording) -> list[dict[str, Any]]:
    tables = (process.tables for process in recording.processes)
    texts = (entry.text for table in tables for entry in table.annotations.values())
    return with_annotated(run.facts["models"], texts)
