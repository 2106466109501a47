"""Processes of a run that were not recorded and may have used HIP, for run.json."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from greta.recording.notes import read_started
from greta.runs.elf import reach_of, why_not_loaded
from greta.runs.masking import masked_words
from greta.trace.run_facts import UnfollowedProcess

_PROC: Final = Path("/proc")
_GRACE_SECONDS: Final = 0.5
"""For processes that are about to end, as helpers of a program that has just ended are."""
_PAUSE_SECONDS: Final = 0.02


def living_processes(recording: Path) -> list[tuple[int, Path, list[str]]]:
    """Pid, program and command of those that record into this folder and do not end at once.

    They have made no HIP call that was recorded.
    """
    deadline = time.monotonic() + _GRACE_SECONDS
    while (found := list(_found(recording))) and time.monotonic() < deadline:
        time.sleep(_PAUSE_SECONDS)
    return found


def _found(recording: Path) -> Iterator[tuple[int, Path, list[str]]]:
    wanted = b"GRETA_RECORD=" + os.fsencode(recording)
    begun = {folder.name.partition(".")[0] for folder in recording.glob("*.*")}
    for entry in _PROC.iterdir():
        if not entry.name.isdecimal() or entry.name in begun:
            continue
        try:
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                words = (entry / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
                yield int(entry.name), (entry / "exe").readlink(), list(map(os.fsdecode, words))
        except OSError:
            continue  # it has ended, or is another user's


_LONGEST_COMMAND: Final = 120
_reach = lru_cache(maxsize=512)(reach_of)


def unfollowed_processes(path: Path) -> tuple[UnfollowedProcess, ...]:
    """Each with its command, why the recorder was not in it, and why it may have used HIP.

    `path` is of a run or a recording. One whose file shows that it cannot reach HIP is left out.
    """
    started = read_started(path)
    facts = [
        UnfollowedProcess(
            start.pid,
            start.by_pid,
            _command(masked_words(start.arguments)[0]) or start.file,
            (why_not_loaded(program) or "rights") if start.asked else "environment",
            reach,
        )
        for start in started.unfollowed
        if (reach := _reach(program := Path(start.folder, start.file)))
    ]
    if started.is_full:
        facts.append(UnfollowedProcess(0, 0, "...", "not_noted", "unknown"))
    return tuple(facts)


def main_program(pid: int, program: Path, command: Sequence[str]) -> list[UnfollowedProcess]:
    """The program that was to be recorded, if the recorder cannot be in it."""
    why = why_not_loaded(program)
    reach = _reach(program) if why else None
    return [UnfollowedProcess(pid, 0, _command(command), why, reach)] if why and reach else []


def still_running(recording: Path) -> list[UnfollowedProcess]:
    """Processes that go on, and may call HIP later."""
    return [
        UnfollowedProcess(pid, 0, _command(masked_words(command)[0]), "alive", reach)
        for pid, program, command in living_processes(recording)
        if (reach := _reach(program))
    ]


def _command(words: Sequence[str]) -> str:
    command = shlex.join(words)
    return command if len(command) <= _LONGEST_COMMAND else f"{command[: _LONGEST_COMMAND - 3]}..."
