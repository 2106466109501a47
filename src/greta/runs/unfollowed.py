"""Processes of a run that were not recorded and may have used HIP, for run.json."""

from __future__ import annotations

import shlex
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from greta.recording.started import UnfollowedStart, read_started
from greta.runs.elf import read_elf
from greta.runs.reach import Reach, reach_of

_LONGEST_COMMAND: Final = 120
_reach = lru_cache(maxsize=512)(reach_of)


def unfollowed_facts(path: Path) -> list[dict[str, Any]]:
    """Each with its command, why the recorder was not in it, and why it may have used HIP.

    `path` is of a run or a recording. One whose file shows that it cannot reach HIP is left out.
    """
    started = read_started(path)
    facts = [_facts(start, reach) for start in started.unfollowed if (reach := _of(start))]
    if started.is_full:
        facts.append(_fact(0, 0, "...", "not_noted", "unknown"))
    return facts


def _of(start: UnfollowedStart) -> Reach | None:
    return _reach(Path(start.folder, start.file))


def _facts(start: UnfollowedStart, reach: Reach) -> dict[str, Any]:
    command = shlex.join(start.arguments) or start.file
    if len(command) > _LONGEST_COMMAND:
        command = f"{command[: _LONGEST_COMMAND - 3]}..."
    return _fact(start.pid, start.by_pid, command, _why(start), reach)


def _fact(pid: int, by_pid: int, command: str, why: str, reach: str) -> dict[str, Any]:
    return {"pid": pid, "by_pid": by_pid, "command": command, "why": why, "reach": reach}


def _why(start: UnfollowedStart) -> str:
    if not start.asked:
        return "environment"
    elf = read_elf(Path(start.folder, start.file))
    if elf is None or elf.machine != "EM_X86_64":
        return "machine" if elf else "rights"
    return "rights" if elf.dynamic else "static"
