"""Processes of a run that may have used HIP and of which there is no recording.

Either the recorder was not in them, or their folders, which run.json or processes.jsonl lists, are
gone.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from greta.outside import is_there
from greta.recording import unrecorded_processes
from greta.recording.reader import read_started
from greta.runs.unfollowed import unfollowed_processes
from greta.trace.evidence import Unseen
from greta.trace.logs.lines import read_lines
from greta.trace.run_facts import RunFacts, UnfollowedProcess

# native/recorder/lanes/process_recording.cpp; "for now": it goes on trying.
_FOR_GOOD: Final = "the program goes on unrecorded"
_SAID: Final = re.compile(rf"greta: (.+); ({_FOR_GOOD}|not recorded for now)")


def unseen_processes(path: Path, run: RunFacts) -> list[Unseen]:
    """`path` is of a run or a recording, `run` what run.json says."""
    if path.name.partition(".")[0].isdecimal() and (path / "header").exists():
        return []  # one process was asked for
    left = unfollowed_processes(path) if run.unfollowed is None else run.unfollowed
    return [*_gone(path, run), *(_unseen(one) for one in left if not _is_recorded(path, one))]


def _is_recorded(path: Path, one: UnfollowedProcess) -> bool:
    """Whether a process that was alive when the run ended has called HIP after that."""
    return one.why == "alive" and any(_recording(path).glob(f"{one.pid}.*"))


def _unseen(one: UnfollowedProcess) -> Unseen:
    words = str(one.command), str(one.why), str(one.reach)
    return Unseen(str(one.pid or one.by_pid), *words, is_child=not one.pid)


def _gone(path: Path, run: RunFacts) -> Iterator[Unseen]:
    recording = _recording(path)
    commands = dict(_listed(run))
    there = Counter(folder.name.partition(".")[0] for folder in recording.glob("*.*"))
    # One process has several folders if it became another program by exec.
    expected = Counter(str(pid) for pid, _ in read_started(path).recorded) | Counter(
        pid for pid, _ in _listed(run)
    )
    for pid in sorted(expected):
        if there[pid] < expected[pid]:
            yield Unseen(pid, commands.get(pid, "?"), "gone", "called")


def _recording(path: Path) -> Path:
    inner = path / "recording"
    return inner if inner.is_dir() else path


def _listed(run: RunFacts) -> Iterator[tuple[str, str]]:
    for process in run.processes:
        if process.pid is not None:
            yield str(process.pid), shlex.join(process.arguments) or str(process.executable)


def unrecorded(path: Path) -> str | None:
    """Why a process of a run was not recorded, and who says so; None if there is no such."""
    said = _said(path / "stderr.log")
    for folder in unrecorded_processes(path):
        of_it = [words for words, _ in said if folder.name in words]
        return f"stderr.log: {of_it[0]}" if of_it else f"{folder.name}: empty"
    return next((f"stderr.log: {words}" for words, end in said if end == _FOR_GOOD), None)


def _said(log: Path) -> list[tuple[str, str]]:
    """The recorder's words, and what follows from them."""
    lines = read_lines(log) if is_there(log) else ()
    matches = (_SAID.fullmatch(line.text) for line in lines)
    return [(match[1], match[2]) for match in matches if match]
