"""Processes of a run that were not recorded and may have used HIP, for run.json."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from greta.recording.reader import UnfollowedStart, read_started
from greta.runs.alive import living_processes
from greta.runs.elf import read_elf
from greta.runs.masking import masked_words
from greta.runs.nothing import why_not_loaded
from greta.runs.reach import Reach, reach_of
from greta.trace.run_facts import UnfollowedProcess

_LONGEST_COMMAND: Final = 120
_reach = lru_cache(maxsize=512)(reach_of)


def unfollowed_processes(path: Path) -> tuple[UnfollowedProcess, ...]:
    """Each with its command, why the recorder was not in it, and why it may have used HIP.

    `path` is of a run or a recording. One whose file shows that it cannot reach HIP is left out.
    """
    started = read_started(path)
    facts = [_facts(start, reach) for start in started.unfollowed if (reach := _of(start))]
    if started.is_full:
        facts.append(UnfollowedProcess(0, 0, "...", "not_noted", "unknown"))
    return tuple(facts)


def main_program(pid: int, program: Path, command: Sequence[str]) -> list[UnfollowedProcess]:
    """Of the program that was to be recorded, if the recorder cannot be in it."""
    why = why_not_loaded(program)
    reach = _reach(program) if why else None
    return [UnfollowedProcess(pid, 0, _command(command), why, reach)] if why and reach else []


def still_running(recording: Path) -> list[UnfollowedProcess]:
    """Of processes that go on, and may call HIP later."""
    return [
        UnfollowedProcess(one.pid, 0, _command(masked_words(one.command)[0]), "alive", reach)
        for one in living_processes(recording)
        if (reach := _reach(one.program))
    ]


def _of(start: UnfollowedStart) -> Reach | None:
    return _reach(Path(start.folder, start.file))


def _facts(start: UnfollowedStart, reach: Reach) -> UnfollowedProcess:
    command = _command(masked_words(start.arguments)[0]) or start.file
    return UnfollowedProcess(start.pid, start.by_pid, command, _why(start), reach)


def _command(words: Sequence[str]) -> str:
    command = shlex.join(words)
    return command if len(command) <= _LONGEST_COMMAND else f"{command[: _LONGEST_COMMAND - 3]}..."


def _why(start: UnfollowedStart) -> str:
    if not start.asked:
        return "environment"
    elf = read_elf(Path(start.folder, start.file))
    if elf is None or elf.machine != "EM_X86_64":
        return "machine" if elf else "rights"
    return "rights" if elf.dynamic else "static"
