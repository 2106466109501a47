"""Processes of a run that were not recorded and may have used HIP, for run.json."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from greta.masking import masked_words
from greta.recording.started import UnfollowedStart, read_started
from greta.runs.alive import living_processes
from greta.runs.elf import read_elf
from greta.runs.nothing import why_not_loaded
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


def main_program_facts(pid: int, program: Path, command: Sequence[str]) -> list[dict[str, Any]]:
    """Of the program that was to be recorded, if the recorder cannot be in it."""
    why = why_not_loaded(program)
    reach = _reach(program) if why else None
    return [_fact(pid, 0, _command(command), why, reach)] if why and reach else []


def living_facts(recording: Path) -> list[dict[str, Any]]:
    """Of processes that go on, and may call HIP later."""
    return [
        _fact(one.pid, 0, _command(masked_words(one.command)[0]), "alive", reach)
        for one in living_processes(recording)
        if (reach := _reach(one.program))
    ]


def _of(start: UnfollowedStart) -> Reach | None:
    return _reach(Path(start.folder, start.file))


def _facts(start: UnfollowedStart, reach: Reach) -> dict[str, Any]:
    command = _command(masked_words(start.arguments)[0]) or start.file
    return _fact(start.pid, start.by_pid, command, _why(start), reach)


def _command(words: Sequence[str]) -> str:
    command = shlex.join(words)
    return command if len(command) <= _LONGEST_COMMAND else f"{command[: _LONGEST_COMMAND - 3]}..."


def _fact(pid: int, by_pid: int, command: str, why: str, reach: str) -> dict[str, Any]:
    return {"pid": pid, "by_pid": by_pid, "command": command, "why": why, "reach": reach}


def _why(start: UnfollowedStart) -> str:
    if not start.asked:
        return "environment"
    elf = read_elf(Path(start.folder, start.file))
    if elf is None or elf.machine != "EM_X86_64":
        return "machine" if elf else "rights"
    return "rights" if elf.dynamic else "static"
