"""processes.jsonl: which processes were recorded, and which programs the recorder is not in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_FILE: Final = "processes.jsonl"
_MOST_BYTES: Final = 4 << 20
"""GRETA_MOST_PROCESSES_BYTES: the recorder writes no more lines then."""
_LONGEST_LINE: Final = 4096


@dataclass(frozen=True)
class UnfollowedStart:
    """A program that was started where the recorder cannot be."""

    pid: int
    """0 where it is not known."""
    by_pid: int
    asked: bool
    """Whether its environment asked for the recorder."""
    file: str
    folder: str
    """The working folder."""
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Started:
    """What the file says; nothing where there is none."""

    recorded: tuple[tuple[int, str], ...] = ()
    """Pid, and the name of the folder."""
    unfollowed: tuple[UnfollowedStart, ...] = ()
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
    lines = [line for line in map(_parsed, content.splitlines()) if line]
    recorded = [(line["pid"], str(line.get("name"))) for line in lines if _is(line, "recorded")]
    return Started(tuple(recorded), _unfollowed(lines), file.stat().st_size >= _MOST_BYTES)


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and type(found.get("pid")) is int else None


def _is(line: dict[str, Any], kind: str) -> bool:
    return bool(line.get("kind") == kind)


def _unfollowed(lines: list[dict[str, Any]]) -> tuple[UnfollowedStart, ...]:
    starts: list[UnfollowedStart] = []
    for line in lines:
        if _is(line, "unfollowed"):
            starts.append(_start(line))
        elif _is(line, "not_started"):
            last = next((s for s in reversed(starts) if s.pid == line["pid"]), None)
            if last:
                starts.remove(last)
    return tuple(starts)


def _start(line: dict[str, Any]) -> UnfollowedStart:
    arguments = line.get("arguments")
    by_pid = line.get("by_pid")
    return UnfollowedStart(
        pid=line["pid"],
        by_pid=by_pid if isinstance(by_pid, int) else 0,
        asked=bool(line.get("asked")),
        file=str(line.get("file")),
        folder=str(line.get("folder")),
        arguments=tuple(map(str, arguments)) if isinstance(arguments, list) else (),
    )
