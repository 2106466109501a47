"""Runs a program under the recorder and keeps the run."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from greta.errors import UsageError
from greta.inherited_signals import heed_children
from greta.masking import MASK
from greta.runs.child import Child, Ending, signals_held
from greta.runs.environment import kept_environment
from greta.runs.facts import (
    exit_facts,
    log_facts,
    recorder_facts,
    resource_facts,
    starting_facts,
)
from greta.runs.files import iso_time
from greta.runs.folder import RunFolder, create_run_folder
from greta.runs.program import find_program
from greta.runs.recorder import Recording, preloadable_recorder, recording_environment
from greta.runs.stream import OutputStream, open_missing_descriptors

Streams = tuple[OutputStream, OutputStream]


@dataclass(frozen=True)
class RunRequest:
    """What to run: `environment` is the program's but for the recorder, `device` goes to run.json.

    `out` None means a new folder under greta-runs/, `ring` None that everything is kept.
    `watch_host` and `sync` are what the recorder does beyond recording; see runs.recorder.
    `follow_children`: what children write that outlive the program is still passed on and kept.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    device: Mapping[str, Any]
    recorder: Path
    out: str | None = None
    ring: int | None = None
    watch_host: bool = False
    sync: str | None = None
    follow_children: bool = False

    def recording(self, folder: Path) -> Recording:
        """How it is to be recorded."""
        return Recording(folder, self.ring, self.watch_host, self.sync)


@dataclass
class Run:
    """A run that has ended, with what run.json says of it."""

    folder: RunFolder
    pid: int
    ending: Ending
    facts: dict[str, Any]
    at_line_start: bool
    """What the program wrote last ended its line."""
    problems: list[str] = field(default_factory=list)

    def keep_facts(self, **more: Any) -> None:
        """Adds to run.json; a disk that is full must not hide how the program ended."""
        self.facts.update(more)
        try:
            self.folder.write_facts(self.facts)
        except OSError as error:
            self.problems.append(f"cannot write {self.folder.facts}: {error.strerror}")


def record(request: RunRequest) -> Run:
    """Runs it to its end.

    Raises OSError if the program cannot be executed, UsageError if there is no place for the run
    folder; neither leaves anything behind.
    """
    heed_children()
    open_missing_descriptors()
    _require_working_folder()
    program = find_program(request.command, request.environment)
    facts = starting_facts(request.command, program)
    facts |= {"device": dict(request.device), "ring": request.ring}
    facts |= {"watch_host": request.watch_host, "sync": request.sync}
    facts["recorder"] = recorder_facts(request.recorder)
    recorder = preloadable_recorder(request.recorder)
    with signals_held() as mask:
        folder = create_run_folder(request.out, program.name, datetime.now().astimezone())
        recording = request.recording(folder.recording)
        environment = recording_environment(request.environment, recorder, recording)
        facts["environment"] = kept_environment(environment)
        facts["masked"] += _masked_names(facts["environment"])
        streams = _begin(folder, facts, request.follow_children)
        try:
            child = Child(request.command, program.executed, environment, streams, mask)
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


def _begin(folder: RunFolder, facts: dict[str, Any], follow: bool) -> Streams:
    facts["started"] = iso_time(time.time())
    try:
        folder.write_facts(facts)
        return (
            OutputStream("stdout", 1, folder.log("stdout"), follow),
            OutputStream("stderr", 2, folder.log("stderr"), follow),
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


def _finish(child: Child, folder: RunFolder, facts: dict[str, Any], streams: Streams) -> Run:
    ending = child.wait()
    run = Run(folder, child.pid, ending, facts, all(stream.at_line_start for stream in streams))
    run.keep_facts(
        finished=True,
        ended=iso_time(ending.ended),
        seconds=ending.seconds,
        exit=exit_facts(ending),
        resources=resource_facts(ending.usage),
        logs={stream.name: log_facts(stream) for stream in streams},
    )
    return run
