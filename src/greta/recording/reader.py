"""Opening a recording, and processes.jsonl: what is known of processes by other means."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from greta.errors import OutsideError
from greta.recording.files import RecordingError
from greta.recording.process import Process
from greta.typed_json import JsonField, decode

PROCESS_FILES = ("header", "lane.0", "tables.jsonl")


class Recording:
    """The processes of a run, in the order they started, and what else could not be read."""

    def __init__(self, path: Path, processes: list[Process], unopened: dict[Path, str]) -> None:
        self.path = path
        self.processes = processes
        self.unopened = unopened
        """Folders of processes of which nothing could be read, and why."""

    def __repr__(self) -> str:
        return f"<Recording {self.path}: {len(self.processes)} processes>"

    @property
    def problems(self) -> list[str]:
        """Those of all processes, each with the name of its folder."""
        within = (f"{p.folder.name}/{problem}" for p in self.processes for problem in p.problems)
        return [*self.unopened.values(), *within]

    @property
    def complete(self) -> bool:
        """Whether every process is complete."""
        return not self.unopened and all(process.complete for process in self.processes)


def open_recording(path: Path | str) -> Recording:
    """Open what is recorded under a folder: of a run, of a recording, or of one process.

    Raises RecordingError if nothing there can be read; all lesser damage is told in `problems`.
    A recording that is still being written is opened as it is now.
    """
    path = Path(path)
    folders = list(_process_folders(path))
    if not folders:
        raise RecordingError(f"{path} {_what_it_is(path)}")
    opened = {folder: _open_process(folder) for folder in folders}
    processes = [one for one in opened.values() if isinstance(one, Process)]
    errors = {at: one for at, one in opened.items() if isinstance(one, RecordingError)}
    if not processes:
        raise next(iter(errors.values()))
    processes.sort(key=lambda process: (process.start_realtime_ns, process.folder.name))
    return Recording(path, processes, {at: str(error) for at, error in errors.items()})


def is_recording(path: Path) -> bool:
    """Whether a folder holds recorded processes; none of them is opened."""
    try:
        return any(True for _ in _process_folders(path))
    except RecordingError:
        return False


def unrecorded_processes(path: Path | str) -> list[Path]:
    """Folders in which the recorder has begun and could not write anything."""
    return [folder for folder in _process_folders(Path(path)) if _is_blank(folder)]


def _is_blank(folder: Path) -> bool:
    try:
        return all(file.is_file() and not file.stat().st_size for file in folder.iterdir())
    except OSError:
        return False


def _open_process(folder: Path) -> Process | RecordingError:
    if _is_blank(folder):
        return RecordingError(f"{folder} is empty: the recorder could not record this process")
    try:
        return Process(folder)
    except RecordingError as error:
        return error


def _process_folders(path: Path) -> Iterator[Path]:
    try:
        if any((path / name).exists() for name in PROCESS_FILES):
            yield path
            return
        inner = path / "recording"
        folder = inner if inner.is_dir() else path
        names = sorted(folder.iterdir()) if folder.is_dir() else []
        yield from (p for p in names if re.fullmatch(r"\d+\.\d+", p.name) and p.is_dir())
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error.strerror or error}") from error


def _what_it_is(path: Path) -> str:
    if not path.exists():
        return "does not exist"
    if not path.is_dir():
        return "is a file; a recording is a folder"
    if _is_empty_run(path):
        return "is a run of which no HIP call is recorded: run.json says what ran"
    return "is not a recording: it has no folder of a process, such as 4711.1, in it"


def _is_empty_run(path: Path) -> bool:
    """Whether `greta run` made it, or the run it is the recording of."""
    inner = path / "recording"
    recording = inner if inner.is_dir() else path.resolve()
    run_of = (recording.parent / "run.json").is_file() and recording.name == "recording"
    return run_of and not any(child.is_dir() for child in recording.iterdir())


_FILE: Final = "processes.jsonl"
_MOST_BYTES: Final = 4 << 20
"""GRETA_MOST_PROCESSES_BYTES: the recorder writes no more lines then."""
_LONGEST_LINE: Final = 4096


@dataclass(frozen=True)
class StartNote:
    """A line of the file; contract/recording.h says what each kind has."""

    pid: int
    """0 where it is not known."""
    kind: str = ""
    name: str = ""
    """Of a recorded process: its folder."""
    by_pid: int = 0
    asked: int = 0
    """Whether its environment asked for the recorder."""
    file: str = ""
    folder: str = ""
    """The working folder."""
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Started:
    """What the file says; nothing where there is none."""

    recorded: tuple[tuple[int, str], ...] = ()
    """Pid, and the name of the folder."""
    unfollowed: tuple[StartNote, ...] = ()
    """Programs that were started where the recorder cannot be."""
    is_full: bool = False
    """Later processes are not in it."""


def read_started(path: Path) -> Started:
    """Of a run, or of a recording; lines that are damaged are left out."""
    inner = path / "recording"
    file = (inner if inner.is_dir() else path) / _FILE
    if not file.is_file():
        return Started()
    with file.open(encoding="utf-8", errors="surrogateescape") as text:
        content = text.read(_MOST_BYTES + _LONGEST_LINE)
    recorded: list[tuple[int, str]] = []
    starts: list[StartNote] = []
    for note in filter(None, (_note(line, file) for line in content.splitlines())):
        if note.kind == "recorded":
            recorded.append((note.pid, note.name))
        elif note.kind == "unfollowed":
            starts.append(note)
        elif note.kind == "not_started":
            last = next((start for start in reversed(starts) if start.pid == note.pid), None)
            if last:
                starts.remove(last)
    return Started(tuple(recorded), tuple(starts), file.stat().st_size >= _MOST_BYTES)


def _note(line: str, file: Path) -> StartNote | None:
    try:
        return decode(StartNote, json.loads(line), JsonField(file))
    except (ValueError, RecursionError, OutsideError):
        return None
