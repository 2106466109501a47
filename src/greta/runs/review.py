"""Reads the recording of a run that has ended: completes run.json, and counts what there was."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from greta.forensics.saying import Saying
from greta.recording import Process, Recording, open_recording
from greta.runs.elf import why_nothing
from greta.runs.files import file_facts, with_annotated
from greta.runs.kept import bytes_on_disk
from greta.runs.masking import masked_words
from greta.runs.provenance import provenance_facts
from greta.runs.record import CompletedRun
from greta.runs.unfollowed import main_program, still_running, unfollowed_processes
from greta.trace.run_facts import LibraryFacts, ProcessFacts, RunFacts

if TYPE_CHECKING:
    from greta.runs.tally import Tally

_ENTRY = ("executable", "folder", "recorder", "hip_library")
_VERSION_CALLS = {"hipRuntimeGetVersion": "hip_runtime", "hipDriverGetVersion": "hip_driver"}


def with_recorded(facts: RunFacts, recording: Recording) -> RunFacts:
    """What run.json says, and what the recording adds to it."""
    program = facts.program.real_path if facts.program else ""
    tables = (process.tables for process in recording.processes)
    texts = (entry.text for table in tables for entry in table.annotations.values())
    # The files of programs that were recorded and are not the one that was asked for.
    paths = {process.tables.process.executable for process in recording.processes}
    others = [file_facts(Path(path)) for path in sorted(paths - {"", program})]
    found = {
        (entry.path, entry.build_id)
        for process in recording.processes
        for entry in process.tables.libraries
    }
    return replace(
        facts,
        processes=tuple(_process_facts(process) for process in recording.processes),
        executables=tuple(replace(one, provenance=provenance_facts(one)) for one in others),
        libraries=tuple(LibraryFacts(path, build_id or None) for path, build_id in sorted(found)),
        versions=_versions(recording),
        models=tuple(with_annotated(facts.models, texts)),
    )


def _process_facts(process: Process) -> ProcessFacts:
    entry, ending = process.tables.process, process.ending
    return ProcessFacts(
        pid=process.pid,
        parent_pid=process.header.parent_pid,
        arguments=tuple(masked_words(entry.arguments)[0]),
        **{name: getattr(entry, name) or None for name in _ENTRY},
        hip_libraries=entry.hip_libraries,
        calls=len(process),
        end=ending.how,
        end_code=ending.code,
        complete=process.complete,
    )


def _versions(recording: Recording) -> dict[str, int]:
    versions: dict[str, int] = {}
    for process in recording.processes:
        for number in process.calls_by_id:
            if name := _VERSION_CALLS.get(process.tables.call_name(number)):
                columns = process.columns
                answered = (columns.call == number) & columns.finished & (columns.result == 0)
                rows = np.flatnonzero(answered)[:1]
                if len(rows):
                    versions[name] = int(columns.words_of(rows)[0, 0])
    return versions


@dataclass
class Review:
    recording: Recording | None
    """None if there is none, or none that can be read."""
    problems: list[str]
    """The run's: whatever is wrong with the recording is among them."""
    bytes: int = 0
    nothing: Saying = field(default_factory=lambda: Saying("nothing_called"))
    """Why there may be no calls."""

    @cached_property
    def counts(self) -> Tally:
        """Counted when they are asked for: runs of an audit, which are quiet, need none."""
        from greta.runs.tally import Tally, tally

        try:
            return tally(self.recording) if self.recording else Tally()
        except Exception as error:
            self.note_unreadable(error)
            return Tally()

    def note_unreadable(self, error: Exception) -> None:
        """Whatever is wrong with it: how the program ended is known, and is told."""
        self.problems.append(f"the recording cannot be read: {error}")
        self.nothing = Saying("nothing_unreadable")


def review(run: CompletedRun) -> Review:
    program = run.facts.program.real_path if run.facts.program else ""
    found = Review(None, run.problems, nothing=why_nothing(Path(program)))
    try:
        unfollowed = (
            *main_program(run.pid, Path(program), run.facts.command),
            *unfollowed_processes(run.folder.path),
            *still_running(run.folder.recording),
        )
        run.keep_facts(replace(run.facts, unfollowed=unfollowed))
        if any(path.is_dir() for path in run.folder.recording.iterdir()):
            found.recording = open_recording(run.folder.recording)
            run.keep_facts(with_recorded(run.facts, found.recording))
    except Exception as error:
        found.note_unreadable(error)
    found.bytes = bytes_on_disk(run.folder.recording)
    return found
