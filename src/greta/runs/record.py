"""Runs a program under the recorder and keeps the run."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from greta.errors import UsageError
from greta.runs.child import Child, ProgramEnd, signals_held
from greta.runs.facts import (
    exit_facts,
    log_facts,
    recorder_facts,
    resource_facts,
    starting_facts,
)
from greta.runs.files import iso_time
from greta.runs.folder import RunFolder, create_run_folder
from greta.runs.inherited_signals import heed_children
from greta.runs.masking import MASK, kept_environment
from greta.runs.program import find_program
from greta.runs.recorder import RecorderSettings, preloadable_recorder, recording_environment
from greta.runs.stream import OutputStream, open_missing_descriptors
from greta.trace.run_facts import DeviceFacts, RunFacts

Streams = tuple[OutputStream, OutputStream]


@dataclass(frozen=True)
class RunRequest:
    """What to run: `environment` is the program's but for the recorder, `device` goes to run.json.

    `out` None means a new folder under greta-runs/, `ring` None that everything is kept.
    `watch_host` and `sync` are what the recorder does beyond recording; see runs.recorder.
    `follow_children`: what children write that outlive the program is still passed on and kept.
    `echo`: the program has our standard streams; if not, it gets no input, and its output is only
    kept.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    device: DeviceFacts
    recorder: Path
    out: str | None = None
    ring: int | None = None
    watch_host: bool = False
    sync: str | None = None
    follow_children: bool = False
    echo: bool = True

    def recording(self, folder: Path) -> RecorderSettings:
        """How it is to be recorded."""
        return RecorderSettings(folder, self.ring, self.watch_host, self.sync)


@dataclass
class CompletedRun:
    """A run that has ended, with what run.json says of it."""

    folder: RunFolder
    pid: int
    ending: ProgramEnd
    facts: RunFacts
    at_line_start: bool
    """What the program wrote last ended its line."""
    problems: list[str] = field(default_factory=list)

    def keep_facts(self, facts: RunFacts) -> None:
        """Writes run.json anew; a disk that is full must not hide how the program ended."""
        self.facts = facts
        try:
            self.folder.write_facts(facts)
        except OSError as error:
            self.problems.append(f"cannot write {self.folder.facts}: {error.strerror}")


def record(request: RunRequest) -> CompletedRun:
    """Runs it to its end.

    Raises OSError if the program cannot be executed, UsageError if there is no place for the run
    folder; neither leaves anything behind.
    """
    heed_children()
    open_missing_descriptors()
    _require_working_folder()
    program = find_program(request.command, request.environment)
    facts = replace(
        starting_facts(request.command, program),
        device=request.device,
        ring=request.ring,
        watch_host=request.watch_host,
        sync=request.sync,
        recorder=recorder_facts(request.recorder),
    )
    recorder = preloadable_recorder(request.recorder)
    with signals_held() as mask:
        folder = create_run_folder(request.out, program.name, datetime.now().astimezone())
        recording = request.recording(folder.recording)
        environment = recording_environment(request.environment, recorder, recording)
        kept = kept_environment(environment)
        masked = (*facts.masked, *_masked_names(kept))
        facts = replace(facts, environment=kept, masked=masked, started=iso_time(time.time()))
        streams = _begin(folder, facts, request)
        try:
            child = Child(
                request.command,
                program.executed,
                environment,
                streams,
                mask,
                has_input=request.echo,
            )
        except OSError:
            _undo(folder, streams)
            raise
        return _finish(child, folder, facts, streams)


def _masked_names(kept: Mapping[str, str]) -> list[str]:
    return [name for name, value in kept.items() if MASK in value]


def _require_working_folder() -> None:
    try:
        Path.cwd()
    except FileNotFoundError:
        raise UsageError("the working folder has been removed; change to another") from None


def _begin(folder: RunFolder, facts: RunFacts, request: RunRequest) -> Streams:
    shown, follow = request.echo, request.follow_children
    try:
        folder.write_facts(facts)
        return (
            OutputStream("stdout", 1 if shown else None, folder.log("stdout"), follow),
            OutputStream("stderr", 2 if shown else None, folder.log("stderr"), follow),
        )
    except OSError as error:
        folder.discard()
        raise UsageError(
            f"cannot write into the run folder {str(folder.path)!r}: {error.strerror}; "
            "name another with --out DIR"
        ) from None


def _undo(folder: RunFolder, streams: Streams) -> None:
    for stream in streams:
        stream.abandon()
    folder.discard()


def _finish(child: Child, folder: RunFolder, facts: RunFacts, streams: Streams) -> CompletedRun:
    ending = child.wait()
    at_line_start = all(stream.at_line_start for stream in streams)
    run = CompletedRun(folder, child.pid, ending, facts, at_line_start)
    run.keep_facts(
        replace(
            facts,
            finished=True,
            ended=iso_time(ending.ended),
            seconds=ending.seconds,
            exit=exit_facts(ending),
            resources=resource_facts(ending.usage),
            logs={stream.name: log_facts(stream) for stream in streams},
        )
    )
    return run
