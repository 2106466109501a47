"""Processes of a run that may have used HIP and of which there is no recording.

Either the recorder was not in them, or their folders, which run.json or processes.jsonl lists, are
gone.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from greta.recording.started import read_started
from greta.runs.unfollowed import unfollowed_facts
from greta.trace.evidence import Unseen


def unseen_processes(path: Path, run: dict[str, Any]) -> list[Unseen]:
    """`path` is of a run or a recording, `run` what run.json says."""
    if path.name.partition(".")[0].isdecimal() and (path / "header").exists():
        return []  # one process was asked for
    judged = run.get("unfollowed")
    facts = judged if isinstance(judged, list) else unfollowed_facts(path)
    known = [one for one in facts if isinstance(one, dict) and not _is_recorded(path, one)]
    return [*_gone(path, run), *map(_of_facts, known)]


def _is_recorded(path: Path, facts: dict[str, Any]) -> bool:
    """Whether a process that was alive when the run ended has called HIP after that."""
    folders = _recording(path).glob(f"{facts.get('pid')}.*")
    return facts.get("why") == "alive" and any(folders)


def _of_facts(facts: dict[str, Any]) -> Unseen:
    words = {name: str(facts.get(name)) for name in ("command", "why", "reach")}
    pid = facts.get("pid")
    return Unseen(str(pid or facts.get("by_pid")), **words, is_child=not pid)


def _gone(path: Path, run: dict[str, Any]) -> Iterator[Unseen]:
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


def _listed(run: dict[str, Any]) -> Iterator[tuple[str, str]]:
    processes = run.get("processes")
    for process in processes if isinstance(processes, list) else ():
        if isinstance(process, dict) and isinstance(process.get("pid"), int):
            words = process.get("arguments")
            command = shlex.join(map(str, words)) if isinstance(words, list) else ""
            yield str(process["pid"]), command or str(process.get("executable"))
